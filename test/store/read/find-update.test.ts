// What is new since a version (R55).
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { visibleRows } from '../../../src/domain/access/visibility.ts';
import type { Surface } from '../../../src/domain/model.ts';
import type { Reader } from '../../../src/store/engine/engine.ts';
import { findRevision } from '../../../src/store/engine/revisions.ts';
import { findUpdate, type UpdateQuery } from '../../../src/store/read/find-update.ts';
import { databaseUrl, execute } from '../../../support/databases/engine.ts';
import { openReader } from '../../../support/databases/open.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { apply, type Sandbox } from '../../../support/program/command.ts';
import { documentOf, type VersionDocument } from '../../cli/helpers.ts';

const scope = sharedScope();
const sandbox: Sandbox = { folder: temporaryFolder(scope) };
let db: Reader;

const change = (type: string, breaking = false) => ({ type, text: type, breaking });
const published = (version: string, day: number, more: Partial<VersionDocument> = {}): VersionDocument => ({
  version,
  title: version,
  status: 'published',
  publishedAt: `2026-05-${String(day).padStart(2, '0')}`,
  changes: [change('added')],
  ...more,
});
const draft = (version: string, more: Partial<VersionDocument> = {}): VersionDocument => ({
  version,
  title: version,
  changes: [change('security', true)],
  ...more,
});

/** A fix of an old branch is the newest by date. */
const NUMBERED = [
  published('1.0.1', 20, { changes: [change('security')] }),
  draft('3.0.0'),
  published('3.0.0-rc.1', 10),
  published('2.1.0', 9, { changes: [change('fixed'), change('removed', true)] }),
  draft('2.0.5', { changes: [change('other')] }),
  published('2.1.0-rc.1', 8),
  published('v2.0.0', 7),
  published('1.0.0', 1, { yanked: true }),
];
const NAMED = [
  draft('winter'),
  published('autumn', 9, { changes: [change('security')] }),
  published('summer', 8, { id: 'ver_a' }),
  published('3.0.0-rc.1', 8, { id: 'ver_b' }),
  published('spring', 8, { id: 'ver_c', changes: [] }),
];
const PRODUCTS = {
  numbered: NUMBERED,
  named: NAMED,
  mixed: [published('summer', 9), published('2.0.0', 8), published('1.0.0', 7), published('spring', 6)],
  early: [published('1.0.0-rc.2', 2), published('1.0.0-rc.1', 1), draft('1.0.0')],
  empty: [draft('1.0.0')],
};

before(async () => {
  for (const [slug, versions] of Object.entries(PRODUCTS))
    await apply(sandbox, documentOf([], { slug, changelog: { name: slug, status: 'published', versions } }));
  db = await openReader(databaseUrl(sandbox));
  scope.after(() => db.destroy());
});

const find = (product: string, query: Partial<UpdateQuery>, surface: Surface = 'public') =>
  findUpdate(
    db,
    { team: 'acme', product },
    { from: null, withPrereleases: false, ...query },
    visibleRows(surface),
  );

/** The label of `latest`, the numbers of versions and changes, and whether there is a security or a breaking change. */
async function counts(...args: Parameters<typeof find>) {
  const { found } = await find(...args);
  assert.ok(found !== undefined);
  const { latest, versionCount, changeCount, hasSecurity, hasBreaking } = found;
  const marks = [hasSecurity && 'security', hasBreaking && 'breaking'].filter(Boolean).join(' ');
  return `${latest?.label} ${versionCount} ${changeCount} ${marks}`.trim();
}

