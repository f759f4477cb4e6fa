// The short form of `npm run prove starts`.
import { test } from 'node:test';
import { startPostgres } from '../../cluster/postgres.ts';
import { NODES, startAtOnce } from '../../proofs/nodes/starts.ts';

test(`${NODES} nodes that start concurrently on an empty database all serve, and create the schema once`, async (t) => {
  const { ms } = await startAtOnce(await startPostgres(t));
  t.diagnostic(`after ${Math.round(ms)} ms`);
});
