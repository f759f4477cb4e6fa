// `changelog import`, from a file to the API. Which versions it writes is tested in test/store/import/import.test.ts.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { runCommand } from '../../../src/cli/program.ts';
import {
  formatImport,
  type Imported,
  importJson,
  NO_VERSIONS,
} from '../../../src/cli/report/import-report.ts';
import { dump, environmentOf, execute, provideMigrated, query } from '../../../support/databases/engine.ts';
import { startApp } from '../../../support/program/app.ts';
import { apply, run, runOk, type Sandbox } from '../../../support/program/command.ts';
import { documentOf, expectFailure, expectMisuse, runJson, sandboxOf, versionsByLabel } from '../helpers.ts';

const PUBLIC = '/api/v1/public/teams/acme/products/rocket/changelog';
const ONE = '## [1.0.0] - 2026-05-04\n\n### Added\n\n- A countdown.\n- A launch pad.\n';
const TWO = '## [2.0.0] - 2026-06-04\n\nFaster.\n\n### Fixed\n\n- The fuse.\n';
const fileOf = (...versions: string[]) => `# Changelog\n\n${versions.join('\n')}`;
const CHANGESETS =
  '# @acme/rocket\n\n## 1.1.0\n\n### Minor Changes\n\n- abc1234: A countdown.\n\n## 1.0.0\n\n### Major Changes\n\n- def5678: A launch pad.\n';

const IMPORT = ['import', 'acme/rocket', '-'] as const;

async function startingWith(sandbox: Sandbox, text: string): Promise<Sandbox> {
  await provideMigrated(sandbox);
  await apply(sandbox, documentOf([]));
  await runOk(sandbox, IMPORT, text);
  return sandbox;
}

