// The connection that a server writes with. Several parts of it may use it at once.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { openLater } from '../../src/serve/service.ts';
import type { Writer } from '../../src/store/engine/engine.ts';
import { databaseUrl, provideMigrated } from '../../support/databases/engine.ts';
import { temporaryFolder } from '../../support/processes/scope.ts';

const readOnly = Object.assign(new Error('permission denied'), { code: '42501' });
const readOne = async (db: Writer) => (await sql<{ one: number }>`select 1 as one`.execute(db)).rows[0]?.one;

describe('the connection for writes', () => {
  it('is opened again after one was refused, and those in progress keep theirs', async (t) => {
    const sandbox = { folder: temporaryFolder(t) };
    await provideMigrated(sandbox);
    const { run, close } = openLater(databaseUrl(sandbox), { isDurable: true });
    t.after(close);
    const refused = Promise.withResolvers<void>();
    const used: Writer[] = [];
    const inProgress = run(async (db) => {
      used.push(db);
      await refused.promise;
      return await readOne(db);
    });
    await assert.rejects(
      run((db) => {
        used.push(db);
        return Promise.reject(readOnly);
      }),
      readOnly,
    );
    const next = await Promise.all([1, 2].map(() => run(async (db) => void used.push(db))));
    assert.equal(next.length, 2);
    refused.resolve();
    assert.equal(await inProgress, 1);
    // The first two shared one, and so did the last two.
    assert.deepEqual(
      used.map((db) => used.indexOf(db)),
      [0, 0, 2, 2],
    );
  });

  it('is tried again after it could not be opened', async (t) => {
    const { run, close } = openLater(databaseUrl({ folder: temporaryFolder(t) }), { isDurable: true });
    t.after(close);
    for (let time = 0; time < 2; time++) await assert.rejects(run(readOne));
  });
});
