// Response times by parameter, not cached, on a changelog with very many versions.
import { openScope } from '../../cluster/scope.ts';
import { sendRequests } from '../../support/http/busy-clients.ts';
import { feedPath } from '../data/datasets.ts';
import type { EngineData } from '../data/engine-data.ts';
import { LONG_SLUG, labelOf, longChangelog, VERSIONS_A_MAJOR, VERSIONS_A_MINOR } from '../data/long.ts';
import type { Measure } from '../report/results.ts';
import { percentile } from '../report/statistics.ts';
import { startOurs } from '../servers/servers.ts';
import { UNCACHED } from './uncached.ts';

/** Each query is made with this many values, so that none is repeated immediately. */
const VALUES = 200;
/** The first queries of a kind have to be prepared by the database. */
const WARM_UP_RESPONSES = 20;
const P99_MS_MAX = 20;

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
  'update?from=': (n) => `/update?from=${labelOf(n)}`,
  'changes, a patch apart': (n) => `/changes?from=${labelOf(n)}&to=${labelOf(n + 5)}`,
};

const yearOf = (n: number) => 2020 + (n % 2);

type ParametersOptions = Readonly<{
  versions: number;
  responses: number;
  onProgress: (text: string) => void;
}>;

export async function measureParameters(
  engines: readonly EngineData[],
  { versions, responses, onProgress }: ParametersOptions,
): Promise<Measure[]> {
  const measures: Measure[] = [];
  for (const engine of engines) {
    onProgress(`parameters: ${versions.toLocaleString('en')} versions on ${engine.name}`);
    const scope = openScope();
    try {
      const DATABASE_URL = await engine.urlFor(longChangelog(versions));
      const { port } = await startOurs(scope, { DATABASE_URL, ...UNCACHED });
      for (const [query, pathOf] of Object.entries(requestsIn(feedPath(LONG_SLUG, 1)))) {
        const paths = [Array.from({ length: VALUES }, (_, index) => pathOf(numberAt(index, versions)))];
        await sendRequests({ port, paths, responses: WARM_UP_RESPONSES });
        const { timesMs } = await sendRequests({ port, paths, responses });
        measures.push(describe(engine, query, timesMs));
      }
    } finally {
      await scope.close();
    }
  }
  return measures;
}

const numberAt = (index: number, versions: number) => Math.floor(((index + 0.5) / VALUES) * versions);

function describe(engine: EngineData, query: string, timesMs: readonly number[]): Measure {
  const [p50Ms, p99Ms] = [0.5, 0.99].map((share) => Number(percentile(timesMs, share).toFixed(2)));
  return {
    id: `parameters-${engine.id}-${query}`,
    group: 'Parameters',
    name: query,
    engine: engine.name,
    unit: 'ms',
    values: [p99Ms as number],
    goal: { atMost: P99_MS_MAX },
    p50Ms: p50Ms as number,
    p99Ms: p99Ms as number,
  };
}

function requestsIn(feed: string): Record<string, (n: number) => string> {
  const queries = Object.entries(QUERIES).map(([name, query]) => [
    name,
    (n: number) => `${feed}?${query(n)}`,
  ]);
  const paths = Object.entries(PATHS).map(([name, path]) => [name, (n: number) => feed + path(n)]);
  return Object.fromEntries([...queries, ...paths]);
}
