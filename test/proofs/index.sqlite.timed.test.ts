import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSqlite } from '../../bench/data/sqlite-data.ts';
import { priceIndex, violations } from '../../proofs/queries/index-price.ts';

const SIZES = { versions: 20_000, products: 500 };

test('the first read after a write and a timeline cost little in long changelogs', async (t) => {
  const urlFor = async (statements: readonly string[]) => `sqlite:${await makeSqlite(t, statements)}`;
  assert.deepEqual(violations(await priceIndex(urlFor, SIZES)), []);
});
