import { sql } from 'kysely';
import { PAGE_COLUMNS, type SearchDialect, type Sql } from '../engine/dialect.ts';

/**
 * The full-text index returns rows in the order of their numbers, and in no other order without reading all of them. So
 * the upper bits of a version's number are the second when it was published, and the lower ones count within a second.
 */
export const SECOND_BITS = 24;
/** Greater than every second: versions that were never published come after all others. */
export const NEVER_SECONDS = 2 ** 38;

const BITS = sql.lit(SECOND_BITS);
const BLOCK_MARKS = { major: 'm', minor: 'n' };
/** What `sort_key` adds to the `created_order` of a version that was never published. */
export const NEVER_START = 1_000_000_000_000;

export const SQLITE_SEARCH: SearchDialect = {
  formatMatch: ({ marks, phrases, blocks }) => {
    const ofChanges = marks.length === 0 ? [] : [`types : (${marks.map(quote).join(' OR ')})`];
    const numbers = blocks?.map(({ level, order }) => BLOCK_MARKS[level] + order);
    const ofBlocks = numbers === undefined ? [] : [`scope : (${numbers.join(' OR ')})`];
    return [...ofChanges, ...ofBlocks, ...phrases.map((words) => `body : ${quote(words.join(' '))}`)].join(
      ' AND ',
    );
  },
  formatKeys: () => '',
  hasMatch: null,
  containsAll: (texts) =>
    sql<boolean>`not exists (select 1 from json_each(${texts}) every where instr(f.body, every.value) = 0)`,
  selectOfEach: (each, rest, columns = PAGE_COLUMNS) => sql`select ${columns} from ${each} each
    cross join version_facts f on f.number in (select f.number from version_facts f ${rest})`,
  selectMatches: ({ match, isPublished, conditions, newest, oldest, limit }) => {
    const scope = sql`${sql.lit(isPublished ? 'p' : 'c')} || hex(changelogs.id)`;
    // The index uses only one bound on each side, and scans the rows that a second one would exclude.
    const bounds = newest === null ? [] : [sql`s.rowid < ${secondOf(newest)} + 1 << ${BITS}`];
    const from = oldest === null ? sql`` : sql`and s.rowid >= ${secondOf(oldest)} << ${BITS}`;
    // Hidden text has a separate index, which a public search never reads (R9).
    const matchesIn = (
      index: string,
    ) => sql`${sql.ref(index)} s cross join version_facts f on f.number = s.rowid
      where s.${sql.ref(index)} match 'scope : ' || ${scope} || ' AND ' || ${match}
        and ${sql.join([...bounds, ...conditions], sql` and `)}`;
    const inOrder = sql`order by f.sort_key desc, f.version_id`;
    const selectIn = (index: string) => {
      const matches = matchesIn(index);
      if (limit === null) return sql`select f.version_id, f.sort_key from ${matches} ${from} ${inOrder}`;
      // Numbers are ordered by second only, so every version of the last second may belong to the page.
      const last = sql`select min(number) >> ${BITS} << ${BITS} as number
        from (select s.rowid as number from ${matches} ${from} order by s.rowid desc limit ${limit})`;
      return sql`select f.version_id, f.sort_key from (${last}) last cross join ${matches}
        and s.rowid >= last.number ${inOrder} limit ${limit}`;
    };
    if (isPublished) return selectIn('public_search');
    // The first `limit` matches of each index, and then the first of all of these.
    const both = ['public_search', 'hidden_search'].map((index) => sql`select * from (${selectIn(index)})`);
    return sql`select f.version_id, f.sort_key from (${sql.join(both, sql` union all `)}) f ${inOrder}
      ${limit === null ? sql`` : sql`limit ${limit}`}`;
  },
};

/** Words consist of letters and digits, so nothing needs escaping. */
const quote = (text: string) => `"${text}"`;

const secondOf = (sortKey: Sql<string>) =>
  sql`(case when ${sortKey} < '~' then cast(strftime('%s', ${sortKey}) as integer)
    else ${sql.lit(NEVER_SECONDS - NEVER_START)} + cast(substr(${sortKey}, 2) as integer) end)`;
