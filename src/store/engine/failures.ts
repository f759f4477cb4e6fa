// What a failure of a database means, told by its code alone: no engine is loaded for it.

/** The database did not answer, or not in time. */
export class DatabaseUnreachable extends Error {
  override readonly name = 'DatabaseAway';
}

/** It may be there and only slow: one late answer says less than a connection that is refused. */
export class DatabaseTimeout extends DatabaseUnreachable {}

/** The server gave up on a statement because its time was over. */
const STATEMENT_TIMEOUT = '57014';

export function isTimeout(error: unknown): boolean {
  return error instanceof DatabaseTimeout || codeOf(error) === STATEMENT_TIMEOUT;
}

/** The server has no connection, memory or disk left for this one; it may well answer on those that are open. */
export function isExhausted(error: unknown): boolean {
  return codeOf(error)?.startsWith('53') ?? false;
}

const UNAVAILABLE_CODES = [
  /^SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|CORRUPT|NOTADB|FULL|NOMEM|PROTOCOL|READONLY|PERM|AUTH)/,
  // Connection, authorisation, no such database, conflict with recovery on a replica, no resources, closed to
  // connections, shutting down.
  /^(08|28|3D|40001|53|55000|57|58)/,
];

/** Does the failure mean that the database is away, rather than that the question is wrong? */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  return (
    error instanceof DatabaseUnreachable ||
    (code !== null && UNAVAILABLE_CODES.some((form) => form.test(code)))
  );
}

/** A failure of the engine in words for whoever typed the command, or null if it was no such failure. */
export function describeFailure(error: unknown): string | null {
  const code = codeOf(error);
  const advice =
    error instanceof DatabaseUnreachable
      ? 'check DATABASE_URL, and that the database runs and can be reached from here'
      : ADVICE.find(([form]) => code !== null && form.test(code))?.[1];
  return advice === undefined ? null : `${(error as Error).message}; ${advice}.`;
}

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /^SQLITE_(BUSY|LOCKED)|^55P03/,
    'another process is writing to it; wait until that is done, then try again',
  ],
  [/^SQLITE_(READONLY|PERM|AUTH|CANTOPEN)/, 'check that this user may write its file and its folder'],
  [/^SQLITE_FULL|^53100/, 'the disk is full; make room, then try again'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'check DATABASE_URL, or restore a backup'],
  [/^SQLITE_IOERR/, 'check DATABASE_URL and the disk'],
  [/^28/, 'check the user and the password in DATABASE_URL'],
  [/^3D000/, 'make it with `createdb`, or check DATABASE_URL'],
  [/^25006/, 'the first address in DATABASE_URL must be that of the primary'],
  [/^42501/, 'grant this user what it lacks'],
  [/^(53300|57P0)/, 'try again in a moment'],
];

/** SQLite's codes have a prefix; those of PostgreSQL are the five characters of the SQL standard. */
function codeOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^SQLITE_|^[0-9A-Z]{5}$/.test(code) ? code : null;
}
