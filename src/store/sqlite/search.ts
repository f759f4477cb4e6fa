import { sql } from 'kysely';
import { MATCH_COLUMNS, PAGE_COLUMNS, type Search, type SearchDialect, type Sql } from '../engine/dialect.ts';

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

/** The index has the beginnings of words up to this length. */
export const BEGINNING_CHARACTERS_MAX = 3;
/** With more words than this, collecting all of their versions is faster. */
const WORDS_MAX = 100;

/** A part of a search: as it is, or a phrase that ends with each of the words with this beginning. */
type MatchPart = Readonly<{ match: string } | { match: null; before: string; beginning: string }>;

export const SQLITE_SEARCH: SearchDialect = {
  formatMatch: ({ marks, phrases, blocks }) => {
    const ofChanges = marks.length === 0 ? [] : [`types : (${marks.map(quote).join(' OR ')})`];
    const numbers = blocks?.map(({ level, order }) => BLOCK_MARKS[level] + order);
    const ofBlocks = numbers === undefined ? [] : [`scope : (${numbers.join(' OR ')})`];
    const parts: MatchPart[] = [...ofChanges, ...ofBlocks].map((match) => ({ match }));
    return JSON.stringify([...parts, ...phrases.map(formatPhrase)]);
  },
  formatKeys: () => '',
  hasMatch: null,
  containsAll: (texts) =>
    sql<boolean>`not exists (select 1 from json_each(${texts}) every where instr(f.body, every.value) = 0)`,
  selectOfEach: (each, rest, columns = PAGE_COLUMNS) => sql`select ${columns} from ${each} each
    cross join version_facts f on f.number in (select f.number from version_facts f ${rest})`,
  factsOf: (each) => sql`select ${MATCH_COLUMNS} from ${each} each
    cross join version_facts f on f.version_id = each.version_id`,
  selectOfChangelogs: (changelogs, rows) => sql`select ${MATCH_COLUMNS}
    from ${changelogs} changelogs cross join version_facts f on f.version_id in (
      select page.version_id from (${rows}) page)`,
  newestMatches: ({ match, isPublished, newest, oldest, limit }) => {
    const indexes = [
      { name: 'public_search', isPublic: 1 } as const,
      ...(isPublished ? [] : [{ name: 'hidden_search', isPublic: 0 } as const]),
    ];
    const numbers = indexes.map(
      ({ name, isPublic }) => sql`select * from (select s.rowid as number from ${sql.ref(name)} s
      where s.${sql.ref(name)} match ${matchSql(match, isPublic)} ${betweenSql({ newest, oldest })}
      order by s.rowid desc limit ${limit})`,
    );
    return sql`select ${PAGE_COLUMNS} from (${sql.join(numbers, sql` union all `)}) s
      cross join version_facts f on f.number = s.number`;
  },
  selectMatches: ({ changelogs, match, isPublished, conditions, newest, oldest, limit }) => {
    const state = sql.lit(isPublished ? 'p' : 'c');
    // Without a changelog, a word that no scope has.
    const scope =
      changelogs === null
        ? sql`${state} || hex(changelogs.id)`
        : sql`(select '(' || coalesce(group_concat(${state} || hex(id), ' OR '), ${state}) || ')' from (${changelogs}))`;
    const between = betweenSql({ newest, oldest });
    const inOrder = sql`order by f.sort_key desc, f.version_id`;
    // Hidden text has a separate index, which a public search never reads (R9).
    const selectIn = (index: string, isPublic: 0 | 1) => {
      const matches = sql`${sql.ref(index)} s cross join version_facts f on f.number = s.rowid
        where s.${sql.ref(index)} match 'scope : ' || ${scope} || ' AND ' || ${matchSql(match, isPublic)} and ${sql.join([...conditions], sql` and `)}`;
      if (limit === null) return sql`select ${MATCH_COLUMNS} from ${matches} ${between} ${inOrder}`;
      // Numbers are ordered by second only, so every version of the last second may belong to the page.
      return sql`select ${MATCH_COLUMNS} from (select json_group_array(number) as numbers, count(*) as found,
            min(number) as last, min(number) >> ${BITS} << ${BITS} as first
          from (select s.rowid as number from ${matches} ${between} order by s.rowid desc limit ${limit})) newest
        cross join version_facts f on f.number in (
          select every.value from json_each(newest.numbers) every
          union all select s.rowid from (select 1 where newest.found = ${limit} and exists (
              select 1 from ${sql.ref(isPublic ? 'public_facts' : 'version_facts')} r
              where r.number >= newest.first and r.number < newest.last)) others
            cross join ${matches} and s.rowid >= newest.first and s.rowid < newest.last)
        ${inOrder} limit ${limit}`;
    };
    if (isPublished) return selectIn('public_search', 1);
    // The first `limit` matches of each index, and then the first of all of these.
    const both = [selectIn('public_search', 1), selectIn('hidden_search', 0)].map(
      (rows) => sql`select * from (${rows})`,
    );
    return sql`select ${MATCH_COLUMNS} from (${sql.join(both, sql` union all `)}) f ${inOrder}
      ${limit === null ? sql`` : sql`limit ${limit}`}`;
  },
};

/** The index uses only one bound on each side, and scans the rows that a second one would exclude. */
function betweenSql({ newest, oldest }: Pick<Search, 'newest' | 'oldest'>): Sql {
  return sql`${newest === null ? sql`` : sql`and s.rowid < ${secondOf(newest)} + 1 << ${BITS}`}
    ${oldest === null ? sql`` : sql`and s.rowid >= ${secondOf(oldest)} << ${BITS}`}`;
}

function formatPhrase(words: readonly string[]): MatchPart {
  const beginning = words.at(-1) as string;
  if ([...beginning].length <= BEGINNING_CHARACTERS_MAX)
    return { match: `body : ${quote(words.join(' '))} *` };
  return {
    match: null,
    before: words
      .slice(0, -1)
      .map((word) => `${word} `)
      .join(''),
    beginning,
  };
}

/** The text for the index, with the words that exist instead of their beginnings. */
function matchSql(match: Sql, isPublic: 0 | 1): Sql<string> {
  const before = sql`(every.value ->> 'before')`;
  const beginning = sql`(every.value ->> 'beginning')`;
  return sql`(select group_concat(coalesce(every.value ->> 'match', (
      select 'body : ' || case when count(*) between 1 and ${sql.lit(WORDS_MAX)}
          then '(' || group_concat('"' || ${before} || word || '"', ' OR ') || ')'
        else '"' || ${before} || ${beginning} || case count(*) when 0 then '"' else '" *' end end
      from (select word from search_words where is_public = ${sql.lit(isPublic)} and word >= ${beginning}
        and word < ${beginning} || char(1114111) limit ${sql.lit(WORDS_MAX + 1)}))), ' AND ') from json_each(${match}) every)`;
}

/** Words consist of letters and digits, so nothing needs escaping. */
const quote = (text: string) => `"${text}"`;

const secondOf = (sortKey: Sql<string>) =>
  sql`(case when ${sortKey} < '~' then cast(strftime('%s', ${sortKey}) as integer)
    else ${sql.lit(NEVER_SECONDS - NEVER_START)} + cast(substr(${sortKey}, 2) as integer) end)`;
