// What the flags of a server do that the launcher starts it with.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';

const { V8_FLAGS } = createRequire(import.meta.url)('../../bin/launcher.cjs') as { V8_FLAGS: string[] };
const YOUNG_MB_MAX = 16;
/** Garbage is half of live memory when a collection starts, and more when it ends: how much depends on the threads. */
const GROWTH_MAX = 2.1;

const START = `
  import { setImmediate as nextTick } from 'node:timers/promises';
  import { getHeapSpaceStatistics } from 'node:v8';
  const kept = [];`;

/** Keeps many young objects alive, collects everything, and repeats: prints their megabytes after each. */
const YOUNG = `${START}
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

/** Replaces old objects, as a full cache does: prints the live megabytes, and the mean of all. */
const OLD = `${START}
  const megabytes = () => process.memoryUsage().heapUsed / 2 ** 20;
  const work = async (objects) => {
    let [sum, samples] = [0, 0];
    for (let count = 0; count < objects; count++) {
      kept[count % 40_000] = new Array(125).fill(count);
      if (count % 1_000 !== 0) continue;
      await nextTick();
      sum += megabytes();
      samples++;
    }
    return sum / samples;
  };
  await work(120_000);
  gc();
  const alive = megabytes();
  console.log(JSON.stringify({ alive, mean: await work(300_000) }));`;

async function measure(program: string, limits: readonly string[]): Promise<Record<string, number>> {
  // The default of Node.js depends on the machine's memory.
  const sizes = ['--max-semi-space-size=64', '--max-old-space-size=4096', ...limits];
  const flags = ['--expose-gc', ...sizes, '--input-type=module', '--eval', program];
  return JSON.parse((await promisify(execFile)(process.execPath, flags)).stdout);
}

describe('memory for young objects', () => {
  it('memory for young objects is limited, even after it has shrunk', async () => {
    const { full = 0, empty = 0, again = 0 } = await measure(YOUNG, V8_FLAGS);
    assert.ok(full <= YOUNG_MB_MAX, `${full} MB`);
    assert.ok(empty < full, `${empty} MB`);
    assert.ok(again > empty && again <= YOUNG_MB_MAX, `${again} MB`);
  });

  it('memory for young objects would otherwise grow further', async () => {
    const { full = 0 } = await measure(YOUNG, []);
    assert.ok(full > YOUNG_MB_MAX, `${full} MB`);
  });
});

describe('garbage among old objects', () => {
  it('garbage among old objects is collected early', async () => {
    const { alive = 0, mean = 0 } = await measure(OLD, V8_FLAGS);
    assert.ok(mean < alive * GROWTH_MAX, `${mean} MB, of which ${alive} MB are alive`);
  });

  it('garbage among old objects would otherwise grow', async () => {
    const { alive = 0, mean = 0 } = await measure(OLD, []);
    assert.ok(mean > alive * GROWTH_MAX, `${mean} MB, of which ${alive} MB are alive`);
  });
});
