// Step 0007 on SQLite: what is public all the way is a table and an index over words of its own, and a touch says whether
// anything public was written. The SQL is literal and imports nothing: a step that was released never changes.

const TABLES = [
  `create table public_changelogs (
    team_slug text not null,
    product_slug text not null,
    team_id integer not null,
    product_id integer not null,
    changelog_id text not null unique,
    primary key (team_slug, product_slug)) without rowid`,
  'create index public_changelogs_of_team on public_changelogs (team_id)',
  'create index public_changelogs_of_product on public_changelogs (product_id)',
  'create unique index api_keys_by_state on api_keys (status, hash)',
];

/** The changelogs that are public all the way: of a public team, of a published product, and published. */
const PUBLIC_NOW = `select t.slug as team_slug, p.slug as product_slug, t.id as team_id, p.id as product_id,
    c.id as changelog_id
  from teams t join products p on p.team_id = t.id join changelogs c on c.product_id = p.id
  where t.visibility = 'public' and p.status = 'published' and c.status = 'published'`;

/**
 * The words of what is public are in one index, those of everything else in another: nothing hidden is gone through in a
 * search of the public surface. In `public_facts` stands which rows are in the first.
 */
const TOKENS = "unicode61 remove_diacritics 0 categories ''Lu Ll Lt Lm N*''";
const SEARCH = [
  'create table public_facts (number integer not null primary key)',
  `create view public_search_rows as select number, scope, types, body from version_facts
    where number in (select number from public_facts)`,
  `create view hidden_search_rows as select number, scope, types, body from version_facts
    where number not in (select number from public_facts)`,
  ...['public', 'hidden'].map(
    (which) => `create virtual table ${which}_search using fts5 (
      scope, types, body, content = '${which}_search_rows', content_rowid = 'number', tokenize = '${TOKENS}')`,
  ),
];

const index = (which: string, rows: string) =>
  `insert into ${which}_search (rowid, scope, types, body) select number, scope, types, body from ${rows};`;
const unindex = (which: string, rows: string) =>
  `insert into ${which}_search (${which}_search, rowid, scope, types, body)
     select 'delete', number, scope, types, body from ${rows};`;

const row = (which: string, condition: string) =>
  `(select ${which}.number as number, ${which}.scope as scope, ${which}.types as types, ${which}.body as body
    where ${condition})`;
const NEW_IS_PUBLIC = `new.status = 'published'
  and exists (select 1 from public_changelogs where changelog_id = new.changelog_id)`;
const OLD_IS_PUBLIC = 'exists (select 1 from public_facts where number = old.number)';
const SHOWN = `version_facts where changelog_id = new.changelog_id and status = 'published'
  and not exists (select 1 from public_facts where number = version_facts.number)`;
const GONE = `version_facts where changelog_id = old.changelog_id
  and exists (select 1 from public_facts where number = version_facts.number)`;

/** A row is indexed before it counts as public, and stops to count after it was taken out. */
const SEARCH_TRIGGERS = [
  'drop trigger version_facts_indexed',
  'drop trigger version_facts_not_indexed',
  `create trigger version_facts_indexed after insert on version_facts begin
     ${index('public', row('new', NEW_IS_PUBLIC))}
     ${index('hidden', row('new', `not (${NEW_IS_PUBLIC})`))}
     insert into public_facts (number) select new.number where ${NEW_IS_PUBLIC}; end`,
  `create trigger version_facts_not_indexed after delete on version_facts begin
     ${unindex('public', row('old', OLD_IS_PUBLIC))}
     ${unindex('hidden', row('old', `not ${OLD_IS_PUBLIC}`))}
     delete from public_facts where number = old.number; end`,
  `create trigger public_changelogs_shown after insert on public_changelogs begin
     ${unindex('hidden', SHOWN)}
     ${index('public', SHOWN)}
     insert into public_facts (number) select number from ${SHOWN}; end`,
  `create trigger public_changelogs_hidden after delete on public_changelogs begin
     ${unindex('public', GONE)}
     ${index('hidden', GONE)}
     delete from public_facts where number in (select number from version_facts where changelog_id = old.changelog_id);
   end`,
];

/** What is public, and the two indexes over words, for all that there is. */
export const SQLITE_PUBLIC_ROWS_OF_ALL: readonly string[] = [
  `insert into public_changelogs (team_slug, product_slug, team_id, product_id, changelog_id) ${PUBLIC_NOW}`,
  `insert into public_facts (number) select f.number from public_changelogs p
     join version_facts f on f.changelog_id = p.changelog_id and f.status = 'published'`,
  `insert into public_search (public_search) values ('rebuild')`,
  `insert into hidden_search (hidden_search) values ('rebuild')`,
];

