// The timeline of a team (R64): the versions of all its products, by date.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { visibleRows } from '../../../../src/domain/access/visibility.ts';
import {
  type FeedQuery,
  type LimitedQuery,
  NO_FILTER,
  parseWords,
} from '../../../../src/domain/feed-query.ts';
import type { Surface } from '../../../../src/domain/model.ts';
import { versionOrder } from '../../../../src/domain/version-order.ts';
import type { Reader } from '../../../../src/store/engine/engine.ts';
import { findRevision } from '../../../../src/store/engine/revisions.ts';
import { findTimeline } from '../../../../src/store/read/lists/timeline.ts';
import { findPage, type PageRow } from '../../../../src/store/read/pages.ts';
import { HIDDEN, seedWorld } from '../../../../support/content/world.ts';
import { databaseUrl, execute } from '../../../../support/databases/engine.ts';
import { openReader } from '../../../../support/databases/open.ts';
import { sharedScope, temporaryFolder } from '../../../../support/processes/scope.ts';
import { apply, type Sandbox } from '../../../../support/program/command.ts';

const scope = sharedScope();
const sandbox: Sandbox = { folder: temporaryFolder(scope) };
let db: Reader;
before(async () => {
  await seedWorld(sandbox);
  await apply(sandbox, FLEET);
  db = await openReader(databaseUrl(sandbox));
  scope.after(() => db.destroy());
});

const PRODUCTS = ['boat', 'cart', 'dray', 'draft', 'locked'];
/** Each product has the same versions: some at the same time as others, drafts, prereleases, labels without an order. */
const FLEET = {
  team: { slug: 'fleet', name: 'Fleet', visibility: 'public', plan: 'paid' },
  products: PRODUCTS.map((slug, index) => ({
    slug,
    name: slug.toUpperCase(),
    status: slug === 'draft' ? 'draft' : 'published',
    changelog: {
      id: `cl_${slug}`,
      status: slug === 'locked' ? 'locked' : 'published',
      versions: ['2.0.0', '1.9.0-rc.1', '1.2.0', 'spring', '1.0.0', '0.1.0'].map((version, at) => ({
        id: `ver_${slug}_${at}`,
        version,
        title: at === 2 ? '機能' : `Sail ${slug}`,
        status: at === 0 || (at === 4 && index === 1) ? 'draft' : 'published',
        ...(at > 0 && { publishedAt: `2026-0${9 - at}-0${(at * index) % 3 === 0 ? 1 : 2}` }),
        changes: [
          { type: at % 2 === 0 ? 'added' : 'fixed', text: `Sail ${slug} ${version}`, breaking: at === 3 },
        ],
      })),
    },
  })),
};

const QUERIES: Record<string, Partial<FeedQuery>> = {
  everything: {},
  'between two dates': { since: '2026-05-02T00:00:00.000Z', until: '2026-08-01T00:00:00.000Z' },
  'without prereleases': { withPrereleases: false },
  'after a version': { from: versionOrder('1.0.0') },
  'up to a version': { to: versionOrder('1.9.0-rc.1') },
  'a range of versions': { from: versionOrder('0.1.0'), to: versionOrder('1.2.0'), withPrereleases: false },
  'a type': { types: ['fixed'] },
  'breaking changes': { isBreaking: true, until: '2026-06-01T00:00:00.000Z' },
  'the beginning of a word': { words: parseWords('sai') },
  'words of one product': { words: parseWords('sail-cart 1.2') },
  'words without spaces': { words: parseWords('機能') },
  'no word at all': { words: parseWords('…') },
  'words, types, dates and versions': {
    words: parseWords('sail'),
    types: ['added', 'fixed'],
    since: '2026-04-01T00:00:00.000Z',
    to: versionOrder('1.2.0'),
  },
};
const KEYS: [Surface, string[] | null][] = [
  ['public', null],
  ['team', null],
  ['team', ['cart']],
  ['team', ['draft', 'boat', 'dray', 'nothing']],
  ['team', ['draft', 'boat', ...Array.from({ length: 60 }, (_, index) => `other-${index}`)]],
  ['team', []],
];

/** Short pages, and one long page. */
const LIMITS = [3, 100];

