import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findDate } from '../../../src/import/dates/dates.ts';

describe('a date in a text', () => {
  for (const written of [
    '2026-05-04',
    '2026/05/04',
    '2026/5/4',
    '2026.05.04',
    '2026—05—04',
    '2026 05 04',
    '2026-05-04 10:45',
    '2026-05-04 10:45:52 +0200',
    '2026-05-04T10:45:52',
    '2026-05-04 09:57 a.m. CEST',
    '2026-05-04 8.55 P.M UTC+6:00',
    'Monday, 2026-05-04',
    'May 4th, 2026',
    'May 4 2026',
    'May 04,2026',
    'May 4 , 2026',
    'May, 4, 2026',
    'May. 4, 2026',
    'MAY 4, 2026',
    'May-04-2026',
    'May 4, 2026 at 3:30 pm',
    '4 May 2026',
    '4. May 2026',
    '4th of May, 2026',
    '04-May-2026',
    '04/May/2026',
    '04May2026',
    'Mon, 04 May 2026',
    'Mon May 4 10:45:52 2026',
    'Mon May  4 10:45:52 IST 2026',
    'Mon 04 May 2026 10:45:52 IST',
    'Mon 04 May 2026 10:45:52 IDT',
    '2026-05-04  9:15 P.M GMT+6',
    'Mon 4 May 2026, 10:45 GMT+2:00',
    '2026 May 4',
    '2026-May-04',
    '2026年5月4日',
    '2026 年 05 月 04 日',
    '2026년 5월 4일',
    '4. Mai 2026',
    '4 mai 2026',
    '4 de mayo de 2026',
    '4 de Maio de 2026',
    '4 maggio 2026',
    '4 мая 2026 г.',
    '4 maja 2026',
    '4 Mayıs 2026',
  ])
    it(`${written} is a date as a whole`, () => {
      const found = findDate(`released ${written}, by hand`);
      assert.deepEqual(found, { text: written, timestamp: '2026-05-04T00:00:00.000Z' });
    });

  for (const [written, timestamp] of [
    ['1er août 2026', '2026-08-01T00:00:00.000Z'],
    ['09 March 2026', '2026-03-09T00:00:00.000Z'],
    ['9. März 2026', '2026-03-09T00:00:00.000Z'],
    ['9 октября 2026', '2026-10-09T00:00:00.000Z'],
    ['9 Aralık 2026', '2026-12-09T00:00:00.000Z'],
    ['04-May-26', '2026-05-04T00:00:00.000Z'],
    ['31 сентября 2026', null],
    ['Sept. 9, 2026', '2026-09-09T00:00:00.000Z'],
    ['Sep 9, 2026', '2026-09-09T00:00:00.000Z'],
    ['(20260504)', '2026-05-04T00:00:00.000Z'],
    ['2026-05-04T10:45:52Z', '2026-05-04T10:45:52.000Z'],
    ['2026-05-04T10:45:52+02:00', '2026-05-04T08:45:52.000Z'],
    ['29 Feb 2025', null],
    ['2026-28-12', null],
  ] as const)
    it(`${written} is ${timestamp}`, () => assert.equal(findDate(written)?.timestamp, timestamp));

  for (const [written, dayFirst, monthFirst] of [
    ['16.10.2024', '2024-10-16', undefined],
    ['16/10/2024', '2024-10-16', undefined],
    ['10/16/2024', undefined, '2024-10-16'],
    ['10-16-2024 at 10:45', undefined, '2024-10-16'],
    ['04/05/2024', '2024-05-04', '2024-04-05'],
    ['31/31/2024', undefined, undefined],
  ] as const)
    it(`${written} is ${dayFirst} or ${monthFirst}`, () => {
      const readings = findDate(written)?.readings;
      assert.equal(readings?.['day-first']?.slice(0, 10), dayFirst);
      assert.equal(readings?.['month-first']?.slice(0, 10), monthFirst);
    });

  for (const text of [
    'May 2026',
    '2026',
    '20260504',
    'build 20261345',
    '(20261345)',
    '10/16/24',
    '32 May 98',
    '4 May 98 times',
    '10/16/3024',
    '1.10.16.2024',
    '4 Market 2026',
    'Mai 2026',
    '2026年5月',
    '12 nouveautés 2026',
    '10:45:52',
    '',
  ])
    it(`${JSON.stringify(text)} has no date`, () => assert.equal(findDate(text), null));

  it('the first of several is found', () => {
    assert.equal(findDate('May 4, 2026, updated 2026-06-01')?.text, 'May 4, 2026');
  });
});
