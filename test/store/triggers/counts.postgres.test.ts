// `change_count` (R11) on PostgreSQL, including concurrent writers.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { until } from '../../../support/processes/poll.ts';
import { sharedScope } from '../../../support/processes/scope.ts';
import { checkSearch, provideSessions } from '../postgres/session.ts';
import { SEED, testCounts } from './count-cases.ts';
import type { Session } from './touch-cases.ts';

const scope = sharedScope();
let connect: () => Promise<Session>;
let session: Session;
before(async () => {
  connect = await provideSessions(scope, SEED);
  session = await connect();
});

const addChange = (id: string) =>
  `insert into changes (id, version_id, position, type, text, breaking)
     values ('${id}', 'ver_3', ${id.slice(-1)}, 'added', 'A', 0)`;
const COUNT = `select change_count from versions where id = 'ver_3'`;

describe('change_count', () => {
  testCounts(() => session, { runs: 100, checkSearch });

  it('change_count includes what two concurrent transactions add to one version', async () => {
    await session.reset();
    const [first, second] = [await connect(), await connect()];
    await first.run(`begin; ${addChange('chg_8')}`);
    const written = second.run(addChange('chg_9'));
    await until('the second waits', async () => (await session.rows(WAITING)).length === 1);
    await first.run('commit');
    await written;
    assert.deepEqual(await session.rows(COUNT), [[3]]);
  });
});

const WAITING = `select pid from pg_stat_activity
  where wait_event_type = 'Lock' and datname = current_database() and query like 'insert into changes%'`;
