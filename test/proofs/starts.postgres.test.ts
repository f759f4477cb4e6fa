// The short form of `npm run starts`.
import { test } from 'node:test';
import { startPostgres } from '../../cluster/postgres.ts';
import { NODES, startAtOnce } from '../../proofs/nodes/starts.ts';

test(`${NODES} nodes that start at once on an empty database all serve, and its schema is made once`, async (t) => {
  const { ms } = await startAtOnce(await startPostgres(t));
  t.diagnostic(`after ${Math.round(ms)} ms`);
});
