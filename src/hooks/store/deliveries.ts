// What is on its way to hooks: announcements (R65) and purges (R66). Any number of processes may run these at once: each
// delivery is claimed by one.
import { randomUUID } from 'node:crypto';
import { type Generated, sql } from 'kysely';
import { type AnnouncementHook, type Hook, isPurgeHook, type OnlyFilter } from '../../domain/hook.ts';
import { laterThan } from '../../domain/timestamp.ts';
import { isPrerelease } from '../../domain/version-order.ts';
import { rowInserter } from '../../store/engine/batches.ts';
import { dialectOf, type Sql } from '../../store/engine/dialect.ts';
import { asReader, type Reader, type Writer } from '../../store/engine/engine.ts';
import { findRevisionAt, listTouches, type RevisionAt } from '../../store/engine/revisions.ts';
import type { Tables } from '../../store/engine/schema.ts';
import { EVERYTHING, type Touch, touchesOn } from '../../store/engine/touches.ts';
import type { VersionDetail } from '../../store/read/reads.ts';

declare module '../../store/engine/schema.ts' {
  interface Tables {
    hook_deliveries: {
      /** Its name in the hooks file. */
      hook: string;
      kind: DeliveryKind;
      /**
       * The id of a version, which may be gone: one with the same id is not announced again. Of a purge, its place among the
       * purges after a write, and `revision`.
       */
      about: string;
      state: DeliveryState;
      /** Looked up to here; or what has changed in public since is purged. */
      revision: Generated<number>;
      /** The same each time it is sent. */
      message_id: Generated<string>;
      /** How often sending it was begun. */
      attempts: Generated<number>;
      /** When to send it, and while it is being sent, when another process may. */
      due_at: string;
      /** When it was sent or given up, or the hook was set up. */
      done_at: string | null;
      failure: string | null;
    };
  }
}

/** `watch` is the hook itself, since it is set up. */
export const DELIVERY_KINDS = ['watch', 'announcement', 'purge'] as const;
type DeliveryKind = (typeof DELIVERY_KINDS)[number];
/** `known`: public before the hook was set up. */
export const DELIVERY_STATES = ['known', 'pending', 'sending', 'sent', 'given_up'] as const;
type DeliveryState = (typeof DELIVERY_STATES)[number];

/** A process that has not noted the outcome after this time has died: another one sends the message again. */
export const CLAIM_MS = 30_000;
/** Or it could not write: then it notes the outcome within this time, once anybody can. */
const NOTE_MS_MAX = 3_000;
/** By then, every node shows the version (R29): receivers follow its links at once. */
export const ANNOUNCED_AFTER_MS = 1_000;
/**
 * A cache is purged as soon as most nodes show a write, again when all do, and once more for responses that were slow on their
 * way to it.
 */
export const PURGED_AFTER_MS = [150, 600, 2_150] as const;

/** Something to send. */
export type Delivery = Readonly<{
  hook: string;
  /** The id of the version. */
  about: string;
  messageId: string;
  /** With this one. */
  attempts: number;
  /** The revision since which everything is purged. */
  since: number;
  /** These are empty for a purge. */
  team: string;
  product: string;
  /** Its label. */
  version: string;
}>;

const kindFor = (hook: Hook): DeliveryKind => (isPurgeHook(hook) ? 'purge' : 'announcement');
const addRows = rowInserter<Tables['hook_deliveries']>('hook_deliveries');
const newMessageId = () => `msg_${randomUUID()}`;

/**
 * Sets up the hooks that are not yet. Several processes may do so at once. What is public then is not announced (R65). A purge
 * hook begins with everything: nobody knows what the CDN has kept so far.
 */
export async function setUpHooks(db: Writer, hooks: readonly Hook[]): Promise<void> {
  if (hooks.length === 0) return;
  const watches = await db.selectFrom('hook_deliveries').where('kind', '=', 'watch').select('hook').execute();
  const known = new Set(watches.map(({ hook }) => hook));
  for (const hook of hooks.filter(({ name }) => !known.has(name)))
    if (db.isTransaction) await setUpHook(db, hook);
    else await db.transaction().execute((trx) => setUpHook(trx, hook));
}