describe('import', () => {
  it('import prints what it read, what it created and what remains to be done', async (t) => {
    const sandbox = sandboxOf(t);
    await provideMigrated(sandbox);
    writeFileSync(path.join(sandbox.folder, 'CHANGELOG.md'), fileOf(TWO, ONE));
    assert.equal(
      await runOk(sandbox, ['import', 'acme/rocket', 'CHANGELOG.md', '--create']),
      [
        'CHANGELOG.md: Keep a Changelog, 2 versions',
        '+ team acme',
        '+ product acme/rocket',
        '+ changelog acme/rocket',
        '+ version acme/rocket 2.0.0',
        '+ version acme/rocket 1.0.0',
        'Done: 2 created, 0 changed, 0 deleted, 0 unchanged, 0 kept.',
        'The changelog is not public yet. To publish it (`--create --publish` does so for a new team):',
        '  changelog team set acme --visibility public',
        '  changelog product set acme/rocket --status published',
        '  changelog changelog set acme/rocket --status published',
        '',
      ].join('\n'),
    );
  });

  it('import tells what becomes of the description and the comparison', async (t) => {
    const sandbox = await startingWith(sandboxOf(t), fileOf(ONE));
    const linked = ONE.replace('[1.0.0]', '[1.0.0](https://a.example/compare/0...1)');
    const told = await runOk(sandbox, [...IMPORT, '--dry-run'], fileOf('All notable changes.\n', linked));
    assert.match(
      told,
      /\n\+ description of acme\/rocket\n~ version acme\/rocket 1\.0\.0\n {4}comparison: none → https:\/\/a\.example\/compare\/0\.\.\.1\nWould be done: 0 created, 1 /,
    );
    const described = fileOf('All notable changes.\n', ONE);
    assert.match(await runOk(sandbox, IMPORT, described), /\nDone: 0 created, 0 changed, /);
    assert.match(await runOk(sandbox, IMPORT, described), /\nNothing to do: 0 created, 0 changed, /);
    await execute(sandbox, `update changelogs set description = 'Mine.'`);
    assert.match(
      await runOk(sandbox, IMPORT, described),
      /\n! description of acme\/rocket: edited by hand since the last import; kept \(--force overwrites it\)\nNothing to do/,
    );
    const { description } = await runJson<{ description: string }>(
      sandbox,
      [...IMPORT, '--force'],
      described,
    );
    assert.equal(description, 'changed');
  });

  it('import of the same file twice leaves every API response and ETag unchanged', async (t) => {
    const sandbox = await startingWith(sandboxOf(t), fileOf(ONE));
    const { app } = await startApp(t, sandbox);
    const first = await app.inject(PUBLIC);
    assert.equal(first.json().data.versions[0].publishedAt, '2026-05-04T00:00:00.000Z');
    const before = await dump(sandbox);
    assert.match(
      await runOk(sandbox, IMPORT, fileOf(ONE)),
      /\nNothing to do: 0 created, .* 1 unchanged, 0 kept\.\n$/,
    );
    assert.deepEqual(await dump(sandbox), before);
    const second = await app.inject(PUBLIC);
    assert.equal(second.headers.etag, first.headers.etag);
  });

  it('import keeps what a product says about its page, the language of its changelog, and pictures', async (t) => {
    const sandbox = await startingWith(sandboxOf(t), fileOf(ONE));
    const links = ['--home', 'https://rocket.example', '--base', 'https://rocket.example/docs/'];
    const domain = ['--domain', 'changes.rocket.example'];
    const repository = ['--repository', 'https://github.com/acme/rocket'];
    const image = 'https://rocket.example/1.png';
    const logo = ['--logo', 'https://rocket.example/logo.svg', '--accent', '#4f46e5', '--image', image];
    await execute(sandbox, `update versions set image = '${image}'`);
    const show = async () => [
      await runOk(sandbox, ['product', 'show', 'acme/rocket']),
      await runOk(sandbox, ['changelog', 'show', 'acme/rocket']),
    ];
    await runOk(sandbox, ['product', 'set', 'acme/rocket', ...domain, ...links, ...repository, ...logo]);
    await runOk(sandbox, ['changelog', 'set', 'acme/rocket', '--language', 'de']);
    const before = await show();
    assert.match(await runOk(sandbox, IMPORT, fileOf(TWO, `${ONE}- More\n`)), /Done: 1 created, 1 changed/);
    assert.deepEqual(await show(), before);
    assert.deepEqual(await query(sandbox, 'select label, image from versions order by label'), [
      { label: '1.0.0', image },
      { label: '2.0.0', image: null },
    ]);
  });

  it('import keeps edited and removed versions, and says how to overwrite and delete them', async (t) => {
    const sandbox = await startingWith(sandboxOf(t), fileOf(TWO, ONE));
    await runOk(sandbox, ['version', 'unpublish', 'acme/rocket', '1.0.0']);
    assert.deepEqual((await runOk(sandbox, IMPORT, fileOf(ONE))).split('\n').slice(1), [
      '! version acme/rocket 1.0.0: edited by hand since the last import; kept (--force overwrites it)',
      '? version acme/rocket 2.0.0 is no longer in the source; kept (--prune deletes it)',
      'Nothing to do: 0 created, 0 changed, 0 deleted, 0 unchanged, 2 kept.',
      '',
    ]);
    assert.deepEqual(
      (await runOk(sandbox, [...IMPORT, '--force', '--prune', '--yes'], fileOf(ONE))).split('\n').slice(1),
      [
        '~ version acme/rocket 1.0.0',
        '- version acme/rocket 2.0.0',
        'Done: 0 created, 1 changed, 1 deleted, 0 unchanged, 0 kept.',
        '',
      ],
    );
    assert.equal((await versionsByLabel(sandbox)).get('1.0.0')?.status, 'published');
  });
});

