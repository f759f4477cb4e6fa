// The first schema step for SQLite. Triggers on a table fire in the reverse order of their creation: keep it.
import { contentAndKeys, FACTS_INDEXES, publicChangelogs, revisions } from './tables.ts';

const TYPES = { text: 'text', identity: 'integer primary key autoincrement', bigint: 'integer' };

const VERSION_INDEXES = [
  // A feed is read from this index alone.
  `create index versions_listed
  on versions (changelog_id, status, published_at desc, id, label, title, change_count)`,
  // Has only the drafts that wait, so finding the next one costs the same however many versions there are (R50).
  `create index versions_scheduled on versions (publish_at) where publish_at is not null`,
];

/** SQLite enforces foreign keys only on connections that turn them on. These triggers work on every connection. */
const goesWith = (parent: string, table: string, key: string) =>
  `create trigger ${table}_go_with_${parent} after delete on ${parent} begin
  delete from ${table} where ${key} = old.id; end`;

const checksKeyProduct = (event: string) =>
  `create trigger api_key_products_checked_on_${event} before ${event} on api_key_products
  when not exists (
    select 1 from api_keys join products using (team_id)
    where api_keys.id = new.key_id and api_keys.kind = 'SELECT' and products.id = new.product_id
      and products.team_id = new.team_id)
  begin select raise(abort, 'constraint failed: a key takes products of its team, and only a SELECT key does'); end`;

const FOREIGN_KEYS = [
  goesWith('teams', 'products', 'team_id'),
  goesWith('teams', 'api_keys', 'team_id'),
  goesWith('products', 'changelogs', 'product_id'),
  goesWith('products', 'api_key_products', 'product_id'),
  goesWith('changelogs', 'versions', 'changelog_id'),
  goesWith('versions', 'changes', 'version_id'),
  goesWith('api_keys', 'api_key_products', 'key_id'),
  checksKeyProduct('insert'),
  checksKeyProduct('update'),
  goesWith('api_keys', 'key_usage', 'key_id'),
];

const SAME_CHANGE = '(id = new.id or version_id = new.version_id and position = new.position)';
const SAME_VERSION = '(id = new.id or changelog_id = new.changelog_id and label = new.label)';
const COUNT = '(select count(*) from changes where version_id = versions.id)';

/** With `or replace`, SQLite deletes rows without firing a trigger: versions that may lose a change are noted before. */
const notesUncounted = (event: string, columns: string, others: string) =>
  `create trigger changes_count_on_${event}_replacing before ${event} ${columns} on changes
  when exists (select 1 from changes where ${SAME_CHANGE} ${others})
  begin insert into uncounted select distinct version_id from changes where ${SAME_CHANGE} ${others}
    on conflict (version_id) do nothing; end`;

/** Counts again instead of adding or subtracting one, which is right whatever happened before. */
const countsVersion = (event: string, columns: string) =>
  `create trigger versions_count_on_${event} after ${event} ${columns} on versions
  when new.change_count <> (select count(*) from changes where version_id = new.id)
  begin update versions set change_count = ${COUNT} where id in (new.id); end`;

const CHANGE_COUNTS = [
  'create table uncounted (version_id text not null primary key)',
  // A row of this table refers to one that never exists: no transaction can commit before it is deleted.
  `create table bulk (
  id integer not null primary key check (id = 1),
  ended integer not null check (ended = 2) references bulk (id) deferrable initially deferred)`,
  notesUncounted('insert', '', ''),
  notesUncounted('update', 'of id, version_id, position', 'and id <> old.id'),
  countsVersion('insert', ''),
  countsVersion('update', 'of id, change_count'),
];

/** Scripts without capitals that count as words for the index, and the letters and digits that count as others. */
const SOLID = '㐀-鿿가-힣𐀀-􏿿々〱-〵〻ゝ-ゞー-ヾｰﾞ-ﾟ';
const SPACED = '\u0001-\u058fḀ-῿⁰-ↈ①-⓿❶-➓Ⰰ-ⴥꙀ-ꟿꬰ-ꭥ０-ｚ';

