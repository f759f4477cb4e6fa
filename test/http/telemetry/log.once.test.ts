import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatMs } from '../../../src/http/telemetry/log.ts';

it('a duration in the log has three decimals, like toFixed', () => {
  for (const ms of [0, 0.0004, 0.001, 0.0996, 0.9996, 1, 9.0194, 59_999.9994, 123_456_789.012])
    assert.equal(formatMs(ms), ms.toFixed(3));
});
