import { copyFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import type { Engine, Row } from './engines.ts';

/** The database file of a folder. */
export function databasePath({ folder }: { folder: string }): string {
  return path.join(folder, 'changelog.db');
}

export const sqlite: Engine = {
  url: (folder) => `sqlite:${databasePath({ folder })}`,
  provide: async () => {},
  provideCopy: async (folder, original) => {
    const file = databasePath({ folder });
    if (existsSync(file)) return false;
    copyFileSync(databasePath({ folder: original }), file);
    return true;
  },
  connect: async (folder) => {
    const database = new Sqlite(databasePath({ folder }));
    // As in the `sqlite3` shell, which does not enforce them.
    database.pragma('foreign_keys = off');
    return {
      query: async (statement) => database.prepare<[], Row>(statement).all(),
      execute: async (statement) => database.prepare(statement).run().changes,
      tables: async () => database.prepare<[], string>(TABLES).pluck().all(),
      close: async () => void database.close(),
    };
  },
  use: async (folder, run) => {
    const session = await sqlite.connect(folder);
    try {
      return await run(session);
    } finally {
      await session.close();
    }
  },
  exists: async (folder) => existsSync(databasePath({ folder })),
  makeUnavailable: async (folder) => {
    const file = databasePath({ folder });
    const whole = readFileSync(file);
    truncateSync(file, 5_000);
    return async () => writeFileSync(file, whole);
  },
  describe: (folder) => databasePath({ folder }),
  missing: /there is no database at .*DATABASE_URL.*`changelog migrate`/,
  stale: { msMax: 0, words: 'at its next request' },
};

const TABLES = `select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name`;