async function setUpHook(trx: Writer, hook: Hook): Promise<void> {
  const { revision, now } = await findRevisionAt(asReader(trx));
  const seen = isPurgeHook(hook) ? 0 : revision;
  const { rows } = await sql`insert into hook_deliveries (hook, kind, about, state, revision, due_at, done_at)
    values (${hook.name}, 'watch', '', 'known', ${seen}, ${now}, ${now}) on conflict do nothing returning hook`.execute(
    trx,
  );
  if (isPurgeHook(hook) || rows.length === 0) return;
  await sql`insert into hook_deliveries (hook, kind, about, state, due_at)
    select ${hook.name}, 'announcement', l.id, 'known', ${now} from ${PUBLIC_VERSIONS} l`.execute(trx);
}

/** For another database in place of the last one: nobody knows what the CDN has kept of that. */
export async function forgetPurges(db: Writer, hooks: readonly Hook[]): Promise<void> {
  const names = hooks.filter(isPurgeHook).map(({ name }) => name);
  if (names.length === 0) return;
  await sql`update hook_deliveries set revision = 0 where kind = 'watch' and hook in (${sql.join(names)})`.execute(
    db,
  );
}

/** Something public was written since the last look; or revisions count from an earlier one again, after a restore. */
export const isBehind = (watch: Sql) =>
  sql<boolean>`(${watch}.revision < (select max(public_revision) from touches)
    or ${watch}.revision > (select value from revision where id = 1))`;

/** Announcements and purges that may be sent. A version that is hidden again waits until it is public, however long that is. */
export const IS_WAITING = sql<boolean>`(d.state in ('pending', 'sending') and (d.kind = 'purge' or exists (
  select 1 from versions v join public_changelogs k on k.changelog_id = v.changelog_id
  where v.id = d.about and v.status = 'published')))`;

/**
 * The first purge after a write has not worked yet: what is written now is purged after it. The later ones hold up nothing:
 * one that failed may wait for half a minute.
 */
const isPurging = (
  hook: Sql<string>,
) => sql<boolean>`exists (select 1 from hook_deliveries p where p.hook = ${hook}
  and p.kind = 'purge' and p.state in ('pending', 'sending') and p.about like '1/%')`;

/** The hooks with something to send, or to look at. One query, because servers run it each second. */
export async function listHooksWithWork(db: Writer, hooks: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ hook: string }>`
    select hook from hook_deliveries w where kind = 'watch' and hook in (${sql.join(hooks)}) and (
      (${isBehind(sql`w`)} and not ${isPurging(sql`w.hook`)})
      or exists (select 1 from hook_deliveries d
        where d.hook = w.hook and d.due_at <= ${dialectOf(db).due.now} and ${IS_WAITING}))`.execute(db);
  return rows.map(({ hook }) => hook);
}

/** Adds what became public or changed since the last look. Without writes, two queries. */
export async function addDeliveries(db: Writer, hook: Hook, afterMs = ANNOUNCED_AFTER_MS): Promise<void> {
  const { name } = hook;
  const { rows } = await sql<{ seen: number }>`select revision as seen from hook_deliveries
    where hook = ${name} and kind = 'watch'`.execute(db);
  const seen = rows[0]?.seen;
  if (seen === undefined) throw new Error(`hook ${name} is not set up`);
  const at = await findRevisionAt(asReader(db));
  if (seen === at.revision) return;
  const touches = await listPublicTouches(db, seen, at.revision);
  if (touches.length > 0) {
    if (!isPurgeHook(hook)) await addAnnouncements(db, hook, touches, { ...at, afterMs });
    else if (!(await addPurges(db, hook, seen, at))) return;
  }
  await sql`update hook_deliveries set revision = ${at.revision}
    where hook = ${name} and kind = 'watch' and revision = ${seen}`.execute(db);
}

/** What changed in public since a revision: everything for a new hook, and if revisions count from an earlier one again. */
export async function listPublicTouches(
  db: Writer,
  since: number,
  latest: number,
): Promise<readonly Touch[]> {
  if (since === 0 || since > latest) return [EVERYTHING];
  return touchesOn('public', await listTouches(asReader(db), since));
}

/** False if another purge comes first. */
async function addPurges(db: Writer, hook: Hook, since: number, { now }: RevisionAt): Promise<boolean> {
  const { rows } = await sql<{ is: unknown }>`select ${isPurging(sql`${hook.name}`)} as "is"`.execute(db);
  if (rows[0]?.is) return false;
  await sql`delete from hook_deliveries where hook = ${hook.name} and kind = 'purge' and state = 'sent'`.execute(
    db,
  );
  await addRows(
    db,
    PURGED_AFTER_MS.map((ms, nth) => pending(hook, `${nth + 1}/${since}`, laterThan(now, ms), since)),
  );
  return true;
}

