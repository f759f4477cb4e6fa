import { sql } from 'kysely';
import { COMMAND } from '../../command-name.ts';
import { TEXT_CHARACTERS_MAX, VERSIONS_MAX } from '../../domain/content/content.ts';
import { Refusal } from '../../errors.ts';
import { yieldToEventLoop } from '../../event-loop.ts';
import { rowInserter } from '../engine/batches.ts';
import { dialectOf, type Sql } from '../engine/dialect.ts';
import { asReader, type Reader, type Writer } from '../engine/engine.ts';
import { describeFailure } from '../engine/failures.ts';
import { advancePast, findCursorKey, findRevision } from '../engine/revisions.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * Changes before versions, and versions before changelogs: then the triggers of a version find all its changes, and those of
 * a changelog all its texts. Other rows refer only to earlier ones. Pages are read by the key, which has a unique index on
 * both engines.
 */
const COPIED = {
  teams: ['id'],
  products: ['id'],
  changes: ['version_id', 'position'],
  versions: ['changelog_id', 'label'],
  changelogs: ['id'],
  import_marks: ['version_id'],
  api_keys: ['id'],
  api_key_products: ['key_id', 'product_id'],
  key_usage: ['key_id'],
  hook_deliveries: ['hook', 'about', 'kind'],
  // Last: the triggers of the tables above write to it.
  touches: ['team_id', 'product_id'],
} as const satisfies Record<string, readonly string[]>;

type CopiedTable = keyof typeof COPIED;
export const COPIED_TABLES = Object.keys(COPIED) as CopiedTable[];

/** Texts may be long, and the rows of a page are in memory at once. */
const ROWS_A_PAGE = 200;
/** That of a database to which nothing was written. */
const NEW_REVISION = 1;

/** The tables whose ids the database chooses. It does not choose those of deleted rows again. */
const NUMBERED = ['teams', 'products'];

/** A failure of the database that is read: its caller could not tell it from one of the other. */
export class SourceError extends Error {}

export type CopyCounts = Readonly<Record<CopiedTable, number>>;

/** May throw, to stop. */
export type OnCopied = (rows: number, whole: number) => void;

/**
 * Copies every row to a database that has the schema and no content. All of it is in the transaction of `target`, so
 * nobody sees a part; `source` is read in one of its own, so all rows are of the same state.
 */
export async function copyRows(source: Reader, target: Writer, onCopied: OnCopied): Promise<CopyCounts> {
  const before = await findRevision(asReader(target));
  let done = 0;
  let whole = 0;
  const advance = async (rows: number) => {
    done += rows;
    // SQLite runs within this process: without it, no signal would arrive before the end.
    await yieldToEventLoop();
    onCopied(done, whole);
  };
  const { counts, revision } = await source.transaction().execute(async (snapshot) => {
    const read = readerOf(snapshot);
    await requireWithinLimits(read);
    const [counts] = (await read(COUNTS)) as [CopyCounts];
    whole = Object.values(counts).reduce((sum, count) => sum + count, 0);
    for (const table of COPIED_TABLES) {
      if (table === 'touches') await sql`delete from touches`.execute(target);
      await copyTable(read, target, table, advance);
    }
    for (const table of NUMBERED) {
      const [last] = await read(dialectOf(source).lastId.find(table));
      for (const statement of last?.value ? dialectOf(target).lastId.set(table, last.value) : [])
        await statement.execute(target);
    }
    const [revision] = await read(sql<Row>`select * from revision`);
    return { counts, revision };
  });
  await sql`update revision set value = ${revision?.value}, cursor_key = ${revision?.cursor_key}`.execute(
    target,
  );
  // The source may have used the same revisions for something else.
  if (before > NEW_REVISION) await advancePast(target, before);
  return counts;
}

type Read = <T>(query: Sql<T>) => Promise<T[]>;

function readerOf(snapshot: Reader): Read {
  return async (query) => {
    try {
      return (await query.execute(snapshot as unknown as Writer)).rows;
    } catch (cause) {
      throw new SourceError('the source cannot be read', { cause });
    }
  };
}