/** What the changelogs of a team have, in one order. */
async function mergedPages(surface: Surface, products: readonly string[], query: FeedQuery) {
  const all: (PageRow & { position: number; product: string })[] = [];
  for (const product of products) {
    const { found } = await findPage(db, { team: 'fleet', product }, visibleRows(surface), query);
    for (const version of found?.versions ?? []) all.push({ ...version, position: 0, product });
  }
  return all.sort((one, other) =>
    one.sortKey === other.sortKey ? (one.id < other.id ? -1 : 1) : one.sortKey < other.sortKey ? 1 : -1,
  );
}

const PAGE = { ...NO_FILTER, limit: 100 };

const find = async (surface: Surface, query: Partial<LimitedQuery>, products: string[] | null) =>
  (await findTimeline(db, 'fleet', visibleRows(surface), { ...PAGE, ...query }, products)).found;

describe('the timeline of a team', () => {
  for (const [name, query] of Object.entries(QUERIES)) {
    it(`has the versions of all visible products in one order, page by page: ${name}`, async () => {
      for (const [surface, products] of KEYS) {
        for (const withChanges of [false, true]) {
          const filter = { ...NO_FILTER, ...query, withChanges };
          const expected = await mergedPages(surface, products ?? PRODUCTS, filter);
          for (const limit of LIMITS) {
            const pages: unknown[] = [];
            let after = null;
            do {
              const page = await find(surface, { ...filter, limit, after }, products);
              assert.ok(page && page.versions.length <= limit);
              for (const { head, ...version } of page.versions)
                pages.push({ ...version, position: 0, product: head.productSlug });
              assert.notDeepEqual(page.end ?? '', after, 'each page continues the one before');
              after = page.end;
            } while (after !== null);
            assert.deepEqual(pages, expected, `${surface} ${products} ${limit}`);
          }
        }
      }
    });
  }

  it('has the head of each product once, with all that its own page has', async () => {
    const page = await find('public', {}, null);
    const heads = new Map(page?.versions.map(({ head }) => [head.productSlug, head]));
    assert.deepEqual([...heads.keys()].sort(), ['boat', 'cart', 'dray']);
    for (const { head } of page?.versions ?? []) assert.equal(head, heads.get(head.productSlug));
    for (const [product, head] of heads) {
      const { found } = await findPage(db, { team: 'fleet', product }, visibleRows('public'), NO_FILTER);
      assert.deepEqual({ ...found?.head, ...head }, { ...found?.head });
    }
  });

  it('names its team, its revision and the key of cursors', async () => {
    const { revision, found } = await findTimeline(db, 'fleet', visibleRows('public'), PAGE, null);
    assert.equal(revision, await findRevision(db));
    assert.deepEqual(found?.team, { slug: 'fleet', name: 'Fleet' });
    assert.deepEqual([typeof found?.teamId, typeof found?.cursorKey], ['number', 'string']);
    assert.equal(found?.updatedAt, null, 'only with changes');
    const full = await find('public', { withChanges: true, limit: 1 }, null);
    assert.equal(full?.updatedAt, full?.versions[0]?.updatedAt);
  });

  it('is found on the public surface if the team has a public product, and nothing hidden is', async () => {
    const publicly = async (team: string) =>
      await findTimeline(db, team, visibleRows('public'), { ...PAGE, withChanges: true }, null);
    for (const team of ['vault', 'nobody', ''])
      assert.deepEqual(await publicly(team), { revision: await findRevision(db), found: undefined });
    const { found } = await publicly('acme');
    assert.deepEqual(
      found?.versions.map(({ id }) => id),
      ['ver_210', 'ver_100'],
    );
    assert.doesNotMatch(JSON.stringify(found), new RegExp(HIDDEN));
    await execute(sandbox, `delete from changelogs where id = 'cl_rocket'`);
    assert.deepEqual((await publicly('acme')).found?.versions, [], 'a product without a version');
    const { found: vault } = await findTimeline(db, 'vault', visibleRows('team'), PAGE, null);
    assert.deepEqual(
      vault?.versions.map(({ id }) => id),
      ['ver_vault'],
    );
    const { found: nobody } = await findTimeline(db, 'nobody', visibleRows('team'), PAGE, null);
    assert.equal(nobody, undefined);
  });
});
