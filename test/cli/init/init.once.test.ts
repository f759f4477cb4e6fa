import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { formatApiKey, isApiKey } from '../../../src/domain/access/api-key.ts';
import { provideMigrated } from '../../../support/databases/engine.ts';
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
    assert.match(
      stderr,
      /^The team acme is public; `changelog team set acme --visibility private` changes that, and --name /m,
    );
    assert.match(stderr, /^With CHANGELOG_LISTING=all in \.env, \/ shows every public product; /m);
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

  it('init asks and changes nothing where everything is set up, and lists what exists', async (t) => {
    const folder = await preparedFolder(t);
    await command({ folder }, 'init', '--yes', '--team', 'Acme');
    const before = readdirSync(folder, { recursive: true }).map(String);
    const key = readFileSync(path.join(folder, KEY), 'utf8');
    const settings = readFileSync(path.join(folder, '.env'), 'utf8');
    const proxied = { folder, environment: { BASE_URL: 'https://changelog.example' } };
    const { next, setup } = JSON.parse((await command(proxied, 'init', '--json')).stdout);
    assert.deepEqual(setup[1], { isNew: false, kind: 'team', name: 'acme' });
    assert.equal(next.docs, 'https://changelog.example/docs');
    assert.equal(next.page, 'https://changelog.example/changelog/acme/rocket');
    for (const answers of [undefined, []]) {
      const { code, stdout, stderr } = await command({ folder, ...(answers && { answers }) }, 'init');
      assert.equal(code, 0);
      assert.match(stdout, /^= team acme \(already exists\)$/m);
      assert.match(stdout, /^= \.env \(already exists\)$/m);
      assert.doesNotMatch(stdout, /^\+/m);
      assert.match(stderr, /nothing was changed/);
    }
    const { stdout, stderr } = await command(
      { folder },
      ...['init', '--yes', '--team', 'Acme', '--product', 'Second', '--visibility', 'private'],
    );
    assert.match(stdout, /^= team acme \(already exists\)\n\+ product acme\/second$/m);
    assert.match(stderr, /^The team acme already exists and is public; /m);
    assert.match(stdout, /"\$\(cat data\/changelog\.key\)" \| curl .*\/acme\/products\/second\//);
    const other = await command({ folder }, 'init', '--yes', '--team', 'Other', '--product', 'Rocket');
    assert.doesNotMatch(other.stdout, /cat data/, 'the key that is here is not of that team');
    assert.match(other.stdout, /^ {2}changelog key create other --kind FULL --out other\.key$/m);
    assert.deepEqual(readdirSync(folder, { recursive: true }).map(String), before);
    assert.equal(readFileSync(path.join(folder, KEY), 'utf8'), key);
    assert.equal(readFileSync(path.join(folder, '.env'), 'utf8'), settings);
  });

  it('init keeps a LISTING that is set, and that of a set-up that exists', async (t) => {
    const [listed, existing] = [
      await preparedFolder(t, { '.env': 'LISTING=none\n' }),
      await preparedFolder(t, { '.env': 'CHANGELOG_DATABASE_URL=sqlite:own.db\n' }),
    ];
    for (const [folder, ...args] of [[listed], [existing, '--database', 'sqlite:other.db']] as const) {
      const { code, stderr } = await command({ folder }, 'init', '--yes', ...args);
      assert.equal(code, 0, stderr);
      assert.match(stderr, /^Added CHANGELOG_DATABASE_URL to \.env, which existed\.$/m);
      assert.doesNotMatch(readFileSync(path.join(folder, '.env'), 'utf8') + stderr, /CHANGELOG_LISTING/);
    }
  });

  it('init keeps what an existing product says about its page, and the language of its changelog', async (t) => {
    const folder = await preparedFolder(t);
    const init = ['init', '--yes', '--team', 'Acme', '--product', 'Rocket'];
    await command({ folder }, ...init);
    const at = { folder, environment: settled(folder) };
    const before = [
      await command(at, 'product', 'set', 'acme/rocket', '--accent', '#fa0', '--home', 'https://a.example'),
      await command(at, 'changelog', 'set', 'acme/rocket', '--language', 'de'),
    ];
    assert.equal((await command({ folder }, ...init)).code, 0);
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
    const more = await command(
      { folder: other },
      'init',
      '--yes',
      '--product',
      'Two',
      '--import',
      'CHANGELOG.md',
    );
    assert.match(more.stdout, /^Done: 2 created/m);
  });

  it('init escapes control characters in names, and quotes the commands to copy', async (t) => {
    const steering = '\x1b]0;x\x07\u202e';
    const name = `a${steering} 'log'.md`;
    const folder = await preparedFolder(t, { [name]: '## [1.0.0] - 2026-01-15\n' });
    const answers = [''];
    const { code, stdout, stderr, questions } = await command({ folder, answers }, 'init', '--import', name);
    assert.equal(code, 0, stderr);
    assert.doesNotMatch(stdout + stderr + questions.join(), /[^\P{Cc}\n]|\p{Bidi_Control}/u);
    assert.match(stdout, /^a\\x1b\]0;x\\x07\\u202e 'log'\.md: Keep a Changelog, 1 version/m);
    const again = await command({ folder }, 'init', '--yes', '--product', 'Two', '--import', name, '--json');
    assert.match(JSON.parse(again.stdout).next.import, / 'a\\x1b\]0;x\\x07\\u202e '\\''log'\\''\.md'$/);
  });

  it('init leaves nothing behind if the changelog is invalid, and says how to go on without it', async (t) => {
    const folder = projectFolder(t, { 'CHANGELOG.md': '## [1.0.0] - 2026-13-01\n' });
    const { code, stderr } = await command({ folder }, 'init', '--yes');
    assert.deepEqual([code, readdirSync(folder)], [1, ['CHANGELOG.md']]);
    assert.match(
      stderr,
      /^changelog: CHANGELOG\.md:1: [^\n]*invalid date[^\n]* To go on without it, use --no-import\.\n$/m,
    );
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
      /there is no database at \S+\/data\/changelog\.db .*; `changelog migrate` would create a new one\.$/m,
    );
  });

  it('init rejects a password on the command line, and does not write one from the environment to .env', async (t) => {
    const folder = projectFolder(t);
    const url = 'postgres://me:hunter2@127.0.0.1:1/changelog';
    for (const [database, reason] of [
      [url, /set CHANGELOG_DATABASE_URL in the environment instead/],
      [
        'postgres://me@127.0.0.1:1/changelog?password=hunter2',
        /set CHANGELOG_DATABASE_URL in the environment instead/,
      ],
      ['postgres://me:hunter2 @127.0.0.1', /--database must be sqlite:PATH/],
    ] as const) {
      const usage = await command({ folder }, 'init', '--yes', '--database', database);
      assert.equal(usage.code, 2);
      assert.match(usage.stderr, reason);
      assert.doesNotMatch(usage.stderr, /hunter2/);
    }
    const away = await command({ folder, environment: { CHANGELOG_DATABASE_URL: url } }, 'init', '--yes');
    assert.equal(away.code, 1);
    assert.doesNotMatch(away.stderr, /hunter2/);
    assert.deepEqual(readdirSync(folder), []);
    assert.equal((await command({ folder, environment: settled(folder) }, 'init', '--yes')).code, 0);
    assert.ok(!existsSync(path.join(folder, '.env')));
  });

  it('init keeps the key and the database out of git', async (t) => {
    const folder = projectFolder(t, { '.gitignore': '.env\n' });
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
    git('init', '--quiet');
    const { stdout, stderr: said } = await command({ folder }, 'init', '--yes');
    assert.doesNotMatch(said, /git remote/);
    assert.match(stdout, /^\+ data\/\.gitignore$/m);
    assert.equal(git('status', '--short', '--untracked-files=all'), '?? .gitignore\n?? data/.gitignore\n');
    // An existing .gitignore is not changed; a note says so.
    rmSync(path.join(folder, KEY));
    writeFileSync(path.join(folder, 'data/.gitignore'), '*.tmp\n');
    const { stderr } = await command({ folder }, 'init', '--yes', '--team', 'Esa');
    assert.match(
      stderr,
      /^data\/changelog\.key is a secret, and the \.gitignore next to it was not changed; /m,
    );
    assert.equal(readFileSync(path.join(folder, 'data/.gitignore'), 'utf8'), '*.tmp\n');
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
    assert.match(
      first.stderr,
      /^On its page, #123, @name and commits lead to https:\/\/github\.com\/acme\/rocket, the git remote; `changelog product set rocket\/rocket --repository URL` changes that\.$/m,
    );
    assert.doesNotMatch(first.stdout + first.stderr, /pa55word/);
    assert.ok(!readFileSync(path.join(folder, 'data/changelog.db')).includes('pa55word'));

    // What exists keeps what it has.
    git('remote', 'set-url', 'origin', 'https://github.com/acme/other.git');
    const again = await command({ folder }, 'init', '--yes', '--team', 'Rocket', '--product', 'Rocket');
    assert.doesNotMatch(again.stderr, /git remote/);
    assert.deepEqual(await show(), links);
  });
});
