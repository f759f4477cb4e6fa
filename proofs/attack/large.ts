// One anonymous client and a changelog with very many versions: it asks for all of them, hangs up, does not read, or uses
// its slots while another client asks for the same. Meanwhile, others request what is not cached.
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { feedPath, TEAM } from '../../bench/data/datasets.ts';
import { LONG_SLUG } from '../../bench/data/long.ts';
import { type Node, startNode } from '../../cluster/nodes.ts';
import type { Scope } from '../../cluster/scope.ts';
import { percentile } from '../../support/http/load.ts';
import { temporaryFolder } from '../../support/processes/scope.ts';
import { cpuMs, peakMb } from '../../support/processes/usage.ts';
import { get } from './others.ts';
import { pollOthers } from './poll-others.ts';

export type LargeFigures = Readonly<{
  kind: string;
  status: number;
  seconds: number;
  /** The node's processor time: for a client that hung up, after that. */
  cpuSeconds: number;
  /** The node's peak memory since its start. */
  peakMb: number;
  /** How long others waited for what is not cached. */
  othersP99Ms: number;
  othersMaxMs: number;
}>;

const FEED = feedPath(LONG_SLUG, 1);

/** Everything that has all versions. */
const WHOLE: Record<string, string> = {
  'CHANGELOG.md': `${FEED}/CHANGELOG.md`,
  'CHANGELOG.md again': `${FEED}/CHANGELOG.md`,
  'all versions': FEED,
  'all versions by `since`': `${FEED}?since=2000-01-01`,
  'sitemap.xml': '/sitemap.xml',
};

/** A version, a page of versions, and what does not exist. */
const NOT_CACHED = [
  `${FEED}/versions/ver_{id}`,
  `${FEED}?limit=2&from=1.0.{n}`,
  `/api/v1/public/teams/${TEAM}/products/none-{n}/changelog`,
];

const UNREAD_REQUESTS = 40;

export const LARGE_BOUNDS = { peakMb: 450, othersMaxMs: 250, hungUpCpuSeconds: 0.5 };

/** Starts a new node for each kind, because a process does not return its memory at once. */
export async function attackLarge(
  scope: Scope,
  databaseUrl: string,
  isTried: (kind: string) => boolean = () => true,
): Promise<LargeFigures[]> {
  const kinds: Record<string, (node: Node) => Promise<LargeFigures>> = {
    ...Object.fromEntries(
      Object.entries(WHOLE).map(([kind, path], index) => [
        kind,
        (node: Node) => askForAll(scope, node, { kind, path, group: index + 2 }),
      ]),
    ),
    'hangs up': hangUp,
    'does not read': leaveUnread,
    'waits for a slot': (node) => shareUrl(node),
  };
  const figures: LargeFigures[] = [];
  let node: Node | null = null;
  for (const [kind, run] of Object.entries(kinds).filter(([name]) => isTried(name))) {
    if (!kind.endsWith(' again')) {
      await node?.stop();
      const environment = {
        DATABASE_URL: databaseUrl,
        LISTING: 'all',
        LOG_LEVEL: 'error',
        AUTO_MIGRATE: 'false',
      };
      node = await startNode(scope, { folder: temporaryFolder(scope), environment });
    }
    figures.push(await run(node as Node));
  }
  await node?.stop();
  return figures;
}

async function askForAll(
  scope: Scope,
  { address, pid }: Node,
  { kind, path, group }: { kind: string; path: string; group: number },
): Promise<LargeFigures> {
  const others = await pollOthers(
    scope,
    group,
    NOT_CACHED.map((target) => address + target),
  );
  const [startedAt, cpuBefore] = [performance.now(), cpuMs(pid)];
  const { status, failure } = await get(address + path, '127.0.1.1');
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuSeconds = (cpuMs(pid) - cpuBefore) / 1000;
  const waits = await others.stop();
  const wrong = waits.find((wait) => wait.failure !== null || ![200, 404].includes(wait.status));
  return {
    kind,
    status: failure === null && wrong === undefined ? status : 0,
    seconds,
    cpuSeconds,
    peakMb: peakMb(pid),
    othersP99Ms: percentile(waits, 0.99),
    othersMaxMs: percentile(waits, 1),
  };
}

const NO_OTHERS = { othersP99Ms: 0, othersMaxMs: 0 };

