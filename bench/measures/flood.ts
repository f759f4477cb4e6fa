// Requests for random slugs: they must not use memory or evict cached responses.
import { setTimeout as wait } from 'node:timers/promises';
import type { Scope } from '../../cluster/scope.ts';
import { scrape } from '../../support/http/prometheus.ts';
import { memoryMb } from '../../support/processes/usage.ts';
import { feedPath, TEAM } from '../data/datasets.ts';
import type { Measure } from '../report/results.ts';
import { runWrk } from '../rounds/wrk.ts';
import { requestOnce } from '../servers/responses.ts';
import { type Server, startOurs } from '../servers/servers.ts';

const GROUP = 'Flood';
const SLICE_MS = 500;
const SETTLE_MS = 100;
const HOT_PRODUCTS = 10;

type FloodOptions = Readonly<{
  slugs: number;
  secondsMax: number;
  onProgress: (text: string) => void;
}>;

export async function measureFlood(
  scope: Scope,
  databaseUrl: string,
  options: FloodOptions,
): Promise<Measure[]> {
  const { slugs, secondsMax, onProgress } = options;
  const server = await startOurs(scope, { DATABASE_URL: databaseUrl, OPS_PORT: '0' });
  const hotFeeds = Array.from({ length: HOT_PRODUCTS }, (_, index) => feedPath('hot', index + 1));
  const askAll = async () => {
    for (const path of hotFeeds) await requestOnce(server.address + path);
  };
  onProgress('flood: before');
  await askAll();
  // Warms up the process, so that it has all of its working memory.
  await loadHot(server);
  await flood(server, slugs / 10, secondsMax / 5);
  const before = memoryMb(server.pid);
  onProgress(`flood: ${slugs.toLocaleString('en')} random slugs`);
  const sent = await flood(server, slugs, secondsMax);
  const afterwards = memoryMb(server.pid);
  const readBefore = await settledResponsesRead(server);
  await askAll();
  const readAgain = (await responsesRead(server)) - readBefore;
  await loadHot(server);
  const settled = memoryMb(server.pid);
  await server.stop();
  const name = `${sent.toLocaleString('en')} random slugs`;
  const rounded = (value: number) => Math.round(value * 10) / 10;
  return [
    {
      id: 'flood-before',
      group: GROUP,
      name: 'memory before the flood',
      unit: 'MB',
      values: [rounded(before)],
    },
    {
      id: 'flood-after',
      group: GROUP,
      name: 'memory right after the flood, and after hot reads',
      unit: 'MB',
      values: [rounded(afterwards), rounded(settled)],
    },
    {
      id: 'flood-growth',
      group: GROUP,
      name: `memory growth, ${name}`,
      unit: 'MB',
      values: [rounded(afterwards - before), rounded(settled - before)],
      goal: { atMost: 20 },
    },
    {
      id: 'flood-read',
      group: GROUP,
      name: `of ${HOT_PRODUCTS} hot responses, read again after the flood`,
      unit: 'responses',
      values: [readAgain],
      goal: { atMost: 0 },
    },
  ];
}

async function loadHot(server: Server): Promise<void> {
  const load = { address: server.address, target: { path: feedPath('hot', 1) } };
  await runWrk({ ...load, expected: { status: 200, bytes: null } }, SLICE_MS);
  server.checkLog();
}

/** Returns the number of requests: all, or as many as fit into the time. */
async function flood(server: Server, slugs: number, secondsMax: number): Promise<number> {
  const target = { before: `/api/v1/public/teams/${TEAM}/products/`, after: '/changelog' };
  const load = { address: server.address, target, expected: { status: 404, bytes: null } };
  const until = performance.now() + secondsMax * 1_000;
  let sent = 0;
  while (sent < slugs && performance.now() < until) {
    sent += (await runWrk(load, SLICE_MS)).requests;
    server.checkLog();
  }
  return sent;
}

async function responsesRead(server: Server): Promise<number> {
  return (await scrape(server.opsAddress)).sum('changelog_responses_total', { source: 'database' });
}

/** Waits until the count is stable: wrk does not wait for its last requests. */
async function settledResponsesRead(server: Server): Promise<number> {
  let read = await responsesRead(server);
  for (;;) {
    await wait(SETTLE_MS);
    const later = await responsesRead(server);
    if (later === read) return read;
    read = later;
  }
}