describe('import --dry-run', () => {
  const changed = TWO.replace('Faster.', 'Much faster.')
    .replace('06-04', '06-05')
    .replace('The fuse', 'The \x1b[31mfuse');

  it('import --dry-run prints the difference, and writes nothing', async (t) => {
    const sandbox = await startingWith(sandboxOf(t), fileOf(TWO, ONE));
    const before = await dump(sandbox);
    const later = fileOf('## [3.0.0] - 2026-07-01\n', changed, ONE.replace('- A countdown.\n', ''));
    assert.deepEqual((await runOk(sandbox, [...IMPORT, '--dry-run'], later)).split('\n'), [
      'standard input: Keep a Changelog, 3 versions',
      '+ version acme/rocket 3.0.0',
      '~ version acme/rocket 2.0.0',
      '    date: 2026-06-04T00:00:00.000Z → 2026-06-05T00:00:00.000Z',
      '    description:',
      '      - Faster.',
      '      + Much faster.',
      '    ~ fixed: The fuse. → The \\x1b[31mfuse.',
      '~ version acme/rocket 1.0.0',
      '    - added: A countdown.',
      'Would be done: 1 created, 2 changed, 0 deleted, 0 unchanged, 0 kept.',
      '',
    ]);
    assert.deepEqual(await dump(sandbox), before);
  });

  it('import --create makes a team that may have keys, and leaves the plan of an existing team alone', async (t) => {
    const sandbox = sandboxOf(t);
    const planOf = async (team: string) =>
      (await runJson<{ plan: string }>(sandbox, ['team', 'show', team])).plan;
    await runOk(sandbox, [...IMPORT, '--create'], fileOf(ONE));
    assert.equal(await planOf('acme'), 'paid');
    await apply(sandbox, { team: { slug: 'small', name: 'Small' } });
    await runOk(sandbox, ['import', 'small/boat', '-', '--create'], fileOf(ONE));
    assert.equal(await planOf('small'), 'free');
  });

  it('import --create --publish makes a product that everybody can read, once', async (t) => {
    const sandbox = sandboxOf(t);
    await provideMigrated(sandbox);
    const args = [...IMPORT, '--create', '--publish'];
    const { stdout, stderr } = await run(sandbox, args, fileOf('## 1.1.0\n\n- Undated.\n', ONE));
    assert.equal(
      stdout,
      [
        'standard input: Keep a Changelog, 2 versions',
        '+ team acme',
        '+ product acme/rocket',
        '+ changelog acme/rocket',
        '+ version acme/rocket 1.1.0',
        '+ version acme/rocket 1.0.0',
        'Done: 2 created, 0 changed, 0 deleted, 0 unchanged, 0 kept.',
        '',
      ].join('\n'),
    );
    assert.match(stderr, /1 version without a date is a draft and not public/);
    const { app } = await startApp(t, sandbox);
    const { versions } = (await app.inject(PUBLIC)).json().data;
    assert.deepEqual(
      versions.map(({ version }: { version: string }) => version),
      ['1.0.0'],
    );
    assert.match(await runOk(sandbox, args, fileOf(ONE)), /^Nothing to do: .* 1 unchanged/m);
  });

  it('import --create --publish publishes the drafts that it names', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, { ...documentOf([]), products: [{ slug: 'rocket', name: 'Rocket' }] });
    const told = await runOk(sandbox, [...IMPORT, '--create', '--publish'], fileOf(ONE));
    assert.match(told, /\n~ product acme\/rocket: published\n\+ changelog acme\/rocket\n/);
    assert.doesNotMatch(told, /not public/);
  });

  it('import --publish never shows what is hidden elsewhere in a team, or locked', async (t) => {
    const sandbox = sandboxOf(t);
    const { team, products = [] } = documentOf([{ version: '0.9.0', title: 'Hidden', status: 'published' }]);
    await apply(sandbox, { team: { ...team, visibility: 'private' }, products });
    for (const product of ['acme/rocket', 'acme/other'])
      assert.equal(
        await expectFailure(sandbox, ['import', product, '-', '--create', '--publish'], fileOf(ONE)),
        'changelog: the team acme is private, and --publish makes no existing team public, because everything published in it would be, too; run `changelog team set acme --visibility public` first, or leave out --publish\n',
      );
    await runOk(sandbox, ['team', 'set', 'acme', '--visibility', 'public']);
    for (const kind of ['changelog', 'product']) {
      await runOk(sandbox, [kind, 'set', 'acme/rocket', '--status', 'locked']);
      assert.match(
        await expectFailure(sandbox, [...IMPORT, '--create', '--publish'], fileOf(ONE)),
        new RegExp(`the ${kind} acme/rocket is locked, and this would change it`),
      );
    }
  });

  it('import --publish without --create is wrong usage, and says what to use', async (t) => {
    const told = await expectMisuse(sandboxOf(t), [...IMPORT, '--publish']);
    assert.match(told, /^error: option --publish needs --create; to publish what exists, use `team set`/);
  });

  it('import --dry-run creates no database', async (t) => {
    const sandbox = sandboxOf(t);
    assert.match(
      await runOk(sandbox, [...IMPORT, '--create', '--dry-run'], fileOf(ONE)),
      /Would be done: 1 created/,
    );
    assert.equal(await dump(sandbox), null);
  });

  it('import --json prints one object', async (t) => {
    const sandbox = await startingWith(sandboxOf(t), fileOf(TWO, ONE));
    assert.deepEqual((await runJson<{ versions: [] }>(sandbox, IMPORT, fileOf(TWO, ONE))).versions, []);
    await runOk(sandbox, ['version', 'unpublish', 'acme/rocket', '1.0.0']);
    const undated = '## 3.0.0\n';
    const publishedAt = { from: '2026-06-04T00:00:00.000Z', to: '2026-06-05T00:00:00.000Z' };
    const { warnings, ...told } = await runJson<{ warnings: string[] }>(
      sandbox,
      [...IMPORT, '--dry-run'],
      fileOf(undated, TWO.replace('06-04', '06-05'), ONE),
    );
    assert.deepEqual(told, {
      format: 'keep-a-changelog',
      source: 'standard input',
      dryRun: true,
      created: 1,
      changed: 1,
      deleted: 0,
      unchanged: 0,
      kept: 1,
      versions: [
        { action: 'created', version: '3.0.0' },
        { action: 'changed', version: '2.0.0', difference: { publishedAt } },
        {
          action: 'kept',
          version: '1.0.0',
          reason: 'edited',
          difference: { status: { from: 'draft', to: 'published' } },
        },
      ],
    });
    assert.equal(warnings.length, 1);
  });
});

