// Any number of nodes can start concurrently on an empty database: one creates the schema, the others wait for it.
import assert from 'node:assert/strict';
import { startNode } from '../../cluster/nodes.ts';
import type { PostgresServer } from '../../cluster/postgres.ts';
import { openScope } from '../../cluster/scope.ts';
import { STEPS } from '../../src/store/migrate/migrate.ts';
import { PUBLIC_FEED } from '../../support/content/world.ts';
import { openClient } from '../../support/http/http-client.ts';
import { nodeSettings } from '../../support/program/nodes.ts';

export const NODES = 8;
const DATABASE = 'at_once';

/** Returns the time until all of them had served a request. */
export async function startAtOnce(server: PostgresServer): Promise<{ ms: number }> {
  await server.createDatabase(DATABASE);
  const scope = openScope();
  const client = openClient();
  scope.after(client.close);
  try {
    const environment = nodeSettings([server.url(DATABASE)]);
    const startedAt = performance.now();
    const nodes = await Promise.all(Array.from({ length: NODES }, () => startNode(scope, { environment })));
    for (const { address, output } of nodes) {
      const { status } = await client.get(address + PUBLIC_FEED);
      assert.equal(status, 404);
      assert.equal(output().stderr, '');
    }
    const ms = performance.now() - startedAt;
    const steps = await server.psql(DATABASE, 'select name from schema_migrations order by name');
    assert.deepEqual(
      steps.trim().split('\n'),
      STEPS.map(({ name }) => name),
    );
    return { ms };
  } finally {
    await scope.close();
    await server.dropDatabase(DATABASE);
  }
}
