// A server polls its primary and looks for what is due (R50): the second may fail without the first.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findRevision } from '../../../src/store/engine/revisions.ts';
import { openSource } from '../../../src/store/source/open.ts';
import { seedWorld } from '../../../support/content/world.ts';
import { databaseUrl, execute, openSession, query } from '../../../support/databases/engine.ts';
import { until } from '../../../support/processes/poll.ts';
import { temporaryFolder } from '../../../support/processes/scope.ts';

/** A database that has not answered for this long counts as down. */
const UNANSWERED_MS_MAX = 1_250;

it('a query for what is due that never ends does not make the primary count as down', async (t) => {
  const sandbox = { folder: temporaryFolder(t) };
  await seedWorld(sandbox);
  await execute(sandbox, `update versions set publish_at = '2020-01-01T00:00:00.000Z' where id = 'ver_300'`);
  const session = await openSession(sandbox);
  t.after(session.close);
  // Products are joined to find what is due, and are not read by a poll.
  await session.execute('begin');
  await session.execute('lock table products in access exclusive mode');

  const reasons: string[] = [];
  const source = await openSource([databaseUrl(sandbox)], {
    onScheduleUnread: (cause) => reasons.push((cause as Error).message),
  });
  t.after(source.close);
  let isDue = false;
  source.onDue(() => {
    isDue = true;
  });
  const startedAt = performance.now();
  while (performance.now() - startedAt < 2 * UNANSWERED_MS_MAX) {
    await execute(sandbox, 'update revision set value = value + 1');
    const [row] = await query<{ value: number }>(sandbox, 'select value from revision');
    await until('a poll has seen the write', () => source.revision() === row?.value);
    await until('the primary is up', () => source.isUp());
    assert.equal(await source.read(findRevision), row?.value);
  }
  assert.ok(!isDue);
  await session.execute('rollback');
  await until('what is due is known', () => isDue);
  assert.equal(reasons.length, 1, 'it is reported once');
  assert.match(reasons[0] ?? '', /timeout/);
});
