import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isInFuture, presentAt } from '../../../src/domain/content/future-date.ts';

const CASES: [now: string, publishedAt: string, expected: boolean][] = [
  ['2026-05-04T09:00:00.000Z', '2026-05-04T09:00:00.000Z', false],
  ['2026-05-04T09:00:00.000Z', '2020-01-01T00:00:00.000Z', false],
  ['2026-05-04T09:00:00.000Z', '2026-05-04T09:05:00.000Z', false],
  ['2026-05-04T09:00:00.000Z', '2026-05-04T09:05:00.001Z', true],
  ['2026-05-04T09:59:59.999Z', '2026-05-05T00:00:00.000Z', true],
  ['2026-05-04T10:00:00.000Z', '2026-05-05T00:00:00.000Z', false],
  ['2026-05-04T23:59:00.000Z', '2026-05-06T00:00:00.000Z', true],
  ['2026-05-04T10:00:00.000Z', '2026-05-05T00:00:01.000Z', true],
  ['2026-05-04T10:00:00.000Z', '9999-12-31T00:00:00.000Z', true],
];

it('a date is in the future if that day has not begun in any time zone, a time if it is minutes ahead', () => {
  for (const [now, publishedAt, expected] of CASES)
    assert.equal(isInFuture(publishedAt, presentAt(now)), expected, `${publishedAt} at ${now}`);
});
