import { sql } from 'kysely';
import { MATCH_COLUMNS, PAGE_COLUMNS, type SearchDialect, type Wanted } from '../engine/dialect.ts';

const BLOCK_MARKS = { major: '@m', minor: '@n' };

export const POSTGRES_SEARCH: SearchDialect = {
  formatMatch: (wanted) => {
    const anyOf = alternatives(wanted).map((terms) => `(${terms.map(quote).join(' | ')})`);
    return [...anyOf, ...wanted.phrases.map(formatPhrase)].join(' & ');
  },
  formatKeys: (wanted) => {
    const { phrases } = wanted;
    const phrasesOfMany = phrases.filter(({ length }) => length > 1);
    return JSON.stringify({
      allOf: [...new Set(phrases.flatMap((words) => words.slice(0, -1)))],
      beginnings: [...new Set(phrases.flatMap((words) => words.slice(-1)))],
      anyOf: alternatives(wanted),
      // The index alone is enough for single words.
      phrases: phrasesOfMany.length === 0 ? null : phrasesOfMany.map(formatPhrase).join(' & '),
    });
  },
  hasMatch: (match) => sql<boolean>`f.words @@ cast(${match} as tsquery)`,
  containsAll: (texts) =>
    sql<boolean>`not exists (select 1 from json_array_elements_text(cast(${texts} as json)) every (text)
      where position(every.text in f.body) = 0)`,
  selectOfEach: (each, rest, columns = PAGE_COLUMNS) => sql`select ${columns} from ${each} each
    cross join lateral (select f.* from version_facts f ${rest}) f`,
  // Without the limit, conditions on other columns might lead to another index, which has all versions.
  factsOf: (each) => sql`select ${MATCH_COLUMNS} from ${each} each
    cross join lateral (select f.* from version_facts f where f.version_id = each.version_id limit 1) f`,
  selectOfChangelogs: (changelogs, rows) => sql`select f.version_id, f.sort_key, changelogs.id as changelog_id
    from ${changelogs} changelogs cross join lateral (${rows}) f`,
  newestMatches: null,
  selectMatches: ({ changelogs, keys, isPublished, conditions, limit }) => {
    const ids = changelogs === null ? sql`array[changelogs.id]` : sql`array(${changelogs})`;
    const states = sql.lit(isPublished ? '{published}' : '{draft,published}');
    const wanted = sql`cast(${keys} as json)`;
    return sql`select ${MATCH_COLUMNS}
      from search_versions(${ids}, cast(${states} as text[]),
        array(select json_array_elements_text(${wanted} -> 'allOf')),
        array(select json_array_elements_text(${wanted} -> 'beginnings')), ${wanted} -> 'anyOf',
        cast(${wanted} ->> 'phrases' as tsquery)) f
      where ${sql.join([...conditions], sql` and `)} order by f.sort_key desc, f.version_id
      ${limit === null ? sql`` : sql`limit ${limit}`}`;
  },
};

/** The terms for changes and for blocks; a version must have one of each list. */
const alternatives = ({ marks, blocks }: Wanted) =>
  [
    marks.map((mark) => `#${mark}`),
    (blocks ?? []).map(({ level, order }) => BLOCK_MARKS[level] + order),
  ].filter(({ length }) => length > 0);

const formatPhrase = (words: readonly string[]) => `(${words.map(quote).join(' <-> ')}:*)`;

/** Words consist of letters and digits, so nothing needs escaping. */
const quote = (word: string) => `'${word}'`;