async function addAnnouncements(
  db: Writer,
  hook: AnnouncementHook,
  touches: readonly Touch[],
  { now, afterMs }: RevisionAt & Readonly<{ afterMs: number }>,
): Promise<void> {
  const teams = touches.map((touch) => (touch.kind === 'everything' ? null : touch.teamId));
  const teamIds = teams.includes(null) ? null : [...new Set(teams.filter((id) => id !== null))];
  const ofTeams = teamIds === null ? sql`` : sql`and l.team_id in (${sql.join(teamIds)})`;
  const { rows } = await sql<{ id: string; label: string }>`
    select l.id, l.label from ${unannounced(hook)} and l.published_at >= ${cutoffOf(hook, now)} ${ofTeams}`.execute(
    db,
  );
  const wanted = rows.filter(({ label }) => isWanted(hook.only, label));
  const dueAt = laterThan(now, afterMs);
  await addRows(
    db,
    wanted.map(({ id }) => pending(hook, id, dueAt)),
  );
}

const pending = (hook: Hook, about: string, dueAt: string, revision = 0) => ({
  hook: hook.name,
  kind: kindFor(hook),
  about,
  state: 'pending' as const,
  revision,
  message_id: newMessageId(),
  due_at: dueAt,
});

/** Deliveries whose claim has ended may be claimed again, but not at once: their process may only have waited for a lock. */
export async function endClaims(db: Writer, { name }: Hook): Promise<void> {
  const { now } = await findRevisionAt(asReader(db));
  await sql`update hook_deliveries set state = 'pending', due_at = ${laterThan(now, NOTE_MS_MAX)},
    failure = 'the process that sent it has ended'
    where hook = ${name} and state = 'sending' and due_at <= ${now}`.execute(db);
}

/** Takes the delivery that has been due for longest, so that no other process sends it; null if none is. */
export async function claimDelivery(db: Writer, hook: Hook): Promise<Delivery | null> {
  const { now } = await findRevisionAt(asReader(db));
  const kind = kindFor(hook);
  const named = (column: string) =>
    sql`coalesce((select ${sql.ref(column)} from versions v join public_changelogs k on k.changelog_id = v.changelog_id
      where v.id = hook_deliveries.about), '')`;
  const { rows } = await sql<Delivery>`
    update hook_deliveries
    set state = 'sending', attempts = attempts + 1, due_at = ${laterThan(now, CLAIM_MS)}, failure = null
    where hook = ${hook.name} and kind = ${kind} and state = 'pending' and due_at <= ${now} and about = (
      select d.about from hook_deliveries d left join versions v on v.id = d.about
      where d.hook = ${hook.name} and d.kind = ${kind} and d.state = 'pending' and d.due_at <= ${now} and ${IS_WAITING}
      order by d.due_at, v.sort_key, d.about limit 1)
    returning hook, about, message_id as "messageId", attempts, revision as since, ${named('k.team_slug')} as team,
      ${named('k.product_slug')} as product, ${named('v.label')} as version`.execute(db);
  return rows[0] ?? null;
}

/** Takes a version with a new id, whatever became of it before; null if another process is sending it. */
export async function claimAgain(
  db: Writer,
  { name }: AnnouncementHook,
  version: Pick<Delivery, 'about' | 'team' | 'product' | 'version'>,
): Promise<Delivery | null> {
  const { now } = await findRevisionAt(asReader(db));
  const delivery = { ...version, hook: name, messageId: newMessageId(), attempts: 1, since: 0 };
  const { rows } =
    await sql`insert into hook_deliveries (hook, kind, about, state, message_id, attempts, due_at)
    values (${name}, 'announcement', ${version.about}, 'sending', ${delivery.messageId}, 1, ${laterThan(now, CLAIM_MS)})
    on conflict (hook, about, kind) do update set state = excluded.state, message_id = excluded.message_id,
      attempts = excluded.attempts, due_at = excluded.due_at, done_at = null, failure = null
    where hook_deliveries.state <> 'sending' or hook_deliveries.due_at <= ${now} returning hook`.execute(db);
  return rows.length === 0 ? null : delivery;
}

