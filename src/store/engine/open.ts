// Chooses the database engine by the database URL. An engine is loaded only when it is used.
import type { Engine } from './engine.ts';

export const loadSqlite = () => import('../sqlite/sqlite.ts');

/** Backups of SQLite, whose database is a file. */
export const loadCopies = () => import('../sqlite/copies.ts');

export async function engineOf(url: string): Promise<Engine> {
  return url.startsWith('sqlite:')
    ? (await loadSqlite()).sqlite
    : (await import('../postgres/postgres.ts')).postgres;
}
