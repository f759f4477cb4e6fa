import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSqlite } from '../../bench/data/sqlite-data.ts';
import { priceTimelines, sizesOf, timelineViolations } from '../../proofs/queries/timeline-price.ts';

const SIZES = sizesOf(250, 10_000, 250);
const ROUNDS = 100;

test('a page of a timeline takes at most 1.5 times as long with more versions or products', async (t) => {
  const urlFor = async (statements: readonly string[]) => `sqlite:${await makeSqlite(t, statements)}`;
  assert.deepEqual(timelineViolations(await priceTimelines(SIZES, urlFor, ROUNDS)), []);
});