/** A space goes between the two: a hundred characters at a time, and one by one only where there are any of the former. */
const BODY = `case when written not glob '*[${SOLID}]*' then written else (
    with recursive chunks (chunk, before, rest) as (
      select substr(written, 1, 100), '', substr(written, 101) union all
      select substr(rest, 1, 100), substr(chunk, -1), substr(rest, 101) from chunks where rest <> '')
    select group_concat(case when before || chunk not glob '*[${SOLID}]*' then chunk else (
      with recursive letters (place, pair) as (select 1, before || substr(chunk, 1, 1) union all
        select place + 1, substr(chunk, place, 2) from letters where place < length(chunk))
      select group_concat(case when pair glob '[${SOLID}][${SPACED}]' or pair glob '[${SPACED}][${SOLID}]' then ' '
        else '' end || substr(pair, -1), '') from letters) end, '') from chunks) end`;

const identifiersForm = (text: string) => `${text} <> '' and ${text} not glob '*[^0-9A-Za-z.-]*'
        and ${text} not glob '.*' and ${text} not glob '*.' and ${text} not glob '*..*'`;
const jsonList = (text: string) => `'["' || replace(${text}, '.', '","') || '"]'`;
/** A number with its length in front sorts as text. */
const sortable = (digits: string) => `printf('%03d%s', length(ltrim(${digits}, '0')), ltrim(${digits}, '0'))`;
const nthNumber = (index: number) =>
  sortable(`coalesce(json_extract(${jsonList('numbers')}, '$[${index}]'), '')`);
const before = (text: string, mark: string, otherwise: string) =>
  `case when instr(${text}, '${mark}') > 0 then substr(${text}, 1, instr(${text}, '${mark}') - 1) else ${otherwise} end`;
const after = (text: string, mark: string) =>
  `case when instr(${text}, '${mark}') > 0 then substr(${text}, instr(${text}, '${mark}') + 1) end`;

/** `versionOrder` of domain/version-order.ts for the label of `v`. */
const VERSION_ORDER = `(select case when numbers glob '[0-9]*' and numbers not glob '*[^0-9.]*'
        and numbers not glob '*.' and numbers not glob '*..*' and numbers not glob '*.*.*.*'
        and (build is null or ${identifiersForm('build')})
        and (prerelease is null or numbers glob '*.*' and ${identifiersForm('prerelease')})
      then ${nthNumber(0)} || ${nthNumber(1)} || ${nthNumber(2)} || case when prerelease is null then '~' else '-' ||
        (select group_concat(case when value glob '*[^0-9]*' then '1' || value
          else '0' || ${sortable('value')} end || '!', '') from json_each(${jsonList('prerelease')})) end end
    from (select ${before('released', '-', 'released')} as numbers, ${after('released', '-')} as prerelease, build
      from (select ${before('bare', '+', 'bare')} as released, ${after('bare', '+')} as build
        from (select case when v.label glob '[vV][0-9]*' then substr(v.label, 2) else v.label end as bare))))`;

/**
 * The full-text index returns rows in the order of their numbers, so the upper bits of a number are the second when its
 * version was published. Versions that were never published come after all others.
 */
const second = (
  row: string,
) => `case when ${row}.published_at is null then 274877906944 + ${row}.created_order
    else cast(strftime('%s', ${row}.published_at) as integer) end`;
const inSecond = (of: string) => `between ${of}second * 16777216 and (${of}second + 1) * 16777216 - 1`;
const lastInSecond = (of: string) =>
  `(select max(number) + 1 from version_facts f where f.number ${inSecond(of)})`;
