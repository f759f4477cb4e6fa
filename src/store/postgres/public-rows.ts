// Step 0007 on PostgreSQL: what is public all the way is a table of its own, the index over words has a key for each word
// of each changelog and state, and a touch says whether anything public was written. The SQL is literal and imports
// nothing: a step that was released never changes.

const TABLES = [
  `create table public_changelogs (
    team_slug text collate "C" not null,
    product_slug text collate "C" not null,
    team_id integer not null,
    product_id integer not null,
    changelog_id text collate "C" not null unique,
    primary key (team_slug, product_slug))`,
  'create index public_changelogs_of_team on public_changelogs (team_id)',
  'create index public_changelogs_of_product on public_changelogs (product_id)',
];

/** The changelogs that are public all the way: of a public team, of a published product, and published. */
const PUBLIC_NOW = `select t.slug as team_slug, p.slug as product_slug, t.id as team_id, p.id as product_id,
    c.id as changelog_id
  from teams t join products p on p.team_id = t.id join changelogs c on c.product_id = p.id
  where t.visibility = 'public' and p.status = 'published' and c.status = 'published'`;

/**
 * What a word is filed under: the state, the changelog, and the word. A search goes through what it asks for and nothing
 * else. The changelog is hashed, so that every key fits into the index; what shares a hash is told apart by the row. What
 * an index is made with names no function of ours: a dump is restored without a path to look for one.
 */
const WORDS = [
  `create function words_scope(changelog_id text, status text) returns text immutable strict parallel safe language sql
     as $$ select left(status, 1) || to_hex(hashtextextended(changelog_id collate "C", 0)) || ' ' $$`,
  `create function scoped_words(changelog_id text, status text, words tsvector) returns text[]
     immutable strict parallel safe language plpgsql as $$
   declare
     scope text := left(status, 1) || to_hex(hashtextextended(changelog_id collate "C", 0)) || ' ';
   begin
     return array(select scope || word from unnest(tsvector_to_array(words)) every (word)
       where left(word, 2) not in ('@c', '@p'));
   end $$`,
  // Without a list of what is still to be filed, which every search would have to go through, hidden words included.
  `create index version_facts_scoped_words on version_facts
     using gin (scoped_words(changelog_id, status, words)) with (fastupdate = off)`,
  'drop index version_facts_words',
  'drop function search_versions(tsquery)',
  // Through the index over words, which the plans of all other reads keep away from. `all_of` are words, `any_of` lists
  // of which each has to have a word in common, `phrases` what is left to be looked at in each row.
  `create function search_versions(changelog text, states text[], all_of text[], any_of json, phrases tsquery)
     returns setof version_facts stable language plpgsql
     set search_path from current set enable_bitmapscan = on set enable_indexscan = off as $$
   declare
     state text;
     scope text;
     conditions text;
   begin
     foreach state in array states loop
       scope := words_scope(changelog, state);
       select string_agg(format('scoped_words(changelog_id, status, words) %s %L::text[]', operator, words), ' and ')
         into conditions from (
           select '@>' as operator, array(select scope || word from unnest(all_of) every (word)) as words
             where cardinality(all_of) > 0
           union all select '&&', array(select scope || word from json_array_elements_text(one) every (word))
             from json_array_elements(any_of) lists (one)) every;
       if phrases is not null then conditions := conditions || ' and words @@ $1'; end if;
       return query execute 'select * from version_facts where ' || conditions using phrases;
     end loop;
   end $$`,
];

/**
 * Makes the table right again for rows that were written. What went together with the row above it is left to the trigger
 * of that row, which has yet to see what was public before.
 */
const REFRESH = `create function refresh_public_changelogs(level text, ids text[]) returns void language plpgsql
set search_path from current as $$
declare
  written text := case level when 'teams' then 'team_id' when 'products' then 'product_id' else 'changelog_id' end
    || ' = any ($1::' || case level when 'changelogs' then 'text[])' else 'integer[])' end;
  kept text := case level when 'teams' then 'true'
    when 'products' then 'exists (select 1 from teams where id = k.team_id)'
    else 'exists (select 1 from products where id = k.product_id)' end;
  public_now text := $query$${PUBLIC_NOW}$query$;
begin
  execute format('delete from public_changelogs k where %s and %s and not exists (select 1 from (%s) n where n = k)',
    written, kept, public_now) using ids;
  execute format('insert into public_changelogs (team_slug, product_slug, team_id, product_id, changelog_id)
    select * from (%s) n where %s on conflict (changelog_id) do nothing', public_now, written) using ids;
end $$`;

