// The hooks that are set up, and what each has done. A hook is set up when a process first sees it: what is public then is
// not announced (R65).
import { sql } from 'kysely';
import { type AnnouncementHook, type Hook, isPurgeHook } from '../../domain/hook.ts';
import { batches } from '../../store/engine/batches.ts';
import { dialectOf } from '../../store/engine/dialect.ts';
import { asReader, type Reader, type Writer } from '../../store/engine/engine.ts';
import { findRevisionAt } from '../../store/engine/revisions.ts';
import { cutoffOf, IS_PUBLIC, isWanted, matching, publicVersions, withoutDelivery } from './deliveries.ts';

/** Of so many, all are noted as known: what is not and has an old date became public later. */
const KNOWN_VERSIONS_MAX = 10_000;

/** Sets up the hooks that are not yet. Several processes may do so at once. */
export async function setUpHooks(db: Writer, hooks: readonly Hook[]): Promise<void> {
  if (hooks.length === 0) return;
  const names = hooks.map(({ name }) => name);
  const known = await db.selectFrom('hooks').where('name', 'in', names).select('name').execute();
  for (const hook of hooks) {
    if (known.some(({ name }) => name === hook.name)) continue;
    if (db.isTransaction) await setUpHook(db, hook);
    else await db.transaction().execute((trx) => setUpHook(trx, hook));
  }
}