const scope = (status: string) =>
  `'c' || hex(changelog_id) || case ${status} when 'published' then ' p' || hex(changelog_id) else '' end
    || coalesce(' m' || major || ' n' || substr(version_order, 1,
      length(major) + 3 + cast(substr(version_order, length(major) + 1, 3) as integer)), '')`;

/** The index lowers every letter but the Turkish dotted capital I. */
const writesFacts = (
  id: string,
  marks: string,
) => `insert into version_facts (number, version_id, changelog_id, label, status, sort_key,
    version_order, major, is_prerelease, scope, types, body)
  select coalesce(${lastInSecond('')},
      second * 16777216) + row_number() over (partition by second order by id) - 1,
    id, changelog_id, label, status, sort_key, version_order, major, coalesce(substr(version_order, -1) <> '~', 0),
    ${scope('status')},
    coalesce((select group_concat(distinct ${marks}) from changes where version_id = every.id), ''),
    ${BODY}
  from (select *, substr(version_order, 1, 3 + cast(substr(version_order, 1, 3) as integer)) as major
    from (select v.*, ${second('v')} as second, ${VERSION_ORDER} as version_order,
      replace(substr(v.label || char(10) || v.title || char(10) || coalesce(v.description, '') || char(10)
        || coalesce((select group_concat(text, char(10))
          from (select text from changes where version_id = v.id order by position)), ''), 1, 100000), 'İ', 'i') as written
      from versions v where v.id = ${id})) every;`;
const FORGETS_LABEL = `delete from version_facts
    where changelog_id = new.changelog_id and status in ('draft', 'published') and label = new.label;`;

/** `marks` are words to find a version by: those of one of its changes. */
export const factsTriggers = (marks: string, changeColumns: string) => ({
  onInsert: `create trigger versions_facts_on_insert after insert on versions begin
  delete from version_facts where version_id = new.id;
  ${FORGETS_LABEL}
  ${writesFacts('new.id', marks)} end`,
  onChange: `create trigger changes_facts_on_update after update of ${changeColumns} on changes begin
  delete from version_facts where version_id = new.version_id;
  ${writesFacts('new.version_id', marks)} end`,
  onUpdate: `create trigger versions_facts_on_update
  after update of id, changelog_id, label, title, description, change_count on versions begin
  delete from version_facts where version_id = old.id; delete from version_facts where version_id = new.id;
  ${FORGETS_LABEL}
  ${writesFacts('new.id', marks)} end`,
});
const { onInsert, onChange, onUpdate } = factsTriggers('type', 'type, text, position');

const VERSION_FACTS = [
  `create table version_facts (
  number integer not null primary key, version_id text not null unique, changelog_id text not null,
  label text not null, status text not null, sort_key text not null, version_order text, major text,
  is_prerelease integer not null, scope text not null, types text not null, body text not null)`,
  ...FACTS_INDEXES,
  onInsert,
  onChange,
  goesWith('versions', 'version_facts', 'version_id'),
  goesWith('versions', 'import_marks', 'version_id'),
];

const TOKENS = `tokenize = 'unicode61 remove_diacritics 0 categories ''Lu Ll Lt Lm N*'''`;
const searchTable = (kind: string) =>
  `create virtual table ${kind}_search using fts5 (
  scope, types, body, content = '${kind}_search_rows', content_rowid = 'number', ${TOKENS})`;
const indexes = (kind: string, rows: string) =>
  `insert into ${kind}_search (rowid, scope, types, body) select number, scope, types, body from ${rows};`;
const unindexes = (kind: string, rows: string) =>
  `insert into ${kind}_search (${kind}_search, rowid, scope, types, body)
    select 'delete', number, scope, types, body from ${rows};`;
const factsRow = (row: string, condition: string) =>
  `(select ${row}.number as number, ${row}.scope as scope, ${row}.types as types, ${row}.body as body
    where ${condition})`;
const IS_PUBLIC = `new.status = 'published'
    and exists (select 1 from public_changelogs where changelog_id = new.changelog_id)`;
