// A published version with a date in the future is visible at once (R8, R50). Every command that leaves one says so.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { provideMigrated } from '../../../support/databases/engine.ts';
import { apply, doctor, run, runOk, type Sandbox } from '../../../support/program/command.ts';
import { documentOf, sandboxOf } from '../helpers.ts';

const NOW = '2026-05-04T09:00:00.000Z';
const FUTURE = '2026-05-05T09:00:00.000Z';
const ONE = { version: '1.0.0', title: '', status: 'published', publishedAt: FUTURE };
const ADVICE =
  'A date does not delay a version: to publish it later, make it a draft and schedule it with `changelog version publish --at`.';
const OF_ONE = `changelog: warning: acme/rocket 1.0.0 (${FUTURE}) is published, but its date is in the future. ${ADVICE}\n`;

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
      `changelog: warning: 1,205 versions are published, but their dates are in the future: ${named.join(', ')} and 1,200 more. ${ADVICE}\n`,
    );
  });

  it('import warns of it, also in its list of warnings', async (t) => {
    const sandbox = await made(t);
    await apply(sandbox, documentOf([]));
    const importing = (text: string, ...flags: string[]) =>
      run(sandbox, ['import', 'acme/rocket', '-', '--json', ...flags], text);
    const warning = `acme/rocket 1.0.0 (2026-05-06T00:00:00.000Z) is published, but its date is in the future. ${ADVICE}`;
    const dated = '# Changelog\n\n## [1.0.0] - 2026-05-06\n\n### Added\n\n- A.\n';
    for (const flags of [['--dry-run'], [], []]) {
      const { stdout, stderr } = await importing(dated, ...flags);
      assert.equal(stderr, `changelog: warning: ${warning}\n`);
      assert.deepEqual(JSON.parse(stdout).warnings, [warning]);
    }
    await runOk(sandbox, ['version', 'unpublish', 'acme/rocket', '1.0.0']);
    const kept = await importing(dated);
    assert.deepEqual([JSON.parse(kept.stdout).kept, kept.stderr], [1, '']);
  });

  it('import --published-at warns if that time is in the future', async (t) => {
    const sandbox = await made(t);
    await apply(sandbox, documentOf([]));
    const text = '# @acme/rocket\n\n## 1.0.0\n\n### Major Changes\n\n- abc1234: A.\n';
    const { stderr } = await run(
      sandbox,
      ['import', 'acme/rocket', '-', '--published-at', FUTURE, '--format', 'changesets'],
      text,
    );
    assert.equal(stderr, OF_ONE);
  });

  it('version publish warns of it', async (t) => {
    const sandbox = await made(t);
    await apply(sandbox, documentOf([{ ...ONE, status: 'draft' }]));
    const publish = (verb: string) => run(sandbox, ['version', verb, 'acme/rocket', '1.0.0', '--json']);
    const { code, stdout, stderr } = await publish('publish');
    assert.deepEqual([code, stderr, JSON.parse(stdout).publishedAt], [0, OF_ONE, FUTURE]);
    assert.doesNotMatch((await publish('unpublish')).stderr, /future/);
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
      /^note {3}content +7 versions are published, but their dates are in the future: acme\/rocket 1\.0\.0 \(.* and 2 more\. A date/,
    );
    assert.equal(line.match(/acme\/rocket/g)?.length, 5);
  });
});
