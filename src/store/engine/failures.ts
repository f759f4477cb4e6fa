// What a database error means, by its code alone, so that no engine must be loaded.

/** The database did not respond, or not in time. */
export class DatabaseUnreachable extends Error {
  override readonly name = 'DatabaseUnreachable';
  readonly code: string = '08000';
}

/** Weaker evidence than a refused connection: the database may only be slow. */
export class DatabaseTimeout extends DatabaseUnreachable {
  override readonly code = '08T00';
}

/** Also if the server cancelled a statement. */
export const isTimeout = hasCode(/^(08T00|57014)/);

/** The server has no connection, memory or disk left. It may still respond on connections that are open. */
export const isExhausted = hasCode(/^53/);

/** Another writer has a lock, or has taken one that this one needed; or it took too long. */
export const isBusy = hasCode(/^(SQLITE_(BUSY|LOCKED)|55P03|40P01|40001|08T00|57014)/);

export const isPrivilegeMissing = hasCode(/^42501/);

/** The database is read-only, or its user may not write. */
export const isReadOnly = hasCode(/^(SQLITE_(READONLY|PERM|AUTH|CANTOPEN)|25006|42501)/);

/** What is wrong with a file that is not a database, or a damaged one; null for any other error. */
export function damageOf(error: unknown): string | null {
  const cause = causeOf(error);
  return isDamaged(cause) ? (cause as Error).message : null;
}
const isDamaged = hasCode(/^SQLITE_(CORRUPT|NOTADB)/);

/**
 * True if the error means that the database is unavailable, and not that the query is wrong. On PostgreSQL: connection,
 * authorization, unknown database, conflict with recovery on a replica, no resources, not accepting connections, shutting
 * down.
 */
export const isUnavailable = hasCode(
  /^SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|CORRUPT|NOTADB|FULL|NOMEM|PROTOCOL|READONLY|PERM|AUTH)|^(08|28|3D|40001|53|55000|57|58)/,
);

/** A database error with advice for the user of a command, or null for any other error. */
export function describeFailure(error: unknown): string | null {
  const code = codeOf(error);
  if (code === null) return null;
  const { message } = error as Error;
  const advice = ADVICE.find(([pattern]) => pattern.test(`${code} ${message}`))?.[1];
  // About a full disk, the advice says it better.
  const reason = /^SQLITE_(FULL|IOERR_SHMSIZE)/.test(code) ? '' : `${message}; `;
  return advice === undefined ? null : `${reason}${advice}.`;
}

/** By code and message. The server may translate its message, but not the names in it. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^08[0T]00/, 'check DATABASE_URL, and that the database is running and reachable'],
  [/^(SQLITE_(BUSY|LOCKED)|55P03)/, 'another process is writing to it; try again when it has finished'],
  [
    /^SQLITE_(READONLY|PERM|AUTH|CANTOPEN)/,
    'check that this user can write to its file and its directory, or run this as their owner',
  ],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'check DATABASE_URL, or restore a backup'],
  // Opening a database writes the size of its `-shm` file first.
  [
    /^(SQLITE_(FULL|IOERR_SHMSIZE)|53100)/,
    'the disk is full; nothing was written. Free some space for the database and for temporary files, and try again',
  ],
  [
    /^SQLITE_IOERR/,
    'the disk is full or failing; nothing was written. Free some space or check the disk, and try again',
  ],
  [/^28/, 'check the user and the password in DATABASE_URL'],
  [/^3D000/, 'create it with `createdb`, or check DATABASE_URL'],
  [/^25006/, 'the first URL in DATABASE_URL must be that of the primary'],
  [
    /^42501.*\b(api_key|key_usage)/s,
    'the user in DATABASE_URL cannot read or write API keys; use the owner of the tables for that',
  ],
  [
    /^42501/,
    'the user in DATABASE_URL lacks this privilege; use the owner of the tables, or run deploy/postgres/ci-role.sql, which grants what `import` and `apply` need',
  ],
  [/^(53300|57P0)/, 'try again later'],
];

function hasCode(codes: RegExp): (error: unknown) => boolean {
  return (error) => codes.test(codeOf(causeOf(error)) ?? '');
}

/** An error with advice for a user has the one of the database as its cause. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && codeOf(error) === null ? error.cause : error;
}

/** SQLite's codes have a prefix; PostgreSQL's are the five characters of the SQL standard. */
function codeOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^SQLITE_|^[0-9A-Z]{5}$/.test(code) ? code : null;
}