/** Its arguments are the parts of a rule; a statement that wrote many rows is one call. */
const TOUCH = `create or replace function touch_rows() returns trigger language plpgsql
set search_path from current as $$
declare
  touch text := 'insert into touches (team_id, product_id, revision, public_revision)
    select team_id, product_id, advance_revision(),
      case when bool_or(is_public) then advance_revision() else coalesce(max(was_public_at), 0) end
    from (%s) touched (team_id, product_id, is_public, was_public_at) group by team_id, product_id
    on conflict (team_id, product_id) do update set revision = excluded.revision,
      public_revision = greatest(touches.public_revision, excluded.public_revision)
    where touches.revision <> excluded.revision or touches.public_revision < excluded.public_revision';
  selected text := case when tg_op = 'DELETE' then tg_argv[1] else tg_argv[0] end;
  is_of_keys boolean := tg_table_name in ('api_keys', 'api_key_products');
  is_level boolean := tg_table_name in ('teams', 'products', 'changelogs');
  is_any boolean;
  ids text[];
begin
  if tg_table_name in ('versions', 'changes') and current_setting('changelog.bulk', true) = 'on' then return null; end if;
  if tg_op = 'TRUNCATE' then
    execute format(touch, format('select 0, 0, %L::boolean, 0::bigint', not is_of_keys));
    if is_level then delete from public_changelogs; end if;
    -- Everything includes whatever was touched before.
    if not is_of_keys then delete from touches where team_id <> 0; end if;
    return null;
  end if;
  execute format('select exists (select 1 from %I)', case tg_op when 'INSERT' then 'new_rows' else 'old_rows' end)
    into is_any;
  if not is_any then return null; end if;
  -- Whoever else writes waits here, and what they made public or hid before is seen by the statements below.
  perform advance_revision();
  -- What was there before is touched before what is public is made right again, what is there now after it.
  if tg_op <> 'INSERT' then execute format(touch, replace(selected, '{rows}', 'old_rows')); end if;
  if is_level then
    execute format('select array_agg(id) from (%s) every', case tg_op
      when 'INSERT' then 'select id from new_rows'
      when 'DELETE' then 'select id from old_rows'
      else 'select id from old_rows union select id from new_rows' end) into ids;
    perform refresh_public_changelogs(tg_table_name, ids);
  end if;
  if tg_op <> 'DELETE' then execute format(touch, replace(selected, '{rows}', 'new_rows')); end if;
  if tg_op = 'DELETE' and tg_argv[2] <> '' then
    execute 'delete from touches where ' || replace(tg_argv[2], '{rows}', 'old_rows');
  end if;
  return null;
end $$`;

type Rule = Readonly<{
  table: string;
  /** Selects team, product, whether the row is public, and when it last was, of {rows} that were written. */
  written: string;
  /** The same of rows that were deleted. */
  deleted: string;
  /** The touches that go with them. */
  forgotten?: string;
}>;

const NEVER = '0::bigint';
const CHANGELOG_ROWS = `select p.team_id, p.id, exists (select 1 from public_changelogs where product_id = p.id), ${NEVER}
  from {rows} r join products p on p.id = r.product_id`;
const VERSION_ROWS = `select p.team_id, p.id, r.status = 'published'
    and exists (select 1 from public_changelogs where changelog_id = c.id), ${NEVER}
  from {rows} r join changelogs c on c.id = r.changelog_id join products p on p.id = c.product_id`;
const CHANGE_ROWS = `select p.team_id, p.id, v.status = 'published'
    and exists (select 1 from public_changelogs where changelog_id = c.id), ${NEVER}
  from {rows} r join versions v on v.id = r.version_id join changelogs c on c.id = v.changelog_id
    join products p on p.id = c.product_id`;

const RULES: readonly Rule[] = [
  {
    table: 'teams',
    written: `select r.id, 0, exists (select 1 from public_changelogs where team_id = r.id), ${NEVER} from {rows} r`,
    deleted: `select 0, 0, exists (select 1 from public_changelogs where team_id = r.id),
      (select max(public_revision) from touches where team_id = r.id) from {rows} r`,
    forgotten: 'team_id in (select r.id from {rows} r)',
  },
  {
    table: 'products',
    written: `select r.team_id, r.id, exists (select 1 from public_changelogs where product_id = r.id), ${NEVER}
      from {rows} r`,
    // A product that has changed teams was touched in each of them.
    deleted: `select t.id, 0, exists (select 1 from public_changelogs where product_id = r.id),
        (select max(public_revision) from touches where team_id = t.id and product_id = r.id)
      from {rows} r join teams t on t.id = r.team_id
        or t.id in (select team_id from touches where product_id = r.id)
      where exists (select 1 from teams where id = r.team_id)`,
    forgotten: 'product_id in (select r.id from {rows} r join teams t on t.id = r.team_id)',
  },
  { table: 'changelogs', written: CHANGELOG_ROWS, deleted: CHANGELOG_ROWS },
  { table: 'versions', written: VERSION_ROWS, deleted: VERSION_ROWS },
  { table: 'changes', written: CHANGE_ROWS, deleted: CHANGE_ROWS },
  ...['api_keys', 'api_key_products'].map((table) => ({
    table,
    written: `select r.team_id, -1, false, ${NEVER} from {rows} r`,
    deleted: `select t.id, -1, false, ${NEVER} from {rows} r join teams t on t.id = r.team_id`,
  })),
];

const EVENTS = {
  insert: 'referencing new table as new_rows',
  update: 'referencing old table as old_rows new table as new_rows',
  delete: 'referencing old table as old_rows',
  truncate: '',
};

function writeTriggers({ table, written, deleted, forgotten = '' }: Rule): string[] {
  const parts = [written, deleted, forgotten].map((part) => `'${part.replaceAll("'", "''")}'`);
  return Object.entries(EVENTS).flatMap(([event, transition]) => [
    `drop trigger ${table}_touch_on_${event} on ${table}`,
    `create trigger ${table}_touch_on_${event} after ${event} on ${table} ${transition}
       for each statement execute function touch_rows(${parts.join(', ')})`,
  ]);
}

/** What is public, of all that there is. */
export const POSTGRES_PUBLIC_ROWS_OF_ALL: readonly string[] = [
  `insert into public_changelogs (team_slug, product_slug, team_id, product_id, changelog_id) ${PUBLIC_NOW}`,
];

/** What takes long comes first: until the end of the step, the rest holds up whoever reads. */
export const POSTGRES_PUBLIC_ROWS: readonly string[] = [
  ...TABLES,
  ...WORDS,
  ...POSTGRES_PUBLIC_ROWS_OF_ALL,
  'create unique index api_keys_by_state on api_keys (status, hash)',
  'alter table touches add column public_revision bigint not null default 0',
  'update touches set public_revision = revision where product_id <> -1',
  'create index touches_public_since on touches (public_revision)',
  REFRESH,
  TOUCH,
  ...RULES.flatMap(writeTriggers),
];
