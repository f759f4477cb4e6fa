// What was written since when.
import type { Reader } from './engine.ts';
import { prepare } from './prepared.ts';

/** A team, or one product of it: product 0 is the whole team, -1 its API keys, and team 0 is everything. */
export type Touch = Readonly<{ teamId: number; productId: number }>;

/** Beyond this many, all that is held is dropped, which costs less than looking for what to drop. */
const TOUCHES_MAX = 1_000;

export async function findRevision(db: Reader): Promise<number> {
  const [row] = await selectRevision(db, {});
  if (row === undefined) throw new Error('the database has no revision: its schema is damaged');
  return row.value;
}

/** What was touched after this revision, or null if that is too much to tell. */
export async function listTouches(db: Reader, since: number): Promise<Touch[] | null> {
  const touches = await selectTouches(db, { since });
  return touches.length > TOUCHES_MAX || touches.some(({ teamId }) => teamId === 0) ? null : touches;
}

const selectRevision = prepare((db) => db.selectFrom('revision').where('id', '=', 1).select('value'));

const selectTouches = prepare((db, { since }: { since: number }) =>
  db
    .selectFrom('touches')
    .where('revision', '>', since)
    .select(['team_id as teamId', 'product_id as productId'])
    .limit(TOUCHES_MAX + 1),
);
