// Imports of versions that are made by hand: what becomes of those that are there, and of those that are not.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { VersionContent } from '../../../src/domain/content/content.ts';
import type { Writer } from '../../../src/store/engine/engine.ts';
import {
  type ImportOptions,
  importVersions,
  type VersionToImport,
} from '../../../src/store/import/import.ts';
import { databaseUrl, dump, execute, query } from '../../../support/databases/engine.ts';
import { openWriter } from '../../../support/databases/open.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { apply } from '../../../support/program/command.ts';
import { documentOf } from '../../cli/helpers.ts';

const MAY = '2026-05-04T00:00:00.000Z';
const JUNE = '2026-06-04T00:00:00.000Z';
const NOW = '2026-07-01T00:00:00.000Z';

type Words = Partial<Pick<VersionContent, 'title' | 'description' | 'status' | 'publishedAt' | 'yanked'>>;

const change = (text: string) => ({ type: 'added' as const, text, breaking: false });
const undated = (
  version: string,
  texts: readonly string[] = ['A', 'B'],
  words: Words = {},
): VersionToImport => ({
  content: {
    version,
    title: '',
    status: 'draft',
    publishedAt: null,
    description: null,
    yanked: false,
    changes: texts.map(change),
    ...words,
  },
  isDated: false,
  line: 7,
});
const dated = (version: string, texts?: readonly string[], words: Words = {}): VersionToImport => ({
  ...undated(version, texts, { status: 'published', publishedAt: MAY, ...words }),
  isDated: true,
});

const scope = sharedScope();
const sandbox = { folder: temporaryFolder(scope) };
let db: Writer;
let products = 0;

before(async () => {
  await apply(sandbox, documentOf([]));
  db = await openWriter(databaseUrl(sandbox), { create: false });
});
after(() => db.destroy());

type Flags = Partial<
  Pick<ImportOptions, 'create' | 'publish' | 'prune' | 'force' | 'publishedAt' | 'name' | 'description'>
>;

/** A product of its own for each test, and what imports into it do, as `created 1.0.0`. */
function newProduct() {
  const product = `p${++products}`;
  const path = { team: 'acme', product };
  const run = async (versions: readonly VersionToImport[], flags: Flags = {}) => {
    const told: string[] = [];
    const summary = await db.transaction().execute((trx) =>
      importVersions(trx, path, versions, {
        source: 'CHANGELOG.md',
        name: null,
        description: null,
        create: true,
        prune: false,
        force: false,
        publishedAt: null,
        now: NOW,
        ...flags,
        report: ({ action, version, reason }) =>
          told.push([action, version, reason].filter(Boolean).join(' ')),
        reportTarget: ({ action, kind }) => told.push(`${action} ${kind}`),
      }),
    );
    return { told, summary, described: summary.description };
  };
  const within = `changelog_id in (select c.id from changelogs c join products p on p.id = c.product_id where slug = '${product}')`;
  const rows = () =>
    query<{ id: string; label: string; title: string; status: string; published_at: string | null }>(
      sandbox,
      `select id, label, title, status, published_at from versions where ${within} order by label`,
    );
  return {
    product,
    run,
    rows,
    imported: async (...args: Parameters<typeof run>) => (await run(...args)).told,
    edit: (label: string, set: string) =>
      execute(sandbox, `update versions set ${set} where label = '${label}' and ${within}`),
    changes: () =>
      query<{ id: string; text: string }>(
        sandbox,
        `select id, text from changes where version_id in (select id from versions where ${within}) order by text`,
      ),
  };
}

const everything = () => dump(sandbox);

