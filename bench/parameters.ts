// `npm run bench parameters`: response times by parameter on a changelog with very many versions, uncached.
import { openScope, type Scope } from '../cluster/scope.ts';
import { sendRequests } from '../support/http/busy-clients.ts';
import { feedPath, TEAM } from './data/datasets.ts';
import { openPostgresData } from './data/postgres-data.ts';
import { makeSqlite } from './data/sqlite-data.ts';
import { startOurs } from './servers/servers.ts';

export const LONG_SLUG = 'long';
const VERSIONS_A_MINOR = 100;
const VERSIONS_A_MAJOR = 10_000;
/** Each query is made with this many values, so that none is repeated immediately. */
const VALUES = 200;
const RESPONSES = 600;
const SOMETIMES = 100;
const SELDOM = 10_000;

type Timing = Readonly<{ engine: string; query: string; p50Ms: number; p99Ms: number }>;

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
    `insert into changelogs (id, product_id, name, status) values ('cl_long', 1, 'Long', 'published')`,
    `insert into versions (id, changelog_id, label, title, status, published_at, description, yanked, created_order, change_count)
       ${numbers} select ${id('ver', 'n')}, 'cl_long', ${label}, 'What is new in ' || n, 'published',
         ${date} || 'T' || ${time}, 'Everything that has changed, with *thanks*' || ${sometimes} || ${seldom} || '.', 0, n, 2
       from numbers`,
    `insert into changes (id, version_id, position, type, text, breaking) ${numbers}
       select ${id('chg', '2 * n')}, ${id('ver', 'n')}, 0, 'added', 'A change in one line, number w' || n || '.', 0 from numbers`,
    `insert into changes (id, version_id, position, type, text, breaking) ${numbers}
       select ${id('chg', '2 * n + 1')}, ${id('ver', 'n')}, 1,
         case when n % ${SELDOM} = 0 then 'security' when n % ${SOMETIMES} = 0 then 'removed' else 'fixed' end,
         'A mistake in another line.', 0 from numbers`,
    'insert into touches (team_id, product_id, revision) values (1, 0, 2), (1, 1, 2)',
    'update revision set value = 2',
  ];
}

/** The query string of each kind of query; `n` is the number of a version anywhere in the changelog. */
const QUERIES: Record<string, (n: number) => string> = {
  'limit=20': (n) => `limit=${1 + (n % 100)}`,
  since: (n) => `limit=20&since=${yearOf(n)}-03-01`,
  until: (n) => `limit=20&until=${yearOf(n)}-03-01`,
  'since and until': (n) => `limit=20&since=${yearOf(n)}-03-01&until=${yearOf(n)}-03-02`,
  'from only': (n) => `limit=20&from=${labelOf(n)}`,
  'to only': (n) => `limit=20&to=${labelOf(n)}`,
  'from and to, a patch apart': (n) => `limit=20&from=${labelOf(n)}&to=${labelOf(n + 5)}`,
  'from and to, a minor apart': (n) => `limit=20&from=${labelOf(n)}&to=${labelOf(n + VERSIONS_A_MINOR)}`,
  'from and to, a major apart': (n) => `limit=20&from=${labelOf(n)}&to=${labelOf(n + VERSIONS_A_MAJOR)}`,
  'type in every version': (n) => `limit=${1 + (n % 100)}&type=added`,
  'type in every 100th version': (n) => `limit=${1 + (n % 50)}&type=removed`,
  'type in every 10,000th version': (n) => `limit=${1 + (n % 50)}&type=security`,
  'type in no version': (n) => `limit=${1 + (n % 100)}&type=deprecated`,
  'two types': (n) => `limit=${1 + (n % 50)}&type=removed&type=security`,
  'prerelease=false': (n) => `limit=${1 + (n % 100)}&prerelease=false`,
  'q, a word in every version': (n) => `limit=${1 + (n % 100)}&q=everything`,
  'q, a word in every 100th version': (n) => `limit=${1 + (n % 50)}&q=sometimes`,
  'q, a word in every 10,000th version': (n) => `limit=${1 + (n % 50)}&q=seldom`,
  'q, a word in one version': (n) => `limit=20&q=w${n}`,
  'q, a word in no version': (n) => `limit=20&q=nowhere${n}`,
  'q, two words and a label': (n) => `limit=20&q=everything+seldom+${labelOf(n).split('.')[0]}`,
  'include=changes': (n) => `limit=${1 + (n % 20)}&include=changes`,
  'all parameters': (n) =>
    `limit=20&since=2020-01-01&until=2030-01-01&from=1.0.0&to=${labelOf(n + 50_000)}&type=fixed&type=removed&prerelease=false&q=everything&include=changes`,
};
/** Other paths of the changelog. */
const PATHS: Record<string, (n: number) => string> = {
  'versions/latest': () => '/versions/latest',
  'versions/{label}': (n) => `/versions/${labelOf(n - (n % 5) + 1)}`,
  'changes, a patch apart': (n) => `/changes?from=${labelOf(n)}&to=${labelOf(n + 5)}`,
};

