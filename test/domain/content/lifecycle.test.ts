import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyPublication, lockedBy, moveVersion } from '../../../src/domain/content/lifecycle.ts';
import { PUBLICATION_STATES, VERSION_STATES } from '../../../src/domain/model.ts';

describe('states (R16)', () => {
  it('a locked product or changelog freezes everything below it', () => {
    for (const product of PUBLICATION_STATES) {
      for (const changelog of [...PUBLICATION_STATES, undefined]) {
        const expected = product === 'locked' ? 'product' : changelog === 'locked' ? 'changelog' : null;
        assert.equal(lockedBy(product, changelog), expected);
      }
    }
  });

  it('publishing sets a missing date, and unpublishing keeps the date', () => {
    const [now, before] = ['2026-02-02T00:00:00.000Z', '2025-01-01T00:00:00.000Z'];
    for (const from of VERSION_STATES) {
      for (const publishedAt of [before, null]) {
        const version = { status: from, publishedAt };
        assert.deepEqual(moveVersion(version, 'published', now), {
          status: 'published',
          publishedAt: publishedAt ?? now,
        });
        assert.deepEqual(moveVersion(version, 'draft', now), { status: 'draft', publishedAt });
      }
    }
  });

  it('a document schedules a draft, ends a schedule, and does not revert what was published on schedule', () => {
    const [now, earlier, time, other] = ['2026-02-02', '2025-01-01', '2026-03-03', '2026-04-04'];
    const stored = [
      null,
      ...[null, earlier].flatMap((publishedAt) =>
        [null, time].map((publishAt) => ({ status: 'draft' as const, publishedAt, publishAt })),
      ),
      ...[earlier, time].map((date) => ({
        status: 'published' as const,
        publishedAt: date,
        publishAt: null,
      })),
    ];
    for (const before of stored) {
      for (const publishedAt of [null, other]) {
        const date = publishedAt ?? before?.publishedAt ?? null;
        for (const publishAt of [undefined, null, time]) {
          const isFollowed =
            publishAt === time && before?.status === 'published' && before.publishedAt === time;
          assert.deepEqual(
            applyPublication(before, { status: 'draft', publishedAt, publishAt }, now),
            isFollowed
              ? before
              : {
                  status: 'draft',
                  publishedAt: date,
                  publishAt: publishAt === undefined ? (before?.publishAt ?? null) : publishAt,
                },
          );
        }
        for (const publishAt of [undefined, null])
          assert.deepEqual(applyPublication(before, { status: 'published', publishedAt, publishAt }, now), {
            status: 'published',
            publishedAt: date ?? now,
            publishAt: null,
          });
      }
    }
  });
});
