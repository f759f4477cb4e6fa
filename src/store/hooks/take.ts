// A version for a hook whatever it has done with it: `hook announce` sends it at once, and no server at the same time.
import { sql } from 'kysely';
import type { AnnouncementHook } from '../../domain/hook.ts';
import { laterThan } from '../../domain/timestamp.ts';
import { asReader, type Reader, type Writer } from '../engine/engine.ts';
import { findRevisionAt } from '../engine/revisions.ts';
import type { VersionDetail } from '../read/reads.ts';
import { matching, publicVersions } from './candidates.ts';
import { CLAIM_MS, type Delivery, newMessageId } from './deliveries.ts';

/** The names of the hooks whose filter matches a public version, however old it is. */
export async function listMatchingHooks(
  db: Reader,
  hooks: readonly AnnouncementHook[],
  { head, version }: VersionDetail,
): Promise<string[]> {
  const range = { from: version.publishedAt ?? '', teamIds: [head.teamId] };
  const [first, ...rest] = hooks.map(({ name, only }) =>
    matching(
      publicVersions(db as unknown as Writer, range).where('l.version_id', '=', version.id),
      only,
    ).select(sql<string>`${name}`.as('name')),
  );
  if (first === undefined) return [];
  const every = rest.reduce((some, query) => some.unionAll(query), first);
  return (await every.execute()).map(({ name }) => name);
}

type Before = Awaited<ReturnType<typeof findRow>>;

/** A delivery, and what there was of it before. */
export type Taken = Readonly<{ delivery: Delivery; before: Before }>;

/** Takes it with a new id; null if another process sends it at this moment. */
export async function takeDelivery(
  db: Writer,
  version: Omit<Delivery, 'messageId' | 'attempts'>,
): Promise<Taken | null> {
  const { hook, versionId } = version;
  const { now } = await findRevisionAt(asReader(db));
  const before = await findRow(db, version);
  const isClaimed = before?.state === 'pending' && before.attempts > 0 && before.failure === null;
  if (isClaimed && before.due_at > now) return null;
  const delivery = { ...version, messageId: newMessageId(), attempts: 1 };
  const row = {
    state: 'pending' as const,
    message_id: delivery.messageId,
    attempts: delivery.attempts,
    due_at: laterThan(now, CLAIM_MS),
    done_at: null,
    failure: null,
  };
  const taken =
    before === undefined
      ? await db
          .insertInto('hook_deliveries')
          .values({ hook, version_id: versionId, ...row })
          .onConflict((conflict) => conflict.doNothing())
          .returning('hook')
          .execute()
      : await db
          .updateTable('hook_deliveries')
          .set(row)
          .where('hook', '=', hook)
          .where('version_id', '=', versionId)
          .where('message_id', '=', before.message_id)
          .where('attempts', '=', before.attempts)
          .where('state', '=', before.state)
          .returning('hook')
          .execute();
  return taken.length === 0 ? null : { delivery, before };
}

/** Undoes that, unless the claim has ended and another process has it. */
export async function restoreDelivery(db: Writer, { delivery, before }: Taken): Promise<void> {
  const ours = sql<boolean>`hook = ${delivery.hook} and version_id = ${delivery.versionId}
    and message_id = ${delivery.messageId} and attempts = ${delivery.attempts} and state = 'pending'`;
  if (before === undefined) await db.deleteFrom('hook_deliveries').where(ours).execute();
  else await db.updateTable('hook_deliveries').set(before).where(ours).execute();
}

function findRow(db: Writer, { hook, versionId }: Pick<Delivery, 'hook' | 'versionId'>) {
  return db
    .selectFrom('hook_deliveries')
    .where('hook', '=', hook)
    .where('version_id', '=', versionId)
    .selectAll()
    .executeTakeFirst();
}