const yearOf = (n: number) => 2020 + (n % 2);
const labelOf = (n: number) =>
  `${Math.floor(n / VERSIONS_A_MAJOR) + 1}.${Math.floor((n % VERSIONS_A_MAJOR) / VERSIONS_A_MINOR)}.${n % VERSIONS_A_MINOR}`;

type ParametersOptions = Readonly<{
  versions: number;
  engines: readonly ('SQLite' | 'PostgreSQL')[];
  responses?: number;
  onTiming?: (timing: Timing) => void;
}>;

async function measureParameters(scope: Scope, options: ParametersOptions): Promise<Timing[]> {
  const timings: Timing[] = [];
  for (const engine of options.engines) {
    const url = await provide(scope, engine, longChangelog(options.versions));
    const server = await startOurs(scope, { DATABASE_URL: url, CACHE_MAX_MB: '0' });
    for (const [query, pathOf] of Object.entries(requestsIn(feedPath(LONG_SLUG, 1)))) {
      const numbers = Array.from({ length: VALUES }, (_, index) =>
        Math.floor(((index + 0.5) / VALUES) * options.versions),
      );
      const paths = numbers.map(pathOf);
      // The first queries of a kind have to be prepared by the database.
      await sendRequests({ port: server.port, paths: [paths], responses: 20 });
      const { timesMs } = await sendRequests({
        port: server.port,
        paths: [paths],
        responses: options.responses ?? RESPONSES,
      });
      const timing = { engine, query, p50Ms: percentile(timesMs, 0.5), p99Ms: percentile(timesMs, 0.99) };
      timings.push(timing);
      options.onTiming?.(timing);
    }
    await server.stop();
  }
  return timings;
}

function requestsIn(feed: string): Record<string, (n: number) => string> {
  const queries = Object.entries(QUERIES).map(([name, query]) => [
    name,
    (n: number) => `${feed}?${query(n)}`,
  ]);
  const paths = Object.entries(PATHS).map(([name, path]) => [name, (n: number) => feed + path(n)]);
  return Object.fromEntries([...queries, ...paths]);
}

async function provide(scope: Scope, engine: string, statements: readonly string[]): Promise<string> {
  if (engine === 'SQLite') return `sqlite:${await makeSqlite(scope, statements)}`;
  return await (await openPostgresData(scope)).urlFor('long', statements);
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] as number;
}

/** Prints the table of docs/performance.md. */
export async function printParameters(versions = 1_000_000): Promise<void> {
  const scope = openScope();
  try {
    console.log(`First pages of a changelog with ${versions.toLocaleString('en')} versions, uncached, in ms`);
    console.log(`${'engine'.padEnd(12)}${'query'.padEnd(40)}${'p50'.padStart(8)}${'p99'.padStart(8)}`);
    await measureParameters(scope, {
      versions,
      engines: ['SQLite', 'PostgreSQL'],
      onTiming: ({ engine, query, p50Ms, p99Ms }) =>
        console.log(
          engine.padEnd(12) + query.padEnd(40) + p50Ms.toFixed(1).padStart(8) + p99Ms.toFixed(1).padStart(8),
        ),
    });
  } finally {
    await scope.close();
  }
}
