// R11 on SQLite, whatever a connection asked of it.
import { before, describe } from 'node:test';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { runOk } from '../support/command.ts';
import { sharedScope, temporaryFolder } from '../support/folder.ts';
import { databasePath } from '../support/sqlite.ts';
import { testCounts } from './count-cases.ts';
import type { Session } from './touch-cases.ts';

const WAYS_OUT = ['', 'or abort', 'or fail', 'or ignore', 'or replace', 'or rollback'];

for (const foreignKeys of ['on', 'off']) {
  for (const recursiveTriggers of ['on', 'off']) {
    describe(`change_count, with foreign keys ${foreignKeys}, recursive triggers ${recursiveTriggers}`, () => {
      const scope = sharedScope();
      let session: Session;
      before(async () => {
        const folder = temporaryFolder(scope);
        await runOk({ folder }, ['migrate']);
        const database = new Sqlite(databasePath({ folder }));
        scope.after(() => void database.close());
        database.pragma('synchronous = off');
        database.pragma(`foreign_keys = ${foreignKeys}`);
        database.pragma(`recursive_triggers = ${recursiveTriggers}`);
        session = {
          run: async (statements) => database.exec(statements),
          rows: async (query) => database.prepare(query).raw().all() as unknown[][],
        };
      });
      testCounts(() => session, {
        wayOut: fc.constantFrom(...WAYS_OUT),
        runs: 30,
        checkIndex: () =>
          session.run(`insert into version_search (version_search, rank) values ('integrity-check', 1)`),
      });
    });
  }
}
