// Clients that continuously send requests of every kind to every node, and record the result of each.
import { setTimeout as delay } from 'node:timers/promises';
import { PRODUCT_PAGE } from '../../support/content/pages.ts';
import { PUBLIC_FEED, TEAM_FEED } from '../../support/content/world.ts';
import { type HttpClient, type HttpResponse, openClient } from '../../support/http/http-client.ts';
import { until } from '../../support/processes/poll.ts';

/**
 * Public and cached by the node, also as a page; public and requested only once; public and missing, which is not cached; with a key,
 * which the node checks at every request.
 */
export const KINDS = ['cached', 'page', 'new', 'missing', 'keyed'] as const;
type Kind = (typeof KINDS)[number];

export type Sample = Readonly<{
  kind: Kind;
  address: string;
  startedAt: number;
  endedAt: number;
  ms: number;
  /** 0 if there was no response. */
  status: number;
  /** What is wrong with the response, unless it is the expected one or a correct 503. */
  failure: string | null;
}>;

export type Traffic = Readonly<{
  samples: readonly Sample[];
  /** Waits until every kind of request succeeds on every node; returns the time since when all of them do. */
  untilServed: (since: number) => Promise<number>;
  stop: () => Promise<void>;
}>;

const EXPECTED: Record<Kind, number> = { cached: 200, page: 200, new: 200, missing: 404, keyed: 200 };
const CLIENTS_PER_KIND = 2;
/** Keeps the nodes busy, but leaves enough of two cores to the database and the nodes. */
const PAUSE_MS = 20;
const COUNT_MS_MAX = 60_000;
/** This many consecutive successes count as recovered. */
const CONSECUTIVE_MIN = 5;

export function startTraffic(addresses: readonly string[], key: string, nextNew: () => string): Traffic {
  const samples: Sample[] = [];
  const client = openClient();
  const authorization = { authorization: `Bearer ${key}` };
  /** Paths that got a 503 and so are still new: their number is limited. */
  const retries: string[] = [];
  let isOver = false;

  const requests: Record<Kind, () => [path: string, headers?: Record<string, string>]> = {
    cached: () => [PUBLIC_FEED],
    page: () => [PRODUCT_PAGE],
    new: () => [retries.pop() ?? nextNew()],
    missing: () => ['/api/v1/public/teams/acme/products/nowhere/changelog'],
    keyed: () => [TEAM_FEED, authorization],
  };

  async function sendOnce(kind: Kind, address: string): Promise<void> {
    const [path, headers] = requests[kind]();
    const startedAt = performance.now();
    const { status, failure } = await judge(client, kind, address + path, headers);
    const endedAt = performance.now();
    if (kind === 'new' && status === 503) retries.push(path);
    samples.push({ kind, address, startedAt, endedAt, ms: endedAt - startedAt, status, failure });
  }

  async function sendAll(kind: Kind, address: string): Promise<void> {
    while (!isOver) {
      await sendOnce(kind, address);
      await delay(PAUSE_MS);
    }
  }

  const pairs = addresses.flatMap((address) => KINDS.map((kind) => ({ kind, address })));
  const clients = pairs.flatMap(({ kind, address }) =>
    Array.from({ length: CLIENTS_PER_KIND }, () => sendAll(kind, address)),
  );

  /** The end of the first success after the last failure. */
  function servedSince(kind: Kind, address: string, since: number, from: number): number | null {
    const own = samples
      .slice(from)
      .filter((sample) => sample.kind === kind && sample.address === address && sample.startedAt >= since);
    const served = own.slice(own.findLastIndex(({ status }) => status !== EXPECTED[kind]) + 1);
    return served.length < CONSECUTIVE_MIN ? null : (served[0] as Sample).endedAt;
  }

  return {
    samples,
    untilServed: async (since) => {
      // A long outage has many samples: scanning all of them at each poll would take all the time.
      const first = samples.findIndex(({ startedAt }) => startedAt >= since);
      const from = first === -1 ? samples.length : first;
      const starts = () => pairs.map(({ kind, address }) => servedSince(kind, address, since, from));
      await until('every kind of request succeeds on every node', () => !starts().includes(null));
      return Math.max(...(starts() as number[]));
    },
    stop: async () => {
      isOver = true;
      await Promise.all(clients);
      client.close();
    },
  };
}

async function judge(
  client: HttpClient,
  kind: Kind,
  url: string,
  headers?: Record<string, string>,
): Promise<Pick<Sample, 'status' | 'failure'>> {
  try {
    const late = delay(COUNT_MS_MAX, null, { ref: false });
    const response = await Promise.race([client.get(url, headers), late]);
    if (response === null) return { status: 0, failure: `no response within ${COUNT_MS_MAX} ms` };
    return { status: response.status, failure: failureOf(kind, response) };
  } catch (error) {
    return { status: 0, failure: (error as Error).message };
  }
}

function failureOf(kind: Kind, { status, headers, body }: HttpResponse): string | null {
  if (status === EXPECTED[kind]) return null;
  if (status !== 503) return `${status} ${body.slice(0, 200)}`;
  if (!/^[123]$/.test(headers['retry-after'] ?? '')) return `503 with Retry-After: ${headers['retry-after']}`;
  return /^\{"error":\{"code":"unavailable","message":"[^"]+"\}\}$/.test(body) ? null : `503 with ${body}`;
}
