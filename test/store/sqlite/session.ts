// A connection to SQLite that does not go through the program, to a database that can be reset to its seed.
import { copyFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { databasePath } from '../../../support/databases/sqlite.ts';
import { type Scope, temporaryFolder } from '../../../support/processes/scope.ts';
import { runOk } from '../../../support/program/command.ts';
import type { Session } from '../triggers/touch-cases.ts';

/** Seeds once and copies the file: SQLite compiles the triggers for each statement, and a seed has many. */
export async function openSession(scope: Scope, seed: string, pragmas: readonly string[]): Promise<Session> {
  const folder = temporaryFolder(scope);
  await runOk({ folder }, ['migrate']);
  const seeded = databasePath({ folder });
  const used = `${seeded}-used`;
  const open = (file: string) => {
    const database = new Sqlite(file);
    for (const pragma of pragmas) database.pragma(pragma);
    return database;
  };
  const seeding = open(seeded);
  seeding.exec(seed);
  seeding.close();
  let database = open(used);
  scope.after(() => void database.close());
  return {
    reset: async () => {
      database.close();
      copyFileSync(seeded, used);
      database = open(used);
    },
    run: async (statements) => database.exec(statements),
    rows: async (query) => database.prepare(query).raw().all() as unknown[][],
  };
}

/** Checks that each full-text index matches its rows. */
export async function checkSearch({ run }: Session): Promise<void> {
  for (const index of ['public_search', 'hidden_search'])
    await run(`insert into ${index} (${index}, rank) values ('integrity-check', 1)`);
}