const WAS_PUBLIC = 'exists (select 1 from public_facts where number = old.number)';
const HIDDEN_FACTS = `version_facts where changelog_id = new.changelog_id and status = 'published'
    and not exists (select 1 from public_facts where number = version_facts.number)`;
const PUBLIC_FACTS = `version_facts where changelog_id = old.changelog_id
    and exists (select 1 from public_facts where number = version_facts.number)`;
// A row is indexed before it counts as public, and stops counting after it was removed from the index.
const INDEXES_NEW = `${indexes('public', factsRow('new', IS_PUBLIC))}
  ${indexes('hidden', factsRow('new', `not (${IS_PUBLIC})`))}
  insert into public_facts (number) select new.number where ${IS_PUBLIC};`;
const UNINDEXES_OLD = `${unindexes('public', factsRow('old', WAS_PUBLIC))}
  ${unindexes('hidden', factsRow('old', `not ${WAS_PUBLIC}`))}
  delete from public_facts where number = old.number;`;

/** Two full-text indexes, so that a public search reads no hidden word (R9). */
const PUBLIC_ROWS = [
  ...publicChangelogs(TYPES).map((sql) => sql.replace(/^create table .*$/s, '$& without rowid')),
  `create table public_facts (number integer not null primary key)`,
  `create view public_search_rows as select number, scope, types, body from version_facts
  where number in (select number from public_facts)`,
  `create view hidden_search_rows as select number, scope, types, body from version_facts
  where number not in (select number from public_facts)`,
  searchTable('public'),
  searchTable('hidden'),
  `create trigger version_facts_indexed after insert on version_facts begin ${INDEXES_NEW} end`,
  `create trigger version_facts_not_indexed after delete on version_facts begin ${UNINDEXES_OLD} end`,
  `create trigger public_changelogs_shown after insert on public_changelogs begin
  ${unindexes('hidden', HIDDEN_FACTS)}
  ${indexes('public', HIDDEN_FACTS)}
  insert into public_facts (number) select number from ${HIDDEN_FACTS}; end`,
  `create trigger public_changelogs_hidden after delete on public_changelogs begin
  ${unindexes('public', PUBLIC_FACTS)}
  ${indexes('hidden', PUBLIC_FACTS)}
  delete from public_facts where number in (select number from version_facts where changelog_id = old.changelog_id);
  end`,
];

const touches = (rows: string) => `insert into touches (team_id, product_id, revision, public_revision)
    select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
    from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
      union all ${rows}), revision where true
    on conflict (team_id, product_id) do update
      set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision);`;

const PUBLIC_NOW = `select t.slug as team_slug, p.slug as product_slug, t.id as team_id, p.id as product_id,
      c.id as changelog_id
    from teams t join products p on p.team_id = t.id join changelogs c on c.product_id = p.id
    where t.visibility = 'public' and p.status = 'published' and c.status = 'published'`;

const refreshesPublic = (stale: string, written: string) => `delete from public_changelogs where ${stale}
    and not exists (select 1 from (${PUBLIC_NOW}) n where n.changelog_id = public_changelogs.changelog_id);
  insert into public_changelogs (team_slug, product_slug, team_id, product_id, changelog_id)
    ${PUBLIC_NOW} and ${written}
    on conflict (changelog_id) do update set team_slug = excluded.team_slug, product_slug = excluded.product_slug,
      team_id = excluded.team_id, product_id = excluded.product_id
    where (team_slug, product_slug, team_id, product_id) is not
      (excluded.team_slug, excluded.product_slug, excluded.team_id, excluded.product_id);`;

type TouchRule = Readonly<{
  table: string;
  /** The columns of a row `r` that `touched` needs. */
  columns: readonly string[];
  touched: (rows: string) => string;
  deleted?: (rows: string) => string;
  /** Runs between what was touched before a write and what is after it. `old` is a row, and `new` itself on insert. */
  refresh?: (old: string) => string;
  forget?: string;
  updatedOf?: string;
}>;

