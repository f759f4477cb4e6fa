// `updated_at` (R45) on PostgreSQL, including concurrent writers.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { until } from '../../../support/processes/poll.ts';
import { sharedScope } from '../../../support/processes/scope.ts';
import { provideSessions } from '../postgres/session.ts';
import type { Session } from './touch-cases.ts';
import { SEED, testUpdateTimes } from './update-time-cases.ts';

describe('updated_at', () => {
  const scope = sharedScope();
  let connect: () => Promise<Session>;
  let session: Session;
  before(async () => {
    connect = await provideSessions(scope, SEED);
    session = await connect();
  });

  testUpdateTimes(() => session, 'postgres');

  it('updated_at moves with each of two concurrent writes, in the order of their commits', async () => {
    await session.reset();
    const find = async () =>
      String((await session.rows(`select updated_at from versions where id = 'ver_1'`))[0]?.[0]);
    const [first, second] = [await connect(), await connect()];
    await first.run(`begin; update versions set title = 'first' where id = 'ver_1'`);
    const written = second.run(`update versions set title = 'second' where id = 'ver_1'`);
    await until('the second waits', async () => (await session.rows(WAITING)).length === 1);
    await first.run(`update versions set title = 'again' where id = 'ver_1'; select pg_sleep(0.002); commit`);
    const between = await find();
    await written;
    assert.ok((await find()) >= between);
  });
});

const WAITING = `select pid from pg_stat_activity
  where wait_event_type = 'Lock' and datname = current_database() and query like 'update versions%'`;