describe('an import of a scheduled draft (R50)', () => {
  const TIME = '2999-01-01T09:00:00.000Z';
  const NEXT = '## [Unreleased]\n\n### Added\n\n- A booster.\n';
  const scheduleOf = async (sandbox: Sandbox, label: string) =>
    (await versionsByLabel(sandbox)).get(label)?.publishAt ?? null;
  const schedule = (sandbox: Sandbox) =>
    execute(sandbox, `update versions set publish_at = '${TIME}' where status = 'draft'`);

  it('import keeps the schedule of a draft and does not count it as an edit, with and without changes', async (t) => {
    for (const [label, file] of [
      ['Unreleased', fileOf(NEXT, ONE)],
      ['1.1.0', CHANGESETS],
    ] as const) {
      const sandbox = await startingWith(sandboxOf(t), file);
      await schedule(sandbox);
      assert.match(await runOk(sandbox, IMPORT, file), /^Nothing to do: .* 2 unchanged, 0 kept/m);
      const edited = file.replace(/booster|countdown/, 'parachute');
      assert.match(
        await runOk(sandbox, [...IMPORT, '--prune'], edited),
        /^Done: 0 created, 1 changed, 0 deleted, 1 unchanged, 0 kept/m,
      );
      assert.equal(await scheduleOf(sandbox, label), TIME);
    }
  });

  it('import ends the schedule of a version that its source publishes, and a dry run says so', async (t) => {
    const sandbox = await startingWith(sandboxOf(t), CHANGESETS);
    await schedule(sandbox);
    const dated = fileOf('## [1.1.0] - 2026-06-04\n\n### Added\n\n- A countdown.\n');
    assert.match(
      await runOk(sandbox, [...IMPORT, '--dry-run', '--force'], dated),
      /state: draft → published\n +date: none → 2026-06-04T00:00:00\.000Z\n +schedule: 2999-01-01T09:00:00\.000Z → none\n/,
    );
    await runOk(sandbox, [...IMPORT, '--force'], dated);
    assert.equal(await scheduleOf(sandbox, '1.1.0'), null);
  });
});

