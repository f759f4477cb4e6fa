// The short form of `npm run prove static`: fewer versions, and less processor time in proportion.
import { test } from 'node:test';
import { buildTwice, describeBuild } from '../../proofs/static/large-site.ts';

const VERSIONS = 300;

test('a static site of many versions is built in bounded processor time and memory, and then not written again', async (t) => {
  for (const built of await buildTwice(t, VERSIONS)) t.diagnostic(describeBuild(built));
});
