// `public_changelogs` (R7) on PostgreSQL, including concurrent writers.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { until } from '../../../support/processes/poll.ts';
import { sharedScope } from '../../../support/processes/scope.ts';
import { checkSearch, provideSessions } from '../postgres/session.ts';
import { SEED, testPublicRows } from './public-cases.ts';
import type { Session } from './touch-cases.ts';

const scope = sharedScope();
let connect: () => Promise<Session>;
let session: Session;
before(async () => {
  connect = await provideSessions(scope, SEED);
  session = await connect();
});

describe('public_changelogs', () => {
  testPublicRows(() => session, { runs: 60, checkSearch });

  it('public_changelogs has a changelog that two concurrent transactions make public together', async () => {
    await session.reset();
    const [first, second] = [await connect(), await connect()];
    await session.run(`update products set status = 'draft' where id = 3`);
    await first.run(`begin; update teams set visibility = 'public' where id = 2`);
    const written = second.run(`update products set status = 'published' where id = 3`);
    await until('the second waits', async () => (await session.rows(WAITING)).length === 1);
    await first.run('commit');
    await written;
    assert.deepEqual(await session.rows(`select changelog_id from public_changelogs where team_id = 2`), [
      ['cl_3'],
    ]);
  });

  it('a version that is written while its changelog becomes public touches its product as public', async () => {
    await session.reset();
    const [[before] = []] = await session.rows('select value from revision');
    const [first, second] = [await connect(), await connect()];
    await first.run(`begin; update products set status = 'published' where id = 2`);
    const written = second.run(`update versions set title = 'Y' where id = 'ver_3'`);
    await until('the second waits', async () => (await session.rows(WAITING)).length === 1);
    await first.run('commit');
    await written;
    assert.deepEqual(await session.rows('select public_revision from touches where product_id = 2'), [
      [String(Number(before) + 2)],
    ]);
  });

  it('search has the texts of a version that is published while its product is hidden, or moved, if it then is public', async () => {
    const publish = `update versions set status = 'published', published_at = '2026-02-02T00:00:00.000Z' where id = 'ver_2'`;
    for (const moved of [`status = 'draft'`, `team_id = 2, slug = 'z'`])
      for (const isFirst of [true, false]) {
        await session.reset();
        const [first, second] = [await connect(), await connect()];
        const update = `update products set ${moved} where id = 1`;
        await first.run(`begin; ${isFirst ? update : publish}`);
        const written = second.run(isFirst ? publish : update);
        await until('the second waits', async () => (await session.rows(WAITING)).length === 1);
        await first.run('commit');
        await written;
        await checkSearch(session);
      }
  });
});

const WAITING = `select pid from pg_stat_activity
  where wait_event_type = 'Lock' and datname = current_database() and query like 'update %'`;
