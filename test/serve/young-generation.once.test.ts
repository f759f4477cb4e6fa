import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';

const MEGABYTES_MAX = 16;

/** Keeps many young objects alive, collects everything and does so again: prints the megabytes for them after each. */
const PROGRAM = `
  import { setImmediate as nextTick } from 'node:timers/promises';
  import { getHeapSpaceStatistics } from 'node:v8';
  import { limitYoungGeneration } from '${new URL('../../src/serve/young-generation.ts', import.meta.url)}';
  if (process.argv[1] === 'limited') limitYoungGeneration();
  const kept = [];
  const work = async () => {
    for (let count = 0; count < 1_200_000; count++) {
      kept[count % 300_000] = { text: String(count) };
      if (count % 10_000 === 0) await nextTick();
    }
  };
  const megabytes = () =>
    getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 2 ** 20;
  await work();
  const full = megabytes();
  kept.length = 0;
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  await nextTick();
  const empty = megabytes();
  await work();
  console.log(JSON.stringify({ full, empty, again: megabytes() }));`;

async function measure(mode: string): Promise<{ full: number; empty: number; again: number }> {
  // The maximum that Node.js chooses depends on the memory of the machine.
  const flags = ['--expose-gc', '--max-semi-space-size=64', '--input-type=module', '--eval', PROGRAM];
  return JSON.parse((await promisify(execFile)(process.execPath, [...flags, mode])).stdout);
}

describe('memory for young objects', () => {
  it('memory for young objects grows to 16 MB and no further, also after it has shrunk', async () => {
    const { full, empty, again } = await measure('limited');
    assert.equal(full, MEGABYTES_MAX);
    assert.ok(empty < MEGABYTES_MAX);
    assert.equal(again, MEGABYTES_MAX);
  });

  it('memory for young objects would grow further by itself', async () => {
    assert.ok((await measure('as it is')).full > MEGABYTES_MAX);
  });
});