/** How long until the next delivery that is pending is due; null if none is. */
export async function findNextMs(db: Writer, { name }: Hook): Promise<number | null> {
  const { rows } = await sql<{ next: string | null; now: string }>`select min(d.due_at) as next,
    ${dialectOf(db).due.now} as now from hook_deliveries d
    where d.hook = ${name} and d.state = 'pending' and ${IS_WAITING}`.execute(db);
  const [row] = rows;
  return row?.next ? Math.max(0, Date.parse(row.next) - Date.parse(row.now)) : null;
}

export type Outcome =
  | Readonly<{ state: 'sent' }>
  | Readonly<{ state: 'pending'; failure: string; againMs: number }>
  | Readonly<{ state: 'given_up'; failure: string }>;

export async function noteOutcome(db: Writer, delivery: Delivery, outcome: Outcome): Promise<void> {
  const { hook, about, messageId, attempts } = delivery;
  const { state } = outcome;
  const { now } = await findRevisionAt(asReader(db));
  const [failure, ours] =
    state === 'sent' ? [null, sql``] : [outcome.failure, sql`and attempts = ${attempts}`];
  const dueAt = state === 'pending' ? laterThan(now, outcome.againMs) : now;
  // Another process may have sent it in the meantime, or be sending it, if this one was suspended.
  await sql`update hook_deliveries set state = ${state}, failure = ${failure}, due_at = ${dueAt},
      done_at = ${state === 'pending' ? null : now}
    where hook = ${hook} and about = ${about} and message_id = ${messageId} and state in ('pending', 'sending')
      ${ours}`.execute(db);
  // The cache can be reached again: what failed need not wait any longer.
  if (state === 'sent')
    await sql`update hook_deliveries set due_at = ${now}, failure = null
      where hook = ${hook} and kind = 'purge' and state = 'pending' and failure is not null`.execute(db);
}

// Which versions a hook may announce. A hidden one is never among them: only public rows are selected (R9).

const PUBLIC_VERSIONS = sql`(
  select v.id, v.changelog_id, v.label, v.published_at, k.team_id, k.team_slug, k.product_slug
  from public_changelogs k join versions v on v.changelog_id = k.changelog_id where v.status = 'published')`;

/** Of the public versions `l`, those that match the filter and that the hook has nothing to do with yet. */
export const unannounced = ({
  name,
  only,
}: AnnouncementHook): Sql => sql`${PUBLIC_VERSIONS} l where ${matching(only)}
  and not exists (select 1 from hook_deliveries d
    where d.hook = ${name} and d.kind = 'announcement' and d.about = l.id)`;

/** The filter of a hook, as far as the database knows; what it leaves out does not matter. */
function matching({ teams, products, type, breaking }: OnlyFilter): Sql {
  const hasChange = (condition: Sql) =>
    sql`exists (select 1 from changes h where h.version_id = l.id and ${condition})`;
  const not = breaking === false ? sql`not` : sql``;
  const conditions = [
    teams && sql`l.team_slug in (${sql.join(teams)})`,
    products && sql`l.team_slug || '/' || l.product_slug in (${sql.join(products)})`,
    type && hasChange(sql`h.type in (${sql.join(type)})`),
    breaking !== undefined && sql`${not} ${hasChange(sql`h.breaking = 1`)}`,
  ];
  return sql.join([sql`1 = 1`, ...conditions.filter((condition) => condition)], sql` and `);
}

/** The rest of the filter. */
export const isWanted = ({ prerelease }: OnlyFilter, label: string) =>
  prerelease === undefined || prerelease === isPrerelease(label);

/** Those whose filter matches a public version, however old it is. */
export async function listMatchingHooks(
  db: Reader,
  hooks: readonly AnnouncementHook[],
  { version }: VersionDetail,
): Promise<AnnouncementHook[]> {
  const found: AnnouncementHook[] = [];
  for (const hook of hooks.filter(({ only }) => isWanted(only, version.label))) {
    const query = sql`select 1 from ${PUBLIC_VERSIONS} l where l.id = ${version.id} and ${matching(hook.only)}`;
    if ((await query.execute(db as unknown as Writer)).rows.length > 0) found.push(hook);
  }
  return found;
}

/** The earliest date of versions that the hook announces now. */
export function cutoffOf({ maxAgeHours }: Pick<AnnouncementHook, 'maxAgeHours'>, now: string): string {
  return laterThan(now, -maxAgeHours * 3_600_000);
}
