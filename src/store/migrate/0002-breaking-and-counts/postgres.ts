// The second schema step for PostgreSQL.
import { refreshFacts } from '../0001-first-schema/postgres.ts';
import { countsTable, kindOf, placeOf, SPLIT_ABOVE } from './counts.ts';

/** Versions are also found by `breaking`, and by `breakingremoved` if a change of that type is breaking (R53). */
const BREAKING = [
  refreshFacts(
    'create or replace',
    `' ''#' || type || '''' || case breaking when 1 then ' ''#breaking'' ''#breaking' || type || '''' else '' end`,
    // The first step compared every version of the table with every id; this one looks up the ids.
    'v.id in (select unnest(coalesce(version_ids, array(select id from versions))))',
  ),
  `select refresh_facts(array(select distinct version_id from changes where breaking = 1))`,
];

const isInList = (one: string, other: string) =>
  `${one}.changelog_id = ${other}.changelog_id and ${one}.status = ${other}.status and ${one}.kind = ${other}.kind`;

/** Versions by themselves, at level 0. */
const countsOf = (rows: string) => `select f.changelog_id, f.status, ${kindOf('f')} as kind, 0 as level,
        ${placeOf('f')} as place, 1 as versions, c.changes, c.security, c.breaking
      from ${rows} f cross join lateral (select count(*)::integer as changes,
        coalesce(max((type = 'security')::integer), 0) as security, coalesce(max(breaking), 0) as breaking
        from changes where version_id = f.version_id) c`;

/** Plans are cached while the table is small, and must still be good when it is large. */
const BY_INDEX =
  'set search_path from current set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off';

const collects = (rows: string) => `select array_agg(distinct f.version_id),
      array_agg(distinct (f.changelog_id, f.status, ${kindOf('f')}, 0, ${placeOf('f')}, 0, 0, 0, 0)::version_counts)
      into ids, places from ${rows} f;`;

