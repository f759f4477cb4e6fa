import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Sqlite from 'better-sqlite3';
import { seedWorld } from '../../../support/content/world.ts';
import { databasePath } from '../../../support/databases/sqlite.ts';
import { temporaryFolder } from '../../../support/processes/scope.ts';
import type { Sandbox } from '../../../support/program/command.ts';
import { listReads, MANY_ROWS } from '../read/plans.ts';

describe('the store on SQLite', () => {
  it('a read is planned once, and not again for each value, in a database with statistics', async (t) => {
    const filled: Sandbox = { folder: temporaryFolder(t) };
    await seedWorld(filled);
    const database = new Sqlite(databasePath(filled));
    t.after(() => void database.close());
    for (const statement of [...MANY_ROWS, 'analyze']) database.exec(statement);
    for (const { sql: text, parameters } of await listReads(t, filled)) {
      const statement = database.prepare(text);
      const ofNothing = parameters.map((value) => (typeof value === 'string' ? 'nothing' : value));
      const runMs = quickestMs(() => statement.all(...ofNothing));
      const planMs = quickestMs(() => database.prepare(text));
      assert.ok(runMs < planMs / 2, `${runMs} ms to run, ${planMs} ms to plan: ${text}`);
    }
  });
});

function quickestMs(work: () => unknown): number {
  const timesMs = Array.from({ length: 50 }, () => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  });
  return Math.min(...timesMs);
}
