import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSqlite } from '../../bench/data/sqlite-data.ts';
import { priceSearches, priceViolations } from '../../proofs/queries/search-price.ts';
import { searchedStatements } from '../../proofs/queries/searched.ts';

const VERSIONS = 10_000;
const ROUNDS = 30;

test('a search by the beginning of words takes at most 1.3 times as long as one for whole words', async (t) => {
  const file = await makeSqlite(t, searchedStatements(VERSIONS));
  assert.deepEqual(priceViolations(await priceSearches(`sqlite:${file}`, ROUNDS)), []);
});
