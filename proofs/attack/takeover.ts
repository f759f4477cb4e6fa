// One address takes all connections of a server, and takes back each one that it loses: others must still get in.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { startNode } from '../../cluster/nodes.ts';
import { PUBLIC_FEED } from '../../support/content/world.ts';
import { environmentOf } from '../../support/databases/engine.ts';
import { countStatuses } from '../../support/http/load.ts';
import { until } from '../../support/processes/poll.ts';
import { hold, type Setup, socketsOf } from './connections.ts';
import { get, type Polled } from './others.ts';

/** Idle after a response; sending a request byte by byte. */
export const TAKEOVER_KINDS = ['idle', 'slow'] as const;
type TakeoverKind = (typeof TAKEOVER_KINDS)[number];

type Takeover = Readonly<{
  kind: TakeoverKind;
  /** Reads of other clients, each on a new connection and from another address. */
  others: readonly Polled[];
}>;

const ATTACKER = '127.0.0.2';
/** What the server reserves for files that are not connections. */
const OTHER_FILES = 150;
const FULL = 0.95;
const READ_EVERY_MS = 10;

/** The server accepts `connections`, which the attacker has before the others begin. */
export async function takeOver(
  { scope, sandbox }: Setup,
  kind: TakeoverKind,
  { connections, heldMs }: Readonly<{ connections: number; heldMs: number }>,
): Promise<Takeover> {
  const server = await startNode(scope, {
    folder: sandbox.folder,
    environment: { ...(await environmentOf(sandbox)), PUBLIC_RATE_LIMIT: '1000000000', LOG_LEVEL: 'error' },
    filesMax: connections + OTHER_FILES,
  });
  const holder = await hold(scope, server, kind, connections, ATTACKER);
  await until('one address has all connections', () => socketsOf(server) >= connections * FULL);
  const others: Polled[] = [];
  for (const startedAt = performance.now(); performance.now() - startedAt < heldMs; ) {
    const client = others.length;
    others.push(await get(server.address + PUBLIC_FEED, `127.1.${client >> 8}.${client & 255}`));
    await delay(READ_EVERY_MS);
  }
  await holder.release();
  await server.stop();
  return { kind, others };
}

export function assertNobodyLockedOut({ kind, others }: Takeover): void {
  assert.deepEqual(Object.keys(countStatuses(others)), ['200'], kind);
}