describe('an import of versions without dates', () => {
  it('import makes versions without dates drafts, with one warning that says what to do', async (t) => {
    const sandbox = await startingWith(sandboxOf(t), fileOf(ONE));
    const { code, stdout, stderr } = await run(sandbox, [...IMPORT, '--prune'], CHANGESETS);
    assert.equal(code, 0);
    assert.match(stdout, /^standard input: changesets, 2 versions\n/);
    assert.equal(
      stderr,
      'changelog: warning: standard input: 1 version without a date is a draft and not public; use `--dates-from-git REPO` or `--published-at TIME`, or publish with `changelog version publish`\n',
    );
    await runOk(sandbox, [...IMPORT, '--published-at', '2026-01-01'], CHANGESETS);
    assert.equal((await versionsByLabel(sandbox)).get('1.1.0')?.publishedAt, '2026-01-01T00:00:00.000Z');
  });

  it('import --dates-from-git takes dates from tags', async (t) => {
    const sandbox = sandboxOf(t, { environment: { PATH: process.env.PATH } });
    await apply(sandbox, documentOf([]));
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
        cwd: sandbox.folder,
        env: { PATH: process.env.PATH, GIT_COMMITTER_DATE: '2026-03-01T12:00:00+01:00' },
      });
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'One');
    git('tag', '@acme/rocket@1.1.0');
    const { stdout, stderr } = await run(sandbox, [...IMPORT, '--dates-from-git', '.'], CHANGESETS);
    assert.match(stdout, /2 versions/);
    assert.match(stderr, /1 version without a date and without a tag is a draft/);
    const versions = await versionsByLabel(sandbox);
    assert.equal(versions.get('1.1.0')?.publishedAt, '2026-03-01T11:00:00.000Z');
    assert.equal(versions.get('1.0.0')?.status, 'draft');
    assert.match(
      await expectFailure(sandbox, [...IMPORT, '--dates-from-git', 'nowhere'], CHANGESETS),
      /^changelog: cannot read the tags of .*nowhere: not a Git repository/,
    );
  });
});

describe('import --prune at a terminal', () => {
  const answering = async (sandbox: Sandbox, answer: string, ...flags: string[]) => {
    const asked: string[] = [];
    const environment = await environmentOf(sandbox);
    const cli = {
      environment,
      folder: sandbox.folder,
      print: () => {},
      say: () => {},
      ask: async (question: string) => {
        asked.push(question);
        return answer;
      },
      standardInput: () => [Buffer.from(fileOf(ONE))],
      now: () => new Date().toISOString(),
      exit: () => assert.fail(),
    };
    return { code: await runCommand(cli, [...IMPORT, '--prune', ...flags]), asked };
  };

  it('import --prune asks before it deletes, and does nothing without a yes', async (t) => {
    const sandbox = await startingWith(sandboxOf(t), fileOf(TWO, ONE));
    const before = await dump(sandbox);
    const question = 'Delete 1 version of acme/rocket (2.0.0)? [y/N] ';
    assert.deepEqual(await answering(sandbox, ''), { code: 1, asked: [question] });
    assert.deepEqual(await dump(sandbox), before);
    assert.deepEqual(await answering(sandbox, 'y'), { code: 0, asked: [question] });
    assert.deepEqual([...(await versionsByLabel(sandbox)).keys()], ['1.0.0']);
    assert.deepEqual(await answering(sandbox, ''), { code: 0, asked: [] }, 'there is nothing left to delete');
  });

  it('import --prune without a terminal changes nothing without --yes, unless there is nothing to delete', async (t) => {
    const sandbox = await startingWith(sandboxOf(t), fileOf(TWO, ONE));
    assert.equal(
      await expectFailure(sandbox, [...IMPORT, '--prune'], fileOf(ONE)),
      'changelog: there is no terminal to ask at, and this would delete 1 version of acme/rocket (2.0.0); use --yes\n',
    );
    assert.equal((await run(sandbox, [...IMPORT, '--prune', '--dry-run'], fileOf(ONE))).code, 0);
    assert.match(await runOk(sandbox, [...IMPORT, '--prune'], fileOf(TWO, ONE)), /^Nothing to do/m);
  });

  it('import --prune --yes does not ask', async (t) => {
    const sandbox = await startingWith(sandboxOf(t), fileOf(TWO, ONE));
    assert.deepEqual(await answering(sandbox, '', '--yes'), { code: 0, asked: [] });
    assert.deepEqual([...(await versionsByLabel(sandbox)).keys()], ['1.0.0']);
  });
});