const COUNTS = [
  countsTable('text collate "C"'),
  // Adds rows of level 0 to the sums above them; negative numbers subtract.
  `create function add_counts(added version_counts[]) returns void language plpgsql ${BY_INDEX} as $$
declare
  written version_counts[];
  one version_counts;
begin
  with summed as (insert into version_counts as v
    select d.changelog_id, d.status, d.kind, every.level, every.place,
      sum(d.versions), sum(d.changes), sum(d.security), sum(d.breaking)
    from unnest(added) d cross join lateral (
      select 0 as level, d.place
      union all select level, coalesce((select g.place from version_counts g
        where ${isInList('g', 'd')} and g.level = above.level and g.place <= d.place
        order by g.place desc limit 1), '') from (values (1), (2)) above (level)) every
    group by d.changelog_id, d.status, d.kind, every.level, every.place
    on conflict (changelog_id, status, kind, level, place) do update set versions = v.versions + excluded.versions,
      changes = v.changes + excluded.changes, security = v.security + excluded.security,
      breaking = v.breaking + excluded.breaking
    returning v.*)
  select array_agg(summed::version_counts order by level) into written from summed
    where versions = 0 or level = 1 and versions > ${SPLIT_ABOVE[1]} or level = 2 and versions > ${SPLIT_ABOVE[2]};
  if written is null then return; end if;
  foreach one in array written loop
    if one.versions > 0 then perform split_counts(one); end if;
  end loop;
  delete from version_counts v using unnest(written) w
    where ${isInList('v', 'w')} and v.level = w.level and v.place = w.place and w.versions = 0 and w.level <> 1
      and w.place <> '';
  -- A group of level 2 begins where one of level 1 does.
  delete from version_counts v using unnest(written) w
    where ${isInList('v', 'w')} and v.level = 1 and v.place = w.place and w.versions = 0 and v.versions = 0
      and v.place <> '' and not exists (
        select 1 from version_counts g where ${isInList('g', 'v')} and g.level = 2 and g.place = v.place);
  delete from version_counts v using (select distinct w.changelog_id, w.status, w.kind from unnest(written) w
      where w.level = 0 and w.versions = 0
        and not exists (select 1 from version_counts g where ${isInList('g', 'w')} and g.level = 0)) ended
    where ${isInList('v', 'ended')} and v.level > 0;
end $$`,
  `create function split_counts(one version_counts) returns void language plpgsql ${BY_INDEX} as $$
begin
  insert into version_counts as v
    select one.changelog_id, one.status, one.kind, one.level,
      case part when 1 then one.place else min(place) end, sum(versions), sum(changes), sum(security), sum(breaking)
    from (select *, ntile(2 * one.versions / case one.level when 1 then ${SPLIT_ABOVE[1]} else ${SPLIT_ABOVE[2]} end)
        over (order by place) as part
      from version_counts g where ${isInList('g', 'one')} and g.level = one.level - 1 and g.place >= one.place
        and g.place < coalesce((select min(n.place) from version_counts n
          where ${isInList('n', 'one')} and n.level = one.level and n.place > one.place), '~~')) parts
    group by part
    on conflict (changelog_id, status, kind, level, place) do update set versions = excluded.versions,
      changes = excluded.changes, security = excluded.security, breaking = excluded.breaking;
end $$`,
  // Each branch is planned once per trigger. Arrays are taken for short ones, and so what they name is found by indexes.
  `create function count_versions() returns trigger language plpgsql ${BY_INDEX} as $$
declare
  ids text[];
  places version_counts[];
  added version_counts[];
begin
  case tg_op
    when 'INSERT' then ${collects('new_rows')}
    when 'DELETE' then ${collects('old_rows')}
    when 'UPDATE' then ${collects('(select * from old_rows union all select * from new_rows)')}
    else delete from version_counts;
  end case;
  if ids is null then return null; end if;
  -- Whoever else writes waits here, and what they counted before is seen by the statements below. Once a transaction:
  -- the row has as many versions as the transaction has written statements.
  if current_setting('changelog.counting', true) is distinct from pg_current_xact_id()::text then
    perform 1 from revision where id = 1 for update;
    perform set_config('changelog.counting', pg_current_xact_id()::text, true);
  end if;
  -- Counts again what is there now: triggers of nested statements do not fire in the order of these statements.
  select array_agg((changelog_id, status, kind, 0, place, versions, changes, security, breaking)::version_counts) into added
    from (select changelog_id, status, kind, place, sum(versions) as versions, sum(changes) as changes,
        sum(security) as security, sum(breaking) as breaking
      from (${countsOf('version_facts')} where f.version_id = any (ids)
        union all select v.changelog_id, v.status, v.kind, v.level, v.place,
          -v.versions, -v.changes, -v.security, -v.breaking
        from unnest(places) w join version_counts v
          on ${isInList('v', 'w')} and v.level = 0 and v.place = w.place) every
      group by changelog_id, status, kind, place) summed
    where (versions, changes, security, breaking) <> (0, 0, 0, 0);
  if added is not null then perform add_counts(added); end if;
  return null;
end $$`,
];

const COUNT_TRIGGERS = [
  `create trigger version_facts_count_on_insert after insert on version_facts referencing new table as new_rows
    for each statement execute function count_versions()`,
  `create trigger version_facts_count_on_delete after delete on version_facts referencing old table as old_rows
    for each statement execute function count_versions()`,
  `create trigger version_facts_count_on_update after update on version_facts
    referencing old table as old_rows new table as new_rows
    for each statement execute function count_versions()`,
  `create trigger version_facts_count_on_truncate after truncate on version_facts
    for each statement execute function count_versions()`,
  // A part at a time, because an array of a million rows would not fit into memory everywhere.
  `do $do$
    declare
      part version_counts[];
    begin
      for part in select array_agg(counted::version_counts) from (${countsOf('version_facts')}) counted
        group by changelog_id, hashtext(place) % 100 loop
        perform add_counts(part);
      end loop;
    end $do$`,
];

export const POSTGRES: readonly string[] = [...BREAKING, ...COUNTS, ...COUNT_TRIGGERS];
