// `changelog import`, from a file to the API; which versions it writes is in test/store/import/import.test.ts.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { runCommand } from '../../../src/cli/program.ts';
import { ImportReport } from '../../../src/cli/report/import-report.ts';
import type { ImportSummary } from '../../../src/store/import/import.ts';
import { dump, environmentOf, provideMigrated } from '../../../support/databases/engine.ts';
import { startApp } from '../../../support/program/app.ts';
import { apply, run, runOk, type Workplace } from '../../../support/program/command.ts';
import { documentOf, misuse, refusal, runJson, versionsByLabel, workplaceOf } from '../helpers.ts';

const PUBLIC = '/api/v1/public/teams/acme/products/rocket/changelog';
const ONE = '## [1.0.0] - 2026-05-04\n\n### Added\n\n- A countdown.\n- A launch pad.\n';
const TWO = '## [2.0.0] - 2026-06-04\n\nFaster.\n\n### Fixed\n\n- The fuse.\n';
const fileOf = (...versions: string[]) => `# Changelog\n\n${versions.join('\n')}`;
const CHANGESETS =
  '# @acme/rocket\n\n## 1.1.0\n\n### Minor Changes\n\n- abc1234: A countdown.\n\n## 1.0.0\n\n### Major Changes\n\n- def5678: A launch pad.\n';

const IMPORT = ['import', 'acme/rocket', '-'] as const;

async function startingWith(workplace: Workplace, text: string): Promise<Workplace> {
  await provideMigrated(workplace);
  await apply(workplace, documentOf([]));
  await runOk(workplace, IMPORT, text);
  return workplace;
}

describe('import', () => {
  it('says what it saw, what it made and what is still to be done', async (t) => {
    const workplace = workplaceOf(t);
    await provideMigrated(workplace);
    writeFileSync(path.join(workplace.folder, 'CHANGELOG.md'), fileOf(TWO, ONE));
    assert.equal(
      await runOk(workplace, ['import', 'acme/rocket', 'CHANGELOG.md', '--create']),
      [
        'CHANGELOG.md: Keep a Changelog, 2 versions (2 dated)',
        '+ team acme',
        '+ product acme/rocket',
        '+ changelog acme/rocket',
        '+ version acme/rocket 2.0.0',
        '+ version acme/rocket 1.0.0',
        'Done: 2 created, 0 changed, 0 deleted, 0 unchanged, 0 kept.',
        'It is not public yet. To publish it:',
        '  changelog team set acme --visibility public',
        '  changelog product set acme/rocket --status published',
        '  changelog changelog set acme/rocket --status published',
        '',
      ].join('\n'),
    );
  });

  it('leaves every answer as it was the second time, its ETag too', async (t) => {
    const workplace = await startingWith(workplaceOf(t), fileOf(ONE));
    const { app } = await startApp(t, workplace);
    const first = await app.inject(PUBLIC);
    assert.equal(first.json().data.versions[0].publishedAt, '2026-05-04T00:00:00.000Z');
    const before = await dump(workplace);
    assert.match(
      await runOk(workplace, IMPORT, fileOf(ONE)),
      /\nNothing to do: 0 created, .* 1 unchanged, 0 kept\.\n$/,
    );
    assert.deepEqual(await dump(workplace), before);
    const second = await app.inject(PUBLIC);
    assert.equal(second.headers.etag, first.headers.etag);
  });

  it('keeps what was edited by hand and what is gone, and says how to overwrite and delete it', async (t) => {
    const workplace = await startingWith(workplaceOf(t), fileOf(TWO, ONE));
    await runOk(workplace, ['version', 'unpublish', 'acme/rocket', '1.0.0']);
    assert.deepEqual((await runOk(workplace, IMPORT, fileOf(ONE))).split('\n').slice(1), [
      '! version acme/rocket 1.0.0: edited by hand since the last import; kept (--force overwrites it)',
      '? version acme/rocket 2.0.0 is not in the source any more; kept (--prune deletes it)',
      'Nothing to do: 0 created, 0 changed, 0 deleted, 0 unchanged, 2 kept.',
      '',
    ]);
    assert.deepEqual(
      (await runOk(workplace, [...IMPORT, '--force', '--prune'], fileOf(ONE))).split('\n').slice(1),
      [
        '~ version acme/rocket 1.0.0',
        '- version acme/rocket 2.0.0',
        'Done: 0 created, 1 changed, 1 deleted, 0 unchanged, 0 kept.',
        '',
      ],
    );
    assert.equal((await versionsByLabel(workplace)).get('1.0.0')?.status, 'published');
  });
});

