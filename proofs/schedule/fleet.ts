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
  restart: (signal: 'SIGKILL' | 'SIGTERM') => Promise<void>;
}>;

const WATCH_EVERY_MS = 40;
/** The newest versions: far more than become public between two requests. */
const WATCHED = `${PUBLIC_FEED}?limit=100`;
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
  watch(scope, `${node.address}${WATCHED}`, (id) => {
    if (!seenAt.has(id)) seenAt.set(id, Date.now());
  });
  return {
    node: () => node,
    outages,
    seenAt,
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

function watch(scope: Scope, url: string, onSeen: (versionId: string) => void): void {
  const client = openClient();
  let isOver = false;
  const look = async () => {
    // A node that is down refuses the connection.
    const body = await client.get(url).then(
      (response) => response.body,
      () => '',
    );
    for (const [, id = ''] of body.matchAll(VERSION_ID)) onSeen(id);
    if (!isOver) setTimeout(look, WATCH_EVERY_MS);
  };
  void look();
  scope.after(() => {
    isOver = true;
    client.close();
  });
}
