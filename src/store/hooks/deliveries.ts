// Announcements on their way (R65). Any number of processes may run these at once: each delivery is claimed by one.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { AnnouncementHook } from '../../domain/hook.ts';
import { laterThan } from '../../domain/timestamp.ts';
import { asReader, type Writer } from '../engine/engine.ts';
import { findRevisionAt } from '../engine/revisions.ts';
import { TOUCHES_MAX } from '../engine/touches.ts';
import { matching, publicVersions, withoutDelivery } from './candidates.ts';
import { IS_PUBLIC } from './due.ts';
import { cutoffOf } from './set-up.ts';

/** A process that has not noted the outcome after this time has died: another one sends the message again. */
export const CLAIM_MS = 30_000;
/** Or it could not write: then it notes the outcome within this time, once anybody can. */
const NOTE_MS_MAX = 3_000;
const BATCH_VERSIONS_MAX = 500;

/** A version to send to a hook, and the id that it has each time. */
export type Delivery = Readonly<{
  hook: string;
  versionId: string;
  messageId: string;
  /** With this one. */
  attempts: number;
  team: string;
  product: string;
  /** Its label. */
  version: string;
}>;

/** Adds the versions that became public since the last time, to be sent after `afterMs`. Without writes, two queries. */
export async function addPending(db: Writer, hook: AnnouncementHook, afterMs: number): Promise<number> {
  const { name, only } = hook;
  const known = await db.selectFrom('hooks').where('name', '=', name).selectAll().executeTakeFirst();
  if (known === undefined) throw new Error(`hook ${name} is not set up`);
  const { revision, now } = await findRevisionAt(asReader(db));
  if (known.revision === revision) return 0;
  // After a failover or a restore, revisions count from an earlier one again.
  const teamIds = await listTouchedTeams(db, known.revision < revision ? known.revision : 0);
  const cutoff = cutoffOf(hook, now);
  const from = cutoff > known.announces_from ? cutoff : known.announces_from;
  const count = teamIds?.length === 0 ? 0 : await addVersions();
  await db
    .updateTable('hooks')
    .set({ revision })
    .where('name', '=', name)
    .where('revision', '=', known.revision)
    .execute();
  return count;

  async function addVersions(): Promise<number> {
    for (let added = 0; ; ) {
      const versions = await matching(withoutDelivery(publicVersions(db, { from, teamIds }), name), only)
        .select('l.version_id')
        .orderBy('l.sort_key')
        .limit(BATCH_VERSIONS_MAX)
        .execute();
      if (versions.length === 0) return added;
      const rows = versions.map(({ version_id }) => pendingRow(name, version_id, laterThan(now, afterMs)));
      await db
        .insertInto('hook_deliveries')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      added += versions.length;
    }
  }
}

export const newMessageId = () => `msg_${randomUUID()}`;

const pendingRow = (hook: string, versionId: string, dueAt: string) => ({
  hook,
  version_id: versionId,
  state: 'pending' as const,
  message_id: newMessageId(),
  due_at: dueAt,
});

/** Teams with public writes since the revision; null for all teams. */
async function listTouchedTeams(db: Writer, since: number): Promise<number[] | null> {
  const rows = await db
    .selectFrom('touches')
    .where('public_revision', '>', since)
    .select('team_id')
    .distinct()
    .limit(TOUCHES_MAX)
    .execute();
  const isEverything = rows.length === TOUCHES_MAX || rows.some(({ team_id }) => team_id === 0);
  return isEverything ? null : rows.map(({ team_id }) => team_id);
}

/** Deliveries whose claim has ended may be claimed again, but not at once: their process may only have waited for a lock. */
export async function endClaims(db: Writer, hook: string): Promise<void> {
  const { now } = await findRevisionAt(asReader(db));
  await db
    .updateTable('hook_deliveries')
    .set({ failure: 'the process that sent it has ended', due_at: laterThan(now, NOTE_MS_MAX) })
    .where('hook', '=', hook)
    .where('state', '=', 'pending')
    .where('due_at', '<=', now)
    .where(IS_CLAIMED)
    .execute();
}

/** Or was, by a process that noted nothing. */
const IS_CLAIMED = sql<boolean>`(attempts > 0 and failure is null)`;

/** Takes the delivery that has been due for longest, so that no other process sends it; null if none is. */
export async function claimDelivery(db: Writer, hook: string): Promise<Delivery | null> {
  const { now } = await findRevisionAt(asReader(db));
  const { rows } = await sql<Delivery>`
    update hook_deliveries set attempts = attempts + 1, due_at = ${laterThan(now, CLAIM_MS)}, failure = null
    where hook = ${hook} and state = 'pending' and due_at <= ${now} and not ${IS_CLAIMED} and version_id = (
      select d.version_id from hook_deliveries d join versions v on v.id = d.version_id
      where d.hook = ${hook} and d.state = 'pending' and d.due_at <= ${now} and not ${IS_CLAIMED} and ${IS_PUBLIC}
      order by d.due_at, v.sort_key, v.id limit 1)
    returning hook, version_id as "versionId", message_id as "messageId", attempts,
      (select k.team_slug from versions v join public_changelogs k on k.changelog_id = v.changelog_id
        where v.id = hook_deliveries.version_id) as team,
      (select k.product_slug from versions v join public_changelogs k on k.changelog_id = v.changelog_id
        where v.id = hook_deliveries.version_id) as product,
      (select v.label from versions v where v.id = hook_deliveries.version_id) as version`.execute(db);
  return rows[0] ?? null;
}

export type Outcome =
  | Readonly<{ state: 'sent' }>
  | Readonly<{ state: 'pending'; failure: string; againMs: number }>
  | Readonly<{ state: 'given_up'; failure: string }>;

export async function noteOutcome(
  db: Writer,
  { hook, versionId, messageId, attempts }: Delivery,
  outcome: Outcome,
): Promise<void> {
  const { now } = await findRevisionAt(asReader(db));
  const isPending = outcome.state === 'pending';
  await db
    .updateTable('hook_deliveries')
    .set({
      state: outcome.state,
      failure: outcome.state === 'sent' ? null : outcome.failure,
      done_at: isPending ? null : now,
      ...(isPending && { due_at: laterThan(now, outcome.againMs) }),
    })
    .where('hook', '=', hook)
    .where('version_id', '=', versionId)
    .where('message_id', '=', messageId)
    // Another process may have sent it in the meantime, or be sending it, if this one was suspended.
    .where('state', '=', 'pending')
    .$if(outcome.state !== 'sent', (own) => own.where('attempts', '=', attempts))
    .execute();
}
