// A connection to SQLite that does not go through the program, to a database that can be reset to its seed.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { provideMigrated } from '../../../support/databases/engine.ts';
import { databasePath } from '../../../support/databases/sqlite.ts';
import { type Scope, temporaryFolder } from '../../../support/processes/scope.ts';
import type { Session } from '../triggers/touch-cases.ts';

/**
 * Seeds once and writes the file back: SQLite compiles the triggers for each statement, and a seed has many. The connection
 * stays open, since reading the schema takes longer than most tests; it sees that the file has changed, as after a write of
 * another process, if no log stands beside it.
 */
export async function openSession(scope: Scope, seed: string, pragmas: readonly string[]): Promise<Session> {
  const folder = temporaryFolder(scope);
  await provideMigrated({ folder });
  const file = databasePath({ folder });
  const database = new Sqlite(file);
  scope.after(() => void database.close());
  for (const pragma of ['journal_mode = memory', ...pragmas]) database.pragma(pragma);
  database.exec(seed);
  const seeded = readFileSync(file);
  const prepared = new Map<string, Sqlite.Statement<[], unknown[]>>();
  return {
    reset: async () => {
      if (database.inTransaction) database.exec('rollback');
      writeFileSync(file, seeded);
    },
    run: async (statements) => database.exec(statements),
    rows: async (query) => {
      const statement = prepared.get(query) ?? database.prepare<[], unknown[]>(query).raw();
      prepared.set(query, statement);
      return statement.all();
    },
  };
}

const PUBLISHED = `from versions v join changelogs l on l.id = v.changelog_id
  join public_changelogs p on p.changelog_id = l.id`;
const SEARCHED = {
  version_search: `select l.number << 32 | v.number, v.label || char(10) || v.title || char(10) || coalesce(v.description, '')
    ${PUBLISHED} where v.status = 'published' order by 1`,
  change_search: `select l.number << 32 | c.number, c.text
    ${PUBLISHED} join changes c on c.version_id = v.id where v.status = 'published' order by 1`,
};

/** Checks that the full-text indexes have the published texts of public changelogs, and nothing else. */
export async function checkSearch({ run, rows }: Session): Promise<void> {
  for (const [index, texts] of Object.entries(SEARCHED)) {
    assert.deepEqual(await rows(`select rowid, body from ${index} order by 1`), await rows(texts));
    await run(`insert into ${index} (${index}) values ('integrity-check')`);
  }
}
