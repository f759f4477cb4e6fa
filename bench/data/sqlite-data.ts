// SQLite databases, filled once and kept in `bench/.data` for later runs.
import { randomInt } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { runProgram } from '../../cluster/nodes.ts';
import { type Scope, temporaryFolder } from '../../cluster/scope.ts';
import { formatApiKey, hashApiKey } from '../../src/domain/access/api-key.ts';
import { DATA_FOLDER, type EngineData, hashOf, readThrough } from './engine-data.ts';

/** With less, SQLite would write pages to disk repeatedly. */
const FILL_CACHE_KIB = 2 * 1024 * 1024;

export type SqliteData = EngineData &
  Readonly<{
    fileFor: (statements: readonly string[]) => string;
    /** A new migrated database, removed with the scope. */
    emptyFile: (scope: Scope) => string;
  }>;

export async function openSqliteData(scope: Scope): Promise<SqliteData> {
  mkdirSync(DATA_FOLDER, { recursive: true });
  const migrated = await migrate(scope);
  const schema = describeSchema(migrated);
  const fileFor = (statements: readonly string[]) => {
    const kept = path.join(DATA_FOLDER, `${hashOf([schema, statements])}.db`);
    if (!existsSync(kept)) {
      copyFileSync(migrated, `${kept}.new`);
      fill(`${kept}.new`, statements);
      renameSync(`${kept}.new`, kept);
    }
    return kept;
  };
  return {
    name: 'SQLite',
    id: 'sqlite',
    pids: [],
    emptyFile: (own) => copyOf(migrated, temporaryFolder(own)),
    fileFor,
    urlFor: async (statements) => {
      const file = fileFor(statements);
      await readThrough(file);
      return `sqlite:${file}`;
    },
  };
}

/** A database that is not kept, filled by statements like those of a dataset. */
export async function makeSqlite(scope: Scope, statements: readonly string[]): Promise<string> {
  const file = await migrate(scope);
  fill(file, statements);
  return file;
}

async function migrate(scope: Scope): Promise<string> {
  const folder = temporaryFolder(scope);
  const file = path.join(folder, 'migrated.db');
  await runProgram(scope, ['migrate'], { folder, environment: { DATABASE_URL: `sqlite:${file}` } });
  const database = new Sqlite(file);
  database.pragma('wal_checkpoint(truncate)');
  database.close();
  return file;
}

function describeSchema(file: string): unknown {
  const database = new Sqlite(file, { readonly: true });
  try {
    return database.prepare('select sql from sqlite_master order by name').pluck().all();
  } finally {
    database.close();
  }
}

function copyOf(file: string, folder: string): string {
  const copy = path.join(folder, 'changelog.db');
  copyFileSync(file, copy);
  return copy;
}

function fill(file: string, statements: readonly string[]): void {
  const database = new Sqlite(file);
  database.pragma(`cache_size = -${FILL_CACHE_KIB}`);
  database.pragma('synchronous = off');
  database.transaction(() => database.exec(statements.join(';\n')))();
  database.exec('analyze');
  database.pragma('wal_checkpoint(truncate)');
  database.close();
}

/** A FULL key and a SELECT key for one product, in the program's format. */
export function addKeys(file: string, productSlug: string): { full: string; select: string } {
  const database = new Sqlite(file);
  const add = (kind: string) => {
    const key = formatApiKey((below) => randomInt(below));
    database
      .prepare(
        `insert into api_keys (id, team_id, kind, status, hash, created_at)
           values (?, 1, ?, 'active', ?, '2026-01-01T00:00:00.000Z')`,
      )
      .run(`key_${kind.toLowerCase()}`, kind, hashApiKey(key));
    return key;
  };
  const keys = { full: add('FULL'), select: add('SELECT') };
  database
    .prepare(
      `insert into api_key_products (key_id, product_id, team_id, kind)
         select 'key_select', id, 1, 'SELECT' from products where slug = ?`,
    )
    .run(productSlug);
  database.close();
  return keys;
}

/** A host name of its own (R60). */
export function setDomain(file: string, productSlug: string, domain: string): void {
  const database = new Sqlite(file);
  database.prepare('update products set domain = ? where slug = ?').run(domain, productSlug);
  database.close();
}