/** The processor time after the client has hung up, in the middle of the work. */
async function hangUp(node: Node): Promise<LargeFigures> {
  const startedAt = performance.now();
  const idleMs = cpuMs(node.pid);
  const socket = await request(node, `${FEED}/CHANGELOG.md`, '127.0.1.2');
  while (cpuMs(node.pid) - idleMs < 200) await delay(10);
  const before = cpuMs(node.pid);
  socket.destroy();
  const cpuSeconds = (await cpuWhenIdle(node.pid)) / 1000 - before / 1000;
  return {
    kind: 'hangs up',
    status: 200,
    seconds: (performance.now() - startedAt) / 1000,
    cpuSeconds,
    peakMb: peakMb(node.pid),
    ...NO_OTHERS,
  };
}

/** Many requests for a long response of which nothing is read. */
async function leaveUnread(node: Node): Promise<LargeFigures> {
  const [startedAt, cpuBefore] = [performance.now(), cpuMs(node.pid)];
  const sockets = await Promise.all(
    Array.from({ length: UNREAD_REQUESTS }, () => request(node, FEED, '127.0.1.3')),
  );
  for (const socket of sockets) socket.pause();
  const cpuSeconds = ((await cpuWhenIdle(node.pid)) - cpuBefore) / 1000;
  for (const socket of sockets) socket.destroy();
  return {
    kind: 'does not read',
    status: 200,
    seconds: (performance.now() - startedAt) / 1000,
    cpuSeconds,
    peakMb: peakMb(node.pid),
    ...NO_OTHERS,
  };
}

/** What exceeds its bound, as text. Others must not wait for a long response to end, however long that takes. */
export function largeViolationsOf(figures: readonly LargeFigures[], bounds = LARGE_BOUNDS): string[] {
  return figures.flatMap(({ kind, status, cpuSeconds, peakMb: peak, othersMaxMs }) => [
    ...(status === 200 ? [] : [`${kind}: the status is ${status}, or that of another client is wrong`]),
    ...(peak <= bounds.peakMb
      ? []
      : [`${kind}: ${peak.toFixed(0)} MB; at most ${bounds.peakMb} are allowed`]),
    ...(othersMaxMs <= bounds.othersMaxMs
      ? []
      : [`${kind}: others waited ${othersMaxMs.toFixed(0)} ms; at most ${bounds.othersMaxMs} are allowed`]),
    ...(kind !== 'hangs up' || cpuSeconds <= bounds.hungUpCpuSeconds
      ? []
      : [
          `${kind}: ${cpuSeconds.toFixed(1)} s of processor time after that; at most ${bounds.hungUpCpuSeconds}`,
        ]),
  ]);
}

/** A client with two unread responses waits for a third; another one asks for the same. */
async function shareUrl(node: Node): Promise<LargeFigures> {
  const cpuBefore = cpuMs(node.pid);
  const unread = await Promise.all(
    [`${FEED}?since=2000-01-02`, `${FEED}?since=2000-01-03`].map((path) => request(node, path, '127.0.1.4')),
  );
  for (const socket of unread) socket.pause();
  await cpuWhenIdle(node.pid);
  const path = `${FEED}/feed.atom`;
  const refused = get(node.address + path, '127.0.1.4');
  await delay(100);
  const { status, ms } = await get(node.address + path, '127.0.1.5');
  await refused;
  for (const socket of unread) socket.destroy();
  return {
    kind: 'waits for a slot',
    status,
    seconds: ms / 1000,
    cpuSeconds: (cpuMs(node.pid) - cpuBefore) / 1000,
    peakMb: peakMb(node.pid),
    ...NO_OTHERS,
  };
}

async function request({ address }: Node, path: string, localAddress: string): Promise<net.Socket> {
  const { hostname: host, port } = new URL(address);
  const socket = net.connect({ host, port: Number(port), localAddress });
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`);
  return socket;
}

const IDLE_CHECK_MS = 300;
/** What a server does without requests. */
const IDLE_CPU_MS = 20;

/** The processor time of the node once it has nothing left to do. */
async function cpuWhenIdle(pid: number): Promise<number> {
  for (let before = cpuMs(pid); ; ) {
    await delay(IDLE_CHECK_MS);
    const now = cpuMs(pid);
    if (now - before <= IDLE_CPU_MS) return now;
    before = now;
  }
}
