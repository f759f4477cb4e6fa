// Connections that do little or nothing: how much memory they take, and how long other clients wait meanwhile.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { tethered } from '../../cluster/tether.ts';
import { HEADER_BYTES_MAX } from '../../src/http/server.ts';
import { ACME, PUBLIC_FEED, seedWorld } from '../../support/content/world.ts';
import { sendRequests } from '../../support/http/busy-clients.ts';
import { type HttpClient, openClient } from '../../support/http/http-client.ts';
import { percentile } from '../../support/http/load.ts';
import { until } from '../../support/processes/poll.ts';
import { type Scope, temporaryFolder } from '../../support/processes/scope.ts';
import { memoryMb } from '../../support/processes/usage.ts';
import { apply, type Sandbox } from '../../support/program/command.ts';
import { type ServerProcess, spawnServer } from '../../support/program/process.ts';

/**
 * Kept alive after a response; sending a request byte by byte; sending headers of the maximum size without their end;
 * requesting a long response without reading it.
 */
export const CONNECTION_KINDS = ['idle', 'slow', 'unfinished', 'stalled'] as const;
export type ConnectionKind = (typeof CONNECTION_KINDS)[number];

type Crowd = Readonly<{
  kind: ConnectionKind;
  connections: number;
  /** Peak memory of the server, in addition to what it used before. */
  megabytes: number;
  /** Times of other clients' cached reads, while the connections are opened, stay and are closed. */
  waits: readonly { ms: number }[];
}>;

/** The maximum memory of the connections, and the maximum time of a cached read. */
type Bounds = Readonly<{ megabytesMax: number; waitMsMax: number }>;
export type Setup = Readonly<{ scope: Scope; sandbox: Sandbox }>;
type CrowdOptions = Readonly<{ connections: number; heldMs: number; warmRequests: number }>;

export const LONG_FEED = PUBLIC_FEED.replace('rocket', 'long');
const LONG_VERSIONS = 2_000;
const WARM_CONNECTIONS = 100;
const READ_EVERY_MS = 10;
const BYTES_PER_MB = 1024 * 1024;

export async function setUp(scope: Scope): Promise<Setup> {
  const sandbox = { folder: temporaryFolder(scope) };
  await seedWorld(sandbox);
  await apply(sandbox, { team: ACME.team, products: [LONG] });
  return { scope, sandbox };
}

/** Starts a new server for each round, because a process does not return its memory immediately. */
export async function crowd(
  { scope, sandbox }: Setup,
  kind: ConnectionKind,
  { connections, heldMs, warmRequests }: CrowdOptions,
): Promise<Crowd> {
  const settings = { PUBLIC_RATE_LIMIT: '1000000000', KEY_USAGE: 'off' };
  const server = await spawnServer(scope, sandbox, settings);
  await warm(server, warmRequests);

  const client = openClient();
  scope.after(client.close);
  await client.get(server.address + PUBLIC_FEED);
  const before = { megabytes: memoryMb(server.pid), sockets: socketsOf(server) };
  const reader = readOn(client, server);
  const holder = await hold(scope, server, kind, connections);
  const peak = await watchMemory(server, heldMs);
  await holder.release();
  await until('the server has closed them', () => socketsOf(server) <= before.sockets);
  const waits = await reader.stop();
  await server.stop();
  assert.deepEqual(await server.exited, { code: 0, signal: null });
  return { kind, connections, megabytes: peak - before.megabytes, waits };
}

const LONG = {
  slug: 'long',
  name: 'Long',
  status: 'published',
  changelog: {
    status: 'published',
    versions: Array.from({ length: LONG_VERSIONS }, (_, index) => ({
      version: `1.${index}.0`,
      title: `A title that is as long as titles are: number ${index} of many`.padEnd(200, '.'),
      status: 'published',
      publishedAt: '2026-01-01',
    })),
  },
};

/** Memory that the runtime needs for any busy server must not be attributed to the connections. */
async function warm({ port }: ServerProcess, responses: number): Promise<void> {
  const paths = Array.from({ length: WARM_CONNECTIONS }, () => [PUBLIC_FEED]);
  await sendRequests({ port, paths, responses });
  // The second path loads the parser of Markdown, which is not a cost of connections either.
  await sendRequests({ port, paths: [[LONG_FEED], [`${PUBLIC_FEED}/versions/latest`]], responses: 2 });
}

export async function hold(
  scope: Scope,
  { port }: ServerProcess,
  kind: ConnectionKind,
  connections: number,
  ...from: string[]
) {
  const script = path.join(import.meta.dirname, 'hold.ts');
  const own = [script, String(port), kind, String(connections), ...from];
  const { command, args } = tethered(process.execPath, own);
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const release = async () => {
    child.stdin.end();
    assert.deepEqual(await ended, [0, null]);
  };
  scope.after(async () => {
    if (child.exitCode === null) child.kill('SIGKILL');
    await ended;
  });
  const opened = once(child.stdout, 'data');
  const first = await Promise.race([opened, ended.then(() => null)]);
  assert.notEqual(first, null, 'cannot open the connections; is `ulimit -n` high enough?');
  return { release };
}

/** Makes cached reads one after the other, on a connection that was opened before the others. */
function readOn(client: HttpClient, { address }: ServerProcess) {
  const waits: { ms: number }[] = [];
  let isOver = false;
  const reading = (async () => {
    while (!isOver) {
      const { status, ms } = await client.get(address + PUBLIC_FEED);
      assert.equal(status, 200);
      waits.push({ ms });
      await delay(READ_EVERY_MS);
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await reading;
      return waits;
    },
  };
}

async function watchMemory({ pid }: ServerProcess, ms: number): Promise<number> {
  const startedAt = performance.now();
  let most = 0;
  while (performance.now() - startedAt < ms) {
    most = Math.max(most, memoryMb(pid));
    await delay(100);
  }
  return most;
}

export function socketsOf({ pid }: ServerProcess): number {
  const files = readdirSync(`/proc/${pid}/fd`).map((name) => `/proc/${pid}/fd/${name}`);
  return files.filter(isSocket).length;
}

function isSocket(file: string): boolean {
  try {
    return readlinkSync(file).startsWith('socket:');
  } catch {
    // Closed meanwhile.
    return false;
  }
}

/** The bytes of unfinished requests are allowed in addition to the cost of the connections. */
export function assertWithinBounds({ kind, connections, megabytes, waits }: Crowd, bounds: Bounds): void {
  const sent = kind === 'unfinished' ? (connections * HEADER_BYTES_MAX) / BYTES_PER_MB : 0;
  assert.ok(megabytes <= bounds.megabytesMax + sent, `${kind}: ${megabytes.toFixed(0)} MB`);
  const slowestMs = percentile(waits, 1);
  assert.ok(slowestMs <= bounds.waitMsMax, `${kind}: a cached read took ${slowestMs.toFixed(0)} ms`);
}