describe('an update check', () => {
  it('counts what lies after a version up to the latest one in the order of versions', async () => {
    assert.equal(await counts('numbered', { from: '1.0.0' }), '2.1.0 3 4 security breaking');
    assert.equal(await counts('numbered', { from: '1.0.1' }), '2.1.0 2 3 breaking');
    assert.equal(await counts('numbered', { from: '2.0.0' }), '2.1.0 1 2 breaking');
    for (const from of ['2.1.0', '2.1.0+build', '2.1.1', '3.0.0-rc.1', '4'])
      assert.equal(await counts('numbered', { from }), '2.1.0 0 0');
  });

  it('compares a label that no version has', async () => {
    assert.equal(await counts('numbered', { from: '0.1' }), '2.1.0 4 5 security breaking');
    assert.equal(await counts('numbered', { from: 'v2.1.0-alpha' }), '2.1.0 1 2 breaking');
  });

  it('counts prereleases, and up to one, only if asked to or if there is nothing else', async () => {
    const withPrereleases = true;
    assert.equal(await counts('numbered', { from: '2.0.0', withPrereleases }), '3.0.0-rc.1 3 4 breaking');
    assert.equal(await counts('numbered', { from: '3.0.0-beta', withPrereleases }), '3.0.0-rc.1 1 1');
    assert.equal(await counts('early', { from: '1.0.0-rc.1' }), '1.0.0-rc.2 1 1');
    assert.equal(await counts('early', { from: '0.9' }), '1.0.0-rc.2 2 2');
  });

  it('goes by date if one of the two labels is not a version number', async () => {
    assert.equal(await counts('named', { from: 'spring' }), 'autumn 2 2 security');
    assert.equal(await counts('named', { from: 'summer' }), 'autumn 1 1 security');
    assert.equal(await counts('named', { from: 'autumn' }), 'autumn 0 0');
    assert.equal(await counts('named', { from: 'spring', withPrereleases: true }), '3.0.0-rc.1 1 1');
    assert.equal(await counts('named', { from: '3.0.0-rc.1' }), 'autumn 2 2 security');
    assert.equal(await counts('mixed', { from: 'spring' }), '2.0.0 2 2');
    assert.equal(await counts('mixed', { from: 'summer' }), '2.0.0 0 0');
  });

  it('finds nothing after an unknown version number if the latest label is not one', async () => {
    assert.equal(await counts('named', { from: '1.0.0' }), 'autumn 0 0');
  });

  it('has only the latest version without a label, and none if none is published', async () => {
    assert.equal(await counts('numbered', {}), '2.1.0 0 0');
    const { found } = await find('numbered', {});
    assert.equal(found?.from, null);
    assert.equal(found?.latest?.changeCount, 2);
    for (const surface of ['public', 'team'] as const) {
      assert.equal(await counts('empty', {}, surface), 'undefined 0 0');
      assert.equal(await counts('empty', { from: '0.1' }, surface), 'undefined 0 0');
    }
  });

  it('counts drafts in the range for a team, and never up to one', async () => {
    assert.equal(await counts('numbered', { from: '2.0.0' }, 'team'), '2.1.0 2 3 breaking');
    assert.equal(await counts('named', { from: 'summer' }, 'team'), 'autumn 1 1 security');
    assert.equal(await counts('named', { from: 'winter' }, 'team'), 'autumn 0 0');
  });

  it('knows a label exactly or with or without a leading v, but no id, and on the public surface no draft', async () => {
    const known = async (product: string, from: string, surface: Surface = 'public') =>
      (await find(product, { from }, surface)).found?.from;
    const base = { known: true, yanked: false, isOrderable: true };
    assert.deepEqual(await known('numbered', '1.0.0'), { ...base, version: '1.0.0', yanked: true });
    assert.deepEqual(await known('numbered', 'v1.0.0'), { ...base, version: 'v1.0.0', yanked: true });
    assert.deepEqual(await known('numbered', '2.0.0'), { ...base, version: '2.0.0' });
    assert.deepEqual(await known('named', 'spring'), { ...base, version: 'spring', isOrderable: false });
    const unknown = { ...base, known: false };
    assert.deepEqual(await known('named', 'ver_a'), { ...unknown, version: 'ver_a', isOrderable: false });
    assert.deepEqual(await known('numbered', '3.0.0'), { ...unknown, version: '3.0.0' });
    assert.deepEqual(await known('numbered', '3.0.0', 'team'), { ...base, version: '3.0.0' });
  });

  it('returns its revision, and nothing for a hidden product as for a missing one', async () => {
    await execute(sandbox, `update products set status = 'draft' where slug = 'mixed'`);
    for (const product of ['mixed', 'none'])
      assert.deepEqual(await find(product, { from: '1.0.0' }), {
        revision: await findRevision(db),
        found: undefined,
      });
    assert.equal((await find('mixed', { from: '1.0.0' }, 'team')).found?.versionCount, 1);
  });
});
