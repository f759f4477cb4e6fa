// The short form of `npm run prove attack` with very many versions, on the engine whose reads block the process. Waiting is
// compared with how long the response takes, so that a busy machine changes nothing.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { longChangelog } from '../../bench/data/long.ts';
import { makeSqlite } from '../../bench/data/sqlite-data.ts';
import { compareFirstPages, firstPageViolationOf } from '../../proofs/attack/first-page.ts';
import { attackLarge, LARGE_BOUNDS, largeViolationsOf } from '../../proofs/attack/large.ts';

const VERSIONS = 60_000;
const FEW_VERSIONS = 1_000;
const ROUNDS = 150;
const KINDS = ['CHANGELOG.md', 'hangs up', 'waits for a slot'];

describe('one client and a changelog with very many versions', () => {
  it('one client that asks for all versions does not hold up others, and nothing is made for one that hung up', async (t) => {
    const file = await makeSqlite(t, longChangelog(VERSIONS));
    const figures = await attackLarge(t, `sqlite:${file}`, (kind) => KINDS.includes(kind));
    for (const { kind, ...figure } of figures) t.diagnostic(`${kind}: ${JSON.stringify(figure)}`);
    assert.deepEqual(
      figures.map(({ kind }) => kind),
      KINDS,
    );
    assert.deepEqual(
      largeViolationsOf(figures, { ...LARGE_BOUNDS, othersMaxMs: Number.POSITIVE_INFINITY }),
      [],
    );
    const [whole] = figures;
    assert.ok(whole !== undefined && whole.othersMaxMs < (whole.seconds * 1000) / 4, JSON.stringify(whole));
    const few = `sqlite:${await makeSqlite(t, longChangelog(FEW_VERSIONS))}`;
    const pages = await compareFirstPages(t, { few, many: `sqlite:${file}` }, ROUNDS);
    t.diagnostic(JSON.stringify(pages));
    assert.deepEqual(firstPageViolationOf(pages), []);
  });
});