describe('an import that fails', () => {
  it('an unsafe URL is refused, and its password not shown', async (t) => {
    const sandbox = await startingWith(sandboxOf(t), fileOf(ONE));
    for (const [url, shown = url] of [
      ['http://example.com/a'],
      ['https://me:secret@example.com/a', 'https://…@example.com/a'],
    ] as const)
      assert.equal(
        await expectFailure(sandbox, ['import', 'acme/rocket', url]),
        `changelog: ${shown} must start with https: and have no user or password; http: is only for this machine\n`,
      );
  });

  it('a failed import prints one line, and writes nothing', async (t) => {
    const sandbox = await startingWith(sandboxOf(t), fileOf(ONE));
    assert.match(
      await expectFailure(sandbox, IMPORT, fileOf(TWO, ONE, TWO)),
      /: standard input:\d+: duplicate version "2\.0\.0" /,
    );
    assert.match(
      await expectFailure(sandbox, ['import', 'acme/rokket', '-'], fileOf(ONE)),
      /acme\/rokket.*--create/,
    );
    assert.match(await expectFailure(sandbox, ['import', 'akme/rocket', '-'], fileOf(ONE)), /akme.*--create/);
    assert.match(
      await expectFailure(sandbox, ['import', 'acme/rocket', 'nothing.md']),
      /nothing\.md cannot be read: no such file; check its name\.$/m,
    );
    await runOk(sandbox, ['changelog', 'set', 'acme/rocket', '--status', 'locked']);
    assert.match(await expectFailure(sandbox, IMPORT, fileOf(TWO)), /the changelog acme\/rocket is locked/);
    assert.match(
      await expectFailure(sandbox, ['import', 'acme/Rocket', '-', '--create'], fileOf(ONE)),
      /"Rocket" is not a valid slug: use/,
    );
  });

  it('a content document is recognised, and the error says to apply it', async (t) => {
    const sandbox = sandboxOf(t);
    const document = documentOf([{ version: '1.0.0', title: 'One', description: '## 2.0.0\n\n- x' }]);
    for (const text of [
      JSON.stringify(document),
      JSON.stringify(document, null, 2),
      'team: { slug: acme, name: Acme }\n',
      '# yaml-language-server: $schema=content.schema.json\n---\nproducts: []\nteam:\n  slug: acme\n',
    ])
      for (const format of ['auto', 'keep-a-changelog', 'github-releases'])
        assert.equal(
          await expectFailure(sandbox, [...IMPORT, '--create', '--format', format], text),
          'changelog: standard input:1: this looks like a content document; apply it with `changelog apply FILE`.\n',
        );
    assert.match(
      await expectFailure(sandbox, [...IMPORT, '--create'], 'Our team: x\n'),
      /no version headings/,
    );
  });

  it('import --merge-duplicates merges duplicate versions', async (t) => {
    const sandbox = await startingWith(sandboxOf(t), fileOf(ONE));
    const again = TWO.replace('The fuse', 'The wire');
    assert.match(await expectFailure(sandbox, IMPORT, fileOf(TWO, again, ONE)), /--merge-duplicates/);
    assert.match(
      await runOk(sandbox, [...IMPORT, '--merge-duplicates'], fileOf(TWO, again, ONE)),
      /Done: 1 created/,
    );
    const { changes = [] } = (await versionsByLabel(sandbox)).get('2.0.0') ?? {};
    assert.deepEqual(
      changes.map(({ text }) => text),
      ['The fuse.', 'The wire.'],
    );
  });

  it('import with an invalid argument is wrong usage', async (t) => {
    const sandbox = sandboxOf(t);
    for (const args of [['--published-at', 'yesterday'], ['--format', 'word'], ['--dates']])
      await expectMisuse(sandbox, [...IMPORT, ...args]);
    await expectMisuse(sandbox, ['import', 'acme', '-']);
  });
});

