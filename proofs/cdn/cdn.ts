// R66: nothing that a cache serves is older than a second, although the cache may keep it for a day.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Node, startNode } from '../../cluster/nodes.ts';
import { startVarnish, type VarnishServer } from '../../cluster/varnish.ts';
import { databaseUrl, openSession } from '../../support/databases/engine.ts';
import { type HttpClient, openClient } from '../../support/http/http-client.ts';
import { until } from '../../support/processes/poll.ts';
import { type Scope, temporaryFolder } from '../../support/processes/scope.ts';
import { apply } from '../../support/program/command.ts';
import { describeTimes } from '../figures.ts';
import { type Gate, startGate } from './gate.ts';
import { DOCUMENTS, HOST, type Target, WATCHED } from './world.ts';
import { WRITES, type Writer } from './writes.ts';

export const OLD_MS_MAX = 1_000;
const DAY_SECONDS = 86_400;
const NODES = 2;
const READERS = 4;
/** Between two requests of a reader: the nodes need the processor, too. */
const PAUSE_MS = 4;
/** Between two writes: often little, sometimes enough to fill the cache. */
const CALM_MS_MAX = 1_500;

export type Setup = Readonly<{
  nodes: readonly Node[];
  varnish: VarnishServer;
  /** Between the nodes and the purges of Varnish. */
  gate: Gate;
  writer: Writer;
  client: HttpClient;
}>;

export async function setUp(scope: Scope): Promise<Setup> {
  const sandbox = { folder: temporaryFolder(scope) };
  for (const document of DOCUMENTS) await apply(sandbox, document);
  const session = await openSession(sandbox);
  scope.after(session.close);
  const gate = await startGate(scope);
  const hooks = path.join(sandbox.folder, 'hooks.yaml');
  writeFileSync(hooks, `hooks:\n  - name: cdn\n    kind: purge-varnish\n    url: ${gate.address}\n`);
  const environment = {
    DATABASE_URL: databaseUrl(sandbox),
    BASE_URL: `http://${HOST}`,
    LISTING: 'all',
    HOOKS: hooks,
    CDN_MAX_AGE_SECONDS: String(DAY_SECONDS),
    PUBLIC_RATE_LIMIT: '1000000000',
    LOG_LEVEL: 'silent',
  };
  const nodes = await Promise.all(Array.from({ length: NODES }, () => startNode(scope, { environment })));
  const varnish = await startVarnish(
    scope,
    nodes.map(({ port }) => port),
    'purged.vcl',
  );
  gate.open(varnish.port);
  const client = openClient();
  scope.after(client.close);
  return { nodes, varnish, gate, writer: { session, sandbox }, client };
}

/** What a response shows: its status and a hash of its body. */
type Look = Readonly<{ shown: string; isCached: boolean }>;

async function look({ client }: Setup, address: string, { host, path }: Target): Promise<Look> {
  const { status, headers, body } = await client.get(address + path, { host });
  return {
    shown: `${status} ${createHash('sha1').update(body).digest('base64')}`,
    // The second number is that of the request that filled the cache.
    isCached: /^\d+ \d+$/.test(String(headers['x-varnish'])),
  };
}

/** A response through Varnish: what it showed, when it was requested and when it had arrived. */
type Sight = Look & Readonly<{ target: number; from: number; until: number }>;

/** A write: when it began, when it was committed, and what every watched URL shows since. */
type Written = Readonly<{ name: string; from: number; at: number; shows: readonly string[] }>;

export type Run = Readonly<{
  written: readonly Written[];
  sights: readonly Sight[];
  /** While purges did not arrive, and until they had all arrived. */
  outage: Readonly<{ from: number; until: number; recoveredMs: number; writes: number }>;
}>;

/** Writes and reads at the same time. In the middle, purges fail for a while. */
export async function writeAndRead(setup: Setup, writes: number, outageMs: number): Promise<Run> {
  const written: Written[] = [{ name: 'start', from: 0, at: 0, shows: await lookAtAll(setup) }];
  const readers = startReaders(setup);
  let outage: Run['outage'] | undefined;
  for (let serial = 1; serial <= writes; serial++) {
    if (serial === Math.ceil(writes / 2)) {
      const from = performance.now();
      const before = written.length;
      setup.gate.close();
      while (performance.now() - from < outageMs) written.push(await writeOnce(setup, written));
      setup.gate.open(setup.varnish.port);
      const recoveredMs = await until('everything written meanwhile is purged', () =>
        isUpToDate(setup, written),
      );
      outage = { from, until: performance.now(), recoveredMs, writes: written.length - before };
    }
    await delay(Math.random() ** 2 * CALM_MS_MAX);
    written.push(await writeOnce(setup, written));
  }
  await delay(OLD_MS_MAX);
  const sights = await readers.stop();
  assert.ok(outage);
  return { written, sights, outage };
}

