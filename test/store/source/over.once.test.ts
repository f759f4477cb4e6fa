// A read whose client already has its 503 runs no more queries.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { visibleRows } from '../../../src/domain/access/visibility.ts';
import { DatabaseTimeout } from '../../../src/store/engine/failures.ts';
import { engineOf } from '../../../src/store/engine/open.ts';
import { findFeed } from '../../../src/store/read/find-feed.ts';
import { openRemoteSource } from '../../../src/store/source/remote.ts';
import { seedWorld } from '../../../support/content/world.ts';
import { databaseUrl } from '../../../support/databases/engine.ts';
import { temporaryFolder } from '../../../support/processes/scope.ts';

const ROCKET = { team: 'acme', product: 'rocket' };

it('a read that took too long stops before its next query, and others go on', async (t) => {
  const sandbox = { folder: temporaryFolder(t) };
  await seedWorld(sandbox);
  const url = databaseUrl(sandbox);
  let queries = 0;
  const onQuery = ({ query }: { query: { sql: string } }) => {
    if (query.sql.includes('public_changelogs')) queries++;
  };
  const source = await openRemoteSource(await engineOf(url), [url], { onQuery });
  t.after(source.close);
  const find = async () => await source.read((db) => findFeed(db, ROCKET, visibleRows('public')));
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const slow = async () =>
    await source.read(async (db) => {
      await findFeed(db, ROCKET, visibleRows('public'));
      await delay(1_000);
      try {
        return await findFeed(db, ROCKET, visibleRows('public'));
      } catch (error) {
        resolve(error);
        throw error;
      }
    });
  await assert.rejects(slow(), DatabaseTimeout);
  assert.ok((await promise) instanceof DatabaseTimeout);
  assert.equal(queries, 1);
  assert.ok((await find()).found);
  assert.equal(queries, 2);
});
