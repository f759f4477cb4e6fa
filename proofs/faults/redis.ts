// Redis is killed or hangs under load: no request is rejected or held up because of it.
import assert from 'node:assert/strict';
import http from 'node:http';
import type { Lines } from '../../cluster/lines.ts';
import type { RedisServer } from '../../cluster/redis.ts';
import { PUBLIC_FEED } from '../../support/content/world.ts';
import {
  countStatuses,
  type Load,
  percentile,
  request,
  type TimedResponse,
} from '../../support/http/load.ts';
import { until } from '../../support/processes/poll.ts';

type Fault = 'killed' | 'hung';
export type Node = Readonly<{ address: string; log: Lines }>;
export type Round = Readonly<{
  before: TimedResponse[];
  during: TimedResponse[];
  aloneMs: number;
  backMs: number;
}>;

/** Settings of a node: clients are identified by a header. */
export const NODE = { PUBLIC_RATE_LIMIT: '1000000', TRUSTED_PROXIES: '127.0.0.1' };
/** How long a request may wait for Redis. */
const WAIT_MS_MAX = 100;

const REDIS_DOWN = 'Redis unreachable';
const REDIS_BACK = 'Redis reachable again';

export function startUrls(nodes: readonly Node[]): string[] {
  return nodes.map(({ address }) => address + PUBLIC_FEED);
}

/** One fault, from its start until all nodes use Redis again. */
export async function breakOnce(
  { redis, nodes, load }: { redis: RedisServer; nodes: readonly Node[]; load: Load },
  fault: Fault,
  responsesEach: number,
): Promise<Round> {
  const seen = nodes.map(({ log }) => ({ away: log.count(REDIS_DOWN), back: log.count(REDIS_BACK) }));
  const untilAll = async (text: string, counts: number[]) => {
    const startedAt = performance.now();
    await Promise.all(nodes.map(({ log }, index) => log.until(text, (counts[index] ?? 0) + 1)));
    return performance.now() - startedAt;
  };
  const before = await load.next(responsesEach);

  const gone = untilAll(
    REDIS_DOWN,
    seen.map(({ away }) => away),
  );
  const responses = load.next(responsesEach);
  if (fault === 'killed') await redis.kill();
  else redis.hang();
  const aloneMs = await gone;
  const during = await responses;

  if (fault === 'killed') await redis.start();
  else redis.resume();
  const backMs = await untilAll(
    REDIS_BACK,
    seen.map(({ back }) => back),
  );
  for (const [index, { log }] of nodes.entries()) {
    assert.equal(log.count(REDIS_DOWN), (seen[index]?.away ?? 0) + 1, 'logs once that it counts locally');
    assert.equal(log.count(REDIS_BACK), (seen[index]?.back ?? 0) + 1, 'logs once that Redis is back');
  }
  return { before, during, aloneMs, backMs };
}

/** Every request gets a 200, and p99 grows by no more than a request may wait for Redis. */
export function assertUnaffected({ before, during }: Round, toleranceMs = 0): void {
  for (const { status, failure } of [...before, ...during]) assert.equal(failure ?? status, 200);
  const [usual, worst] = [percentile(before, 0.99), percentile(during, 0.99)];
  assert.ok(
    worst <= usual + WAIT_MS_MAX + toleranceMs,
    `p99 is ${worst} ms during the fault, and ${usual} ms before it`,
  );
}

/** Of concurrent requests spread over P nodes, the limit is admitted, and at most 1 + (P - 1) / 4 times the limit. */
export async function assertLimit(nodes: readonly Node[], limit: number, requests: number): Promise<number> {
  const agent = new http.Agent({ keepAlive: true });
  const urls = startUrls(nodes);
  const responses = await Promise.all(
    Array.from({ length: requests }, (_, index) => request(urls[index % urls.length] as string, agent)),
  );
  agent.destroy();
  assert.equal(nodes.map(({ log }) => log.count(REDIS_DOWN)).join(), nodes.map(() => 0).join());
  const { 200: admitted = 0, 429: refused = 0 } = countStatuses(responses);
  assert.equal(admitted + refused, requests);
  assert.ok(admitted >= limit && admitted <= limit * (1 + (nodes.length - 1) / 4), `${admitted} admitted`);
  return admitted;
}

/** Every node hears of the requests to the others. */
export async function assertSharedCount(nodes: readonly Node[], client: string): Promise<void> {
  const agent = new http.Agent();
  let rounds = 0;
  await until('all nodes count together', async () => {
    rounds++;
    const asked = startUrls(nodes).map((url) => request(url, agent, { 'x-forwarded-for': client }));
    const left = (await Promise.all(asked)).map(
      ({ headers }) => /r=(\d+)/.exec(String(headers.ratelimit))?.[1],
    );
    return left.every((requests) => Number(requests) < Number(NODE.PUBLIC_RATE_LIMIT) - rounds);
  });
}
