// One changelog with very many versions, each with two changes, and the SQL that inserts it on both engines.
import { PUBLISH, TEAM } from './datasets.ts';

export const LONG_SLUG = 'long';
export const VERSIONS_A_MINOR = 100;
export const VERSIONS_A_MAJOR = 10_000;
const SOMETIMES = 100;
const SELDOM = 10_000;

/** Version `n` is `major.minor.patch`; every fifth is a prerelease, and one is published per minute. */
export function longChangelog(versions: number): string[] {
  const numbers = `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${versions})`;
  const pad = (number: string, digits: number) => `substr(cast(${10 ** digits} + ${number} as text), 2)`;
  const id = (prefix: string, number: string) => `'${prefix}_' || ${pad(number, 10)}`;
  const label = `(n / ${VERSIONS_A_MAJOR} + 1) || '.' || (n % ${VERSIONS_A_MAJOR} / ${VERSIONS_A_MINOR}) || '.' ||
    (n % ${VERSIONS_A_MINOR}) || case when n % 5 = 0 then '-rc.1' else '' end`;
  // Months have 28 days, so that the text is a valid date and sorts correctly.
  const day = `(n / 1440)`;
  const date = `${pad(`2020 + ${day} / 336`, 4)} || '-' || ${pad(`${day} / 28 % 12 + 1`, 2)} || '-' || ${pad(`${day} % 28 + 1`, 2)}`;
  const time = `${pad('n / 60 % 24', 2)} || ':' || ${pad('n % 60', 2)} || ':00.000Z'`;
  const sometimes = `case when n % ${SOMETIMES} = 0 then ' sometimes' else '' end`;
  const seldom = `case when n % ${SELDOM} = 0 then ' seldom' else '' end`;
  return [
    `insert into teams (id, slug, name, visibility, plan) values (1, '${TEAM}', 'Bench', 'public', 'paid')`,
    `insert into products (id, team_id, slug, name, status) values (1, 1, '${LONG_SLUG}-1', 'Long', 'published')`,
    `insert into changelogs (id, product_id, name, status) values ('cl_long', 1, 'Long', 'draft')`,
    `insert into changes (id, version_id, position, type, text, breaking) ${numbers}
       select ${id('chg', '2 * n')}, ${id('ver', 'n')}, 0, 'added', 'A change in one line, number w' || n || '.', 0 from numbers`,
    `insert into changes (id, version_id, position, type, text, breaking) ${numbers}
       select ${id('chg', '2 * n + 1')}, ${id('ver', 'n')}, 1,
         case when n % ${SELDOM} = 0 then 'security' when n % ${SOMETIMES} = 0 then 'removed' else 'fixed' end,
         'A mistake in another line.', case when n % ${SOMETIMES} = 0 then 1 else 0 end from numbers`,
    `insert into versions (id, changelog_id, label, title, status, published_at, description, yanked, created_order)
       ${numbers} select ${id('ver', 'n')}, 'cl_long', ${label}, 'What is new in ' || n, 'published',
         ${date} || 'T' || ${time}, 'Everything that has changed, with *thanks*' || ${sometimes} || ${seldom} || '.', 0, n
       from numbers`,
    PUBLISH,
  ];
}

export const labelOf = (n: number) =>
  `${Math.floor(n / VERSIONS_A_MAJOR) + 1}.${Math.floor((n % VERSIONS_A_MAJOR) / VERSIONS_A_MINOR)}.${n % VERSIONS_A_MINOR}`;
