// Changes that products share are shown once on a page of the timeline (R64).
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { visibleRows } from '../../../../src/domain/access/visibility.ts';
import { type LimitedQuery, NO_FILTER } from '../../../../src/domain/feed-query.ts';
import { sharedVersions } from '../../../../src/present/changelog.ts';
import type { Reader } from '../../../../src/store/engine/engine.ts';
import { findTimeline, type Timeline } from '../../../../src/store/read/lists/timeline.ts';
import { databaseUrl } from '../../../../support/databases/engine.ts';
import { openReader } from '../../../../support/databases/open.ts';
import { sharedScope, temporaryFolder } from '../../../../support/processes/scope.ts';
import { apply, type Sandbox } from '../../../../support/program/command.ts';
import { productOf } from './family.ts';

const scope = sharedScope();
const sandbox: Sandbox = { folder: temporaryFolder(scope) };
const visible = visibleRows('public');
let db: Reader;

/** A release every few minutes for hours, of changing products, with few different texts: long chains of sharing. */
const BUSY = {
  team: { slug: 'busy', name: 'Busy', visibility: 'public', plan: 'paid' },
  products: ['a', 'b', 'c'].map((slug, at) =>
    productOf(
      slug,
      Array.from({ length: 9 }, (_, index) => {
        const minutes = index * 30 + ((index * 7 + at * 11) % 5) * 10;
        const texts = ['fixed x', 'added y', 'fixed! x', 'security z'];
        return [
          `1.${9 - index}.0`,
          minutes,
          [texts[(index + at) % 4] as string, texts[(index * at) % 3] as string],
        ];
      }),
    ),
  ),
};

/** Hundreds of packages, released at once. */
const PACKAGES = 130;
const MONOREPO = {
  team: { slug: 'monorepo', name: 'Monorepo', visibility: 'public', plan: 'paid' },
  products: Array.from({ length: PACKAGES }, (_, index) =>
    productOf(`package-${index}`, [['1.0.0', 0, ['changed Updated dependencies.', `fixed Bug ${index}.`]]]),
  ),
};

before(async () => {
  await apply(sandbox, BUSY);
  await apply(sandbox, MONOREPO);
  db = await openReader(databaseUrl(sandbox));
  scope.after(() => db.destroy());
});

type Told = Readonly<{ id: string; shown: readonly ShownChange[]; shownBy: readonly string[] }>;
type ShownChange = Readonly<{ id: string; breaking: 0 | 1; alsoIn: readonly string[] }>;

async function pageOf(
  team: string,
  asked: Partial<LimitedQuery>,
): Promise<{ found: Timeline; told: Told[] }> {
  const query = { ...NO_FILTER, limit: 100, withChanges: true, ...asked };
  const { found } = await findTimeline(db, team, visible, query, null);
  assert.ok(found);
  const shared = await Array.fromAsync(sharedVersions(found.versions));
  const told = shared.map(({ version, changes, shownBy }) => ({
    id: version.id,
    shown: changes.map(({ id, breaking, alsoIn }) => ({
      id,
      breaking,
      alsoIn: alsoIn.map((other) => other.id),
    })),
    shownBy: shownBy.map(({ id }) => id),
  }));
  return { found, told };
}

describe('a page of a timeline', () => {
  it('shows a change that its versions share once, and names the others', async () => {
    const { told } = await pageOf('busy', { limit: 100 });
    assert.ok(told.some(({ shownBy }) => shownBy.length > 0));
    assert.ok(told.some(({ shown }) => shown.length === 0));
    const { told: all } = await pageOf('monorepo', { limit: 150 });
    const [first, ...others] = all;
    assert.equal(all.length, PACKAGES);
    assert.deepEqual(
      first?.shown.map(({ alsoIn }) => alsoIn.length),
      [PACKAGES - 1, 0],
    );
    for (const { shown, shownBy } of others) {
      assert.equal(shown.length, 1);
      assert.deepEqual(shownBy, [first?.id]);
    }
  });

  it('shows a change that a page before it shows, too', async () => {
    const { found, told } = await pageOf('monorepo', { limit: 50 });
    const { told: next } = await pageOf('monorepo', { limit: 50, after: found.end });
    for (const [first, ...others] of [told, next]) {
      assert.equal(first?.shown.length, 2);
      for (const { shownBy } of others) assert.deepEqual(shownBy, [first?.id]);
    }
  });
});
