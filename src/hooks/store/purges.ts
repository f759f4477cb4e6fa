// What each purge hook has purged (R66). One process at a time purges for a hook, as long as it renews its claim.
import { sql } from 'kysely';
import { laterThan } from '../../domain/timestamp.ts';
import { dialectOf } from '../../store/engine/dialect.ts';
import { asReader, type Writer } from '../../store/engine/engine.ts';
import { findRevisionAt, listTouches } from '../../store/engine/revisions.ts';
import { EVERYTHING, type Touch, touchesOn } from '../../store/engine/touches.ts';

/** Longer than a request to the CDN may take. If the process dies, another one goes on after this time. */
const CLAIM_MS = 15_000;

/** Claims the hook, or renews the claim. Returns the revision up to which it has purged, or null if another process has it. */
export async function claimPurge(db: Writer, hook: string, owner: string): Promise<number | null> {
  const { now } = await findRevisionAt(asReader(db));
  const row = await db
    .updateTable('hooks')
    .set({ claimed_by: owner, claimed_until: laterThan(now, CLAIM_MS) })
    .where('name', '=', hook)
    .where((eb) => eb.or([eb('claimed_by', '=', owner), eb('claimed_until', '<=', now)]))
    .returning('revision')
    .executeTakeFirst();
  return row?.revision ?? null;
}

/** The latest revision, and what changed in public since an earlier one. */
export async function listPublicTouches(
  db: Writer,
  since: number,
): Promise<Readonly<{ revision: number; touches: readonly Touch[] }>> {
  const { revision } = await findRevisionAt(asReader(db));
  // A new hook; or, after a failover or a restore, revisions count from an earlier one again.
  if (since === 0 || since > revision) return { revision, touches: [EVERYTHING] };
  return { revision, touches: touchesOn('public', await listTouches(asReader(db), since)) };
}

/** For another database in place of the last one: nobody knows what the CDN has kept of that. */
export async function forgetPurges(db: Writer, hooks: readonly string[]): Promise<void> {
  if (hooks.length > 0)
    await db.updateTable('hooks').set({ revision: 0 }).where('name', 'in', hooks).execute();
}

/** Notes that everything up to the revision is purged. */
export async function notePurged(db: Writer, hook: string, owner: string, revision: number): Promise<void> {
  const purged_at = sql<string>`${dialectOf(db).due.now}`;
  await updateClaimed(db, hook, owner).set({ revision, purged_at, failure: null }).execute();
}

/** Ends the claim. After a failure, no process tries again before `againMs`. */
export async function releasePurge(
  db: Writer,
  hook: string,
  owner: string,
  failed: Readonly<{ failure: string; againMs: number }> | null = null,
): Promise<void> {
  const { now } = await findRevisionAt(asReader(db));
  const claimed_until = failed === null ? '' : laterThan(now, failed.againMs);
  await updateClaimed(db, hook, owner)
    .set({ claimed_by: '', claimed_until, ...(failed && { failure: failed.failure }) })
    .execute();
}

function updateClaimed(db: Writer, hook: string, owner: string) {
  return db.updateTable('hooks').where('name', '=', hook).where('claimed_by', '=', owner);
}
