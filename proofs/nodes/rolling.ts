// Nodes behind nginx are restarted one after the other while clients send requests continuously.
import assert from 'node:assert/strict';
import { startNginx } from '../../cluster/nginx.ts';
import { type Node, startNode } from '../../cluster/nodes.ts';
import { freePort } from '../../cluster/port.ts';
import { startPostgres } from '../../cluster/postgres.ts';
import { PUBLIC_FEED, seedWorld, TEAM_FEED } from '../../support/content/world.ts';
import { countStatuses, startLoad, type TimedResponse } from '../../support/http/load.ts';
import type { Scope } from '../../support/processes/scope.ts';
import { databaseUrls, nodeSettings, provideDatabase } from '../../support/program/nodes.ts';

const NODES = 3;
const CONNECTIONS = 2;
/** Between two restarts, so that every node is busy when it is restarted. */
const RESPONSES_BETWEEN = 50;
const MISSING = '/api/v1/public/teams/acme/products/nowhere/changelog';

type Fleet = Readonly<{
  /** Restarts every node, one after the other. */
  roll: () => Promise<void>;
  /** Stops the clients; returns all responses since the start. */
  end: () => Promise<{ found: TimedResponse[]; missing: TimedResponse[] }>;
}>;

export async function startFleet(scope: Scope): Promise<Fleet> {
  const server = await startPostgres(scope);
  const { full } = await seedWorld(await provideDatabase(scope, server));
  const environment = nodeSettings(databaseUrls(server));
  const ports = await Promise.all(Array.from({ length: NODES }, freePort));
  const start = (port: number) => startNode(scope, { environment, port });
  const nodes: Node[] = await Promise.all(ports.map(start));
  const { address } = await startNginx(scope, ports);

  // nginx caches public responses for one second; requests with a key and 404s always reach a node.
  const found = startLoad({
    urls: [address + PUBLIC_FEED, address + TEAM_FEED, address + TEAM_FEED],
    lasting: CONNECTIONS,
    fresh: 1,
    headers: { authorization: `Bearer ${full}` },
  });
  const missing = startLoad({ urls: [address + MISSING], lasting: 1, fresh: 1 });
  scope.after(() => Promise.all([found.stop(), missing.stop()]).then(() => {}));
  return {
    roll: async () => {
      for (const [index, node] of nodes.entries()) {
        await found.next(RESPONSES_BETWEEN);
        await node.stop();
        assert.deepEqual(await node.exited, { code: 0, signal: null });
        nodes[index] = await start(node.port);
      }
    },
    end: async () => ({ found: await found.stop(), missing: await missing.stop() }),
  };
}

export function assertNoneFailed({
  found,
  missing,
}: {
  found: TimedResponse[];
  missing: TimedResponse[];
}): void {
  assert.deepEqual(Object.keys(countStatuses(found)), ['200']);
  assert.deepEqual(Object.keys(countStatuses(missing)), ['404']);
}
