import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { formatApiKey, isApiKey } from '../../../src/domain/access/api-key.ts';
import { databaseUrl, dump, execute, provideMigrated } from '../../../support/databases/engine.ts';
import { type Scope, temporaryFolder } from '../../../support/processes/scope.ts';
import { command } from './command.ts';

const KEY = 'data/changelog.key';

/** Commands other than init resolve a relative path from the folder of the process. */
const settled = (folder: string) => ({
  CHANGELOG_DATABASE_URL: `sqlite:${path.join(folder, 'data/changelog.db')}`,
});
const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

/** With an empty database, which is faster than to create one. */
async function preparedFolder(scope: Scope, files: Record<string, string> = {}): Promise<string> {
  const folder = projectFolder(scope, files);
  mkdirSync(path.join(folder, 'data'));
  await provideMigrated({ folder: path.join(folder, 'data') });
  return folder;
}

function projectFolder(scope: Scope, files: Record<string, string> = {}): string {
  const folder = path.join(temporaryFolder(scope), 'rocket');
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}

describe('init', () => {
  it('init asks for the name of the product, with a default from the name of the folder, and sets up everything', async (t) => {
    const folder = projectFolder(t);
    const { code, questions, stdout, stderr } = await command(
      { folder, answers: [''] },
      'init',
      '--team',
      'Acme',
    );
    assert.equal(code, 0);
    assert.equal(stderr, '');
    assert.match(stdout, /^To hide it:\n {2}changelog team set acme --visibility private$/m);
    assert.deepEqual(questions, ['What is your product called? [Rocket]: ']);
    assert.equal(
      readFileSync(path.join(folder, '.env'), 'utf8'),
      'CHANGELOG_DATABASE_URL=sqlite:data/changelog.db\nCHANGELOG_LISTING=all\n',
    );
    assert.equal(modeOf(path.join(folder, '.env')), '600');
    assert.match(
      stdout,
      /^ {2}curl http:\/\/127\.0\.0\.1:3000\/api\/v1\/public\/teams\/acme\/products\/rocket\/changelog$/m,
    );
    assert.match(stdout, /^The API reference, once it is served:\n {2}http:\/\/127\.0\.0\.1:3000\/docs$/m);
    const key = readFileSync(path.join(folder, KEY), 'utf8').trimEnd();
    assert.ok(isApiKey(key));
    assert.equal(modeOf(path.join(folder, KEY)), '600');
    assert.ok(!stdout.includes(key), 'the key is on no screen');

    const at = { folder, environment: settled(folder) };
    const listed = async (...args: string[]) => JSON.parse((await command(at, ...args, '--json')).stdout);
    assert.deepEqual(await listed('team', 'show', 'acme'), {
      slug: 'acme',
      name: 'Acme',
      visibility: 'public',
      plan: 'paid',
    });
    assert.equal((await listed('product', 'show', 'acme/rocket')).status, 'published');
    assert.equal((await listed('changelog', 'show', 'acme/rocket')).status, 'published');
    assert.equal((await listed('key', 'list', 'acme'))[0].kind, 'FULL');
    assert.equal(
      (await command({ folder, environment: { PORT: '0', ...settled(folder) } }, 'doctor')).code,
      0,
    );
  });

  it('init changes nothing where everything is set up', async (t) => {
    const folder = await preparedFolder(t);
    const init = ['init', '--yes', '--team', 'Acme'];
    await command({ folder }, ...init);
    const before = readdirSync(folder, { recursive: true }).map(String);
    const key = readFileSync(path.join(folder, KEY), 'utf8');
    const settings = readFileSync(path.join(folder, '.env'), 'utf8');
    const at = { folder, environment: { ...settled(folder), BASE_URL: 'https://changelog.example' } };
    assert.deepEqual(JSON.parse((await command(at, ...init, '--json')).stdout), {
      team: 'acme',
      product: 'rocket',
      visibility: 'public',
      made: [],
      imported: null,
    });
    const again = await command(at, ...init);
    assert.match(again.stdout, /^ {2}https:\/\/changelog\.example\/changelog\/acme\/rocket$/m);
    assert.match(again.stdout, /^ {2}https:\/\/changelog\.example\/docs$/m);
    assert.doesNotMatch(again.stdout, /^\+/m);
    const unnamed = await command({ ...at, answers: [''] }, 'init');
    assert.equal(unnamed.code, 1);
    assert.match(unnamed.stderr, /^changelog: the database already has the team acme; use --team acme /);
    const { stdout } = await command(at, ...[...init, '--product', 'Second', '--visibility', 'private']);
    assert.match(stdout, /^\+ product acme\/second$/m);
    const other = await command(at, 'init', '--yes', '--team', 'Other', '--product', 'Rocket');
    assert.doesNotMatch(other.stdout, /cat data/, 'the key that is here may be of another team');
    assert.deepEqual(readdirSync(folder, { recursive: true }).map(String), before);
    assert.equal(readFileSync(path.join(folder, KEY), 'utf8'), key);
    assert.equal(readFileSync(path.join(folder, '.env'), 'utf8'), settings);
  });

  it('init adds what is not set to an existing .env', async (t) => {
    const folder = await preparedFolder(t, { '.env': '# Ours\nLISTING=none' });
    const { code, stdout, stderr } = await command({ folder }, 'init', '--yes');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^\+ \.env$/m);
    assert.equal(
      readFileSync(path.join(folder, '.env'), 'utf8'),
      '# Ours\nLISTING=none\nCHANGELOG_DATABASE_URL=sqlite:data/changelog.db\n',
    );
  });

  it('init uses the database that is set, and refuses one with tables of another program', async (t) => {
    const folder = projectFolder(t);
    const environment = { DATABASE_URL: `sqlite:${path.join(folder, 'new.db')}` };
    const { code, stdout, stderr } = await command({ folder, environment }, 'init', '--yes');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^\+ database new\.db$/m);
    assert.ok(!existsSync(path.join(folder, '.env')));

    const application = temporaryFolder(t);
    await execute({ folder: application }, 'create table invoices (id integer)');
    const before = await dump({ folder: application });
    const own = { folder: application, environment: { DATABASE_URL: databaseUrl({ folder: application }) } };
    const refused = await command(own, 'init', '--yes');
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /tables of another program \(invoices\).*Set CHANGELOG_DATABASE_URL to another database/,
    );
    assert.deepEqual(await dump({ folder: application }), before);
    assert.ok(!existsSync(path.join(application, 'data')));
  });

  it("init leaves an application's DATABASE_URL in .env alone, even of an empty database", async (t) => {
    const folder = projectFolder(t);
    const application = path.join(folder, 'application.db');
    for (const file of [application, `${application}x`]) {
      writeFileSync(file, '');
      writeFileSync(path.join(folder, '.env'), `DATABASE_URL=sqlite:${file}\n`);
      const { code, stderr } = await command({ folder }, 'init', '--yes');
      assert.equal(code, 0, stderr);
      assert.match(
        stderr,
        /DATABASE_URL in \.env may be that of an application, and is not used; to use it, set/,
      );
      assert.equal(readFileSync(file, 'utf8'), '');
      assert.match(
        readFileSync(path.join(folder, '.env'), 'utf8'),
        /\nCHANGELOG_DATABASE_URL=sqlite:data\/changelog\.db\n/,
      );
    }
    const url = `sqlite:${path.join(folder, 'data/changelog.db')}`;
    writeFileSync(path.join(folder, '.env'), `DATABASE_URL=${url}\n`);
    const { code, stderr } = await command({ folder }, 'init', '--yes');
    assert.deepEqual([code, stderr], [0, ''], 'it has our tables');
    assert.equal(readFileSync(path.join(folder, '.env'), 'utf8'), `DATABASE_URL=${url}\n`);
  });

  it('init keeps what an existing product says about its page, and the language of its changelog', async (t) => {
    const folder = await preparedFolder(t);
    const init = ['init', '--yes', '--team', 'Acme', '--product', 'Rocket'];
    const at = { folder, environment: settled(folder) };
    await command(at, ...init);
    const before = [
      await command(at, 'product', 'set', 'acme/rocket', '--accent', '#fa0', '--home', 'https://a.example'),
      await command(at, 'changelog', 'set', 'acme/rocket', '--language', 'de'),
    ];
    assert.equal((await command(at, ...init)).code, 0);
    const shown = [
      await command(at, 'product', 'show', 'acme/rocket'),
      await command(at, 'changelog', 'show', 'acme/rocket'),
    ];
    assert.deepEqual(shown, before);
    assert.match(shown.map(({ stdout }) => stdout).join(''), /#ffaa00(.*\n)*language +de\n/);
  });

  it('init explains a name that cannot be used, and asks again', async (t) => {
    const folder = await preparedFolder(t);
    const answers = ['火箭', formatApiKey(() => 1), 'Acme'];
    const { code, stdout, stderr, questions } = await command(
      { folder, answers },
      ...['init', '--visibility', 'private'],
    );
    assert.equal(code, 0, stderr);
    assert.equal(questions.length, answers.length);
    for (const reason of [/made of a-z and 0-9/, /looks like an API key/])
      assert.match(questions.join(''), reason);
    assert.match(stdout, /^\+ product acme\/acme$/m);
    assert.doesNotMatch(stdout, /public\//, 'there is nothing public to read');
  });

  it('init imports an existing changelog, unless --no-import is set', async (t) => {
    const text = '## [1.1.0] - 2026-03-02\n\n- Faster.\n\n## [1.0.0] - 2026-01-15\n';
    const folder = await preparedFolder(t, { 'CHANGELOG.md': text });
    const { code, stdout } = await command({ folder, answers: [''] }, 'init');
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^\+ version rocket\/rocket 1\.1\.0\n\+ version rocket\/rocket 1\.0\.0\nDone: 2 created/m,
    );
    const other = await preparedFolder(t, { 'CHANGELOG.md': text });
    const left = JSON.parse(
      (await command({ folder: other }, 'init', '--yes', '--no-import', '--json')).stdout,
    );
    assert.equal(left.imported, null);
  });

  it('init leaves nothing behind if the changelog is invalid', async (t) => {
    const folder = projectFolder(t, { 'CHANGELOG.md': '## [1.0.0] - 2026-13-01\n' });
    const { code, stderr } = await command({ folder }, 'init', '--yes');
    assert.deepEqual([code, readdirSync(folder)], [1, ['CHANGELOG.md']]);
    assert.match(stderr, /^changelog: CHANGELOG\.md:1: [^\n]*invalid date[^\n]*\n$/m);
  });

  it('init without a terminal needs --product or --yes', async (t) => {
    const folder = projectFolder(t);
    const { code, stderr } = await command({ folder }, 'init', '--team', 'Acme');
    assert.deepEqual([code, readdirSync(folder)], [1, []]);
    assert.match(stderr, /^changelog: [^\n]*no terminal[^\n]*--product NAME, or --yes[^\n]*\n$/);
    assert.equal((await command({ folder }, 'init', '--product', 'Rocket')).code, 0);
  });

  it('init leaves nothing behind if it fails', async (t) => {
    const folder = projectFolder(t, { data: 'no folder' });
    const { code, stderr } = await command({ folder }, 'init', '--yes');
    assert.equal(code, 1);
    assert.match(stderr, /^changelog: [^\n]*data[^\n]*\n$/);
    assert.deepEqual(readdirSync(folder), ['data']);
  });

  it('init names the missing database if AUTO_MIGRATE=false forbids creating it', async (t) => {
    const folder = projectFolder(t);
    const { code, stderr } = await command(
      { folder, environment: { AUTO_MIGRATE: 'false' } },
      'init',
      '--yes',
    );
    assert.deepEqual([code, readdirSync(folder)], [1, []]);
    assert.match(
      stderr,
      /there is no database at \S+\/data\/changelog\.db\. .*; `changelog migrate` would create a new one\.$/m,
    );
  });

  it('init writes and prints no password from the environment', async (t) => {
    const folder = projectFolder(t);
    const url = 'postgres://me:hunter2@127.0.0.1:1/changelog';
    const away = await command({ folder, environment: { CHANGELOG_DATABASE_URL: url } }, 'init', '--yes');
    assert.equal(away.code, 1);
    assert.doesNotMatch(away.stderr, /hunter2/);
    assert.deepEqual(readdirSync(folder), []);
  });

  it('init keeps the key and the database out of git', async (t) => {
    const folder = projectFolder(t, { '.gitignore': '.env\n' });
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
    git('init', '--quiet');
    const status = () => git('status', '--short', '--untracked-files=all');
    await command({ folder }, 'init', '--yes');
    assert.equal(status(), '?? .gitignore\n?? data/.gitignore\n');
    rmSync(path.join(folder, KEY));
    writeFileSync(path.join(folder, 'data/.gitignore'), '*.tmp');
    await command({ folder, environment: settled(folder) }, 'init', '--yes');
    assert.equal(status(), '?? .gitignore\n?? data/.gitignore\n');
    assert.match(readFileSync(path.join(folder, 'data/.gitignore'), 'utf8'), /^\*\.tmp\nchangelog\.key\n/);
  });

  it('init takes the repository of a new product from the git remote, without the password in it', async (t) => {
    const folder = await preparedFolder(t);
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder });
    git('init', '--quiet');
    git('remote', 'add', 'origin', 'https://github.com/acme/rocket.git');
    // As a CI sets it.
    git('config', 'url.https://user:pa55word@github.com/.insteadOf', 'https://github.com/');
    const show = async () => {
      const at = { folder, environment: settled(folder) };
      return JSON.parse((await command(at, 'product', 'show', 'rocket/rocket', '--json')).stdout).links;
    };
    const first = await command({ folder }, 'init', '--yes');
    const links = { home: null, base: null, repository: 'https://github.com/acme/rocket' };
    assert.deepEqual(await show(), links);
    assert.doesNotMatch(first.stdout + first.stderr, /pa55word/);
    assert.ok(!readFileSync(path.join(folder, 'data/changelog.db')).includes('pa55word'));

    // What exists keeps what it has.
    git('remote', 'set-url', 'origin', 'https://github.com/acme/other.git');
    const again = await command({ folder, environment: settled(folder) }, 'init', '--yes');
    assert.equal(again.code, 0);
    assert.deepEqual(await show(), links);
  });
});
