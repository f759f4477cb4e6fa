// The schema for SQLite. Triggers also do what foreign keys would: SQLite enforces those only on connections that turn
// them on. `or replace` deletes rows without firing a trigger, so triggers before an insert touch what it may delete.
import { countsOf, isChanged, isPublic, movedOn, PUBLIC_NOW, TOUCHED, tables, touches } from './tables.ts';

const TABLES = tables({
  text: 'text',
  identity: 'integer primary key autoincrement',
  bigint: 'integer',
  id: 'number integer primary key, id text not null unique',
});

const BUMP = 'update revision set value = value + 1;';

const touch = (rows: string) => `${touches(rows, 'max', 'max')};`;

const refreshPublic = (stale: string, written: string) => `delete from public_changelogs where ${stale}
    and not exists (select 1 from (${PUBLIC_NOW}) n where n.changelog_id = public_changelogs.changelog_id);
  insert into public_changelogs (team_slug, product_slug, team_id, product_id, changelog_id)
    ${PUBLIC_NOW} and ${written}
    on conflict (changelog_id) do update set (team_slug, product_slug, team_id, product_id) =
      (excluded.team_slug, excluded.product_slug, excluded.team_id, excluded.product_id);`;

const oneRow = (row: string, ...columns: readonly string[]) =>
  `(select ${columns.map((column) => `${row}.${column} as ${column}`).join(', ')})`;

/** What was there before is touched before what is public is made right again, what is there now after it. */
const teamOf = (row: string) => touch(TOUCHED.teams(oneRow(row, 'id')));
const teamsPublic = (old: string) =>
  refreshPublic(`(team_id in (${old}.id, new.id) or team_slug = new.slug)`, 't.id = new.id');
const SAME_TEAM = 'from teams where id = new.id or slug = new.slug';
const TEAMS = [
  `create trigger teams_replaced before insert on teams when exists (select 1 ${SAME_TEAM})
  begin ${BUMP} ${touch(TOUCHED.teams(`(select id ${SAME_TEAM})`))} end`,
  `create trigger teams_on_insert after insert on teams begin ${BUMP} ${teamsPublic('new')} ${teamOf('new')} end`,
  `create trigger teams_on_update after update on teams
  begin ${BUMP} ${teamOf('old')} ${teamsPublic('old')} ${teamOf('new')} end`,
  `create trigger teams_on_delete after delete on teams
  begin ${BUMP} ${touch(TOUCHED.deletedTeams(oneRow('old', 'id')))}
  delete from public_changelogs where team_id = old.id;
  delete from touches where team_id = old.id;
  delete from products where team_id = old.id;
  delete from api_keys where team_id = old.id; end`,
];

const productOf = (row: string) => touch(TOUCHED.products(oneRow(row, 'id', 'team_id')));
const productsPublic = (old: string) =>
  refreshPublic(
    `(product_id in (${old}.id, new.id) or team_id = new.team_id and product_slug = new.slug)
    and exists (select 1 from teams where id = public_changelogs.team_id)`,
    'p.id = new.id',
  );
const SAME_PRODUCT =
  'from products where (id = new.id or team_id = new.team_id and slug = new.slug or domain = new.domain)';
const TEAM_STAYS = 'exists (select 1 from teams where id = old.team_id)';
const PRODUCTS = [
  // Not even `or replace` takes the domain of another product.
  `create trigger products_replaced before insert on products when exists (select 1 ${SAME_PRODUCT})
  begin ${BUMP} ${touch(TOUCHED.products(`(select id, team_id ${SAME_PRODUCT})`))}
  select raise(abort, 'UNIQUE constraint failed: products.domain') ${SAME_PRODUCT}
    and domain = new.domain and id is not new.id and (team_id, slug) <> (new.team_id, new.slug); end`,
  `create trigger products_on_insert after insert on products
  begin ${BUMP} ${productsPublic('new')} ${productOf('new')} end`,
  `create trigger products_on_update after update on products
  begin ${BUMP} ${productOf('old')} ${productsPublic('old')} ${productOf('new')} end`,
  `create trigger products_on_delete after delete on products
  begin ${BUMP} ${touch(TOUCHED.deletedProducts(oneRow('old', 'id', 'team_id')))}
  delete from public_changelogs where product_id = old.id and ${TEAM_STAYS};
  delete from touches where product_id = old.id and ${TEAM_STAYS};
  delete from changelogs where product_id = old.id;
  delete from api_key_products where product_id = old.id; end`,
];

/**
 * The words of public texts: a public search reads no hidden word (R9). The upper half of a text's number is that of its
 * changelog, so that a search reads the words of one changelog only.
 */
