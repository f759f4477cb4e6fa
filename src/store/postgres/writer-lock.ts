import { sql } from 'kysely';
import type { DueDialect } from '../engine/dialect.ts';

/** An arbitrary number, the same for all writers: one of them writes at a time. */
export const WRITER_LOCK = 7_423_116_021;

export const POSTGRES_DUE: DueDialect = {
  // Cut off after the milliseconds, so never early.
  now: sql`to_char(statement_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  // The commands have this lock from before they read. Others have the row.
  waitForWriters: sql`and pg_advisory_xact_lock(${sql.lit(WRITER_LOCK)}) is not null for update`,
  // After waiting, the conditions are checked again on the rows as they are now. A writer that has locked a row before it
  // waits for the revision would wait for this statement while this one waits for it.
  lockRows: sql`for update of v skip locked for share of p, c skip locked`,
};
