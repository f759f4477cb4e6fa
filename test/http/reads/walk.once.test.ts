// A response read in parts shows one state of its product, whatever is written in the meantime.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ContentChanged, type ReadMore } from '../../../src/http/cache/body.ts';
import { allChanges } from '../../../src/http/reads/writing.ts';
import type { VersionDetail } from '../../../src/store/read/reads.ts';

const part = (id: string, end: number | null, writtenAt: number) =>
  ({ version: { id: 'ver_1' }, changes: [{ id }], end, writtenAt }) as unknown as VersionDetail;

/** Reads these parts, one after another. */
const reading = (...parts: unknown[]) => ({
  path: { team: 'acme', product: 'rocket' },
  visible: {},
  read: (async () => ({ revision: 100, found: parts.shift() })) as unknown as ReadMore,
});

describe('the changes of a version, read in parts', () => {
  it('allChanges reads all parts even if other products are written to in between', async () => {
    const changes = await allChanges(part('a', 1, 7), reading(part('b', 2, 7), part('c', null, 7)));
    assert.deepEqual(
      changes.map(({ id }) => id),
      ['a', 'b', 'c'],
    );
  });

  it('allChanges fails if the product is written to in between, or is gone', async () => {
    for (const found of [part('b', null, 8), undefined])
      await assert.rejects(allChanges(part('a', 1, 7), reading(found)), ContentChanged);
  });
});