const rowOf = (columns: readonly string[], row: string) =>
  `(select ${columns.map((column) => `${row}.${column} as ${column}`).join(', ')})`;

const touchesOn = ({ table, columns, touched, deleted = touched, refresh, forget, updatedOf }: TouchRule) => {
  const trigger = (event: string, of: string, body: readonly string[]) =>
    `create trigger ${table}_touch_on_${event} after ${event} ${of} on ${table}
  begin update revision set value = value + 1; ${body.join(' ')} end`;
  const [older, newer] = [touches(touched(rowOf(columns, 'old'))), touches(touched(rowOf(columns, 'new')))];
  return {
    insert: trigger('insert', '', [refresh?.('new') ?? '', newer]),
    update: trigger('update', updatedOf ?? '', [older, refresh?.('old') ?? '', newer]),
    delete: trigger('delete', '', [touches(deleted(rowOf(columns, 'old'))), forget ?? '']),
  };
};

/** For the rows that `or replace` deletes without firing a trigger. */
const touchesReplaced = ({ table, columns, touched }: TouchRule, same: string, updatedOf = '') => {
  const trigger = (event: string, of: string, others: string) =>
    `create trigger ${table}_touch_on_${event}_replacing before ${event} ${of} on ${table}
  when exists (select 1 from ${table} where ${same} ${others})
  begin update revision set value = value + 1;
    ${touches(touched(`(select ${columns.join(', ')} from ${table} where ${same} ${others})`))} end`;
  return [trigger('insert', '', ''), trigger('update', updatedOf, 'and id <> old.id')];
};

const PRODUCT_OF_CHANGELOG = 'join products p on p.id = c.product_id';
const CHANGELOG_IS_PUBLIC = 'exists (select 1 from public_changelogs where changelog_id = c.id)';
export const VERSION_COLUMNS =
  'id, changelog_id, label, title, status, published_at, description, yanked, created_order';