describe('an import', () => {
  it('an import creates what is missing, and changes no row the second time', async () => {
    const { imported } = newProduct();
    const versions = [undated('Unreleased'), dated('1.1.0'), dated('1.0.0', [])];
    assert.deepEqual(await imported(versions), [
      'created Unreleased',
      'created 1.1.0',
      'created 1.0.0',
      'created product',
      'created changelog',
    ]);
    const first = await everything();
    assert.deepEqual(await imported(versions), [
      'unchanged Unreleased',
      'unchanged 1.1.0',
      'unchanged 1.0.0',
    ]);
    assert.deepEqual(await everything(), first);
  });

  it('an import adds new versions and updates changed ones, and keeps ids and dates', async () => {
    const { imported, rows, changes } = newProduct();
    await imported([dated('1.0.0'), undated('0.9.0')]);
    const [versionsBefore, changesBefore] = [await rows(), await changes()];
    assert.deepEqual(await imported([dated('1.1.0', []), dated('1.0.0', ['A', 'C']), undated('0.9.0')]), [
      'created 1.1.0',
      'changed 1.0.0',
      'unchanged 0.9.0',
    ]);
    assert.deepEqual(
      (await rows()).filter(({ label }) => label !== '1.1.0'),
      versionsBefore,
    );
    const ids = (found: readonly { id: string }[]) => found.map(({ id }) => id).sort();
    assert.deepEqual(ids(await changes()), ids(changesBefore), 'an edited change keeps its id');
  });

  it('an import keeps manual edits unless it is forced', async () => {
    const { imported, edit, rows } = newProduct();
    await imported([dated('1.1.0'), dated('1.0.0')]);
    await edit('1.0.0', `title = 'Mine'`);
    const before = await everything();
    const changed = [dated('1.1.0'), dated('1.0.0', ['C'])];
    assert.deepEqual(await imported([dated('1.1.0'), dated('1.0.0')]), [
      'unchanged 1.1.0',
      'kept 1.0.0 edited',
    ]);
    assert.deepEqual(await imported(changed), ['unchanged 1.1.0', 'kept 1.0.0 edited']);
    assert.deepEqual(await everything(), before);
    assert.deepEqual(await imported(changed, { force: true }), ['unchanged 1.1.0', 'changed 1.0.0']);
    assert.equal((await rows())[0]?.title, '');
    assert.deepEqual(await imported(changed), ['unchanged 1.1.0', 'unchanged 1.0.0']);
  });

  it('an import keeps a version that was unpublished manually', async () => {
    const { imported, edit } = newProduct();
    await imported([dated('1.0.0')]);
    await edit('1.0.0', `status = 'draft'`);
    assert.deepEqual(await imported([dated('1.0.0')]), ['kept 1.0.0 edited']);
    assert.deepEqual(await imported([dated('1.0.0')], { force: true }), ['changed 1.0.0']);
  });

  it('an import adopts an equal version that no import wrote, and keeps a different one', async () => {
    const { product, imported } = newProduct();
    const changes = [change('A'), change('B')];
    const published = { title: '', status: 'published', publishedAt: MAY, changes };
    await apply(
      sandbox,
      documentOf([], {
        slug: product,
        changelog: {
          versions: [
            { version: '1.1.0', ...published },
            { version: '1.0.0', ...published },
          ],
        },
      }),
    );
    assert.deepEqual(await imported([dated('1.1.0'), dated('1.0.0', ['C'])]), [
      'unchanged 1.1.0',
      'kept 1.0.0 foreign',
    ]);
    assert.deepEqual(await imported([dated('1.1.0', ['D']), dated('1.0.0', ['C'])]), [
      'changed 1.1.0',
      'kept 1.0.0 foreign',
    ]);
  });

  it('an import recognizes a version whose id has changed', async () => {
    const { product, imported } = newProduct();
    await imported([dated('1.0.0')]);
    const renamed = {
      id: `ver_${product}`,
      title: '',
      status: 'published',
      changes: [change('A'), change('B')],
    };
    await apply(
      sandbox,
      documentOf([], { slug: product, changelog: { versions: [{ version: '1.0.0', ...renamed }] } }),
    );
    assert.deepEqual(await imported([dated('1.0.0', ['C'])]), ['changed 1.0.0']);
  });

  it('an import reports what changes in a version', async () => {
    const { run, product } = newProduct();
    await run([dated('1.0.0')]);
    const told: unknown[] = [];
    await db.transaction().execute((trx) =>
      importVersions(trx, { team: 'acme', product }, [dated('1.0.0', ['A'], { publishedAt: JUNE })], {
        source: '',
        name: null,
        description: null,
        create: false,
        prune: false,
        force: false,
        publishedAt: null,
        now: NOW,
        report: ({ difference }) => told.push(difference),
        reportTarget: () => {},
      }),
    );
    assert.deepEqual(told, [
      { publishedAt: { from: MAY, to: JUNE }, changes: [{ action: 'removed', ...change('B') }] },
    ]);
  });
});