describe('import --dry-run', () => {
  const changed = TWO.replace('Faster.', 'Much faster.')
    .replace('06-04', '06-05')
    .replace('The fuse', 'The \x1b[31mfuse');

  it('prints the difference, and writes nothing', async (t) => {
    const workplace = await startingWith(workplaceOf(t), fileOf(TWO, ONE));
    const before = await dump(workplace);
    const later = fileOf('## [3.0.0] - 2026-07-01\n', changed, ONE.replace('- A countdown.\n', ''));
    assert.deepEqual((await runOk(workplace, [...IMPORT, '--dry-run'], later)).split('\n'), [
      'standard input: Keep a Changelog, 3 versions (3 dated)',
      '+ version acme/rocket 3.0.0',
      '~ version acme/rocket 2.0.0',
      '    date: 2026-06-04T00:00:00.000Z → 2026-06-05T00:00:00.000Z',
      '    description:',
      '        - Faster.',
      '        + Much faster.',
      '    ~ fixed: The fuse. → The \\x1b[31mfuse.',
      '~ version acme/rocket 1.0.0',
      '    - added: A countdown.',
      'Would be done: 1 created, 2 changed, 0 deleted, 0 unchanged, 0 kept.',
      '',
    ]);
    assert.deepEqual(await dump(workplace), before);
  });

  it('leaves no database behind where there was none', async (t) => {
    const workplace = workplaceOf(t);
    assert.match(
      await runOk(workplace, [...IMPORT, '--create', '--dry-run'], fileOf(ONE)),
      /Would be done: 1 created/,
    );
    assert.equal(await dump(workplace), null);
  });

  it('is told to programs as one object', async (t) => {
    const workplace = await startingWith(workplaceOf(t), fileOf(TWO, ONE));
    assert.deepEqual((await runJson<{ versions: [] }>(workplace, IMPORT, fileOf(TWO, ONE))).versions, []);
    await runOk(workplace, ['version', 'unpublish', 'acme/rocket', '1.0.0']);
    const undated = '## 3.0.0\n';
    const publishedAt = { from: '2026-06-04T00:00:00.000Z', to: '2026-06-05T00:00:00.000Z' };
    const { warnings, ...told } = await runJson<{ warnings: string[] }>(
      workplace,
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

describe('an import of versions without dates', () => {
  it('makes drafts with one warning that says what to do', async (t) => {
    const workplace = await startingWith(workplaceOf(t), fileOf(ONE));
    const { code, stdout, stderr } = await run(workplace, [...IMPORT, '--prune'], CHANGESETS);
    assert.equal(code, 0);
    assert.match(stdout, /^standard input: changesets, 2 versions \(2 without a date\)\n/);
    assert.equal(
      stderr,
      'changelog: warning: standard input: 1 version without a date is a draft, which the public does not see; give `--dates-from-git REPO` or `--published-at TIME`, or publish with `changelog version publish`.\n',
    );
    await runOk(workplace, [...IMPORT, '--published-at', '2026-01-01'], CHANGESETS);
    assert.equal((await versionsByLabel(workplace)).get('1.1.0')?.publishedAt, '2026-01-01T00:00:00.000Z');
  });

  it('takes the dates of tags', async (t) => {
    const workplace = workplaceOf(t, { environment: { PATH: process.env.PATH } });
    await apply(workplace, documentOf([]));
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
        cwd: workplace.folder,
        env: { PATH: process.env.PATH, GIT_COMMITTER_DATE: '2026-03-01T12:00:00+01:00' },
      });
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'One');
    git('tag', '@acme/rocket@1.1.0');
    const { stdout, stderr } = await run(workplace, [...IMPORT, '--dates-from-git', '.'], CHANGESETS);
    assert.match(stdout, /2 versions \(1 dated, 1 without a date\)/);
    assert.match(stderr, /1 version without a date and without a tag is a draft/);
    const versions = await versionsByLabel(workplace);
    assert.equal(versions.get('1.1.0')?.publishedAt, '2026-03-01T11:00:00.000Z');
    assert.equal(versions.get('1.0.0')?.status, 'draft');
    assert.match(
      await refusal(workplace, [...IMPORT, '--dates-from-git', 'nowhere'], CHANGESETS),
      /^changelog: cannot read the tags of .*nowhere: not a Git repository/,
    );
  });
});

describe('import --prune at a terminal', () => {
  const answering = async (workplace: Workplace, answer: string, ...flags: string[]) => {
    const asked: string[] = [];
    const environment = await environmentOf(workplace);
    const cli = {
      environment,
      folder: workplace.folder,
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

  it('asks before it deletes, and does nothing without a yes', async (t) => {
    const workplace = await startingWith(workplaceOf(t), fileOf(TWO, ONE));
    const before = await dump(workplace);
    const question = 'Delete 1 version of acme/rocket (2.0.0)? [y/N] ';
    assert.deepEqual(await answering(workplace, ''), { code: 1, asked: [question] });
    assert.deepEqual(await dump(workplace), before);
    assert.deepEqual(await answering(workplace, 'y'), { code: 0, asked: [question] });
    assert.deepEqual([...(await versionsByLabel(workplace)).keys()], ['1.0.0']);
    assert.deepEqual(
      await answering(workplace, ''),
      { code: 0, asked: [] },
      'there is nothing left to delete',
    );
  });

  it('does not ask when it was told yes', async (t) => {
    const workplace = await startingWith(workplaceOf(t), fileOf(TWO, ONE));
    assert.deepEqual(await answering(workplace, '', '--yes'), { code: 0, asked: [] });
    assert.deepEqual([...(await versionsByLabel(workplace)).keys()], ['1.0.0']);
  });
});

describe('an import that cannot be done', () => {
  it('is refused in one line, and writes nothing', async (t) => {
    const workplace = await startingWith(workplaceOf(t), fileOf(ONE));
    assert.match(
      await refusal(workplace, IMPORT, fileOf(TWO, ONE, TWO)),
      /: standard input:\d+: duplicate version "2\.0\.0" /,
    );
    assert.match(
      await refusal(workplace, ['import', 'acme/rokket', '-'], fileOf(ONE)),
      /acme\/rokket.*--create/,
    );
    assert.match(await refusal(workplace, ['import', 'akme/rocket', '-'], fileOf(ONE)), /akme.*--create/);
    assert.match(
      await refusal(workplace, ['import', 'acme/rocket', 'nothing.md']),
      /nothing\.md cannot be read: no such file; check its name\.$/m,
    );
    await runOk(workplace, ['changelog', 'set', 'acme/rocket', '--status', 'locked']);
    assert.match(await refusal(workplace, IMPORT, fileOf(TWO)), /the changelog acme\/rocket is locked/);
    assert.match(
      await refusal(workplace, ['import', 'acme/Rocket', '-', '--create'], fileOf(ONE)),
      /"Rocket" cannot be made: a slug is/,
    );
  });

  it('is done after all if repeated versions may be put together', async (t) => {
    const workplace = await startingWith(workplaceOf(t), fileOf(ONE));
    const again = TWO.replace('The fuse', 'The wire');
    assert.match(await refusal(workplace, IMPORT, fileOf(TWO, again, ONE)), /--merge-duplicates/);
    assert.match(
      await runOk(workplace, [...IMPORT, '--merge-duplicates'], fileOf(TWO, again, ONE)),
      /Done: 1 created/,
    );
    const { changes = [] } = (await versionsByLabel(workplace)).get('2.0.0') ?? {};
    assert.deepEqual(
      changes.map(({ text }) => text),
      ['The fuse.', 'The wire.'],
    );
  });

  it('is wrong usage if what it takes is something else', async (t) => {
    const workplace = workplaceOf(t);
    for (const args of [['--published-at', 'yesterday'], ['--format', 'word'], ['--dates']])
      await misuse(workplace, [...IMPORT, ...args]);
    await misuse(workplace, ['import', 'acme', '-']);
  });
});

describe('the report of many versions', () => {
  const changelog = { format: 'changesets', versions: { length: 2_500 }, warnings: [], source: 'a.md' };
  const summary = { undatedDrafts: 0, dated: 0, drafts: 0, undated: 2_500 } as ImportSummary;
  const made = (t: TestContext) => {
    const report = new ImportReport({ team: 'a', product: 'b' }, changelog as never, { dryRun: true });
    t.after(() => report.close());
    for (let index = 0; index < 2_500; index++) report.tell({ action: 'created', version: `1.${index}.0` });
    return report;
  };

  it('is one JSON object, whatever its size', (t) => {
    const told = JSON.parse([...made(t).writeJson(summary)].join('\n'));
    assert.equal(told.created, 2_500);
    assert.deepEqual(told.versions[2_499], { action: 'created', version: '1.2499.0' });
  });

  it('shows people the first 1,000 lines, and how many there are', (t) => {
    const lines = [...made(t).writeLines(summary, (_, text) => text)].join('\n').split('\n');
    assert.equal(lines[0], 'a.md: changesets, 2,500 versions (2,500 without a date)');
    assert.deepEqual(lines.slice(999), [
      '+ version a/b 1.998.0',
      '… and 1,501 more; --json lists all.',
      'Would be done: 2500 created, 0 changed, 0 deleted, 0 unchanged, 0 kept.',
    ]);
  });
});