/**
 * Makes the table right again for what was written. What went together with the row above it is left to the trigger of
 * that row, which has yet to see what was public before.
 */
const refresh = (stale: string, fresh: string) =>
  `delete from public_changelogs where ${stale} and not exists (select 1 from (${PUBLIC_NOW}) n
     where n.changelog_id = public_changelogs.changelog_id);
   insert into public_changelogs (team_slug, product_slug, team_id, product_id, changelog_id) ${PUBLIC_NOW} and ${fresh}
     on conflict (changelog_id) do update set team_slug = excluded.team_slug, product_slug = excluded.product_slug,
       team_id = excluded.team_id, product_id = excluded.product_id
     where (team_slug, product_slug, team_id, product_id) is not
       (excluded.team_slug, excluded.product_slug, excluded.team_id, excluded.product_id);`;

type Rule = Readonly<{
  table: string;
  /** The row as the selects below see it, in place of {rows}. */
  columns: readonly string[];
  /** What no two rows have in common, besides their id. */
  unique?: readonly string[];
  /** Selects team, product and whether the row is public, of rows that were inserted or updated. */
  written: string;
  /** The same of a row that was deleted. The fourth column: when it last was public, if it is not now. */
  deleted: string;
  /** The touches that go with it. */
  forgotten?: string;
  updateOf?: string;
  /** Which rows of `public_changelogs` may be wrong after a write, and which may be missing. */
  refresh?: Readonly<{ written: readonly [string, string]; deleted: string }>;
}>;

const WITH_TEAM = 'exists (select 1 from teams where id = public_changelogs.team_id)';
const WITH_PRODUCT = 'exists (select 1 from products where id = public_changelogs.product_id)';
const OF_PRODUCT = 'exists (select 1 from public_changelogs where product_id = r.id)';
const OF_CHANGELOG = `exists (select 1 from public_changelogs where changelog_id =`;
/** Values that an update left and took; those of an insert alone are the new ones. */
const either = (column: string) => `({old}.${column}, new.${column})`;

const within = (joins: string, isPublic: string) =>
  `select p.team_id, p.id, ${isPublic} from {rows} r ${joins} join products p on p.id = c.product_id`;
const CHANGELOG_ROWS = `select p.team_id, p.id, exists (select 1 from public_changelogs where product_id = p.id)
  from {rows} r join products p on p.id = r.product_id`;
const VERSION_ROWS = within(
  'join changelogs c on c.id = r.changelog_id',
  `r.status = 'published' and ${OF_CHANGELOG} c.id)`,
);
const CHANGE_ROWS = within(
  'join versions v on v.id = r.version_id join changelogs c on c.id = v.changelog_id',
  `v.status = 'published' and ${OF_CHANGELOG} c.id)`,
);

const RULES: readonly Rule[] = [
  {
    table: 'teams',
    columns: ['id'],
    unique: ['slug'],
    written: 'select r.id, 0, exists (select 1 from public_changelogs where team_id = r.id) from {rows} r',
    deleted: `select 0, 0, exists (select 1 from public_changelogs where team_id = r.id),
      (select max(public_revision) from touches where team_id = r.id) from {rows} r`,
    forgotten: 'team_id = old.id',
    refresh: {
      written: [`(team_id in ${either('id')} or team_slug = new.slug)`, 't.id = new.id'],
      deleted: 'team_id = old.id',
    },
  },
  {
    table: 'products',
    columns: ['id', 'team_id'],
    unique: ['team_id', 'slug'],
    written: `select r.team_id, r.id, ${OF_PRODUCT} from {rows} r`,
    // A product that has changed teams was touched in each of them.
    deleted: `select t.id, 0, ${OF_PRODUCT},
        (select max(public_revision) from touches where team_id = t.id and product_id = r.id)
      from {rows} r join teams t on t.id = r.team_id
        or t.id in (select team_id from touches where product_id = r.id)
      where exists (select 1 from teams where id = r.team_id)`,
    forgotten: 'product_id = old.id and exists (select 1 from teams where id = old.team_id)',
    refresh: {
      written: [
        `(product_id in ${either('id')} or team_id = new.team_id and product_slug = new.slug) and ${WITH_TEAM}`,
        'p.id = new.id',
      ],
      deleted: `product_id = old.id and ${WITH_TEAM}`,
    },
  },
  {
    table: 'changelogs',
    columns: ['product_id'],
    unique: ['product_id'],
    written: CHANGELOG_ROWS,
    deleted: CHANGELOG_ROWS,
    refresh: {
      written: [
        `(changelog_id in ${either('id')} or product_id in ${either('product_id')}) and ${WITH_PRODUCT}`,
        'c.id = new.id',
      ],
      deleted: `changelog_id = old.id and ${WITH_PRODUCT}`,
    },
  },
  {
    table: 'versions',
    columns: ['changelog_id', 'status'],
    unique: ['changelog_id', 'label'],
    written: VERSION_ROWS,
    deleted: VERSION_ROWS,
    updateOf: 'id, changelog_id, label, title, status, published_at, description, yanked, created_order',
  },
  {
    table: 'changes',
    columns: ['version_id'],
    unique: ['version_id', 'position'],
    written: CHANGE_ROWS,
    deleted: CHANGE_ROWS,
  },
  ...['api_keys', 'api_key_products'].map((table) => ({
    table,
    columns: ['team_id'],
    written: 'select r.team_id, -1, false from {rows} r',
    deleted: 'select t.id, -1, false from {rows} r join teams t on t.id = r.team_id',
  })),
];

