// A response that is read in parts shows one state of its product, whatever else is written in the meantime.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ContentChanged } from '../../../src/http/cache/body.ts';
import { allChanges } from '../../../src/http/routes/walk.ts';
import type { VersionDetail } from '../../../src/store/read/reads.ts';

const part = (id: string, next: number | null, writtenAt: number) =>
  ({ changes: [{ id }], next, writtenAt }) as unknown as VersionDetail;

describe('the changes of a version, read in parts', () => {
  it('allChanges reads all parts although other products were written to in between', async () => {
    const parts = [part('b', 2, 7), part('c', null, 7)];
    const asked: number[] = [];
    const changes = await allChanges(part('a', 1, 7), async (position) => {
      asked.push(position);
      return { revision: 100 + position, found: parts.shift() };
    });
    assert.deepEqual(
      changes.map(({ id }) => id),
      ['a', 'b', 'c'],
    );
    assert.deepEqual(asked, [1, 2]);
  });

  it('allChanges fails if the product was written to in between, or is gone', async () => {
    for (const found of [part('b', null, 8), undefined])
      await assert.rejects(
        allChanges(part('a', 1, 7), async () => ({ revision: 7, found })),
        ContentChanged,
      );
  });
});
