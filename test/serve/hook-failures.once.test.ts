// What the log says about hooks that fail: one line, neither a flood nor silence.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFailures } from '../../src/serve/hooks.ts';

describe('a receiver that fails', () => {
  function open() {
    const clock = { ms: 0 };
    return { clock, ...createFailures(() => clock.ms) };
  }

  it('is asked less and less often, at least every 30 seconds, whatever waits for it', () => {
    const { clock, isPaused, failed } = open();
    const pauses = Array.from({ length: 8 }, () => {
      failed('chat', 'HTTP 500');
      const since = clock.ms;
      while (isPaused('chat')) clock.ms += 1_000;
      return (clock.ms - since) / 1_000;
    });
    assert.deepEqual(pauses, [0, 2, 4, 8, 16, 30, 30, 30]);
    assert.equal(isPaused('another'), false);
  });

  it('is asked at once after it has worked', () => {
    const { isPaused, failed, works } = open();
    for (let time = 0; time < 5; time++) failed('chat', 'HTTP 500');
    assert.ok(isPaused('chat'));
    assert.ok(works('chat'));
    assert.deepEqual([isPaused('chat'), works('chat')], [false, false]);
  });

  it('is news the first time, and when it fails in another way', () => {
    const { failed, works } = open();
    assert.deepEqual(
      ['HTTP 500', 'HTTP 500', 'ECONNREFUSED', 'ECONNREFUSED'].map((reason) => failed('chat', reason)),
      [true, false, true, false],
    );
    works('chat');
    assert.ok(failed('chat', 'ECONNREFUSED'));
  });
});
