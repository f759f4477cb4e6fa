// The order of versions with the same `publishedAt`: by id (R12), and generated ids follow the order of the document.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { type StartedApp, startApp } from '../../../support/program/app.ts';
import { apply, runOk, type Sandbox } from '../../../support/program/command.ts';
import { documentOf, type VersionDocument } from '../../cli/helpers.ts';

const NOW = '2026-07-01T00:00:00.000Z';
const MAY = '2026-05-04T00:00:00.000Z';

type Listed = Readonly<{ id: string; version: string; publishedAt: string }>;

const published = (version: string, more: Partial<VersionDocument> = {}): VersionDocument => ({
  version,
  title: '',
  status: 'published',
  publishedAt: MAY,
  ...more,
});
const labels = (versions: readonly { version: string }[]) => versions.map(({ version }) => version);
const series = (count: number, major = 1) =>
  Array.from({ length: count }, (_, index) => `${major}.${count - index}.0`);

describe('versions of one date', () => {
  const scope = sharedScope();
  const sandbox: Sandbox = { folder: temporaryFolder(scope), now: NOW };
  let service: StartedApp;
  let products = 0;
  before(async () => {
    await apply(sandbox, documentOf([]));
    service = await startApp(scope, sandbox, { CACHE_MAX_MB: '0' });
  });

  /** Each test has its own product. */
  function newProduct() {
    const slug = `p${++products}`;
    return {
      slug,
      apply: (versions: VersionDocument[]) =>
        apply(sandbox, documentOf([], { slug, changelog: { name: slug, status: 'published', versions } })),
      /** The public versions, checked to be in the promised order. */
      list: async (): Promise<Listed[]> => {
        const path = `/api/v1/public/teams/acme/products/${slug}/changelog`;
        const { versions }: { versions: Listed[] } = JSON.parse((await service.app.inject(path)).body).data;
        const sorted = versions.toSorted(
          (a, b) => compare(b.publishedAt, a.publishedAt) || compare(a.id, b.id),
        );
        assert.deepEqual(versions, sorted);
        return versions;
      },
    };
  }
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

  it('versions with the same date are listed in the order of their document, however many they are', async () => {
    for (const publishedAt of [MAY, null]) {
      const product = newProduct();
      const wanted = series(250);
      await product.apply(wanted.map((version) => published(version, { publishedAt })));
      const listed = await product.list();
      assert.deepEqual(labels(listed), wanted);
      assert.equal(listed[0]?.publishedAt, publishedAt ?? NOW);
    }
  });

  it('versions with the same date are listed in the order of their document, with drafts and other dates between them', async () => {
    const product = newProduct();
    const wanted = series(250);
    const versions = wanted.flatMap((version) => [
      published(version),
      { version: `${version}-draft`, title: '' },
      { version: `${version}-dated-draft`, title: '', publishedAt: MAY },
      published(`${version}-later`, { publishedAt: null }),
    ]);
    await product.apply(versions);
    const listed = await product.list();
    assert.deepEqual(labels(listed.filter(({ publishedAt }) => publishedAt === MAY)), wanted);
    assert.deepEqual(
      labels(listed.filter(({ publishedAt }) => publishedAt === NOW)),
      wanted.map((version) => `${version}-later`),
    );
  });

  it('versions of a later document are listed before those of an earlier one with the same date', async () => {
    const product = newProduct();
    let wanted: string[] = [];
    for (let major = 1; major <= 6; major++) {
      const added = series(major % 2 === 0 ? 130 : 1, major);
      await product.apply(added.map((version) => published(version)));
      wanted = [...added, ...wanted];
      assert.deepEqual(labels(await product.list()), wanted);
    }
    await product.apply([published('9.0.0'), ...wanted.map((version) => published(version))]);
    assert.deepEqual(labels(await product.list()), ['9.0.0', ...wanted]);
  });

  it('imported versions with the same date are listed in the order of their file', async () => {
    const product = newProduct();
    await product.apply([]);
    const wanted = series(130);
    for (const imported of [wanted.slice(20), wanted]) {
      const releases = imported.map((version) => `## [${version}] - 2026-05-04\n\n### Added\n\n- It.\n`);
      const file = ['# Changelog', '## [Unreleased]\n\n### Added\n\n- That.\n', ...releases].join('\n\n');
      await runOk(sandbox, ['import', `acme/${product.slug}`, '-'], file);
      assert.deepEqual(labels(await product.list()), imported);
    }
  });

  it('versions with given ids are listed by these, and new ones in the order of their document', async () => {
    const product = newProduct();
    await product.apply([published('1.0.0', { id: 'ver_x' }), published('1.1.0', { id: 'ver_-b' })]);
    assert.deepEqual(labels(await product.list()), ['1.1.0', '1.0.0']);
    const wanted = series(120, 2);
    await product.apply([
      ...wanted.map((version) => published(version)),
      published('3.0.0', { id: 'ver_-a' }),
      published('3.1.0', { id: 'ver_y' }),
    ]);
    assert.deepEqual(labels(await product.list()), ['3.0.0', '1.1.0', ...wanted, '1.0.0', '3.1.0']);
  });

  it('versions with the same date keep the order of a document that gives some of them an id', async () => {
    const product = newProduct();
    await product.apply([published('1.0.0')]);
    const given = `ver_${'f'.repeat(31)}e`;
    const wanted = series(250, 2);
    await product.apply([published('3.0.0', { id: given }), ...wanted.map((version) => published(version))]);
    assert.deepEqual(labels(await product.list()), [...wanted, '1.0.0', '3.0.0']);
  });

  it('versions get any ids if too few are left below the existing ones', async () => {
    const product = newProduct();
    await product.apply([published('1.0.0', { id: `ver_${'0'.repeat(16)}${'f'.repeat(16)}` })]);
    const wanted = series(3, 2);
    await product.apply(wanted.map((version) => published(version)));
    assert.deepEqual(labels(await product.list()), ['1.0.0', ...wanted]);
  });

  it('a draft with the same date does not affect the ids of published versions (R9)', async () => {
    const product = newProduct();
    const id = `ver_${'0'.repeat(12)}1${'0'.repeat(19)}`;
    await product.apply([{ ...published('2.0.0', { id }), status: 'draft' }]);
    await product.apply([published('1.0.0')]);
    const [listed] = await product.list();
    assert.ok((listed?.id ?? '') > id);
  });
});