/** Plain SQL may have put in more (R68). */
async function requireWithinLimits(read: Read): Promise<void> {
  const [large] = await read(sql<{ name: string; size: number; what: string }>`
    select t.slug || '/' || p.slug as name, size, what from (
      select changelog_id as id, count(*) as size, 'versions' as what from versions group by changelog_id
      union all select id, length(description), 'characters in its description' from changelogs
      union all select changelog_id, length(description), 'characters in the description of ' || label from versions
      union all select changelog_id, length(text), 'characters in a change of ' || label
        from changes join versions on versions.id = version_id) sizes
    join changelogs c on c.id = sizes.id join products p on p.id = c.product_id join teams t on t.id = p.team_id
    where size > case what when 'versions' then ${sql.lit(VERSIONS_MAX)} else ${sql.lit(TEXT_CHARACTERS_MAX)} end
    limit 1`);
  if (large === undefined) return;
  const max = large.what === 'versions' ? VERSIONS_MAX : TEXT_CHARACTERS_MAX;
  throw new Refusal(
    `the changelog ${large.name} has ${Number(large.size).toLocaleString('en')} ${large.what}; at most ${max.toLocaleString('en')} are possible, and nothing was written.`,
  );
}

const COUNTS = sql<CopyCounts>`select ${sql.join(
  COPIED_TABLES.map((table) => sql`(select count(*) from ${sql.table(table)}) as ${sql.ref(table)}`),
)}`;

async function copyTable(
  read: Read,
  target: Writer,
  table: CopiedTable,
  onCopied: (rows: number) => Promise<void>,
): Promise<void> {
  const insert = rowInserter<Row>(table);
  const key = COPIED[table];
  const columns = sql.join(key.map((column) => sql.ref(column)));
  let rows: Row[] = [];
  do {
    const last = rows.at(-1);
    const after = last ? sql`where (${columns}) > (${sql.join(key.map((column) => last[column]))})` : sql``;
    rows = await read(sql<Row>`
      select * from ${sql.table(table)} ${after} order by ${columns} limit ${sql.lit(ROWS_A_PAGE)}`);
    // The engine computes these.
    const written = rows.map(({ sort_key: _, number: __, ...row }) => row);
    const inserted = await insert(target, written).catch((error) => {
      throw describeFailure(error) === null ? rowError(table, rows, error) : error;
    });
    if (inserted !== rows.length) throw rowError(table, rows, new Error('it is there already'));
    await onCopied(rows.length);
  } while (rows.length === ROWS_A_PAGE);
}

/** The engines do not accept the same rows from plain SQL. */
function rowError(table: CopiedTable, rows: readonly Row[], error: Error): Refusal {
  const [first, last] = [rows[0], rows.at(-1)].map((row) =>
    COPIED[table].map((column) => `${row?.[column]}`).join(' '),
  );
  return new Refusal(
    `a row of ${table}, from ${first} to ${last}, cannot be copied: ${error.message}; nothing was written. Correct it in the source; \`${COMMAND} doctor\` may say more.`,
    { cause: error },
  );
}

/** `identity` is the cursor key of the database that is copied. */
export async function requireNoContent(db: Reader, database: string, identity: string): Promise<void> {
  if ((await findCursorKey(db)) === identity)
    throw new Refusal(
      `${database} is the source itself, or a copy of it that was completed before; nothing was written. Name another database, or delete that copy and create an empty database in its place.`,
    );
  const [counts] = (await COUNTS.execute(db as unknown as Writer)).rows;
  // `touches` may have rows of what was deleted.
  const tables = COPIED_TABLES.filter((table) => table !== 'touches' && Number(counts?.[table]) > 0);
  if (tables.length > 0)
    throw new Refusal(
      `${database} is not empty: it has rows in ${new Intl.ListFormat('en-GB').format(tables)}; nothing was written. A copy needs a database without content: name another one, or a schema of its own (?schema=NAME in the URL) on PostgreSQL.`,
    );
}
