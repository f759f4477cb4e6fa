// The revision of the content, and what was written since an earlier one.
import { sql } from 'kysely';
import { andThen, type MaybePromise } from '../../domain/maybe-promise.ts';
import { dialectOf } from './dialect.ts';
import { asReader, type Reader, type Writer } from './engine.ts';
import { prepare } from './prepared.ts';
import { parseTouches, TOUCHES_MAX, type Touch, type TouchRow } from './touches.ts';

export const findRevision = async (db: Reader): Promise<number> => (await findRevisionAt(db)).revision;

/** A revision, and when it was read, by the clock of the database. */
export type RevisionAt = Readonly<{ revision: number; now: string }>;

export async function findRevisionAt(db: Reader): Promise<RevisionAt> {
  return firstOf(await selectRevision(db, {}));
}

/** Of a query that starts in the table with the revision. */
export function firstOf<T>(rows: readonly T[]): T {
  const [first] = rows;
  if (first === undefined) throw new Error('the database has no revision: its schema is damaged');
  return first;
}

/** Between reading the revision of a database and replacing its content, other processes may advance it. */
const REVISIONS_BETWEEN_MAX = 1_000_000;

/** For content that replaces that of a database at `revision`: nodes invalidate all that they have cached of it. */
export async function advancePast(trx: Writer, revision: number): Promise<void> {
  const next = Math.max(await findRevision(asReader(trx)), revision) + REVISIONS_BETWEEN_MAX;
  await sql`update revision set value = ${next}`.execute(trx);
  await sql`delete from touches where team_id = 0`.execute(trx);
  await sql`insert into touches (team_id, product_id, revision, public_revision)
    values (0, 0, ${next}, ${next})`.execute(trx);
}

/** A secret that was created with the schema and is the same in every copy of the database; empty if it is damaged. */
export function findCursorKey(db: Reader): MaybePromise<string> {
  return andThen(selectCursorKey(db, {}), ([row]) => row?.cursor_key ?? '');
}

export async function listTouches(db: Reader, since: number): Promise<Touch[]> {
  return parseTouches(await selectTouches(db, { since }), since);
}

/** For a database within this process. Synchronous: after every commit, the next request waits for it. */
export function pollTouches(db: Reader, since: number): { revision: number; touches: Touch[] } {
  const { revision } = firstOf(selectRevision(db, {}) as RevisionAt[]);
  return { revision, touches: parseTouches(selectTouches(db, { since }) as TouchRow[], since) };
}

const selectRevision = prepare(
  (db) =>
    sql<RevisionAt>`select value as revision, ${dialectOf(db).due.now} as now from revision where id = 1`,
);
const selectCursorKey = prepare(
  () => sql<{ cursor_key: string }>`select cursor_key from revision where id = 1`,
);

const ROWS = sql.lit(TOUCHES_MAX + 1);
/** Public and hidden touches, each up to a limit: however many there are, it is known whether any is public. */
const selectTouches = prepare(
  (_, { since }: { since: number }) => sql<TouchRow>`select team_id as "teamId", product_id as "productId",
      public_revision as "publicRevision" from (
    select * from (select * from touches where public_revision > ${since} limit ${ROWS}) of_public
    union all select * from (select * from touches
      where revision > ${since} and public_revision <= ${since} limit ${ROWS}) others) every`,
);
