// What each hook has done, for `hook list`.
import { sql } from 'kysely';
import type { AnnouncementHook } from '../../domain/hook.ts';
import { dialectOf } from '../engine/dialect.ts';
import type { Reader, Writer } from '../engine/engine.ts';
import { findRevisionAt } from '../engine/revisions.ts';
import { matching, publicVersions, withoutDelivery } from './candidates.ts';
import { IS_BEHIND, IS_PUBLIC } from './due.ts';
import { cutoffOf } from './set-up.ts';

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

/** The newest of those that became public when they were too old already. */
export async function listTooOld(db: Reader, hook: AnnouncementHook, max: number): Promise<NamedVersion[]> {
  const { now } = await findRevisionAt(db);
  const from = sql<string>`(select announces_from from hooks where name = ${hook.name})`;
  const versions = publicVersions(db as unknown as Writer, { from, teamIds: null });
  return await matching(withoutDelivery(versions, hook.name), hook.only)
    .where('l.sort_key', '<', cutoffOf(hook, now))
    .innerJoin('versions as v', 'v.id', 'l.version_id')
    .innerJoin('public_changelogs as k', 'k.changelog_id', 'l.changelog_id')
    .select(['k.team_slug as team', 'k.product_slug as product', 'v.label as version'])
    .orderBy('l.sort_key', 'desc')
    .limit(max)
    .execute();
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
