// Published versions as releases (R57).
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { visibleRows } from '../../../src/domain/access/visibility.ts';
import type { Surface } from '../../../src/domain/model.ts';
import { releaseNumber } from '../../../src/domain/release-number.ts';
import type { Reader } from '../../../src/store/engine/engine.ts';
import { findRevision } from '../../../src/store/engine/revisions.ts';
import {
  findReleaseByLabel,
  findReleaseByNumber,
  findReleases,
  RELEASES_MAX,
  type ReleasesQuery,
} from '../../../src/store/read/find-releases.ts';
import { databaseUrl, execute } from '../../../support/databases/engine.ts';
import { numbers } from '../../../support/databases/numbers.ts';
import { openReader } from '../../../support/databases/open.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { apply, type Sandbox } from '../../../support/program/command.ts';
import { documentOf, type VersionDocument } from '../../cli/helpers.ts';

const scope = sharedScope();
const sandbox: Sandbox = { folder: temporaryFolder(scope) };
const SURFACES = ['public', 'team'] as const;
/** Two of them are too long for one read. */
const LONG_TEXT = 'x'.repeat(1_500_000);
let db: Reader;

const published = (version: string, day: number, more: Partial<VersionDocument> = {}): VersionDocument => ({
  version,
  title: '',
  status: 'published',
  publishedAt: `2026-05-0${day}`,
  changes: [{ type: 'added', text: version }],
  ...more,
});
const RANDOM = `ver_00000000000ab${'c'.repeat(19)}`;
const VERSIONS = [
  published('3.0.0-rc.1', 5),
  { version: '9.0.0', title: 'Hidden', id: 'ver_hidden' },
  published('v2.0.0', 4, { id: RANDOM }),
  published('2.0.0-rc.1', 3, { id: 'ver_given' }),
  published('1.0.0', 2),
];

before(async () => {
  await apply(sandbox, documentOf(VERSIONS));
  const long = [3, 2, 1].map((day) => published(`${day}.0.0`, day, { description: 'Long' }));
  await apply(sandbox, documentOf([], { slug: 'long', changelog: { status: 'published', versions: long } }));
  await execute(sandbox, `update versions set description = '${LONG_TEXT}' where description = 'Long'`);
  db = await openReader(databaseUrl(sandbox));
  scope.after(() => db.destroy());
});

const pathOf = (product: string) => ({ team: 'acme', product });
const find = (query: Partial<ReleasesQuery> = {}, surface: Surface = 'public', product = 'rocket') =>
  findReleases(
    db,
    pathOf(product),
    { offset: 0, limit: 10, isPrerelease: null, withChanges: true, ...query },
    visibleRows(surface),
  );

async function labels(...args: Parameters<typeof find>): Promise<string> {
  const { found } = await find(...args);
  return [found?.total, ...(found?.versions.map(({ label }) => label) ?? [])].join(' ');
}

describe('a slice of releases', () => {
  it('has published versions only, newest first, with their changes, and counts all', async () => {
    for (const surface of SURFACES) {
      assert.equal(await labels({}, surface), '4 3.0.0-rc.1 v2.0.0 2.0.0-rc.1 1.0.0');
      assert.equal(await labels({ offset: 1, limit: 2 }, surface), '4 v2.0.0 2.0.0-rc.1');
      assert.equal(await labels({ offset: 4 }, surface), '4');
      assert.equal(await labels({ isPrerelease: true }, surface), '2 3.0.0-rc.1 2.0.0-rc.1');
      assert.equal(await labels({ isPrerelease: false, offset: 1 }, surface), '2 1.0.0');
    }
    const { found, revision } = await find({ limit: 1 });
    assert.equal(revision, await findRevision(db));
    assert.equal(found?.head.productSlug, 'rocket');
    assert.deepEqual(
      found?.versions[0]?.changes.map(({ type, text }) => [type, text]),
      [['added', '3.0.0-rc.1']],
    );
    assert.equal(found?.end, null);
  });

  it('ends where a read would be too long, and goes on from there', async () => {
    const { found: first } = await find({}, 'public', 'long');
    assert.deepEqual([first?.versions.length, first?.total, first?.end], [1, 3, 1]);
    const { found: second } = await find({ offset: 1, limit: 9 }, 'public', 'long');
    assert.deepEqual([second?.versions[0]?.label, second?.end], ['2.0.0', 2]);
    assert.equal(second?.writtenAt, first?.writtenAt);
    const { found: last } = await find({ offset: 2, limit: 8 }, 'public', 'long');
    assert.deepEqual([last?.versions[0]?.label, last?.end], ['1.0.0', null]);
  });

  it('without changes is in the same order, however long the versions are', async () => {
    assert.equal(await labels({ withChanges: false }), await labels());
    const { found } = await find({ withChanges: false }, 'public', 'long');
    assert.deepEqual([found?.versions.length, found?.total, found?.end], [3, 3, null]);
    assert.deepEqual(
      found?.versions.map(({ changes }) => changes),
      [undefined, undefined, undefined],
    );
  });

  it('is not found for a hidden product as for a missing one', async () => {
    await execute(
      sandbox,
      `insert into products (team_id, slug, name, status) select id, 'bare', '', 'published' from teams`,
    );
    const nothing = { revision: await findRevision(db), found: undefined };
    await apply(
      sandbox,
      documentOf([], { slug: 'hidden', status: 'draft', changelog: { versions: VERSIONS.slice(4) } }),
    );
    for (const product of ['bare', 'none', 'hidden'])
      assert.deepEqual(await find({}, 'public', product), { ...nothing, revision: await findRevision(db) });
    assert.equal(await labels({}, 'team', 'hidden'), '1 1.0.0');
  });
});

