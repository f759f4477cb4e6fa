// The eighth schema step for PostgreSQL. Triggers on a table fire in the order of their names.
import { SEARCH } from './search.ts';
import { COLUMNS, columns, KEY, TOUCHES_OF_TEAM } from './tables.ts';

/** The same predicate as that of `public_changelogs`, whose rows are written again also if only a slug changes. */
const IS_PUBLIC = `(f.status = 'published' and c.status = 'published' and p.status = 'published'
        and t.visibility = 'public')::integer`;
const ROWS_NOW = `select p.team_id, ${IS_PUBLIC} as is_public, f.is_prerelease, f.sort_key, f.version_id, f.changelog_id
    from version_facts f join changelogs c on c.id = f.changelog_id join products p on p.id = c.product_id
      join teams t on t.id = p.team_id`;
/** Plans are made once, while the tables may be small, and must still be good when they are large. */
const BY_INDEX = `set search_path from current set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off`;
const PLACE = 'version_id, changelog_id, status, sort_key, is_prerelease';
const differences = (one: string, other: string) =>
  `select ${PLACE} from ${one} except select ${PLACE} from ${other}`;
const collects = (rows: string) => `select array_agg(distinct version_id) into ids from ${rows} every;`;

/** Fires after `touch_rows`, by its name: other writers wait there. */
const movesOn = (table: string, event: string, transition: string, changed: string) =>
  `create trigger ${table}_with_timeline_on_${event} after ${event} on ${table} referencing ${transition}
    for each statement execute function list_changelogs_again('${changed}')`;

export const FILL_POSTGRES = `insert into timeline (${COLUMNS}) ${ROWS_NOW}`;

export const POSTGRES: readonly string[] = [
  ...SEARCH,
  ...TOUCHES_OF_TEAM,
  `create table timeline (${columns('text collate "C"')}, primary key (version_id))`,
  FILL_POSTGRES,
  `create index timeline_in_order on timeline (${KEY}) include (changelog_id)`,
  // Triggers of nested statements do not fire in the order of these statements, so each makes right what it finds.
  `create function list_versions_again() returns trigger language plpgsql ${BY_INDEX} as $$
declare
  ids text[];
begin
  case tg_op
    when 'INSERT' then ${collects('new_rows')}
    when 'DELETE' then ${collects('old_rows')}
    when 'UPDATE' then ${collects(`((${differences('new_rows', 'old_rows')}) union all (${differences('old_rows', 'new_rows')}))`)}
    else delete from timeline;
  end case;
  if ids is null then return null; end if;
  delete from timeline l where l.version_id = any (ids)
    and not exists (select 1 from version_facts f where f.version_id = l.version_id);
  insert into timeline as l (${COLUMNS}) ${ROWS_NOW} where f.version_id = any (ids)
    on conflict (version_id) do update set team_id = excluded.team_id, is_public = excluded.is_public,
      is_prerelease = excluded.is_prerelease, sort_key = excluded.sort_key, changelog_id = excluded.changelog_id
    where (l.team_id, l.is_public, l.is_prerelease, l.sort_key, l.changelog_id)
      <> (excluded.team_id, excluded.is_public, excluded.is_prerelease, excluded.sort_key, excluded.changelog_id);
  return null;
end $$`,
  `create function list_changelogs_again() returns trigger language plpgsql ${BY_INDEX} as $$
declare
  ids text[];
begin
  execute format('select array_agg(distinct id) from (%s) every (id)', tg_argv[0]) into ids;
  if ids is null then return null; end if;
  update timeline l set team_id = n.team_id, is_public = n.is_public
    from (${ROWS_NOW} where f.changelog_id = any (ids)) n
    where l.version_id = n.version_id and (l.team_id, l.is_public) <> (n.team_id, n.is_public);
  return null;
end $$`,
  // Fire after `count_versions`, by their names: other writers wait there.
  `create trigger version_facts_timeline_on_insert after insert on version_facts referencing new table as new_rows
    for each statement execute function list_versions_again()`,
  `create trigger version_facts_timeline_on_delete after delete on version_facts referencing old table as old_rows
    for each statement execute function list_versions_again()`,
  `create trigger version_facts_timeline_on_update after update on version_facts
    referencing old table as old_rows new table as new_rows for each statement execute function list_versions_again()`,
  `create trigger version_facts_timeline_on_truncate after truncate on version_facts
    for each statement execute function list_versions_again()`,
  movesOn('public_changelogs', 'insert', 'new table as new_rows', 'select changelog_id from new_rows'),
  movesOn('public_changelogs', 'delete', 'old table as old_rows', 'select changelog_id from old_rows'),
  movesOn(
    'products',
    'update',
    'old table as old_rows new table as new_rows',
    `select c.id from (select id, team_id from new_rows except select id, team_id from old_rows) moved
      join changelogs c on c.product_id = moved.id`,
  ),
  movesOn(
    'changelogs',
    'update',
    'old table as old_rows new table as new_rows',
    `select id from (select id, product_id from new_rows except select id, product_id from old_rows) moved`,
  ),
];
