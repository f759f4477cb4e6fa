import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDayOf, normaliseTimestamp } from '../../src/domain/timestamp.ts';

describe('a timestamp (R10)', () => {
  it('a timestamp is normalised to 24 characters in UTC from any ISO 8601 form', () => {
    for (const [given, normal] of [
      ['2026-05-04T09:00:00.000Z', '2026-05-04T09:00:00.000Z'],
      ['2026-05-04', '2026-05-04T00:00:00.000Z'],
      ['2026-05-04T09:00Z', '2026-05-04T09:00:00.000Z'],
      ['2026-05-04T09:00:00.123456Z', '2026-05-04T09:00:00.123Z'],
      ['2026-05-04T09:00:00,5+02:00', '2026-05-04T07:00:00.500Z'],
      ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ] as const) {
      assert.equal(normaliseTimestamp(given), normal);
    }
  });

  it('text that is not a timestamp gives null', () => {
    for (const text of [
      '',
      'today',
      '2026',
      '2026-02-30',
      '2026-13-01',
      '2025-02-29',
      '2026-05-04T25:00:00Z',
      '2026-05-04T09:00:00',
      '2026-5-4',
      '1777885200',
      '0000-01-01T00:00:00+01:00',
    ]) {
      assert.equal(normaliseTimestamp(text), null, text);
    }
  });
});

describe('the day of a version', () => {
  it('is said by a label that is the same day in UTC', () => {
    const publishedAt = '2026-05-04T23:30:00.000Z';
    for (const label of ['2026-05-04', 'v2026-05-04', '2026.05.04', '2026/05/04'])
      assert.ok(isDayOf({ label, publishedAt }), label);
    for (const label of ['2026-05-05', '2026-05', '2026-05-04.1', '2.1.0', '', 'May 4, 2026'])
      assert.equal(isDayOf({ label, publishedAt }), false, label);
    assert.equal(isDayOf({ label: '2026-05-04', publishedAt: null }), false);
  });
});
