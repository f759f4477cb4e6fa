// The walk over all public products and versions, for the sitemap.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Reader } from '../../../../src/store/engine/engine.ts';
import { openReader } from '../../../../src/store/engine/open.ts';
import {
  findSitemapBatch,
  type SitemapEntry,
  type SitemapPosition,
} from '../../../../src/store/read/lists/sitemap.ts';
import { HIDDEN, seedWorld } from '../../../../support/content/world.ts';
import { databaseUrl, execute, query } from '../../../../support/databases/engine.ts';
import { sharedScope, temporaryFolder } from '../../../../support/processes/scope.ts';
import { runOk, type Sandbox } from '../../../../support/program/command.ts';
import { numbers } from '../plans.ts';

const scope = sharedScope();
const sandbox: Sandbox = { folder: temporaryFolder(scope) };
let db: Reader;
before(async () => {
  await seedWorld(sandbox);
  db = await openReader(databaseUrl(sandbox));
  scope.after(() => db.destroy());
});

async function walk(reader: Reader, limit: number) {
  const batches: SitemapEntry[][] = [];
  let after: SitemapPosition | null = null;
  do {
    const { found } = await findSitemapBatch(reader, after, limit);
    assert.ok(found !== undefined && found.entries.length <= limit);
    batches.push([...found.entries]);
    after = found.end;
  } while (after !== null);
  return batches;
}

const nameOf = ({ teamSlug, productSlug, version }: SitemapEntry) =>
  `${teamSlug}/${productSlug} ${version?.id ?? ''} ${version?.label ?? ''}`.trimEnd();

/**
 * 10 teams with 10 products of 3 versions each, and 750 more versions in one of them: some at the same time, and every
 * fifth a draft.
 */
const MANY_PRODUCTS: readonly string[] = [
  `insert into teams (id, slug, name, visibility, plan)
     select 1000 + n, 'team-' || n, 'Team', 'public', 'paid' from (${numbers(10)}) every`,
  `insert into products (id, team_id, slug, name, status)
     select 1000 + n, 1000 + n / 10, 'product-' || n, 'Product', 'published' from (${numbers(100)}) every`,
  `insert into changelogs (id, product_id, name, status)
     select 'cl_' || n, 1000 + n, 'Changelog', 'published' from (${numbers(100)}) every`,
  `insert into versions (id, changelog_id, label, title, status, published_at, yanked, created_order)
     select 'ver_few_' || n, 'cl_' || (n % 100), n, 'Version', 'published', '2026-01-01T00:00:00.000Z', 0, n
     from (${numbers(300)}) every`,
  `insert into versions (id, changelog_id, label, title, status, published_at, yanked, created_order)
     select 'ver_long_' || n, 'cl_50', 'long ' || n, 'Version', case when n % 5 = 0 then 'draft' else 'published' end,
       (2020 + n % 3) || '-01-01T00:00:00.000Z', 0, 1000 + n from (${numbers(750)}) every`,
];

describe('the walk over public content', () => {
  it('has each product, followed by its versions, and nothing hidden', async () => {
    const entries = (await walk(db, 100)).flat();
    assert.deepEqual(entries.map(nameOf), [
      'acme/new',
      'acme/rocket',
      'acme/rocket ver_210 2.1.0',
      'acme/rocket ver_100 1.0.0',
    ]);
    assert.doesNotMatch(JSON.stringify(entries), new RegExp(`${HIDDEN}|ver_300`));
  });

  it('has the domain of a product with it and each of its versions', async (t) => {
    const own: Sandbox = { folder: temporaryFolder(t) };
    await seedWorld(own);
    await execute(
      own,
      `update products set domain = 'changes.example.com' where slug = 'rocket'
      and team_id = (select id from teams where slug = 'acme')`,
    );
    const reader = await openReader(databaseUrl(own));
    t.after(() => reader.destroy());
    const entries = (await walk(reader, 2)).flat();
    assert.deepEqual(
      entries.map(({ domain }) => domain),
      [null, ...Array(3).fill('changes.example.com')],
    );
  });

  it('is empty for a database without public content', async (t) => {
    const own: Sandbox = { folder: temporaryFolder(t) };
    await runOk(own, ['migrate']);
    const empty = await openReader(databaseUrl(own));
    t.after(() => empty.destroy());
    assert.deepEqual(await walk(empty, 10), [[]]);
  });

  it('continues after a position whose product is hidden by now', async () => {
    const after = { team: 'acme', product: 'pencil', version: { sortKey: '2000', id: 'ver_x' } };
    const { found } = await findSitemapBatch(db, after, 2);
    assert.deepEqual(found?.entries.map(nameOf), ['acme/rocket', 'acme/rocket ver_210 2.1.0']);
  });

  it('has everything once in one order, in batches of any size, with many products and a long one', async (t) => {
    const own: Sandbox = { folder: temporaryFolder(t) };
    await seedWorld(own);
    for (const statement of MANY_PRODUCTS) await execute(own, statement);
    const many = await openReader(databaseUrl(own));
    t.after(() => many.destroy());
    const expected = await query<{ team: string; product: string; id: string | null }>(
      own,
      `select team, product, id from (
         select team_slug as team, product_slug as product, null as id, '~~' as sort_key from public_changelogs
         union all select team_slug, product_slug, v.id, v.sort_key from public_changelogs p
           join versions v on v.changelog_id = p.changelog_id and v.status = 'published') every
       order by team, product, sort_key desc, id`,
    );
    const names = expected.map(({ team, product, id }) => `${team}/${product} ${id ?? ''}`.trimEnd());
    assert.ok(names.length > 900);
    for (const limit of [3, 100, 10_000]) {
      const batches = await walk(many, limit);
      const entries = batches.flat();
      assert.deepEqual(
        entries.map((entry) =>
          nameOf({ ...entry, version: entry.version && { ...entry.version, label: '' } }),
        ),
        names,
      );
      for (const batch of batches.slice(0, -1)) assert.equal(batch.length, limit);
    }
  });

  it('a stale row in `public_changelogs` reveals nothing', async (t) => {
    const own: Sandbox = { folder: temporaryFolder(t) };
    await seedWorld(own);
    await execute(
      own,
      `insert into public_changelogs (team_slug, product_slug, team_id, product_id, changelog_id)
         select 'acme', p.slug, p.team_id, p.id, c.id from products p join changelogs c on c.product_id = p.id
         where p.slug in ('secret', 'still')`,
    );
    const stale = await openReader(databaseUrl(own));
    t.after(() => stale.destroy());
    for (const limit of [1, 2, 100]) {
      const entries = (await walk(stale, limit)).flat();
      assert.deepEqual([...new Set(entries.map(({ productSlug }) => productSlug))], ['new', 'rocket']);
    }
  });

  it('tells whether anything public was written between two batches', async () => {
    const writtenAt = async () => (await findSitemapBatch(db, null, 1)).found?.writtenAt;
    const first = await writtenAt();
    await execute(sandbox, `update versions set title = 'Other' where id = 'ver_300'`);
    assert.equal(await writtenAt(), first);
    await execute(sandbox, `update versions set title = 'Other' where id = 'ver_210'`);
    assert.notEqual(await writtenAt(), first);
  });
});
