// No thundering herd: however many clients wait for the same response, each node queries the database once.
import assert from 'node:assert/strict';
import pg from 'pg';
import { PUBLIC_FEED } from '../../support/content/world.ts';
import { type HttpResponse, openClient } from '../../support/http/http-client.ts';
import { until } from '../../support/processes/poll.ts';
import { databaseUrls } from '../../support/program/nodes.ts';
import type { Setup } from './database.ts';

const CROWD = 200;
const WAITING = `select count(*)::integer from pg_stat_activity
  where application_name = 'changelog' and wait_event_type = 'Lock'`;
/** Needs no database. */
const NO_ROUTE = '/api/v1/nothing';

type Crowd = Readonly<{ responses: readonly HttpResponse[]; queries: number }>;

/** Many clients request an uncached response while the database is locked; counts the queries that wait there. */
export async function gatherCrowd({ server, nodes, query, nextNew }: Setup): Promise<Crowd> {
  const client = openClient();
  const addresses = Array.from({ length: CROWD }, (_, index) => nodes[index % nodes.length]?.address ?? '');
  const askAll = (path: string) => addresses.map((address) => client.get(address + path));
  const countWaiting = async () => (await query<{ count: number }>(WAITING))[0]?.count ?? 0;
  // Gives each client a connection.
  await Promise.all(askAll(PUBLIC_FEED));

  const lock = new pg.Client({ connectionString: databaseUrls(server)[0] });
  await lock.connect();
  try {
    await lock.query('begin; lock table versions in access exclusive mode');
    const waiting = askAll(nextNew());
    // A node reads these requests after the ones above, so their responses show that those were read too.
    await Promise.all(nodes.map(({ address }) => client.get(address + NO_ROUTE)));
    await until('every node queries the database', async () => (await countWaiting()) >= nodes.length);
    const queries = await countWaiting();
    await lock.query('rollback');
    return { responses: await Promise.all(waiting), queries };
  } finally {
    await lock.end();
    client.close();
  }
}

export function assertOneQueryEach({ responses, queries }: Crowd, nodes: number): void {
  assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200]);
  assert.equal(new Set(responses.map(({ body }) => body)).size, 1);
  assert.equal(queries, nodes);
}