const TEAMS: TouchRule = {
  table: 'teams',
  columns: ['id'],
  touched: (rows) =>
    `select r.id, 0, exists (select 1 from public_changelogs where team_id = r.id), null from ${rows} r`,
  deleted: (rows) => `select 0, 0, exists (select 1 from public_changelogs where team_id = r.id),
      (select max(public_revision) from touches where team_id = r.id) from ${rows} r`,
  refresh: (old) =>
    refreshesPublic(`(team_id in (${old}.id, new.id) or team_slug = new.slug)`, 't.id = new.id'),
  forget: 'delete from public_changelogs where team_id = old.id; delete from touches where team_id = old.id;',
};
const PRODUCTS: TouchRule = {
  table: 'products',
  columns: ['id', 'team_id'],
  touched: (rows) =>
    `select r.team_id, r.id, exists (select 1 from public_changelogs where product_id = r.id), null from ${rows} r`,
  deleted: (rows) => `select t.id, 0, exists (select 1 from public_changelogs where product_id = r.id),
        (select max(public_revision) from touches where team_id = t.id and product_id = r.id)
      from ${rows} r join teams t on t.id = r.team_id or t.id in (select team_id from touches where product_id = r.id)
      where exists (select 1 from teams where id = r.team_id)`,
  refresh: (old) =>
    refreshesPublic(
      `(product_id in (${old}.id, new.id) or team_id = new.team_id and product_slug = new.slug)
    and exists (select 1 from teams where id = public_changelogs.team_id)`,
      'p.id = new.id',
    ),
  forget: `delete from public_changelogs where product_id = old.id
      and exists (select 1 from teams where id = public_changelogs.team_id);
    delete from touches where product_id = old.id and exists (select 1 from teams where id = old.team_id);`,
};
const CHANGELOGS: TouchRule = {
  table: 'changelogs',
  columns: ['product_id'],
  touched: (rows) =>
    `select p.team_id, p.id, exists (select 1 from public_changelogs where product_id = p.id), null
      from ${rows} r join products p on p.id = r.product_id`,
  refresh: (old) =>
    refreshesPublic(
      `(changelog_id in (${old}.id, new.id) or product_id in (${old}.product_id, new.product_id))
    and exists (select 1 from products where id = public_changelogs.product_id)`,
      'c.id = new.id',
    ),
  forget: `delete from public_changelogs where changelog_id = old.id
      and exists (select 1 from products where id = public_changelogs.product_id);`,
};
const VERSIONS: TouchRule = {
  table: 'versions',
  columns: ['changelog_id', 'status'],
  touched: (rows) => `select p.team_id, p.id, r.status = 'published' and ${CHANGELOG_IS_PUBLIC}, null
      from ${rows} r join changelogs c on c.id = r.changelog_id ${PRODUCT_OF_CHANGELOG}`,
  updatedOf: `of ${VERSION_COLUMNS}, updated_at, publish_at`,
};
const CHANGES: TouchRule = {
  table: 'changes',
  columns: ['version_id'],
  touched: (rows) => `select p.team_id, p.id, v.status = 'published' and ${CHANGELOG_IS_PUBLIC}, null
      from ${rows} r join versions v on v.id = r.version_id join changelogs c on c.id = v.changelog_id
        ${PRODUCT_OF_CHANGELOG}`,
};
const keyRule = (table: string): TouchRule => ({
  table,
  columns: ['team_id'],
  touched: (rows) => `select r.team_id, -1, false, null from ${rows} r`,
  deleted: (rows) => `select t.id, -1, false, null from ${rows} r join teams t on t.id = r.team_id`,
});
export const touchesOnUpdateOf = (columns: string) =>
  touchesOn({ ...VERSIONS, updatedOf: `of ${columns}, updated_at, publish_at` }).update;
const { update: versionsTouchedOnUpdate, ...versionsTouched } = touchesOn(VERSIONS);

const REVISIONS = [
  ...revisions(TYPES),
  `insert into revision (id, value, cursor_key) values (1, 1, lower(hex(randomblob(16))))`,
  ...Object.values(touchesOn(TEAMS)),
  ...touchesReplaced(TEAMS, '(id = new.id or slug = new.slug)'),
  ...Object.values(touchesOn(PRODUCTS)),
  ...touchesReplaced(PRODUCTS, '(id = new.id or team_id = new.team_id and slug = new.slug)'),
  ...Object.values(touchesOn(CHANGELOGS)),
  ...touchesReplaced(CHANGELOGS, '(id = new.id or product_id = new.product_id)'),
  ...Object.values(versionsTouched),
  ...touchesReplaced(VERSIONS, SAME_VERSION, `of ${VERSION_COLUMNS}`),
  ...Object.values(touchesOn(CHANGES)),
  ...touchesReplaced(CHANGES, SAME_CHANGE),
  ...Object.values(touchesOn(keyRule('api_keys'))),
  ...Object.values(touchesOn(keyRule('api_key_products'))),
];

const NOW = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;
/** A time ahead of the clock moves by a millisecond, because it must not go back. */
const movedOn = (last: string) => `case
      when ${last} <= ${NOW} then ${NOW}
      when ${last} < '9999' then strftime('%Y-%m-%dT%H:%M:%fZ', ${last}, '+0.001 seconds')
      else ${last} end`;
const UPDATED_NOW = `updated_at = ${movedOn("coalesce(updated_at, published_at, '')")}`;
const RECOUNT = `update versions set change_count = ${COUNT}, ${UPDATED_NOW}`;
const RECOUNT_NOTED = `${RECOUNT} where id in (select version_id from uncounted) and change_count <> ${COUNT};
  delete from uncounted;`;