const ADVANCE = 'update revision set value = value + 1;';

const touch = (selected: string, rows: string) =>
  `insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all ${selected.replace('{rows}', rows)}), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision);`;
const touchWritten = ({ written }: Rule, rows: string) =>
  touch(written.replace(' from {rows}', ', null from {rows}'), rows);

/** What was there before is touched before what is public is made right again, what is there now after it. */
function writeTriggers(rule: Rule): string[] {
  const { table, columns, deleted, forgotten, updateOf } = rule;
  const rows = (which: 'new' | 'old') =>
    `(select ${columns.map((column) => `${which}.${column} as ${column}`).join(', ')})`;
  const trigger = (event: string, body: string) =>
    `create trigger ${table}_touch_on_${event} after ${withColumns(event, updateOf)} on ${table}
       begin ${ADVANCE} ${body} end`;
  const after = (old: 'old' | 'new') => {
    const [stale, fresh] = rule.refresh?.written ?? ['', ''];
    const refreshed = rule.refresh === undefined ? '' : refresh(stale.replaceAll('{old}', old), fresh);
    return refreshed + touchWritten(rule, rows('new'));
  };
  const lastly = rule.refresh === undefined ? '' : refreshDeleted(rule.refresh.deleted);
  const forget = forgotten === undefined ? '' : `delete from touches where ${forgotten};`;
  const goes = deleted.includes('public_revision')
    ? deleted
    : deleted.replace(' from {rows}', ', null from {rows}');
  return [
    trigger('insert', after('new')),
    trigger('update', touchWritten(rule, rows('old')) + after('old')),
    trigger('delete', touch(goes, rows('old')) + lastly + forget),
    ...writeReplaceTriggers(rule),
  ];
}

const refreshDeleted = (stale: string) => `delete from public_changelogs where ${stale};`;

const withColumns = (event: string, updateOf: string | undefined) =>
  event === 'update' && updateOf !== undefined ? `update of ${updateOf}` : event;

/** With `or replace`, rows that are in the way go without a word: no trigger tells of their deletion. */
function writeReplaceTriggers(rule: Rule): string[] {
  const { table, columns, unique, updateOf } = rule;
  if (unique === undefined) return [];
  const isShared = unique.map((column) => `${column} = new.${column}`).join(' and ');
  const trigger = (event: string, others: string) => {
    const inTheWay = `from ${table} where (id = new.id or ${isShared}) ${others}`;
    return `create trigger ${table}_touch_on_${event}_replacing before ${withColumns(event, updateOf)} on ${table}
      when exists (select 1 ${inTheWay})
      begin ${ADVANCE} ${touchWritten(rule, `(select ${columns.join(', ')} ${inTheWay})`)} end`;
  };
  return [trigger('insert', ''), trigger('update', 'and id <> old.id')];
}

const EVENTS = ['insert', 'update', 'delete'];
const REPLACING = ['insert_replacing', 'update_replacing'];

const TOUCHES = [
  'alter table touches add column public_revision integer not null default 0',
  'update touches set public_revision = revision where product_id <> -1',
  'create index touches_public_since on touches (public_revision)',
  ...RULES.flatMap(({ table, unique }) =>
    [...EVENTS, ...(unique === undefined ? [] : REPLACING)].map(
      (event) => `drop trigger ${table}_touch_on_${event}`,
    ),
  ),
  ...RULES.flatMap(writeTriggers),
];

export const SQLITE_PUBLIC_ROWS: readonly string[] = [
  ...TABLES,
  ...SEARCH,
  ...SQLITE_PUBLIC_ROWS_OF_ALL,
  'drop table version_search',
  ...SEARCH_TRIGGERS,
  ...TOUCHES,
];
