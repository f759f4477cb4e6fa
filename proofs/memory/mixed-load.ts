// Requests of every kind in random order: for what is cached, for what never is, and for what fills the cache.
import http from 'node:http';
import { request } from '../../support/http/load.ts';
import { DAY_MS, FIRST_DAY, VERSIONS_A_PRODUCT, type WorldSize } from './content.ts';

const PUBLIC = '/api/v1/public/teams/acme/products';
const TEAM = '/api/v1/teams/acme/products';
const PAGES = '/changelog/acme';
/** The products that everybody asks for. */
const POPULAR = 20;
const RANGE_VERSIONS = 100;
const ENCODINGS = ['br', 'gzip', 'zstd', 'identity'];
const CONNECTIONS = 16;

export type MixedLoad = Readonly<{
  /** The number of responses so far, by status, or by reason if there was none. */
  statuses: Readonly<Record<string, number>>;
  stop: () => Promise<void>;
}>;

type Target = Readonly<{ address: string; key: string; size: WorldSize }>;

/** Each connection comes from another address, so that it is another client. */
export function startMixedLoad({ address, key, size }: Target): MixedLoad {
  const statuses: Record<string, number> = {};
  const paths = pathsOf(size);
  let isOver = false;

  async function sendAll(client: number): Promise<void> {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1, localAddress: `127.0.3.${client + 1}` });
    while (!isOver) {
      const path = oneOf(paths)();
      const authorization = path.startsWith(TEAM) ? { authorization: `Bearer ${key}` } : {};
      const headers = { 'accept-encoding': oneOf(ENCODINGS), ...authorization };
      const { status, failure } = await request(address + path, agent, headers);
      const outcome = failure ?? status;
      statuses[outcome] = (statuses[outcome] ?? 0) + 1;
    }
    agent.destroy();
  }

  const clients = Array.from({ length: CONNECTIONS }, (_, client) => sendAll(client));
  return {
    statuses,
    stop: async () => {
      isOver = true;
      await Promise.all(clients);
    },
  };
}

const upTo = (max: number) => Math.floor(Math.random() * max);
const oneOf = <T>(list: readonly T[]) => list[upTo(list.length)] as T;

/** A thousand of them, as many of each kind as its share of the load. */
function pathsOf({ products, largeVersions }: WorldSize): readonly (() => string)[] {
  const popular = () => `product-${upTo(Math.min(POPULAR, products))}`;
  const any = () => `product-${upTo(products)}`;
  const version = (count: number) => `versions/1.${upTo(count)}.0`;
  const timestamp = () => new Date(FIRST_DAY + upTo(largeVersions * DAY_MS)).toISOString();
  const filtered = () => `${PUBLIC}/${oneOf(['large', any()])}/changelog`;
  const feed = () => `feed.${oneOf(['atom', 'rss', 'json'])}`;
  const range = () => {
    const first = upTo(largeVersions - RANGE_VERSIONS);
    return `from=1.${first}.0&to=1.${first + RANGE_VERSIONS - 1}.0`;
  };
  const kinds: readonly (readonly [share: number, path: () => string])[] = [
    [300, () => `${PUBLIC}/${popular()}/changelog`],
    [50, () => `${PAGES}/${popular()}`],
    [100, () => `${PUBLIC}/${any()}/changelog`],
    [100, () => `${PUBLIC}/${any()}/changelog/${version(VERSIONS_A_PRODUCT)}`],
    [100, () => `${PUBLIC}/large/changelog/${version(largeVersions)}`],
    [45, () => `${TEAM}/${any()}/changelog`],
    [45, () => `${TEAM}/large/changelog/${version(largeVersions)}`],
    [40, () => `${PAGES}/${any()}`],
    [20, () => `${PAGES}/large/${version(largeVersions)}`],
    [40, () => `${PUBLIC}/${any()}/changelog/${feed()}`],
    [20, () => `${PUBLIC}/${any()}/changelog/CHANGELOG.md`],
    [50, () => `${filtered()}?limit=${1 + upTo(100)}&since=${timestamp()}`],
    [50, () => `${filtered()}?include=changes&limit=${1 + upTo(50)}&until=${timestamp()}`],
    [20, () => `${filtered()}?q=launch+${upTo(largeVersions)}&limit=20`],
    [10, () => `${PUBLIC}/large/changelog/changes?${range()}`],
    [5, () => `${PUBLIC}/large/changelog/${feed()}`],
    [1, () => `${PUBLIC}/large/changelog`],
    [1, () => `${PUBLIC}/large/changelog/CHANGELOG.md`],
    [1, () => `${PUBLIC}/large/changelog?until=${timestamp()}`],
    [2, () => `${PUBLIC}/nowhere-${upTo(1_000_000)}/changelog`],
  ];
  return kinds.flatMap(([share, path]) => Array.from({ length: share }, () => path));
}
