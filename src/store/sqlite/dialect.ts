// SQLite for the query builder.
import type { Database } from 'better-sqlite3';
import { SqliteAdapter, SqliteDialect, SqliteQueryCompiler, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import {
  type SearchDialect,
  type Sql,
  type SqlDialect,
  type StoreAdapter,
  selected,
} from '../engine/dialect.ts';

const STATEMENTS_MAX = 500;
/** SQLite reads so many in a few milliseconds, during which nobody else is served. */
const SLICE_ROWS = 4_000;

export function dialectFor(database: Database, mode: 'read' | 'write', onClosed = () => {}) {
  // Preparing a statement takes longer than running it. There are few, because values are always parameters.
  const statements = new LRUCache({
    max: STATEMENTS_MAX,
    memoMethod: (text: string) => database.prepare(text),
  });
  const textFor = (text: string) => {
    // A transaction that reads first and then writes fails if another writer was in between. So it takes the lock first.
    if (text === 'begin' && mode === 'write') return 'begin immediate';
    // After an error such as a full disk, SQLite has already rolled back, and a second rollback would fail.
    return text === 'rollback' && !database.inTransaction ? 'select null' : text;
  };
  const close = () => {
    database.close();
    onClosed();
  };
  const plain = new SqliteDialect({ database: { prepare: (text) => statements.memo(textFor(text)), close } });
  return Object.assign(plain, {
    createAdapter: (): StoreAdapter => Object.assign(new SqliteAdapter(), { dialect: SQLITE }),
    ...(mode === 'read' && { createQueryCompiler: () => new OnePlanCompiler() }),
  });
}

/**
 * In a database with statistics, SQLite plans a statement again whenever a value is bound to a bare `?`, because another
 * plan may suit the new value. That takes far longer than running it. The reads have one plan for all values (R9).
 */
class OnePlanCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
  }
}

/** The upper half of a row's number is that of the changelog. */
const partOf = (index: string, versionId: Sql) => (phrase: Sql<string>, after: Sql<number>) =>
  sql`select s.rowid as place, ${versionId} as version_id from ${sql.ref(index)} s
    where s.${sql.ref(index)} match ${phrase} and s.rowid > max(${after}, changelogs.number << 32)
      and s.rowid < changelogs.number + 1 << 32 order by s.rowid limit ${sql.lit(SLICE_ROWS)}`;

const SEARCH: SearchDialect = {
  // Words consist of letters and digits, so nothing needs escaping.
  formatPhrase: (words) => `"${words.join(' ')}" *`,
  parts: [
    partOf('version_search', sql`(select v.id from versions v where v.number = s.rowid & 4294967295)`),
    partOf('change_search', sql`(select c.version_id from changes c where c.number = s.rowid & 4294967295)`),
  ],
  sliceRows: SLICE_ROWS,
};

const SQLITE: SqlDialect = {
  engine: 'sqlite',
  text: sql`text`,
  due: { now: sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`, waitForWriters: sql``, lockRows: sql`` },
  greatest: sql`max`,
  rowsAsJson: (fields, from) => {
    const values = Object.keys(fields).map((name) => sql`${sql.lit(name)}, ${sql.ref(`found.${name}`)}`);
    return sql`(select json_group_array(json_object(${sql.join(values)}))
      from (select ${selected(fields)} ${from}) found)`;
  },
  tuplesAsJson: (columns, rows) => sql`(select json_group_array(json_array(${columns})) from (${rows}))`,
  pack: selected,
  unpack: null,
  textsOf: (list) => sql`(select value from json_each(${list}))`,
  newestOfEach: (each, rest) => sql`select own.* from ${each} each
    cross join versions own on own.number in (select versions.number from versions ${rest})`,
  lastId: {
    find: (table) => sql`select seq as value from sqlite_sequence where name = ${table}`,
    set: (table, value) => [
      sql`delete from sqlite_sequence where name = ${table}`,
      sql`insert into sqlite_sequence (name, seq) values (${table}, ${value})`,
    ],
  },
  search: SEARCH,
  catalogue: {
    columnsOf: (table) => sql`select name from pragma_table_info(${table})`,
    // Names that differ only in case are the same.
    names: sql`select lower(name) as name, type in ('table', 'view') and name not like 'sqlite\\_%' escape '\\'
      as "isTable" from sqlite_schema order by name`,
    place: null,
    setMode: sql`pragma journal_mode = wal`,
  },
};
