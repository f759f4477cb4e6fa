// What the page of a changelog offers to choose from, and the version before each.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { visibleRows } from '../../../src/domain/access/visibility.ts';
import { NO_FILTER } from '../../../src/domain/feed-query.ts';
import { versionOrder } from '../../../src/domain/version-order.ts';
import type { Reader } from '../../../src/store/engine/engine.ts';
import {
  findOutline,
  highestOrder,
  MENU_VERSIONS_MAX,
  OLDER_MAJORS_MAX,
  previousOf,
  YEARS_MAX,
} from '../../../src/store/read/index.ts';
import { findIndexedPage, findPage } from '../../../src/store/read/pages.ts';
import { seedWorld } from '../../../support/content/world.ts';
import { databaseUrl, execute } from '../../../support/databases/engine.ts';
import { openReader } from '../../../support/databases/open.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import type { Sandbox } from '../../../support/program/command.ts';

const PUBLIC = visibleRows('public');
const ROCKET = { team: 'acme', product: 'rocket' };
const NEW = { team: 'acme', product: 'new' };
const HIDDEN_PRODUCTS = [
  { team: 'vault', product: 'rocket' },
  { team: 'acme', product: 'secret' },
];

const scope = sharedScope();
const sandbox: Sandbox = { folder: temporaryFolder(scope) };
let db: Reader;
before(async () => {
  await seedWorld(sandbox);
  db = await openReader(databaseUrl(sandbox));
  scope.after(() => db.destroy());
});

type Written = readonly [label: string, status: 'draft' | 'published', publishedAt: string];

async function replaceVersions(changelogId: string, versions: readonly Written[]): Promise<void> {
  const values = versions.map(
    ([label, status, at], index) =>
      `('${changelogId}_${index}', '${changelogId}', '${label}', 'X', '${status}', '${at}', 0, ${index})`,
  );
  await execute(sandbox, `delete from versions where changelog_id = '${changelogId}'`);
  await execute(
    sandbox,
    `insert into versions (id, changelog_id, label, title, status, published_at, yanked, created_order) values ${values}`,
  );
}
const outlineOf = async (path: typeof ROCKET) => {
  const { found } = await findOutline(db, path, PUBLIC);
  assert.ok(found !== undefined);
  return found;
};
const day = (index: number) => new Date(Date.UTC(2020, 0, 1 + index)).toISOString();