describe('a release', () => {
  for (const surface of SURFACES) {
    const visible = visibleRows(surface);
    it(`is found by its label only, if it is published, on the ${surface} surface`, async () => {
      const byLabel = async (label: string) =>
        (await findReleaseByLabel(db, pathOf('rocket'), label, visible)).found?.version.label;
      assert.equal(await byLabel('v2.0.0'), 'v2.0.0');
      assert.equal(await byLabel('2.0.0'), 'v2.0.0');
      for (const label of ['9.0.0', 'ver_given', 'latest', 'v2.0.0-rc', ''])
        assert.equal(await byLabel(label), undefined, label);
    });

    it(`is found by the number of its id, if it is published, on the ${surface} surface`, async () => {
      const byNumber = async (number: number) =>
        (await findReleaseByNumber(db, pathOf('rocket'), number, visible)).found?.version.label;
      const { found } = await find({}, surface);
      for (const { id, label } of found?.versions ?? [])
        assert.equal(await byNumber(releaseNumber(id)), label);
      for (const number of [0, 0xaa, 0xac, releaseNumber('ver_hidden'), releaseNumber('ver_none')])
        assert.equal(await byNumber(number), undefined, String(number));
    });
  }

  it('is found by its number among versions whose ids begin alike', async () => {
    const ids = [1, 2, 0xaa].map((number) => `ver_${number.toString(16).padStart(32, '0')}`);
    const versions = ids.map((id, index) => published(String(index), index + 1, { id }));
    await apply(sandbox, documentOf(versions, { slug: 'counted' }));
    for (const [index, id] of ids.entries()) {
      const number = releaseNumber(id);
      const { found } = await findReleaseByNumber(db, pathOf('counted'), number, visibleRows('public'));
      assert.equal(found?.version.label, String(index));
    }
  });

  it('is not found by the end of an id that is not random', async () => {
    const id = `ver_${'x'.repeat(19)}0002026050412`;
    await apply(sandbox, documentOf([published('1', 1, { id })], { slug: 'dated' }));
    const { found } = await findReleaseByNumber(db, pathOf('dated'), 0x2026050412, visibleRows('public'));
    assert.equal(found, undefined);
  });
});

it(`of more than ${RELEASES_MAX} versions, only the newest are counted and found`, async () => {
  const count = RELEASES_MAX + 50;
  await apply(sandbox, documentOf([], { slug: 'many', changelog: { id: 'cl_many', status: 'published' } }));
  await execute(
    sandbox,
    `insert into versions (id, changelog_id, label, title, status, published_at, yanked, created_order)
       select 'ver_many_' || n, 'cl_many', case when n < 100 then '1.0.0-' || n else '1.0.' || n end, '', 'published',
         cast(2000 + n as text) || '-01-01T00:00:00.000Z', 0, n from (${numbers(7_000)}) every`,
  );
  await execute(
    sandbox,
    `insert into versions (id, changelog_id, label, title, status, published_at, yanked, created_order)
       select 'ver_more_' || n, 'cl_many', '2.0.' || n, '', 'published', cast(9000 + n % 900 as text) || '-01-01T00:00:00.000Z', 0, n
       from (${numbers(count - 7_000)}) every`,
  );
  const { found } = await find({ offset: RELEASES_MAX - 10, limit: 50 }, 'public', 'many');
  assert.deepEqual([found?.total, found?.versions.length, found?.end], [RELEASES_MAX, 10, null]);
  assert.equal(found?.versions.at(-1)?.label, '1.0.0-50');
  assert.equal((await find({ offset: RELEASES_MAX }, 'public', 'many')).found?.versions.length, 0);
  assert.equal((await find({ isPrerelease: true }, 'public', 'many')).found?.total, 50);
});
