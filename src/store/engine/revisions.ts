// What was written since when.
import { sql } from 'kysely';
import type { Surface } from '../../domain/model.ts';
import type { Reader, Writer } from '../engine/engine.ts';
import { prepare } from '../engine/prepared.ts';

/** A team, or one product of it: product 0 is the whole team, -1 its API keys, and team 0 is everything. */
export type Touch = Readonly<{
  teamId: number;
  productId: number;
  /** Is nothing of it what the public surface shows, or showed before? */
  isHidden?: boolean;
}>;

/** A row of `touches`. */
export type TouchRow = Readonly<{ teamId: number; productId: number; publicRevision: number }>;

/** Beyond this many, all that is held is dropped, which costs less than looking for what to drop. */
export const TOUCHES_MAX = 1_000;

export async function findRevision(db: Reader): Promise<number> {
  const [row] = await selectRevision(db, {});
  if (row === undefined) throw new Error('the database has no revision: its schema is damaged');
  return row.value;
}

/** What was touched after this revision. */
export async function listTouches(db: Reader, since: number): Promise<Touch[]> {
  return parseTouches(await selectTouches(db, { since }), since);
}

/** The same from rows of which there is one too many where they are too many to tell apart. */
export function parseTouches(rows: readonly TouchRow[], since: number): Touch[] {
  const touches = rows.map(({ teamId, productId, publicRevision }) => ({
    teamId,
    productId,
    isHidden: publicRevision <= since,
  }));
  if (touches.length <= TOUCHES_MAX) return touches;
  return [{ teamId: 0, productId: 0, isHidden: touches.every(({ isHidden }) => isHidden) }];
}

/** Is what was made from there, for this surface, out of date after these touches? Null stands for everything. */
export function isAffected(
  touches: readonly Touch[] | null,
  { teamId, productId }: Readonly<{ teamId: number; productId: number }>,
  surface: Surface,
): boolean {
  if (touches === null) return true;
  return touches.some(
    (touch) =>
      (surface === 'team' || !touch.isHidden) &&
      (touch.teamId === 0 ||
        (touch.productId === 0 ? touch.teamId === teamId : touch.productId === productId)),
  );
}

/** Both kinds, each up to its bound: however many there are, it is told whether any is public. */
const touchesSince = (since: number) => sql<TouchRow>`
  select team_id as "teamId", product_id as "productId", public_revision as "publicRevision" from (
    select * from (select * from touches where public_revision > ${since} limit ${ROWS}) of_public
    union all select * from (select * from touches
      where revision > ${since} and public_revision <= ${since} limit ${ROWS}) others) every`;
const ROWS = sql.lit(TOUCHES_MAX + 1);

const revisionOf = (db: Reader) => db.selectFrom('revision').where('id', '=', 1).select('value');

const selectRevision = prepare(revisionOf);
const selectTouches = prepare((db, { since }: { since: number }) => ({
  compile: () => touchesSince(since).compile(db as unknown as Writer),
}));

/** Their texts, for an engine that can be asked without waiting; that of the touches takes the revision three times. */
export function revisionSql(db: Reader): { revision: string; touches: string } {
  return {
    revision: revisionOf(db).compile().sql,
    touches: touchesSince(0).compile(db as unknown as Writer).sql,
  };
}
