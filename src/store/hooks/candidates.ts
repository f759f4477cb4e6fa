// Which versions a hook may announce. A hidden one is never among them: only public rows are selected (R9).
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { OnlyFilter } from '../../domain/hook.ts';
import type { Sql } from '../engine/dialect.ts';
import type { Writer } from '../engine/engine.ts';
import type { Tables } from '../engine/schema.ts';

type Range = Readonly<{
  /** The earliest date. */
  from: string | RawBuilder<string>;
  /** Null for all teams. */
  teamIds: readonly number[] | null;
}>;

export type PublicVersions = SelectQueryBuilder<Tables & { l: Tables['timeline'] }, 'l', object>;

/** Public versions in the order of the timeline: older ones, however many there are, are not visited. */
export function publicVersions(db: Writer, { from, teamIds }: Range): PublicVersions {
  return db
    .selectFrom('timeline as l')
    .where('l.team_id', 'in', (eb) =>
      eb
        .selectFrom('teams')
        .select('id')
        .$if(teamIds !== null, (some) => some.where('id', 'in', teamIds ?? [])),
    )
    .where('l.is_public', '=', 1)
    .where('l.is_prerelease', 'in', [0, 1])
    .where('l.sort_key', '>=', from);
}

export function withoutDelivery(versions: PublicVersions, hook: string): PublicVersions {
  return versions.where(
    sql<boolean>`not exists (select 1 from hook_deliveries d where d.hook = ${hook} and d.version_id = l.version_id)`,
  );
}

/** Those that match the filter of a hook; what it leaves out does not matter. */
export function matching(versions: PublicVersions, only: OnlyFilter): PublicVersions {
  const { teams, products, type, breaking, prerelease } = only;
  const conditions = [
    teams && isOf(sql`t.slug`, teams),
    products && isOf(sql`t.slug || '/' || p.slug`, products),
    type && hasChange(sql`h.type in (${sql.join(type)})`),
    breaking !== undefined && (breaking ? hasChange(BREAKING) : sql<boolean>`not ${hasChange(BREAKING)}`),
    prerelease !== undefined && sql<boolean>`l.is_prerelease = ${prerelease ? 1 : 0}`,
  ];
  return conditions.reduce(
    (some: PublicVersions, condition) => (condition ? some.where(condition) : some),
    versions,
  );
}

const BREAKING = sql`h.breaking = 1`;

const isOf = (name: Sql, names: readonly string[]) =>
  sql<boolean>`exists (select 1 from changelogs c join products p on p.id = c.product_id join teams t on t.id = p.team_id
    where c.id = l.changelog_id and ${name} in (${sql.join(names)}))`;

const hasChange = (condition: Sql) =>
  sql<boolean>`exists (select 1 from changes h where h.version_id = l.version_id and ${condition})`;
