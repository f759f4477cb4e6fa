import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withTimeout } from '../src/timeout.ts';

describe('withTimeout', () => {
  it('withTimeout rejects when nothing arrives in time', async () => {
    await assert.rejects(withTimeout(new Promise(() => {}), 5), { message: 'no response within 5 ms' });
    const late = () => new RangeError('late');
    await assert.rejects(withTimeout(new Promise(() => {}), 5, late), RangeError);
  });

  it('withTimeout returns an answer that arrived while the process was busy', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const answer = withTimeout(promise, 20);
    // As from a socket: it has arrived, but is read only after the timers that are due.
    setTimeout(() => setImmediate(() => resolve('here')), 0);
    const busyUntil = performance.now() + 60;
    while (performance.now() < busyUntil);
    assert.equal(await answer, 'here');
  });
});
