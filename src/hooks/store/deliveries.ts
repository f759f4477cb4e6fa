// Announcements on their way (R65). Any number of processes may run these at once: each delivery is claimed by one.
import { randomUUID } from 'node:crypto';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { AnnouncementHook, OnlyFilter } from '../../domain/hook.ts';
import { laterThan } from '../../domain/timestamp.ts';
import { isPrerelease } from '../../domain/version-order.ts';
import type { Sql } from '../../store/engine/dialect.ts';
import { asReader, type Reader, type Writer } from '../../store/engine/engine.ts';
import { findRevisionAt, listTouches } from '../../store/engine/revisions.ts';
import type { Tables } from '../../store/engine/schema.ts';
import { touchesOn } from '../../store/engine/touches.ts';
import type { VersionDetail } from '../../store/read/reads.ts';

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
    let added = 0;
    for (let last = ['', '']; ; ) {
      const versions = await matching(withoutDelivery(publicVersions(db, from, teamIds), name), only)
        .where(sql<boolean>`(l.sort_key, l.version_id) > (${sql.join(last)})`)
        .select(['l.version_id', 'l.label', 'l.sort_key'])
        .orderBy('l.sort_key')
        .orderBy('l.version_id')
        .limit(BATCH_VERSIONS_MAX)
        .execute();
      const end = versions.at(-1);
      if (end === undefined) return added;
      last = [end.sort_key, end.version_id];
      const rows = versions
        .filter(({ label }) => isWanted(only, label))
        .map(({ version_id }) => ({
          hook: name,
          version_id,
          state: 'pending' as const,
          message_id: newMessageId(),
          due_at: laterThan(now, afterMs),
        }));
      if (rows.length === 0) continue;
      await db
        .insertInto('hook_deliveries')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      added += rows.length;
    }
  }
}

const newMessageId = () => `msg_${randomUUID()}`;

/** Teams with public writes since the revision; null for all teams. */
async function listTouchedTeams(db: Writer, since: number): Promise<number[] | null> {
  const touches = touchesOn('public', await listTouches(asReader(db), since));
  const teams = touches.map((touch) => (touch.kind === 'everything' ? null : touch.teamId));
  return teams.includes(null) ? null : [...new Set(teams.filter((id) => id !== null))];
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

export async function noteOutcome(db: Writer, delivery: Delivery, outcome: Outcome): Promise<void> {
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
    // Another process may have sent it in the meantime, or be sending it, if this one was suspended.
    .where(isWaiting(delivery))
    .$if(outcome.state !== 'sent', (own) => own.where('attempts', '=', delivery.attempts))
    .execute();
}

const isWaiting = ({ hook, versionId, messageId }: Delivery) =>
  sql<boolean>`hook = ${hook} and version_id = ${versionId} and message_id = ${messageId} and state = 'pending'`;

/** The names of the hooks whose filter matches a public version, however old it is. */
export async function listMatchingHooks(
  db: Reader,
  hooks: readonly AnnouncementHook[],
  { head, version }: VersionDetail,
): Promise<string[]> {
  const names: string[] = [];
  const found = publicVersions(db as unknown as Writer, version.publishedAt ?? '', [head.teamId]);
  for (const { name, only } of hooks.filter((hook) => isWanted(hook.only, version.label))) {
    const one = matching(found.where('l.version_id', '=', version.id), only).select('l.version_id');
    if ((await one.executeTakeFirst()) !== undefined) names.push(name);
  }
  return names;
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
  // Unless another process has changed it since.
  const taken = await db
    .insertInto('hook_deliveries')
    .values({ hook, version_id: versionId, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['hook', 'version_id'])
        .doUpdateSet(row)
        .where('hook_deliveries.message_id', '=', before?.message_id ?? '')
        .where('hook_deliveries.attempts', '=', before?.attempts ?? -1)
        .where('hook_deliveries.state', '=', before?.state ?? 'pending'),
    )
    .returning('hook')
    .executeTakeFirst();
  return taken === undefined ? null : { delivery, before };
}

/** Undoes that, unless the claim has ended and another process has it. */
export async function restoreDelivery(db: Writer, { delivery, before }: Taken): Promise<void> {
  const ours = sql<boolean>`${isWaiting(delivery)} and attempts = ${delivery.attempts}`;
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

// Which versions a hook may announce. A hidden one is never among them: only public rows are selected (R9).

type PublicVersion = Readonly<Record<'version_id' | 'changelog_id' | 'label' | 'sort_key', string>> &
  Readonly<{ team_id: number }>;
type PublicVersions = SelectQueryBuilder<Tables & { l: PublicVersion }, 'l', object>;

/** Public versions from a date on, of some teams or of all: older ones, however many there are, are not visited. */
export function publicVersions(
  db: Writer,
  from: string | RawBuilder<string>,
  teamIds: readonly number[] | null = null,
): PublicVersions {
  const versions = sql<PublicVersion>`(
    select v.id as version_id, v.changelog_id, v.label, v.published_at as sort_key, k.team_id
    from public_changelogs k join versions v on v.changelog_id = k.changelog_id
    where v.status = 'published' and v.published_at >= ${from})`;
  return db
    .selectFrom(versions.as('l'))
    .$if(teamIds !== null, (query) => query.where('l.team_id', 'in', teamIds ?? []));
}

export function withoutDelivery(versions: PublicVersions, hook: string): PublicVersions {
  return versions.where(
    sql<boolean>`not exists (select 1 from hook_deliveries d where d.hook = ${hook} and d.version_id = l.version_id)`,
  );
}

/** Those that match the filter of a hook, as far as the database knows; what it leaves out does not matter. */
export function matching(versions: PublicVersions, only: OnlyFilter): PublicVersions {
  const { teams, products, type, breaking } = only;
  const isOf = (name: Sql, names: readonly string[]) =>
    sql<boolean>`exists (select 1 from changelogs c join products p on p.id = c.product_id
      join teams t on t.id = p.team_id where c.id = l.changelog_id and ${name} in (${sql.join(names)}))`;
  const hasChange = (condition: Sql) =>
    sql<boolean>`exists (select 1 from changes h where h.version_id = l.version_id and ${condition})`;
  const not = breaking === false ? sql`not ` : sql``;
  return [
    teams && isOf(sql`t.slug`, teams),
    products && isOf(sql`t.slug || '/' || p.slug`, products),
    type && hasChange(sql`h.type in (${sql.join(type)})`),
    breaking !== undefined && sql<boolean>`${not}${hasChange(sql`h.breaking = 1`)}`,
  ].reduce((some, condition) => (condition ? some.where(condition) : some), versions);
}

/** The rest of the filter. */
export const isWanted = ({ prerelease }: OnlyFilter, label: string) =>
  prerelease === undefined || prerelease === isPrerelease(label);

/** A version that is hidden again waits until it is public, however long that is. */
export const IS_PUBLIC = sql<boolean>`exists (
  select 1 from versions v join public_changelogs k on k.changelog_id = v.changelog_id
  where v.id = d.version_id and v.status = 'published')`;

/** The earliest date of versions that the hook announces now. */
export function cutoffOf({ maxAgeHours }: Pick<AnnouncementHook, 'maxAgeHours'>, now: string): string {
  return laterThan(now, -maxAgeHours * 3_600_000);
}