const SEARCHES = { version_search: 'versions', change_search: 'changes' };
const SEARCH_TABLES = Object.keys(SEARCHES);
/** Letters of scripts without spaces that FTS5 takes for letters of other words. They are searched for in the texts. */
const IDEOGRAPHS = '㐀-鿿가-힣𠀀-𿿽々〱-〵〻ゝ-ゞー-ヾｰﾞ-ﾟ';
/** `body` with spaces for them: a hundred characters at a time, and one by one only where there are any. */
const WORDS = `case when octet_length(body) = length(body) or body not glob '*[${IDEOGRAPHS}]*' then body else (
      with recursive chunks (chunk, rest) as (select substr(body, 1, 100), substr(body, 101) union all
        select substr(rest, 1, 100), substr(rest, 101) from chunks where rest <> '')
      select group_concat(case when chunk not glob '*[${IDEOGRAPHS}]*' then chunk else (
        with recursive letters (letter, rest) as (select substr(chunk, 1, 1), substr(chunk, 2) union all
          select substr(rest, 1, 1), substr(rest, 2) from letters where rest <> '')
        select group_concat(case when letter glob '[${IDEOGRAPHS}]' then ' ' else letter end, '') from letters) end, '')
      from chunks) end`;
/** The index lowers every letter but the Turkish dotted capital I. */
const index = (table: string, texts: string) =>
  `insert into ${table} (rowid, body) select number, replace(${WORDS}, 'İ', 'i') from (${texts});`;
const OF_PUBLIC = `l.id = v.changelog_id and v.status = 'published' and ${isPublic('changelog_id', 'l.id')}`;
const indexVersions = (condition: string) =>
  index(
    'version_search',
    `select l.number << 32 | v.number as number,
      v.label || char(10) || v.title || char(10) || coalesce(v.description, '') as body
    from versions v cross join changelogs l where ${condition} and ${OF_PUBLIC}`,
  );
const indexChanges = (condition: string) =>
  index(
    'change_search',
    `select l.number << 32 | c.number as number, c.text as body
    from versions v cross join changelogs l cross join changes c on c.version_id = v.id
    where ${condition} and ${OF_PUBLIC}`,
  );

const textOf = (changelogId: string, number: string) =>
  `(select l.number << 32 from changelogs l where l.id = ${changelogId}) | ${number}`;
const forgetVersion = (row: string) =>
  `delete from version_search where rowid = ${textOf(`${row}.changelog_id`, `${row}.number`)};`;
const forgetChangesOf = (row: string, condition = 'true') => `delete from change_search where rowid in (
    select ${textOf(`${row}.changelog_id`, 'c.number')} from changes c where c.version_id = ${row}.id and ${condition});`;
const forgetChange = (versionIds: string) => `delete from change_search where rowid in (
    select ${textOf('v.changelog_id', 'old.number')} from versions v where v.id in (${versionIds}));`;

/**
 * With `secure-delete`, the words of deleted texts do not stay in the index. Without it, a large part of an index is
 * forgotten much faster, and then the rest is written anew.
 */
const forgetChangelog = (number: string) =>
  Object.entries(SEARCHES)
    .map(([table, texts]) => {
      const words = `from ${table} where rowid between ${number} << 32 and ${number} + 1 << 32`;
      return `insert into ${table} (${table}, rank) select 'secure-delete', 0
    where (select 50 * count(*) ${words}) > (select max(number) from ${texts});
  delete ${words};
  insert into ${table} (${table}) select 'optimize' where not (select v from ${table}_config where k = 'secure-delete');
  insert into ${table} (${table}, rank) values ('secure-delete', 1);`;
    })
    .join(' ');

const SEARCH = [
  ...SEARCH_TABLES.flatMap((table) => [
    `create virtual table ${table} using fts5 (body, columnsize = 0,
  tokenize = 'unicode61 remove_diacritics 0 categories ''Lu Ll Lt Lm N*''')`,
    `insert into ${table} (${table}, rank) values ('secure-delete', 1)`,
    // A delete looks for each of its words in several of these pages, which are 4,050 bytes long otherwise.
    `insert into ${table} (${table}, rank) values ('pgsz', 1000)`,
  ]),
  `create trigger public_changelogs_on_insert after insert on public_changelogs begin
  ${indexVersions('v.changelog_id = new.changelog_id')} ${indexChanges('v.changelog_id = new.changelog_id')} end`,
  `create trigger public_changelogs_on_delete after delete on public_changelogs begin
  ${forgetChangelog('(select number from changelogs where id = old.changelog_id)')} end`,
];

