// Databases that are filled once and kept in `bench/.data` for later runs, by a hash of their schema and content.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';

export const DATA_FOLDER = path.resolve(import.meta.dirname, '../.data');

export type EngineData = Readonly<{
  name: 'SQLite' | 'PostgreSQL';
  id: 'sqlite' | 'postgres';
  /** The database server's process, if there is one. */
  pids: readonly number[];
  /** The URL of a database that was filled by these statements. */
  urlFor: (statements: readonly string[]) => Promise<string>;
}>;

export function hashOf(described: unknown): string {
  return createHash('sha256').update(JSON.stringify(described)).digest('hex').slice(0, 16);
}

/** Loads a file into the page cache, so that the disk is not measured. */
export async function readThrough(file: string): Promise<void> {
  for await (const _ of createReadStream(file, { highWaterMark: 2 ** 20 }));
}