describe('the report of many versions', () => {
  const imported = {
    product: { team: 'a', product: 'b' },
    changelog: { format: 'changesets', versions: { length: 2_500 }, fileName: 'a.md' },
    isDryRun: true,
    summary: { undatedDrafts: 2_500, description: 'unchanged' },
    targets: [],
    counts: { ...NO_VERSIONS, created: 2_500 },
    outcomes: Array.from({ length: 2_500 }, (_, at) => ({ action: 'created', version: `1.${at}.0` })),
    warnings: [],
  } as unknown as Imported;

  it('the report of many versions is one JSON object', () => {
    const told = JSON.parse(JSON.stringify(importJson(imported)));
    assert.equal(told.created, 2_500);
    assert.deepEqual(told.versions[2_499], { action: 'created', version: '1.2499.0' });
  });

  it('the report of many versions has the first 1,000 lines and the number of the others', () => {
    const lines = formatImport(imported, (_, text) => text).split('\n');
    assert.equal(lines[0], 'a.md: changesets, 2,500 versions');
    assert.deepEqual(lines.slice(999), [
      '+ version a/b 1.998.0',
      '… and 1,501 more; --json lists all.',
      'Would be done: 2500 created, 0 changed, 0 deleted, 0 unchanged, 0 kept.',
    ]);
  });
});

describe('import --explain', () => {
  const TEXT =
    '# Changelog\n\n## [2.1.0] - 2026-05-04\n\n### Added\n\n- A countdown.\n\n## Upgrading to 2.0\n\n- Empty the tank.\n\n## 2.0.0\n';

  it('lists every heading with its points and why, and needs neither a product nor a database', async (t) => {
    const sandbox = sandboxOf(t);
    writeFileSync(path.join(sandbox.folder, 'CHANGELOG.md'), TEXT);
    const before = readdirSync(sandbox.folder);
    for (const words of [
      ['--explain', 'CHANGELOG.md'],
      ['acme/rocket', 'CHANGELOG.md', '--explain'],
    ]) {
      const stdout = await runOk(sandbox, ['import', ...words]);
      assert.deepEqual(stdout.split('\n').slice(0, 6), [
        'line  level  points  is       label  date        heading                 because',
        '1     1              text                        "Changelog"',
        '3     2      8       version  2.1.0  2026-05-04  "[2.1.0] - 2026-05-04"  a number +2, a date +4, a high level +2',
        '5     3              section                     "Added"',
        '9     2              section                     "Upgrading to 2.0"      a sentence',
        '13    2      4       version  2.0.0              "2.0.0"                 a number +2, a high level +2',
      ]);
    }
    assert.deepEqual(readdirSync(sandbox.folder), before);
  });

  it('explains a file that an import refuses, and shows no control characters', async (t) => {
    const sandbox = sandboxOf(t);
    const text = '## 1.0.0\n\n## ~0.9~ \u001b[31m\n';
    const { code } = await run(sandbox, ['import', 'acme/rocket', '-', '--create'], text);
    assert.equal(code, 1);
    const stdout = await runOk(sandbox, ['import', '--explain', '-'], text);
    assert.match(stdout, /"~0\.9~ \\u001b\[31m" +looks like a version/);
    const json = await runOk(sandbox, ['import', '--explain', '-', '--json'], text);
    assert.equal(JSON.parse(json).length, 3);
  });
});