const changelogOf = (row: string) => touch(TOUCHED.changelogs(oneRow(row, 'product_id')));
const changelogsPublic = (old: string) =>
  refreshPublic(
    `(changelog_id in (${old}.id, new.id) or product_id in (${old}.product_id, new.product_id))
    and exists (select 1 from products where id = public_changelogs.product_id)`,
    'c.id = new.id',
  );
const SAME_CHANGELOG = 'from changelogs where id = new.id or product_id = new.product_id';
const CHANGELOGS = [
  `create trigger changelogs_replaced before insert on changelogs when exists (select 1 ${SAME_CHANGELOG})
  begin ${BUMP} ${touch(TOUCHED.changelogs(`(select product_id ${SAME_CHANGELOG})`))}
  insert into replaced (version_id) values (''); end`,
  `create trigger changelogs_on_insert after insert on changelogs begin ${BUMP}
  ${SEARCH_TABLES.map(
    (table) => `delete from ${table} where exists (select 1 from replaced)
    and rowid >> 32 not in (select number from changelogs);`,
  ).join(' ')}
  delete from public_changelogs where changelog_id = new.id or product_id = new.product_id;
  ${changelogsPublic('new')} ${changelogOf('new')} delete from replaced; end`,
  `create trigger changelogs_on_update after update on changelogs
  begin ${BUMP} ${changelogOf('old')} ${changelogsPublic('old')} ${changelogOf('new')}
  update versions set changelog_id = new.id where changelog_id = old.id and old.id <> new.id; end`,
  `create trigger changelogs_on_delete after delete on changelogs begin ${BUMP} ${changelogOf('old')}
  ${forgetChangelog('old.number')}
  delete from public_changelogs where changelog_id = old.id
    and exists (select 1 from products where id = public_changelogs.product_id);
  delete from versions where changelog_id = old.id; end`,
];

const NOW = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;
const moved = (last: string) =>
  movedOn(last, NOW, `strftime('%Y-%m-%dT%H:%M:%fZ', ${last}, '+0.001 seconds')`);

const SEARCHED = 'changelog_id, label, title, description, status';
const IS_RESTATED = isChanged('is not', 'changelog_id, status');

/** Of a row of `versions`. Sums of different bits have all of them. */
const COUNTS = `(${countsOf('versions.id', (bits) => `sum(distinct ${bits})`)})`;
const RECOUNT = `(change_count, types, breaking) = ${COUNTS},
    updated_at = ${moved("coalesce(updated_at, published_at, '')")}`;

const versionsIn = (rows: string) =>
  touch(`select p.team_id, p.id, r.status = 'published' and ${isPublic('changelog_id', 'c.id')}, 0
      from (${rows}) r join changelogs c on c.id = r.changelog_id join products p on p.id = c.product_id`);
const SAME_VERSION = '(id = new.id or changelog_id = new.changelog_id and label = new.label)';
const SAME_CHANGE = '(id = new.id or version_id = new.version_id and position = new.position)';

/** Of what `or replace` may have deleted, forgets what is gone: the insert may also have been ignored. */
const forgetReplaced = (...except: readonly string[]) => `delete from version_search where rowid in (
    select version_text from replaced where not exists (
      select 1 from versions v where v.number = version_text & 4294967295 and v.number is not ${except[0]}));
  delete from change_search where rowid in (
    select change_text from replaced where not exists (select 1 from changes c join versions v on v.id = c.version_id
      where c.number = change_text & 4294967295 and v.number is not ${except[0]} and c.number is not ${except[1]}));
  delete from replaced;`;

