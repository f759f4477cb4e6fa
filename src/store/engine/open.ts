// Chooses the database engine by the database URL. An engine is loaded only when it is used.
import type { Engine, OpenOptions, Reader, Writer } from './engine.ts';

const loadSqlite = () => import('../sqlite/sqlite.ts');

export async function engineOf(url: string): Promise<Engine> {
  return url.startsWith('sqlite:')
    ? (await loadSqlite()).sqlite
    : (await import('../postgres/postgres.ts')).postgres;
}

export async function openReader(url: string, options: OpenOptions = {}): Promise<Reader> {
  return (await engineOf(url)).openReader(url, options);
}

export async function openWriter(url: string, options: { create: boolean }): Promise<Writer> {
  return (await engineOf(url)).openWriter(url, options);
}

/** A database in memory, to read from after it was filled. */
export async function openMemory(fill: (trx: Writer) => Promise<void>): Promise<Reader & AsyncDisposable> {
  return await (await loadSqlite()).openMemory(fill);
}

/** Backups of SQLite, whose database is a file. */
export const loadCopies = () => import('../sqlite/copies.ts');
