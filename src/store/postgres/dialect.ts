// The SQL in which PostgreSQL differs.
import { sql } from 'kysely';
import { type Fields, type SearchDialect, type Sql, type SqlDialect, selected } from '../engine/dialect.ts';

/** An arbitrary number, the same for all writers: one of them writes at a time. */
export const WRITER_LOCK = 7_423_116_021;

/** The same function splits the texts and the phrase, and puts the scope of the changelog before every word. */
const SEARCH: SearchDialect = {
  formatPhrase: (words) => words.join(' '),
  parts: [
    (phrase) => sql`select distinct 0 as place, version_id from search where words @@ cast(
      cast(phraseto_tsquery('simple', scoped_words(changelogs.id, ${phrase})) as text) || ':*' as tsquery)`,
  ],
  sliceRows: null,
};

/**
 * Of an array, the planner expects 10 elements, of JSON 100, which makes it read a whole table of some thousand versions
 * instead of looking them up.
 */
const elementsOf = (list: Sql) => sql`unnest(array(select json_array_elements_text(cast(${list} as json))))`;

/** A text of many rows: within another JSON text it would be escaped. */
const longText = (text: Sql<string>) => Object.assign(text, { isLong: true });

/** Each column of a result takes the driver some time. So everything but long texts is one column, with the names. */
function pack(fields: Fields): Sql {
  const named: Sql[] = [];
  const long: Record<string, Sql> = {};
  for (const [name, value] of Object.entries(fields)) {
    const field = typeof value === 'string' ? sql.ref(value) : value;
    if ('isLong' in field) long[name] = field;
    else named.push(sql`${sql.lit(name)}, ${field}`);
  }
  return selected({ packed: sql`cast(json_build_object(${sql.join(named)}) as text)`, ...long });
}

const unpack = ({ packed, ...rest }: Record<string, unknown>) =>
  typeof packed === 'string' ? Object.assign(JSON.parse(packed), rest) : rest;

const sequenceOf = (table: string) => sql`cast(pg_get_serial_sequence(${table}, 'id') as regclass)`;

export const POSTGRES: SqlDialect = {
  engine: 'postgres',
  text: sql`text collate "C"`,
  due: {
    // Cut off after the milliseconds, so never early.
    now: sql`to_char(statement_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    // The commands have this lock from before they read. Others have the row.
    waitForWriters: sql`and pg_advisory_xact_lock(${sql.lit(WRITER_LOCK)}) is not null for update`,
    // After waiting, the conditions are checked again on the rows as they are now. A writer that has locked a row before it
    // waits for the revision would wait for this statement while this one waits for it.
    lockRows: sql`for update of v skip locked for share of p, c skip locked`,
  },
  greatest: sql`greatest`,
  // Without the spaces and newlines of `json_agg`.
  rowsAsJson: (fields, from) =>
    longText(sql`(select '[' || coalesce(string_agg(cast(row_to_json(found) as text), ','), '') || ']'
      from (select ${selected(fields)} ${from}) found)`),
  tuplesAsJson: (columns, rows) =>
    longText(sql`(select '[' || coalesce(
      string_agg(cast(json_build_array(${columns}) as text), ','), '') || ']' from (${rows}) agg)`),
  pack,
  unpack,
  textsOf: (list) => sql`(select value from ${elementsOf(list)} every (value))`,
  newestOfEach: (each, rest) => sql`select own.* from ${each} each
    cross join lateral (select versions.* from versions ${rest}) own`,
  lastId: {
    find: (table) => sql`select pg_sequence_last_value(${sequenceOf(table)}) as value`,
    set: (table, value) => [sql`select setval(${sequenceOf(table)}, ${value})`],
  },
  search: SEARCH,
  catalogue: {
    columnsOf: (table) => sql`select attname as name from pg_attribute
      where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped`,
    // Functions and types are names, too: creating one would fail, or replace that of another program.
    names: sql`select relname as name, relkind in ('r', 'p', 'f', 'v', 'm') and not exists (select from pg_depend
        where classid = cast('pg_class' as regclass) and objid = pg_class.oid and deptype = 'e') as "isTable"
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace where nspname = current_schema()
      union all select proname, false
      from pg_proc join pg_namespace on pg_namespace.oid = pronamespace where nspname = current_schema()
      union all select typname, false
      from pg_type join pg_namespace on pg_namespace.oid = typnamespace where nspname = current_schema()
      order by name`,
    place: sql`select current_schema() as "schema", current_setting('search_path') as path`,
    setMode: null,
  },
};