const VERSIONS = [
  `create trigger versions_replaced before insert on versions when exists (select 1 from versions where ${SAME_VERSION})
  begin ${BUMP} ${versionsIn(`select changelog_id, status from versions where ${SAME_VERSION}`)}
  insert into replaced (version_text, version_id)
    select ${textOf('changelog_id', 'number')}, id from versions where ${SAME_VERSION};
  insert into replaced (change_text, version_id)
    select ${textOf('v.changelog_id', 'c.number')}, v.id from versions v join changes c on c.version_id = v.id
    where v.number in (select number from versions where ${SAME_VERSION}); end`,
  `create trigger versions_on_insert after insert on versions begin ${BUMP}
  ${versionsIn('select new.changelog_id, new.status')}
  update versions set updated_at = ${NOW} where number = new.number and new.updated_at is null
    and (new.published_at is null or new.published_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+5 minutes')
      or exists (select 1 from replaced));
  update versions set (change_count, types, breaking) = ${COUNTS}
    where number = new.number and (change_count, types, breaking) is not ${COUNTS};
  ${forgetReplaced('new.number', 'null')}
  ${indexVersions('v.number = new.number')} ${indexChanges('v.number = new.number')} end`,
  `create trigger versions_on_update after update on versions begin ${BUMP}
  ${versionsIn(`select new.changelog_id, max(old.status, new.status) as status
      union all select old.changelog_id, old.status where old.changelog_id <> new.changelog_id`)}
  update versions set updated_at = ${moved("coalesce(old.updated_at, old.published_at, '')")}
    where number = new.number and (new.updated_at is old.updated_at and ${isChanged('is not')}
      or new.updated_at is null and new.published_at is null);
  update changes set version_id = new.id where version_id = old.id and old.id <> new.id;
  update import_marks set version_id = new.id where version_id = old.id and old.id <> new.id; end`,
  `create trigger versions_searched_on_update after update of ${SEARCHED} on versions
  when ${isChanged('is not', SEARCHED)} begin
  ${forgetVersion('old')} ${indexVersions('v.number = new.number')}
  ${forgetChangesOf('old', IS_RESTATED)} ${indexChanges(`v.number = new.number and ${IS_RESTATED}`)} end`,
  // Before its changes are gone, whose words are found by them.
  `create trigger versions_before_delete before delete on versions begin
  ${forgetVersion('old')} ${forgetChangesOf('old')} end`,
  `create trigger versions_on_delete after delete on versions begin ${BUMP}
  ${versionsIn('select old.changelog_id, old.status')}
  delete from changes where version_id = old.id;
  delete from import_marks where version_id = old.id; end`,
];

/** The update of the version touches its product. */
const CHANGES = [
  `create trigger changes_replaced before insert on changes when exists (select 1 from changes where ${SAME_CHANGE})
  begin insert into replaced (change_text, version_id)
    select ${textOf('v.changelog_id', 'c.number')}, v.id from changes c join versions v on v.id = c.version_id
    where c.number in (select number from changes where ${SAME_CHANGE}); end`,
  // Of a change that is written before its version, everything is left to the version.
  `create trigger changes_on_insert after insert on changes
  when exists (select 1 from versions where id = new.version_id) or exists (select 1 from replaced) begin
  update versions set ${RECOUNT} where id in (select new.version_id union select version_id from replaced);
  ${forgetReplaced('null', 'new.number')}
  ${indexChanges('v.id = new.version_id and c.number = new.number')} end`,
  `create trigger changes_on_update after update on changes
  when ${isChanged('is not', 'id, version_id, position, type, text, breaking')}
  begin update versions set ${RECOUNT} where id in (old.version_id, new.version_id);
  ${forgetChange('old.version_id, new.version_id')}
  ${indexChanges('v.id = new.version_id and c.number = new.number')} end`,
  `create trigger changes_on_delete after delete on changes begin
  update versions set ${RECOUNT} where id = old.version_id;
  ${forgetChange('old.version_id')} end`,
];

/** A change of the keys of a team (R5, R67). */
const keyTriggers = (table: string, forget = '') => {
  const touched = (row: string) => touch(TOUCHED.keys(`(select ${row}.team_id as team_id)`));
  return [
    `create trigger ${table}_on_insert after insert on ${table} begin ${BUMP} ${touched('new')} end`,
    `create trigger ${table}_on_update after update on ${table} begin ${BUMP} ${touched('old')} ${touched('new')} end`,
    `create trigger ${table}_on_delete after delete on ${table} begin ${BUMP} ${touched('old')} ${forget} end`,
  ];
};
const FORGET_KEY =
  'delete from api_key_products where key_id = old.id; delete from key_usage where key_id = old.id;';
const KEYS = [...keyTriggers('api_keys', FORGET_KEY), ...keyTriggers('api_key_products')];

export const SQLITE: readonly string[] = [
  ...TABLES,
  // A feed and an index in memory are read from it alone.
  `create index versions_listed on versions
  (changelog_id, status, published_at desc, id, label, title, change_count, yanked, types, breaking, updated_at)`,
  // What `or replace` may delete, as numbers of texts. No trigger is told what it does delete.
  'create table replaced (version_text integer, change_text integer, version_id text not null)',
  `insert into revision (id, value, cursor_key) values (1, 1, lower(hex(randomblob(16))))`,
  ...TEAMS,
  ...PRODUCTS,
  ...SEARCH,
  ...CHANGELOGS,
  ...VERSIONS,
  ...CHANGES,
  ...KEYS,
];