describe('the description of the changelog', () => {
  const stored = async (product: string) => {
    const [row] = await query<{ description: string | null }>(
      sandbox,
      `select c.description from changelogs c join products p on p.id = c.product_id where slug = '${product}'`,
    );
    return row?.description;
  };
  const setDescription = (product: string, sql: string) =>
    execute(
      sandbox,
      `update changelogs set description = ${sql} where product_id = (select id from products where slug = '${product}')`,
    );

  it('is that of the source, and follows it; the second time no row changes', async () => {
    const { run, product } = newProduct();
    for (const [description, action] of [
      ['All notable changes.', 'created'],
      ['All changes.', 'changed'],
      [null, 'unchanged'],
    ] as const) {
      const { told, described } = await run([dated('1.0.0')], { description });
      assert.equal(described, action);
      assert.ok(!told.includes('changed changelog'), 'it is not published');
      const before = await everything();
      assert.equal((await run([dated('1.0.0')], { description })).described, 'unchanged');
      assert.deepEqual(await everything(), before);
    }
    assert.equal(await stored(product), 'All changes.');
  });

  it('is written if the changelog has none, and kept if somebody wrote, edited or removed it, except with --force', async () => {
    const { run, product } = newProduct();
    await run([dated('1.0.0')]);
    await setDescription(product, `'By hand.'`);
    const describe = async (description: string, force = false) =>
      (await run([dated('1.0.0')], { description, force })).described;
    assert.equal(await describe('A'), 'kept');
    assert.equal(await stored(product), 'By hand.');
    assert.equal(await describe('A', true), 'changed');
    assert.equal(await describe('B'), 'changed');
    await setDescription(product, 'null');
    assert.equal(await describe('B'), 'kept');
    assert.equal(await stored(product), null);
    assert.equal(await describe('B', true), 'created');
    assert.equal(await stored(product), 'B');
    await execute(sandbox, `update products set status = 'locked' where slug = '${product}'`);
    await assert.rejects(describe('C'), /product acme\/p\d+ is locked/);
    assert.equal(await describe('B'), 'unchanged');
  });
});

describe('a version without a date', () => {
  const state = async (rows: () => Promise<{ status: string; published_at: string | null }[]>) =>
    (await rows()).map(({ status, published_at }) => `${status} ${published_at}`);

  it('a version without a date becomes a draft, and is counted', async () => {
    const { run, rows } = newProduct();
    const { summary } = await run([undated('2.0.0'), dated('1.0.0')]);
    assert.equal(summary.undatedDrafts, 1);
    assert.deepEqual(await state(rows), [`published ${MAY}`, 'draft null']);
  });

  it('a version without a date is published once at the time of the option', async () => {
    const { run, imported, rows } = newProduct();
    await imported([undated('1.0.0')]);
    const { told, summary } = await run([undated('2.0.0'), undated('1.0.0')], { publishedAt: JUNE });
    assert.deepEqual(told, ['created 2.0.0', 'changed 1.0.0']);
    assert.equal(summary.undatedDrafts, 0);
    assert.deepEqual(await state(rows), [`published ${JUNE}`, `published ${JUNE}`]);
    assert.deepEqual(await imported([undated('2.0.0'), undated('1.0.0', ['C'])], { publishedAt: MAY }), [
      'unchanged 2.0.0',
      'changed 1.0.0',
    ]);
    assert.deepEqual(await state(rows), [`published ${JUNE}`, `published ${JUNE}`]);
  });

  it('a version without a date keeps its manual publication until the source has a date', async () => {
    const { imported, edit, rows } = newProduct();
    await imported([undated('1.0.0')]);
    await edit('1.0.0', `status = 'published', published_at = '${JUNE}'`);
    assert.deepEqual(await imported([undated('1.0.0')]), ['unchanged 1.0.0']);
    assert.deepEqual(await imported([undated('1.0.0', ['C'])]), ['changed 1.0.0']);
    assert.deepEqual(await state(rows), [`published ${JUNE}`]);
    assert.deepEqual(await imported([dated('1.0.0', ['C'])]), ['changed 1.0.0']);
    assert.deepEqual(await state(rows), [`published ${MAY}`]);
  });
});

describe('a version that was removed from the source', () => {
  it('a version that was removed from the source is reported and kept, or deleted with prune; other versions are not', async () => {
    const { product, imported, rows } = newProduct();
    await apply(
      sandbox,
      documentOf([], { slug: product, changelog: { versions: [{ version: '0.1.0', title: 'By hand' }] } }),
    );
    await imported([dated('1.1.0'), dated('1.0.0')]);
    assert.deepEqual(await imported([dated('1.1.0')]), ['unchanged 1.1.0', 'kept 1.0.0 gone']);
    assert.deepEqual(await imported([dated('1.1.0')], { prune: true }), ['unchanged 1.1.0', 'deleted 1.0.0']);
    assert.deepEqual(
      (await rows()).map(({ label }) => label),
      ['0.1.0', '1.1.0'],
    );
    assert.deepEqual(await imported([dated('1.1.0')], { prune: true }), ['unchanged 1.1.0']);
  });

  it('a removed version that was edited manually is pruned only with force', async () => {
    const { imported, edit, rows } = newProduct();
    await imported([dated('1.0.0')]);
    await edit('1.0.0', `title = 'Mine'`);
    assert.deepEqual(await imported([], { prune: true }), ['kept 1.0.0 gone-edited']);
    assert.equal((await rows()).length, 1);
    assert.deepEqual(await imported([], { prune: true, force: true }), ['deleted 1.0.0']);
  });
});

