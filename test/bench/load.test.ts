import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PUBLIC_FEED } from '../../support/content/world.ts';
import { sendRequests } from '../../support/http/busy-clients.ts';
import { cpuMs, memoryMb } from '../../support/processes/usage.ts';
import { listenApp } from '../../support/program/app.ts';
import { suiteWithWorld } from '../support/suite.ts';

describe('the clients of npm run bench load', () => {
  const suite = suiteWithWorld();

  it('the clients send exactly the given number of requests, and time each', async (t) => {
    const { port, logLines } = await listenApp(t, suite.sandbox);
    const paths = [[PUBLIC_FEED, `${PUBLIC_FEED}/versions/ver_210`], [PUBLIC_FEED]];
    const { responses, timesMs } = await sendRequests({ port, paths, responses: 20 });
    assert.deepEqual([responses, timesMs.length], [20, 20]);
    assert.equal(logLines.filter((line) => line.includes('"status":200')).length, 20);
  });

  it('the clients fail if a response is an error', async (t) => {
    const { port } = await listenApp(t, suite.sandbox);
    await assert.rejects(
      sendRequests({ port, paths: [['/api/v1/public/none']], responses: 5 }),
      /404 Not Found/,
    );
  });
});

describe('the figures of npm run bench load', () => {
  it('cpuMs and memoryMb return the processor time and memory of a process', () => {
    const before = cpuMs(process.pid);
    const until = performance.now() + 200;
    while (performance.now() < until);
    assert.ok(cpuMs(process.pid) > before);
    assert.ok(memoryMb(process.pid) > 10);
    assert.throws(() => memoryMb(0));
  });
});
