// Nodes that are restarted while a client watches what each of them shows.
import { type Node, startNode } from '../../cluster/nodes.ts';
import { freePorts } from '../../cluster/port.ts';
import type { Environment } from '../../src/config.ts';
import { PUBLIC_FEED } from '../../support/content/world.ts';
import { openClient } from '../../support/http/http-client.ts';
import type { Scope } from '../../support/processes/scope.ts';

/** Times here are those of the wall clock, in milliseconds: processes and database share one machine. */
export type Outage = { from: number; until: number };

export type Member = Readonly<{
  /** The current process. */
  node: () => Node;
  /** When it was not serving. */
  outages: readonly Outage[];
  /** When each version was first in a response. */
  seenAt: ReadonlyMap<string, number>;
  /** Looks at all versions, and not only at the newest. */
  look: () => Promise<void>;
  restart: (signal: 'SIGKILL' | 'SIGTERM') => Promise<void>;
}>;

const WATCH_EVERY_MS = 40;
/** More than become public between two requests, unless very many are due at one time. */
const NEWEST = `${PUBLIC_FEED}?limit=100`;
const VERSION_ID = /"id":"(ver_[^"]+)"/g;

/** Starts a node for each number of workers. */
export async function startFleet(
  scope: Scope,
  environment: Environment,
  workers: readonly number[],
): Promise<Member[]> {
  const ports = await freePorts(workers.length);
  return await Promise.all(
    ports.map((port, index) =>
      startMember(scope, () => {
        const args = ['--workers', String(workers[index])];
        return startNode(scope, { environment, port, args });
      }),
    ),
  );
}

async function startMember(scope: Scope, start: () => Promise<Node>): Promise<Member> {
  let node = await start();
  const outages: Outage[] = [];
  const seenAt = new Map<string, number>();
  const look = openEye(scope, (id) => {
    if (!seenAt.has(id)) seenAt.set(id, Date.now());
  });
  const { address } = node;
  repeat(scope, () => look(address + NEWEST));
  return {
    node: () => node,
    outages,
    seenAt,
    look: () => look(address + PUBLIC_FEED),
    restart: async (signal) => {
      await during(outages, async () => {
        await (signal === 'SIGKILL' ? node.kill() : node.stop());
        node = await start();
      });
    },
  };
}

/** Records an outage for as long as the work takes. */
export async function during(outages: Outage[], work: () => Promise<void>): Promise<void> {
  const outage = { from: Date.now(), until: Number.POSITIVE_INFINITY };
  outages.push(outage);
  await work();
  outage.until = Date.now();
}

function openEye(scope: Scope, onSeen: (versionId: string) => void): (url: string) => Promise<void> {
  const client = openClient();
  scope.after(() => client.close());
  return async (url) => {
    // A node that is down refuses the connection.
    const body = await client.get(url).then(
      (response) => response.body,
      () => '',
    );
    for (const [, id = ''] of body.matchAll(VERSION_ID)) onSeen(id);
  };
}

function repeat(scope: Scope, work: () => Promise<void>): void {
  let isOver = false;
  const again = async () => {
    await work();
    if (!isOver) setTimeout(again, WATCH_EVERY_MS);
  };
  void again();
  scope.after(() => {
    isOver = true;
  });
}
