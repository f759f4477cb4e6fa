// Sends generated requests on several lanes concurrently and checks every response.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { KeepAlive, type RawResponse, sendRaw } from './client.ts';
import { mutate } from './mutations.ts';
import { type Exchange, exchange, writeRequest } from './requests.ts';
import { checkResponse, type Rights, rightsOfAny, rightsOfRequest } from './response-checks.ts';
import { ADDRESSES, SERVERS, type World } from './world.ts';

type Campaign = Readonly<{
  seed: number;
  sent: number;
  seconds: number;
  /** The number of responses by kind of request and status. A missing response counts as `none`. */
  responses: Counts;
  /** The report with the seed and the smallest counterexample, or null. */
  failure: string | null;
}>;

type Counts = Readonly<Record<Exchange['kind'], Map<string, number>>>;

const LANES = 32;
/** A lane runs this many exchanges per seed. */
const EXCHANGES_A_SEED = 20;
/** Failures that involve a timeout shrink slowly; after this time, the smallest so far is reported. */
const SHRINK_MS_MAX = 30_000;

export async function attack(
  world: World,
  { requests, seed }: { requests: number; seed: number },
): Promise<Campaign> {
  const before = await plainResponses(world);
  const uncaught = watchUncaught();
  const responses: Counts = { 'well-formed': new Map(), mutated: new Map(), noise: new Map() };
  const startedAt = performance.now();
  let sent = 0;
  let nextSeed = seed;
  let failure: string | null = null;
  /** Infinity until something fails. */
  let shrinkUntil = Number.POSITIVE_INFINITY;

  const runLane = async () => {
    while (sent < requests && failure === null && shrinkUntil === Number.POSITIVE_INFINITY) {
      const property = fc.asyncProperty(exchange, async (generated) => {
        if (performance.now() > shrinkUntil) return;
        sent += generated.kind === 'well-formed' ? generated.requests.length : 1;
        world.forgetQueries();
        await perform(world, generated, (response, rights) => {
          count(responses[generated.kind], response);
          if (response !== null) checkResponse(response, rights, [world.folder, process.cwd()]);
        }).catch((error: unknown) => {
          shrinkUntil = Math.min(shrinkUntil, performance.now() + SHRINK_MS_MAX);
          throw error;
        });
      });
      const report = await fc.check(property, { numRuns: EXCHANGES_A_SEED, seed: nextSeed++ });
      if (report.failed)
        failure ??= `${fc.defaultReportMessage(report)}\n${(report.errorInstance as Error).stack}`;
      failure ??= await failureOf(async () => checkLog(world));
    }
  };
  await Promise.all(Array.from({ length: LANES }, runLane));
  const seconds = (performance.now() - startedAt) / 1000;
  failure ??= await failureOf(() => checkAftermath(world, before, uncaught.stop()));
  return { seed, sent, seconds, responses, failure };
}

function watchUncaught(): { stop: () => unknown[] } {
  const uncaught: unknown[] = [];
  const note = (error: unknown) => void uncaught.push(error);
  const events = ['uncaughtException', 'unhandledRejection'] as const;
  for (const event of events) process.on(event, note);
  return {
    stop: () => {
      for (const event of events) process.off(event, note);
      return uncaught;
    },
  };
}

type OnResponse = (response: RawResponse | null, rights: Rights) => void;

/** Each exchange has its own connection, so that exchanges cannot affect each other. */
async function perform(world: World, generated: Exchange, onResponse: OnResponse): Promise<void> {
  const { server } = generated;
  const port = world.ports[server];
  if (generated.kind === 'well-formed') {
    const client = new KeepAlive(port);
    try {
      for (const request of generated.requests) {
        const response = await client.send(writeRequest(request, world.words), request.method);
        onResponse(response, rightsOfRequest(request, server));
      }
    } finally {
      client.close();
    }
    return;
  }
  const requests = generated.kind === 'mutated' ? generated.requests : [];
  const bytes =
    generated.kind === 'mutated'
      ? generated.mutations.reduce(mutate, requests.map((one) => writeRequest(one, world.words)).join(''))
      : generated.bytes;
  const responses = await sendRaw(port, bytes, generated.ending);
  for (const response of responses.length === 0 ? [null] : responses)
    onResponse(response, rightsOfAny(requests, server));
}

function count(statuses: Map<string, number>, response: RawResponse | null): void {
  const status = String(response?.status ?? 'none');
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
}

/** At the end, the servers respond as before, there were no uncaught errors, and the log contains no secrets. */
async function checkAftermath(
  world: World,
  before: readonly string[],
  uncaught: readonly unknown[],
): Promise<void> {
  assert.deepEqual(uncaught, []);
  assert.deepEqual(await plainResponses(world), before);
  checkLog(world);
}

function checkLog(world: World): void {
  const { openFull, openSelect, closedFull, disabled, gate } = world.words;
  for (const line of world.takeLogLines()) {
    assert.ok(!ERROR_LEVELS.includes(JSON.parse(line).level), line);
    for (const secret of [openFull, openSelect, closedFull, disabled, gate])
      assert.ok(!line.includes(secret), `a secret was logged: ${line}`);
  }
}

const ERROR_LEVELS = ['error', 'fatal'];

async function plainResponses(world: World): Promise<string[]> {
  const bodies: string[] = [];
  for (const server of SERVERS) {
    for (const target of ADDRESSES) {
      const client = new KeepAlive(world.ports[server]);
      const request = {
        method: 'GET',
        target,
        headers: [
          ['Host', 'test'],
          ['X-Forwarded-For', '2001:db8::1'],
          ['Proxy-Authorization', 'Basic {gate}'],
        ],
        body: { text: '', framing: 'none' },
      } as const;
      const { status, body } = await client.send(writeRequest(request, world.words), 'GET');
      assert.equal(status, 200, body);
      bodies.push(body);
      client.close();
    }
  }
  return bodies;
}

async function failureOf(check: () => Promise<void>): Promise<string | null> {
  try {
    await check();
    return null;
  } catch (error) {
    return String((error as Error).stack);
  }
}
