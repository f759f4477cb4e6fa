// The short form of `npm run prove memory`: fewer versions, and as many responses as fill the cache.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld, measureMemory, violationsOf } from '../../proofs/memory/memory.ts';

const SIZE = { products: 200, largeVersions: 3_000 };
const RESPONSES = 3_000;
/** The caches are not full yet. */
const MEGABYTES_MAX = 260;

test('a server with its default settings takes little memory under a mixed load', async (t) => {
  const world = await createWorld(t, SIZE);
  const figures = await measureMemory(world, ({ statuses }) => (statuses[200] ?? 0) >= RESPONSES);
  const { megabytes, statuses } = figures;
  t.diagnostic(`${JSON.stringify(statuses)}: ${megabytes.map((each) => each.toFixed(0)).join(', ')} MB`);
  assert.deepEqual(violationsOf(figures, MEGABYTES_MAX), []);
});