export const RECORDED = ['id', 'label', 'title', 'status', 'published_at', 'description', 'yanked'];
const CHANGE_COLUMNS = ['id', 'version_id', 'position', 'type', 'text', 'breaking'];
const isChanged = (columns: readonly string[]) =>
  `(${columns.map((column) => `new.${column}`).join(', ')})
    is not (${columns.map((column) => `old.${column}`).join(', ')})`;

/** `columns` are those that the record of a version shows. */
export const datesUpdateOf = (columns: readonly string[]) =>
  `create trigger versions_updated_on_update after update of ${columns.join(', ')}, updated_at on versions
  when new.updated_at is old.updated_at and ${isChanged(columns)}
    or new.updated_at is null and new.published_at is null
  begin update versions set updated_at = ${movedOn("coalesce(old.updated_at, old.published_at, '')")}
    where id = new.id; end`;

/**
 * When anything that the record of a version shows last changed (R45). Null: not since it was created with the date of
 * `published_at`. A write that sets `updated_at` itself keeps its value. A date of publication counts as ahead of the clock
 * from five minutes on, because clocks differ.
 */
const UPDATE_TIMES = [
  // A row that `or replace` puts in the place of another has changed.
  `create trigger versions_updated_on_insert_replacing before insert on versions
  when exists (select 1 from versions where id = new.id or changelog_id = new.changelog_id and label = new.label)
  begin insert into uncounted values (new.id) on conflict (version_id) do nothing; end`,
  `create trigger versions_updated_on_insert after insert on versions
  when new.updated_at is null and (new.published_at is null
    or new.published_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+5 minutes')
    or exists (select 1 from uncounted where version_id = new.id))
  begin update versions set updated_at = ${NOW} where id = new.id;
    delete from uncounted where version_id = new.id; end`,
  datesUpdateOf(RECORDED),
  `create trigger changes_count_on_insert after insert on changes
  begin ${RECOUNT} where id = new.version_id; ${RECOUNT_NOTED} end`,
  `create trigger changes_count_on_update after update of id, version_id, position on changes
  when old.version_id <> new.version_id or exists (select 1 from uncounted)
  begin update versions set change_count = ${COUNT} where id in (old.version_id, new.version_id); ${RECOUNT_NOTED} end`,
  `create trigger changes_count_on_delete after delete on changes
  begin ${RECOUNT} where id = old.version_id; end`,
  `create trigger changes_updated_on_update after update of ${CHANGE_COLUMNS.join(', ')} on changes
  when ${isChanged(CHANGE_COLUMNS)}
  begin update versions set ${UPDATED_NOW} where id in (old.version_id, new.version_id); end`,
  versionsTouchedOnUpdate,
];

export const ON_RESTATE = `create trigger versions_facts_on_restate after update of status, published_at, created_order on versions
  when (new.status, new.published_at, new.created_order) is not (old.status, old.published_at, old.created_order)
  begin update version_facts set status = new.status, sort_key = new.sort_key,
    number = case when number ${inSecond('every.')} then number
      else coalesce(${lastInSecond('every.')}, every.second * 16777216, number) end,
    scope = ${scope('new.status')}
  from (select ${second('new')} as second) every
  where version_id = new.id; end`;

/** A version whose state or date changes keeps what was worked out from its texts: that is most of the work. */
const RESTATED_FACTS = [
  `create trigger version_facts_reindexed after update on version_facts begin ${UNINDEXES_OLD} ${INDEXES_NEW} end`,
  onUpdate,
  ON_RESTATE,
];

export const SQLITE: readonly string[] = [
  ...contentAndKeys(TYPES),
  ...VERSION_INDEXES,
  ...FOREIGN_KEYS,
  ...CHANGE_COUNTS,
  ...VERSION_FACTS,
  ...PUBLIC_ROWS,
  ...REVISIONS,
  ...UPDATE_TIMES,
  ...RESTATED_FACTS,
];
