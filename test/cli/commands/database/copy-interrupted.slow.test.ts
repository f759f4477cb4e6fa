// A copy that ends in the middle leaves the target empty, and the same command then completes it.
import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import {
  databaseUrl,
  describeDatabase,
  ENGINE,
  environmentOf,
  query,
} from '../../../../support/databases/engine.ts';
import { databasePath } from '../../../../support/databases/sqlite.ts';
import { until } from '../../../../support/processes/poll.ts';
import { type Scope, sharedScope } from '../../../../support/processes/scope.ts';
import { apply, doctor, run, runOk, type Sandbox } from '../../../../support/program/command.ts';
import { spawnProgram } from '../../../../support/program/process.ts';
import { documentOf, sandboxOf } from '../../helpers.ts';

const VERSIONS = Array.from({ length: 1_500 }, (_, at) => ({
  version: `${at}.0.0`,
  title: `Version ${at}`,
  status: 'published',
  publishedAt: '2026-01-01',
  // More than SQLite keeps in memory before it writes.
  ...(ENGINE === 'sqlite' && { description: 'word '.repeat(2_500) }),
  changes: [1, 2, 3].map((part) => ({
    type: 'added',
    text: `The ${part}. change of ${at}, ${'word '.repeat(20)}`,
  })),
}));

/** After most rows: changes come before versions. */
const IS_WRITING = `select 1 from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and query like 'insert into "versions"%'`;
/** Whatever its transaction does at this moment. */
const END_WRITING = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()
    and backend_type = 'client backend' and xact_start is not null`;

async function isWriting(target: Sandbox): Promise<boolean> {
  if (ENGINE === 'postgres') return (await query(target, IS_WRITING)).length > 0;
  const log = `${databasePath(target)}-wal`;
  return existsSync(log) && statSync(log).size > 1024 ** 2;
}

describe('a copy that is interrupted', () => {
  const scope = sharedScope();
  const source = sandboxOf(scope);
  let content = '';
  before(async () => {
    await apply(source, documentOf(VERSIONS));
    content = await runOk(source, ['export', 'acme']);
  });

  async function startCopy(t: Scope) {
    const target = sandboxOf(t);
    await environmentOf(target);
    const program = await spawnProgram(t, source, ['copy', '--to', databaseUrl(target)]);
    await until('the copy writes', () => isWriting(target));
    return { target, ...program };
  }

  async function assertCompletedNext(target: Sandbox): Promise<void> {
    assert.match(
      await runOk(source, ['copy', '--to', databaseUrl(target)]),
      /: 1 team, 1 product, 1,500 versions/,
    );
    assert.equal(await runOk(target, ['export', 'acme']), content);
  }

  it('by SIGKILL leaves no content, `doctor` says so, and the next one completes', async (t) => {
    const { target, child, exited } = await startCopy(t);
    child.kill('SIGKILL');
    assert.deepEqual(await exited, { code: null, signal: 'SIGKILL' });
    assert.match((await doctor(target)).stdout, /has no tables of this program/);
    assert.equal((await run(target, ['team', 'list'])).code, 1);
    await assertCompletedNext(target);
  });

  it('by SIGTERM says so and leaves the target as it was', async (t) => {
    const { target, child, exited, output } = await startCopy(t);
    child.kill('SIGTERM');
    assert.deepEqual(await exited, { code: 1, signal: null });
    assert.equal(
      output().stderr.split('\n').at(-2),
      `changelog: stopped by SIGTERM; ${describeDatabase(target)} was left as it was.`,
    );
    if (ENGINE === 'sqlite') assert.ok(!existsSync(databasePath(target)));
    await assertCompletedNext(target);
  });

  if (ENGINE === 'postgres')
    it('because the connection to the target is lost names the target, not DATABASE_URL', async (t) => {
      const { target, exited, output } = await startCopy(t);
      await query(target, END_WRITING);
      assert.deepEqual(await exited, { code: 1, signal: null });
      const { stderr } = output();
      assert.ok(stderr.startsWith(`changelog: ${describeDatabase(target)}: `), stderr);
      assert.match(stderr, /; (?:check the URL of --to, and that the database is running|try again later)/);
      await assertCompletedNext(target);
    });
});
