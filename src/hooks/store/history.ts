// What each hook has done, and has not.
import { sql } from 'kysely';
import type { AnnouncementHook } from '../../domain/hook.ts';
import { batches, rowInserter } from '../../store/engine/batches.ts';
import { dialectOf } from '../../store/engine/dialect.ts';
import type { Reader, Writer } from '../../store/engine/engine.ts';
import { findRevisionAt } from '../../store/engine/revisions.ts';
import { cutoffOf, IS_WAITING, isBehind, isWanted, unannounced } from './deliveries.ts';

export type HookHistory = Readonly<{
  name: string;
  setUpAt: string;
  /** Whether something public was written that it has not looked at, or something is due. */
  isBehind: boolean;
  announced: number;
  waiting: number;
  givenUp: number;
  /** The next attempt to send something, unless its version is hidden. */
  nextAt: string | null;
  sentAt: string | null;
  /** Why it could not purge the last time. */
  purgeFailure: string | null;
}>;

/** Those of these hooks that are set up. */
export async function listHookHistories(db: Reader, hooks: readonly string[]): Promise<HookHistory[]> {
  const { rows } = await sql<HookHistory>`
    select w.hook as name, w.done_at as "setUpAt",
      (${isBehind(sql`w`)} or coalesce(e.next_at <= ${dialectOf(db).due.now}, 1 = 0)) as "isBehind",
      coalesce(e.sent, 0) as announced, coalesce(e.waiting, 0) as waiting, coalesce(e.given_up, 0) as "givenUp",
      e.next_at as "nextAt", e.sent_at as "sentAt", e.purge_failure as "purgeFailure"
    from hook_deliveries w left join (
      select hook, count(*) filter (where state = 'sent') as sent,
        count(*) filter (where state in ('pending', 'sending')) as waiting,
        count(*) filter (where state = 'given_up') as given_up, max(done_at) filter (where state = 'sent') as sent_at,
        min(due_at) filter (where ${IS_WAITING}) as next_at, max(failure) filter (where kind = 'purge') as purge_failure
      from hook_deliveries d where kind <> 'watch' group by hook) e on e.hook = w.hook
    where w.kind = 'watch' and w.hook in (${sql.join(hooks)})`.execute(db as unknown as Writer);
  return rows.map((row) => ({ ...row, isBehind: Boolean(row.isBehind) }));
}

export type NamedVersion = Readonly<{ team: string; product: string; version: string }>;

const READ_MAX = 1_000;

/** The newest of those that became public when they were too old already. */
export async function listTooOld(db: Reader, hook: AnnouncementHook, max: number): Promise<NamedVersion[]> {
  const { now } = await findRevisionAt(db);
  const { rows } = await sql<NamedVersion>`
    select l.team_slug as team, l.product_slug as product, l.label as version from ${unannounced(hook)}
      and l.published_at < ${cutoffOf(hook, now)} order by l.published_at desc, l.id limit ${sql.lit(READ_MAX)}`.execute(
    db as unknown as Writer,
  );
  return rows.filter(({ version }) => isWanted(hook.only, version)).slice(0, max);
}

export type FailedDelivery = NamedVersion & Readonly<{ hook: string; isGivenUp: boolean; reason: string }>;

/** The latest versions of each hook, waiting and given up; not those that were deleted. */
export async function listFailedDeliveries(
  db: Reader,
  hooks: readonly string[],
  eachMax: number,
): Promise<FailedDelivery[]> {
  const { rows } = await sql<FailedDelivery>`
    select hook, state = 'given_up' as "isGivenUp", reason, team, product, version from (
      select d.hook, d.state, d.failure as reason, t.slug as team, p.slug as product, v.label as version,
        coalesce(d.done_at, d.due_at) as at,
        row_number() over (partition by d.hook, d.state order by coalesce(d.done_at, d.due_at) desc, v.id) as place
      from hook_deliveries d join versions v on v.id = d.about join changelogs c on c.id = v.changelog_id
        join products p on p.id = c.product_id join teams t on t.id = p.team_id
      where d.hook in (${sql.join(hooks)}) and d.kind = 'announcement' and d.failure is not null) failed
    where place <= ${eachMax} order by at desc, team, product, version`.execute(db as unknown as Writer);
  return rows.map((row) => ({ ...row, isGivenUp: Boolean(row.isGivenUp) }));
}

/**
 * What hooks have announced stays announced when a backup takes the place of the database (R65): for the versions that both
 * have. What still waits is left out: it is found again.
 */
export async function carryOverDeliveries(from: Reader, to: Writer): Promise<void> {
  const done = await from
    .selectFrom('hook_deliveries')
    .where('kind', '<>', 'purge')
    .where('state', 'in', ['known', 'sent', 'given_up'])
    .selectAll()
    .execute();
  for (const some of batches(done)) {
    const ids = some.map(({ about }) => about);
    const found = await to.selectFrom('versions').where('id', 'in', ids).select('id').execute();
    const there = new Set(found.map(({ id }) => id));
    const watches = some.filter(({ kind }) => kind === 'watch');
    const kept = some.filter(({ about }) => there.has(about));
    if (kept.length > 0) await to.replaceInto('hook_deliveries').values(kept).execute();
    await rowInserter('hook_deliveries')(to, watches);
  }
}
