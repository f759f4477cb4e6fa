import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { processCounters } from '../../../src/http/guards/counters/exchange.ts';
import { threadCpuMs } from '../../../support/processes/usage.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('counters of very many clients', () => {
  it('at the limit, time and memory stay constant for a million networks', () => {
    const together = 100_000;
    const add = processCounters().open({ kind: 'kind', max: 60, windowSeconds: 60 });
    const network = (index: number) =>
      `2001:db8:${(index >> 16).toString(16)}:${(index & 65_535).toString(16)}::/64`;
    const bytes = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    let clients = 0;
    const addMany = () =>
      threadCpuMs(() => {
        for (let index = 0; index < together; index++) add(network(clients++), 1);
      });
    const before = bytes();
    const belowMs = addMany();
    const atBoundMs = Array.from({ length: 9 }, addMany);
    const fastest = Math.min(...atBoundMs);
    assert.ok(fastest < 5 * belowMs, `${fastest} ms at the bound, and ${belowMs} ms below it`);
    const bytesEach = (bytes() - before) / (2 * together);
    assert.ok(bytesEach < 400, `${bytesEach} bytes a client`);
  });
});