async function writeOnce(setup: Setup, written: readonly Written[]): Promise<Written> {
  const serial = written.length;
  const { name, write, changes } = WRITES[(serial - 1) % WRITES.length] as (typeof WRITES)[number];
  const index = WATCHED.findIndex(({ host, path }) => host === changes.host && path === changes.path);
  const before = written.at(-1)?.shows[index];
  const from = performance.now();
  await write(setup.writer, serial);
  const at = performance.now();
  const { address } = setup.nodes[0] as Node;
  await until(`${name}: shown by a node`, async () => (await look(setup, address, changes)).shown !== before);
  return { name, from, at, shows: await lookAtAll(setup) };
}

/** What the first node itself says. */
async function lookAtAll(setup: Setup): Promise<string[]> {
  const { address } = setup.nodes[0] as Node;
  return await showAll(setup, address);
}

async function showAll(setup: Setup, address: string): Promise<string[]> {
  return await Promise.all(WATCHED.map(async (target) => (await look(setup, address, target)).shown));
}

async function isUpToDate(setup: Setup, written: readonly Written[]): Promise<boolean> {
  const shown = await showAll(setup, setup.varnish.address);
  return shown.every((each, index) => each === written.at(-1)?.shows[index]);
}

function startReaders(setup: Setup) {
  const sights: Sight[] = [];
  let isOver = false;
  const readers = Array.from({ length: READERS }, async (_, reader) => {
    for (let target = reader; !isOver; target = (target + 1) % WATCHED.length) {
      const from = performance.now();
      const seen = await look(setup, setup.varnish.address, WATCHED[target] as Target);
      sights.push({ target, from, until: performance.now(), ...seen });
      await delay(PAUSE_MS);
    }
  });
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(readers);
      return sights;
    },
  };
}

export type Judgement = Readonly<{
  /** Responses that were older than allowed, or that no state of the content is like, long after a write. */
  wrong: readonly string[];
  /**
   * Responses between two states soon after a write: a node may know a write to a product, and not yet that its domain is
   * another's. A cache may keep one until the next purge.
   */
  mixed: number;
  cached: number;
  /** How many times a write changed a URL. */
  changed: number;
  /** For those after which an older response was served: how long after the commit it was last requested. */
  oldFor: readonly Readonly<{ ms: number }>[];
}>;

export function judge({ written, sights, outage }: Run, msMax: number): Judgement {
  const wrong: string[] = [];
  let [mixed, cached] = [0, 0];
  const oldFor = new Map<string, { ms: number }>();
  const changes = (target: number, index: number) =>
    index > 0 && written[index]?.shows[target] !== written[index - 1]?.shows[target];
  for (const { target, from, until, shown, isCached } of sights) {
    if (until >= outage.from && from <= outage.until) continue;
    const { host, path } = WATCHED[target] as Target;
    // The latest write after which this was right, if it had begun before the response arrived.
    const latest = written.findLastIndex((write) => write.from <= until && write.shows[target] === shown);
    if (latest === -1) {
      const isRecent = written.some((write) => write.from <= until && from - write.at <= msMax);
      if (!isRecent) wrong.push(`${host}${path} was as it never was`);
      mixed++;
      if (isCached) cached++;
      continue;
    }
    const next = written.findIndex((_, index) => index > latest && changes(target, index));
    const ms = next === -1 ? 0 : from - (written[next] as Written).at;
    if (ms <= 0) continue;
    if (ms > msMax) wrong.push(`${host}${path} was ${Math.round(ms)} ms old: ${written[next]?.name}`);
    const change = `${target} ${next}`;
    oldFor.set(change, { ms: Math.max(oldFor.get(change)?.ms ?? 0, ms) });
  }
  const targets = [...WATCHED.keys()];
  const changed = written.flatMap((_, index) => targets.filter((target) => changes(target, index))).length;
  return { wrong, mixed, cached, changed, oldFor: [...oldFor.values()] };
}

export function describeJudgement({ mixed, cached, changed, oldFor }: Judgement): string {
  const old = `${oldFor.length} times an older response was served: until ${describeTimes(oldFor)} after the commit`;
  return `${changed} times a URL changed, ${old}; ${mixed} responses between two states, ${cached} of them cached`;
}
