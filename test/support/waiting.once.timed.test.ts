// How long tests wait, on a quiet machine and on a busy one.
import assert from 'node:assert/strict';
import os from 'node:os';
import { describe, it } from 'node:test';
import { stretched } from '../../support/processes/busy.ts';
import { until } from '../../support/processes/poll.ts';
import { threadCpuMs } from '../../support/processes/usage.ts';

const CORES = os.availableParallelism();

describe('a time limit', () => {
  it('a time limit is kept as it is while there are as many cores as processes', () => {
    for (const processes of [0, 1, CORES]) assert.equal(stretched(500, processes), 500);
  });

  it('a time limit grows with the processes that want each core, up to a bound', () => {
    assert.equal(stretched(500, 6 * CORES), 3_000);
    assert.equal(stretched(500, 1_000 * CORES), 15_000);
  });

  it('what does not happen within its time limit is an error', async () => {
    await assert.rejects(
      until('the moon is full', () => false, { withinMs: 20 }),
      /^Error: not within \d+ ms: the moon is full$/,
    );
  });
});

describe('processor time', () => {
  it('waiting takes none, and work does', () => {
    const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    assert.ok(threadCpuMs(pause) < 50);
    const work = () => {
      for (const before = process.threadCpuUsage(); process.threadCpuUsage(before).user < 20_000; );
    };
    assert.ok(threadCpuMs(work) >= 20);
  });
});