/** A new purge hook begins with everything: nobody knows what the CDN has kept so far. */
async function setUpHook(trx: Writer, hook: Hook): Promise<void> {
  const { revision, now } = await findRevisionAt(asReader(trx));
  const isPurge = isPurgeHook(hook);
  const announcesFrom = isPurge || (await areFewPublic(trx)) ? '' : cutoffOf(hook, now);
  const added = await trx
    .insertInto('hooks')
    .values({
      name: hook.name,
      set_up_at: now,
      announces_from: announcesFrom,
      revision: isPurge ? 0 : revision,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('name')
    .execute();
  if (isPurge || added.length === 0) return;
  await trx
    .insertInto('hook_deliveries')
    .columns(['hook', 'version_id', 'state', 'message_id', 'due_at'])
    .expression(
      publicVersions(trx, announcesFrom).select([
        sql.lit(hook.name).as('hook'),
        'l.version_id',
        sql.lit('known').as('state'),
        sql.lit('').as('message_id'),
        sql.lit(now).as('due_at'),
      ]),
    )
    .execute();
}

async function areFewPublic(trx: Writer): Promise<boolean> {
  const known = publicVersions(trx, '').limit(KNOWN_VERSIONS_MAX + 1);
  return (await known.select('l.version_id').execute()).length <= KNOWN_VERSIONS_MAX;
}

/**
 * The hooks with something to do: to send a message that is due, or to look at public writes since the last time, unless
 * another process does. One query, because servers run it each second.
 */
export async function listHooksWithWork(db: Writer, hooks: readonly string[]): Promise<string[]> {
  const { now } = dialectOf(db).due;
  const { rows } = await sql<{ name: string }>`
    select name from hooks h where name in (${sql.join(hooks)}) and (
      exists (select 1 from hook_deliveries d
        where d.hook = h.name and d.state = 'pending' and d.due_at <= ${now} and ${IS_PUBLIC})
      or (claimed_until <= ${now} and ${IS_BEHIND}))`.execute(db);
  return rows.map(({ name }) => name);
}

/** Something public was written since the last time; or revisions count from an earlier one again, after a restore. */
const IS_BEHIND = sql<boolean>`(h.revision < (select max(public_revision) from touches)
  or h.revision > (select value from revision where id = 1))`;

export type HookHistory = Readonly<{
  name: string;
  setUpAt: string;
  /** Whether something public was written that it has not looked at. */
  isBehind: boolean;
  announced: number;
  waiting: number;
  givenUp: number;
  /** The next attempt to send something public. */
  nextAt: string | null;
  isOverdue: boolean;
  sentAt: string | null;
  purgedAt: string | null;
  /** Why it could not purge the last time. */
  purgeFailure: string | null;
}>;

/** Those of these hooks that are set up. */
export async function listHookHistories(db: Reader, hooks: readonly string[]): Promise<HookHistory[]> {
  if (hooks.length === 0) return [];
  const names = sql.join(hooks);
  const { rows } = await sql<HookHistory>`
    select h.name, h.set_up_at as "setUpAt", ${IS_BEHIND} as "isBehind", coalesce(e.announced, 0) as announced,
      coalesce(e.waiting, 0) as waiting, coalesce(e.given_up, 0) as "givenUp", e.next_at as "nextAt",
      coalesce(e.next_at <= ${dialectOf(db).due.now}, 1 = 0) as "isOverdue", e.sent_at as "sentAt",
      h.purged_at as "purgedAt", h.failure as "purgeFailure"
    from hooks h left join (
      select hook, count(*) filter (where state = 'sent') as announced,
        count(*) filter (where state = 'pending') as waiting, count(*) filter (where state = 'given_up') as given_up,
        max(done_at) filter (where state = 'sent') as sent_at,
        min(due_at) filter (where state = 'pending' and ${IS_PUBLIC}) as next_at
      from hook_deliveries d where hook in (${names}) group by hook) e on e.hook = h.name
    where h.name in (${names})`.execute(db as unknown as Writer);
  return rows.map((row) => ({
    ...row,
    isBehind: Boolean(row.isBehind),
    isOverdue: Boolean(row.isOverdue),
  }));
}

type NamedVersion = Readonly<{ team: string; product: string; version: string }>;

const READ_MAX = 1_000;

/** The newest of those that became public when they were too old already. */
export async function listTooOld(db: Reader, hook: AnnouncementHook, max: number): Promise<NamedVersion[]> {
  const { now } = await findRevisionAt(db);
  const from = sql<string>`(select announces_from from hooks where name = ${hook.name})`;
  const versions = publicVersions(db as unknown as Writer, from);
  const found = await matching(withoutDelivery(versions, hook.name), hook.only)
    .where('l.sort_key', '<', cutoffOf(hook, now))
    .innerJoin('public_changelogs as k', 'k.changelog_id', 'l.changelog_id')
    .select(['k.team_slug as team', 'k.product_slug as product', 'l.label as version'])
    .orderBy('l.sort_key', 'desc')
    .limit(READ_MAX)
    .execute();
  return found.filter(({ version }) => isWanted(hook.only, version)).slice(0, max);
}

export type FailedDelivery = NamedVersion & Readonly<{ hook: string; isGivenUp: boolean; reason: string }>;

/** The latest of each hook, waiting and given up; not those whose version was deleted. */
export async function listFailedDeliveries(
  db: Reader,
  hooks: readonly string[],
  eachMax: number,
): Promise<FailedDelivery[]> {
  if (hooks.length === 0) return [];
  const { rows } = await sql<FailedDelivery>`
    select hook, state = 'given_up' as "isGivenUp", reason, team, product, version from (
      select d.hook, d.state, d.failure as reason, t.slug as team, p.slug as product, v.label as version,
        coalesce(d.done_at, d.due_at) as at,
        row_number() over (partition by d.hook, d.state order by coalesce(d.done_at, d.due_at) desc, v.id) as place
      from hook_deliveries d join versions v on v.id = d.version_id join changelogs c on c.id = v.changelog_id
        join products p on p.id = c.product_id join teams t on t.id = p.team_id
      where d.hook in (${sql.join(hooks)}) and d.state in ('pending', 'given_up') and d.failure is not null) failed
    where place <= ${eachMax} order by at desc, team, product, version`.execute(db as unknown as Writer);
  return rows.map((row) => ({ ...row, isGivenUp: Boolean(row.isGivenUp) }));
}

/**
 * What hooks have announced stays announced when a backup takes the place of the database (R65): for the versions that both
 * have. What still waits is left out: it is found again.
 */
export async function carryOverDeliveries(from: Reader, to: Writer): Promise<void> {
  const hooks = await from.selectFrom('hooks').selectAll().execute();
  if (hooks.length === 0) return;
  await to
    .insertInto('hooks')
    .values(hooks)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const done = await from.selectFrom('hook_deliveries').where('state', '<>', 'pending').selectAll().execute();
  for (const some of batches(done)) {
    const ids = some.map(({ version_id }) => version_id);
    const found = await to.selectFrom('versions').where('id', 'in', ids).select('id').execute();
    const there = new Set(found.map(({ id }) => id));
    const kept = some.filter(({ version_id }) => there.has(version_id));
    if (kept.length > 0) await to.replaceInto('hook_deliveries').values(kept).execute();
  }
}
