// A published version with a date in the future is visible at once (R8, R50). `apply` and `doctor` say so. An import of
// a file makes it a draft until then.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { dump, provideMigrated } from '../../../support/databases/engine.ts';
import { apply, doctor, run, runOk, type Sandbox } from '../../../support/program/command.ts';
import { documentOf, sandboxOf, versionsByLabel } from '../helpers.ts';

const NOW = '2026-05-04T09:00:00.000Z';
const FUTURE = '2026-05-05T09:00:00.000Z';
const ONE = { version: '1.0.0', title: '', status: 'published', publishedAt: FUTURE };
const ADVICE =
  'A date does not delay a version: to publish it later, make it a draft and schedule it with `changelog version publish --at`.';
const OF_ONE = `changelog: warning: Published, but with a date in the future: acme/rocket 1.0.0 (${FUTURE}). ${ADVICE}\n`;

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...ONE, version: `${count - index}.0.0` }));

describe('a published version with a date in the future', () => {
  const made = async (t: Parameters<typeof sandboxOf>[0]): Promise<Sandbox> => {
    const sandbox = sandboxOf(t, { now: NOW });
    await provideMigrated(sandbox);
    return sandbox;
  };
  const applied = (sandbox: Sandbox, document: unknown, ...flags: string[]) =>
    run(sandbox, ['apply', '-', ...flags], JSON.stringify(document));

  it('apply warns of it on standard error, also in a dry run and when nothing changes', async (t) => {
    const sandbox = await made(t);
    for (const flags of [['--dry-run'], [], [], ['--json']]) {
      const { code, stdout, stderr } = await applied(sandbox, documentOf([ONE]), ...flags);
      assert.deepEqual([code, stderr], [0, OF_ONE]);
      assert.doesNotMatch(stdout, /future/);
    }
    const { publishedAt: _, ...undated } = ONE;
    assert.equal((await applied(sandbox, documentOf([undated]))).stderr, OF_ONE, 'it keeps its date');
  });

  it('apply does not warn of drafts, and of dates that have begun somewhere', async (t) => {
    const sandbox = await made(t);
    const later = { ...sandbox, now: '2026-05-04T11:00:00.000Z' };
    const { code, stderr } = await applied(
      later,
      documentOf([
        { ...ONE, version: '3.0.0', status: 'draft' },
        { ...ONE, version: '2.0.0', publishedAt: '2026-05-05' },
        { ...ONE, version: '1.0.0', publishedAt: '2026-05-04T11:04:00Z' },
      ]),
    );
    assert.deepEqual([code, stderr], [0, '']);
  });

  it('apply names the first of many and counts the others', async (t) => {
    const { stderr } = await applied(await made(t), documentOf(many(1_205)));
    const named = ['1205', '1204', '1203', '1202', '1201'].map((n) => `acme/rocket ${n}.0.0 (${FUTURE})`);
    assert.equal(
      stderr,
      `changelog: warning: Published, but with a date in the future: ${named.join(', ')} and 1,200 more. ${ADVICE}\n`,
    );
  });

  it('doctor notes it, with a bounded number of names', async (t) => {
    const sandbox = await made(t);
    // Not `now`: doctor compares it with the clock of the database server.
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    const own = { ...sandbox, now: undefined } as unknown as Sandbox;
    const notes = async () => (await doctor(own)).stdout.split('\n').filter((line) => /future/.test(line));
    const midnight = `${at(8 * 3_600_000).slice(0, 10)}T00:00:00.000Z`;
    await apply(
      own,
      documentOf([
        { ...ONE, version: 'draft', status: 'draft', publishedAt: at(3_600_000) },
        { ...ONE, version: 'today', publishedAt: midnight },
        { ...ONE, version: 'now', publishedAt: at(60_000) },
      ]),
    );
    assert.deepEqual(await notes(), []);
    const versions = many(7).map((version, index) => ({ ...version, publishedAt: at(3_600_000 + index) }));
    await apply(own, documentOf(versions));
    const [line = '', ...more] = await notes();
    assert.deepEqual(more, []);
    assert.match(
      line,
      /^note {3}content +Published, but with a date in the future: acme\/rocket 1\.0\.0 \(.* and 2 more\. A date/,
    );
    assert.equal(line.match(/acme\/rocket/g)?.length, 5);
  });
});

describe('a version of a file with a date in the future', () => {
  const DAY = '2026-05-06';
  const fileOf = (date: string, text = 'A.') =>
    `# Changelog\n\n## [2.0.0] - ${date}\n\n### Added\n\n- ${text}\n\n## [1.0.0] - 2026-01-01\n\n- B.\n`;
  const importing = async (sandbox: Sandbox, text: string, ...flags: string[]) => {
    const { code, stdout, stderr } = await run(
      sandbox,
      ['import', 'acme/rocket', '-', '--json', ...flags],
      text,
    );
    assert.equal(code, 0, stderr);
    return { ...JSON.parse(stdout), stderr };
  };
  const made = async (t: Parameters<typeof sandboxOf>[0]): Promise<Sandbox> => {
    const sandbox = sandboxOf(t, { now: NOW });
    await apply(sandbox, documentOf([]));
    return sandbox;
  };
  const stateOf = async (sandbox: Sandbox, label = '2.0.0') => {
    const { status, publishedAt, publishAt } = (await versionsByLabel(sandbox)).get(label) ?? {};
    return [status, publishedAt ?? null, publishAt ?? null];
  };
  const at = (day: string) => `${day}T00:00:00.000Z`;

  it('import makes it a draft that is scheduled for 00:00 UTC of that day, and says so each time', async (t) => {
    const sandbox = await made(t);
    const warning = `Drafts until their date, which is in the future: acme/rocket 2.0.0 (${at(DAY)}). Correct the date if it is wrong.`;
    for (const [flags, created] of [
      [['--dry-run'], 2],
      [[], 2],
      [[], 0],
    ] as const) {
      const { warnings, stderr, ...counts } = await importing(sandbox, fileOf(DAY), ...flags);
      assert.deepEqual([counts.created, counts.changed, counts.kept], [created, 0, 0]);
      assert.deepEqual([warnings, stderr], [[warning], `changelog: warning: ${warning}\n`]);
    }
    assert.deepEqual(await stateOf(sandbox), ['draft', null, at(DAY)]);
    assert.deepEqual(await stateOf(sandbox, '1.0.0'), ['published', at('2026-01-01'), null]);
  });

  it('import names a day that begins in a minute, and publishes one that has begun', async (t) => {
    const sandbox = await made(t);
    const before = { ...sandbox, now: '2026-05-05T23:59:00.000Z' };
    await importing(before, fileOf(DAY));
    assert.deepEqual(await stateOf(sandbox), ['draft', null, at(DAY)]);
    assert.equal((await importing({ ...sandbox, now: at(DAY) }, fileOf(DAY))).stderr, '');
    assert.deepEqual(await stateOf(sandbox), ['published', at(DAY), null]);
  });

  it('the next import changes nothing once it is published on schedule, also if its clock is behind', async (t) => {
    const sandbox = await made(t);
    await importing(sandbox, fileOf(DAY));
    assert.match(await runOk(sandbox, ['publish-due']), /2\.0\.0/);
    assert.deepEqual(await stateOf(sandbox), ['published', at(DAY), null]);
    const before = await dump(sandbox);
    for (const now of [at('2026-05-07'), '2026-05-05T23:59:59.000Z']) {
      const { unchanged, warnings } = await importing({ ...sandbox, now }, fileOf(DAY));
      assert.deepEqual([unchanged, warnings], [2, []]);
      assert.deepEqual(await dump(sandbox), before);
    }
  });

  it('a date that moves takes the schedule along; in the past it publishes, and without one it ends', async (t) => {
    const sandbox = await made(t);
    await importing(sandbox, fileOf(DAY));
    assert.equal((await importing(sandbox, fileOf('2026-06-01', 'New.'))).changed, 1);
    assert.deepEqual(await stateOf(sandbox), ['draft', null, at('2026-06-01')]);
    await importing(sandbox, fileOf('2026-06-01').replace('[2.0.0] - 2026-06-01', '2.0.0 (unreleased)'));
    assert.deepEqual(await stateOf(sandbox), ['draft', null, null]);
    await importing(sandbox, fileOf(DAY));
    await importing(sandbox, fileOf('2026-05-01'));
    assert.deepEqual(await stateOf(sandbox), ['published', at('2026-05-01'), null]);
    await importing(sandbox, fileOf(DAY));
    assert.deepEqual(await stateOf(sandbox), ['draft', at('2026-05-01'), at(DAY)]);
    assert.equal((await importing(sandbox, fileOf(DAY))).unchanged, 2);
  });

  it('a time that a person set for that day stays, and so does a schedule that a person removed', async (t) => {
    const sandbox = await made(t);
    await importing(sandbox, fileOf(DAY));
    const morning = '2026-05-06T09:00:00.000Z';
    await runOk(sandbox, ['version', 'publish', 'acme/rocket', '2.0.0', '--at', morning]);
    assert.equal((await importing(sandbox, fileOf(DAY))).unchanged, 2);
    await importing({ ...sandbox, now: '2026-05-06T08:00:00.000Z' }, fileOf(DAY, 'New.'));
    assert.deepEqual(await stateOf(sandbox), ['draft', null, morning]);
    await runOk(sandbox, ['version', 'unpublish', 'acme/rocket', '2.0.0']);
    const { kept, stderr } = await importing(sandbox, fileOf(DAY, 'New.'));
    assert.deepEqual([kept, stderr], [1, '']);
    assert.deepEqual(await stateOf(sandbox), ['draft', null, null]);
  });

  it('import --published-at schedules versions without a date', async (t) => {
    const sandbox = await made(t);
    const text = '# @acme/rocket\n\n## 1.0.0\n\n### Major Changes\n\n- abc1234: A.\n';
    for (const created of [1, 0]) {
      const flags = ['--published-at', FUTURE, '--format', 'changesets'];
      const counts = await importing(sandbox, text, ...flags);
      assert.deepEqual([counts.created, counts.changed, counts.stderr], [created, 0, '']);
    }
    assert.deepEqual(await stateOf(sandbox, '1.0.0'), ['draft', null, FUTURE]);
  });

  it('import-workspace schedules it, too', async (t) => {
    const sandbox = await made(t);
    const write = (file: string, text: string) => writeFileSync(path.join(sandbox.folder, file), text);
    mkdirSync(path.join(sandbox.folder, 'rocket'));
    write('package.json', '{"workspaces":["rocket"]}');
    write('rocket/package.json', '{"name":"rocket"}');
    write('rocket/CHANGELOG.md', fileOf(DAY));
    const { stderr } = await run(sandbox, ['import-workspace', 'acme', '.']);
    assert.match(stderr, /Drafts until their date, .*acme\/rocket 2\.0\.0 \(2026-05-06T00:00:00\.000Z\)/);
    assert.deepEqual(await stateOf(sandbox), ['draft', null, at(DAY)]);
  });

  it('check calls it a note with the day on which it will appear', async (t) => {
    const { code, stdout } = await run(await made(t), ['check', '-'], fileOf(DAY));
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^standard input:3: note: version 2\.0\.0 will appear on 2026-05-06, .*\[future-date\]$/m,
    );
  });
});