describe('the target of an import', () => {
  it('an import into a missing product fails, and says how to create it', async () => {
    const { imported } = newProduct();
    const before = await everything();
    await assert.rejects(imported([dated('1.0.0')], { create: false }), /no product acme\/p\d+: .*--create/);
    assert.deepEqual(await everything(), before);
  });

  it('an import that publishes makes a new product and an existing draft readable, and only these', async () => {
    const { imported, product } = newProduct();
    const hidden = newProduct();
    await hidden.imported([dated('1.0.0')]);
    await imported([dated('1.0.0')]);
    assert.deepEqual(await imported([dated('1.0.0'), undated('0.9.0')], { publish: true }), [
      'unchanged 1.0.0',
      'created 0.9.0',
      'changed product',
      'changed changelog',
    ]);
    const before = await everything();
    assert.deepEqual(await imported([dated('1.0.0'), undated('0.9.0')], { publish: true }), [
      'unchanged 1.0.0',
      'unchanged 0.9.0',
    ]);
    assert.deepEqual(await everything(), before);
    const states = (slug: string) =>
      query<{ product: string; changelog: string; version: string }>(
        sandbox,
        `select products.status as product, changelogs.status as changelog, versions.status as version
         from products join changelogs on product_id = products.id join versions on changelog_id = changelogs.id
         where slug = '${slug}' order by label`,
      );
    assert.deepEqual(await states(product), [
      { product: 'published', changelog: 'published', version: 'draft' },
      { product: 'published', changelog: 'published', version: 'published' },
    ]);
    assert.deepEqual(await states(hidden.product), [
      { product: 'draft', changelog: 'draft', version: 'published' },
    ]);
  });

  it('an import creates a changelog with the name in the source; later names change nothing', async () => {
    const { product, imported } = newProduct();
    await apply(sandbox, documentOf([], { slug: product, name: 'Mine', changelog: undefined as never }));
    assert.deepEqual(await imported([dated('1.0.0')], { create: false, name: '@acme/cli' }), [
      'created 1.0.0',
      'created changelog',
    ]);
    await imported([dated('1.0.0')], { name: 'Other' });
    const names = `select changelogs.name, changelogs.status from changelogs
      join products on products.id = product_id where slug = '${product}'`;
    assert.deepEqual(await query(sandbox, names), [{ name: '@acme/cli', status: 'draft' }]);
  });

  for (const lock of ['product', 'changelog']) {
    it(`an import that would change a locked ${lock} fails`, async () => {
      const { product, imported } = newProduct();
      await imported([dated('1.1.0'), dated('1.0.0')]);
      await execute(
        sandbox,
        lock === 'product'
          ? `update products set status = 'locked' where slug = '${product}'`
          : `update changelogs set status = 'locked' where product_id = (select id from products where slug = '${product}')`,
      );
      const before = await everything();
      const locked = new RegExp(`the ${lock} acme/${product} is locked`);
      await assert.rejects(imported([dated('1.1.0', []), dated('1.0.0')]), locked);
      await assert.rejects(imported([dated('1.1.0')], { prune: true }), locked);
      assert.deepEqual(await imported([dated('1.1.0'), dated('1.0.0')]), [
        'unchanged 1.1.0',
        'unchanged 1.0.0',
      ]);
      assert.deepEqual(await everything(), before);
    });
  }
});

/** At the end, because every test before it looks at everything. */
describe('an import of many versions', () => {
  it('an import of many versions writes them all, and the next one only what has changed', async () => {
    const { imported, rows } = newProduct();
    await imported([]);
    const many = Array.from({ length: 1_100 }, (_, index) => dated(`1.${index}.0`, ['A']));
    await imported(many);
    assert.equal((await rows()).length, many.length);
    const told = await imported([
      dated('2.0.0'),
      ...many.slice(0, 550),
      dated('1.550.0', ['B']),
      ...many.slice(551),
    ]);
    assert.deepEqual(
      told.filter((line) => !line.startsWith('unchanged')),
      ['created 2.0.0', 'changed 1.550.0'],
    );
    assert.equal(told.length, many.length + 1);
  });
});