describe('the outline of a changelog', () => {
  it('counts published versions by year, by type of change and with breaking ones, and no drafts', async () => {
    const { found: page } = await findPage(db, ROCKET, PUBLIC, NO_FILTER);
    const outline = await outlineOf(ROCKET);
    const counts = outline.facets.map(({ year, mark, versions }) => `${year} ${mark} ${versions}`).sort();
    assert.deepEqual(counts, [
      '  2',
      ' added 1',
      ' breaking 1',
      ' removed 1',
      '2025  1',
      '2026  1',
      '2026 added 1',
      '2026 breaking 1',
      '2026 removed 1',
    ]);
    assert.equal(outline.versionCount, 2);
    assert.equal(outline.writtenAt, page?.writtenAt);
    await execute(sandbox, `update versions set status = 'draft' where id = 'ver_210'`);
    const later = await outlineOf(ROCKET);
    assert.deepEqual(
      later.facets,
      ['', '2025'].map((year) => ({ year, mark: '', versions: 1 })),
    );
    assert.ok(later.writtenAt > outline.writtenAt);
    await execute(sandbox, `update versions set status = 'published' where id = 'ver_210'`);
  });

  it('lists published versions in the order of the page, each with its major version', async () => {
    const { menu } = await outlineOf(ROCKET);
    assert.deepEqual(menu, [
      { id: 'ver_210', label: '2.1.0', major: '2' },
      { id: 'ver_100', label: '1.0.0', major: '1' },
    ]);
  });

  it('is empty for a changelog without versions, and not found for a hidden one', async () => {
    const { writtenAt: _, ...empty } = await outlineOf(NEW);
    assert.deepEqual(empty, { facets: [], versionCount: 0, menu: [] });
    for (const path of HIDDEN_PRODUCTS) assert.equal((await findOutline(db, path, PUBLIC)).found, undefined);
  });

  it(`has at most ${YEARS_MAX} years, ${MENU_VERSIONS_MAX} versions and ${OLDER_MAJORS_MAX} older majors, and counts all`, async () => {
    await replaceVersions(
      'cl_new',
      Array.from(
        { length: 700 },
        (_, index): Written => [
          `${Math.floor(index / 10)}.${index % 10}`,
          'published',
          `${1_800 + Math.floor(index / 5)}-01-0${(index % 5) + 1}T00:00:00.000Z`,
        ],
      ),
    );
    const outline = await outlineOf(NEW);
    const years = outline.facets
      .filter(({ year, mark }) => year !== '' && mark === '')
      .map(({ year }) => year);
    assert.deepEqual([years.length, years.at(0), years.at(-1)], [YEARS_MAX, '1939', '1840']);
    assert.equal(outline.versionCount, 700);
    assert.deepEqual(
      [outline.menu.at(0)?.label, outline.menu.at(MENU_VERSIONS_MAX - 1)?.label],
      ['69.9', '60.0'],
    );
    assert.deepEqual(
      outline.menu.slice(MENU_VERSIONS_MAX).map(({ label }) => label),
      Array.from({ length: OLDER_MAJORS_MAX }, (_, index) => `${59 - index}.9`),
    );
  });

  it('has the newest version of each major version that is not in the menu', async () => {
    const older: Written[] = [
      ['0.9.0', 'published', '2001-01-01T00:00:00.000Z'],
      ['v1.2.0', 'published', '2003-01-01T00:00:00.000Z'],
      ['1.3.0', 'published', '2002-01-01T00:00:00.000Z'],
      ['2.0.0', 'draft', '2004-01-01T00:00:00.000Z'],
      ['spring', 'published', '2004-01-01T00:00:00.000Z'],
    ];
    const newer = Array.from(
      { length: MENU_VERSIONS_MAX },
      (_, index): Written => [`10.0.${index}`, 'published', day(index)],
    );
    await replaceVersions('cl_new', [...older, ...newer]);
    const { menu, versionCount } = await outlineOf(NEW);
    assert.deepEqual(
      menu.slice(0, MENU_VERSIONS_MAX).map(({ label }) => label),
      newer.map(([label]) => label).reverse(),
    );
    assert.equal(versionCount, MENU_VERSIONS_MAX + 4);
    assert.deepEqual(menu.slice(MENU_VERSIONS_MAX), [
      { id: 'cl_new_1', label: 'v1.2.0', major: '1' },
      { id: 'cl_new_0', label: '0.9.0', major: '0' },
    ]);
  });
});

describe('the version before another', () => {
  it('is a stable one before a stable one, any before a prerelease, never a draft, and not by date', async () => {
    await replaceVersions(
      'cl_new',
      (
        [
          ['1.9.0', 'published'],
          ['1.10.0', 'published'],
          ['2.0.0-rc.1', 'published'],
          ['2.0.0-rc.2', 'published'],
          ['v2.0.0', 'published'],
          ['2.0.0+build', 'published'],
          ['2.0.1', 'draft'],
          ['3.1.0', 'draft'],
          ['2.1.0-beta', 'published'],
          ['2.1.0', 'published'],
          ['1.0', 'published'],
          ['spring', 'published'],
        ] as const
      ).map(([label, status], index) => [label, status, day(20 - index)]),
    );
    const labels = ['2.1.0', '2.1.0-beta', 'v2.0.0', '2.0.0+build', '2.0.0-rc.2', '2.0.0-rc.1', '1.9.0'];
    const { found } = await findIndexedPage(db, NEW, PUBLIC, NO_FILTER);
    assert.ok(found !== undefined);
    const before = [...labels, '1.0', 'spring', '2.0.1', '3'].flatMap((label) => {
      const previous = previousOf(found.index, label);
      return previous === undefined ? [] : [[label, previous.label]];
    });
    assert.deepEqual(Object.fromEntries(before), {
      '2.1.0': 'v2.0.0',
      '2.1.0-beta': 'v2.0.0',
      'v2.0.0': '1.10.0',
      '2.0.0+build': '1.10.0',
      '2.0.0-rc.2': '2.0.0-rc.1',
      '2.0.0-rc.1': '1.10.0',
      '1.9.0': '1.0',
      '2.0.1': 'v2.0.0',
      '3': '2.1.0',
    });
    assert.equal(highestOrder(found.index), versionOrder('2.1.0'));
    assert.equal(found.writtenAt, (await outlineOf(NEW)).writtenAt);
  });

  it('is not found for a hidden changelog', async () => {
    for (const path of HIDDEN_PRODUCTS)
      assert.equal((await findIndexedPage(db, path, PUBLIC, NO_FILTER)).found, undefined);
  });
});
