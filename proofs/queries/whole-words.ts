// The search of the first release, which matched whole words only: what a search may cost is measured against it.
import { sql } from 'kysely';
import { dialectOf, type SearchDialect, type Sql } from '../../src/store/engine/dialect.ts';
import type { Reader } from '../../src/store/engine/engine.ts';
import { POSTGRES } from '../../src/store/migrate/0001-first-schema/postgres.ts';
import { POSTGRES_SEARCH } from '../../src/store/postgres/search.ts';
import { NEVER_SECONDS, NEVER_START, SECOND_BITS, SQLITE_SEARCH } from '../../src/store/sqlite/search.ts';

const BITS = sql.lit(SECOND_BITS);
const secondOf = (sortKey: Sql<string>) =>
  sql`(case when ${sortKey} < '~' then cast(strftime('%s', ${sortKey}) as integer)
    else ${sql.lit(NEVER_SECONDS - NEVER_START)} + cast(substr(${sortKey}, 2) as integer) end)`;

const SQLITE_WHOLE: SearchDialect = {
  ...SQLITE_SEARCH,
  formatMatch: ({ marks, phrases, blocks }) =>
    [
      ...(marks.length === 0 ? [] : [`types : (${marks.map((mark) => `"${mark}"`).join(' OR ')})`]),
      ...(blocks === null
        ? []
        : [
            `scope : (${blocks.map(({ level, order }) => (level === 'major' ? 'm' : 'n') + order).join(' OR ')})`,
          ]),
      ...phrases.map((words) => `body : "${words.join(' ')}"`),
    ].join(' AND '),
  selectMatches: ({ match, conditions, newest, oldest, limit }) => {
    const bounds = newest === null ? [] : [sql`s.rowid < ${secondOf(newest)} + 1 << ${BITS}`];
    const from = oldest === null ? sql`` : sql`and s.rowid >= ${secondOf(oldest)} << ${BITS}`;
    const matches = sql`public_search s cross join version_facts f on f.number = s.rowid
      where s.public_search match 'scope : p' || hex(changelogs.id) || ' AND ' || ${match}
        and ${sql.join([...bounds, ...conditions], sql` and `)}`;
    const last = sql`select min(number) >> ${BITS} << ${BITS} as number
      from (select s.rowid as number from ${matches} ${from} order by s.rowid desc limit ${limit})`;
    return sql`select f.version_id, f.sort_key from (${last}) last cross join ${matches}
      and s.rowid >= last.number order by f.sort_key desc, f.version_id limit ${limit}`;
  },
};

const NAME = 'search_whole_words';
/** For a database that is thrown away. */
export const WHOLE_WORDS_FUNCTION = POSTGRES.filter((text) =>
  text.startsWith('create function search_versions'),
)
  .join()
  .replace('function search_versions', `or replace function ${NAME}`);

const POSTGRES_WHOLE: SearchDialect = {
  ...POSTGRES_SEARCH,
  formatMatch: (wanted) => POSTGRES_SEARCH.formatMatch(wanted).replaceAll(':*', ''),
  formatKeys: (wanted) => {
    const { beginnings, allOf, ...others } = JSON.parse(POSTGRES_SEARCH.formatKeys(wanted));
    return JSON.stringify({ ...others, allOf: [...allOf, ...beginnings] }).replaceAll(':*', '');
  },
  selectMatches: ({ keys, conditions, limit }) => {
    const wanted = sql`cast(${keys} as json)`;
    return sql`select f.version_id, f.sort_key
      from ${sql.raw(NAME)}(changelogs.id, '{published}',
        array(select json_array_elements_text(${wanted} -> 'allOf')), ${wanted} -> 'anyOf',
        cast(${wanted} ->> 'phrases' as tsquery)) f
      where ${sql.join([...conditions], sql` and `)} order by f.sort_key desc, f.version_id limit ${limit}`;
  },
};

/** Makes a public search on this connection match whole words. */
export function matchWholeWords(db: Reader): void {
  const dialect = dialectOf(db);
  Object.assign(dialect, { search: dialect.engine === 'sqlite' ? SQLITE_WHOLE : POSTGRES_WHOLE });
}
