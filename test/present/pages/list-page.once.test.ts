import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dataOf, HEAD, listPage, VERSION, writtenList } from './sample.ts';

describe('lists of products', () => {
  it('link to products and their newest versions', async () => {
    const team = await listPage({ slug: 'acme', name: 'Acme' });
    assert.match(team, /<title>Acme changelogs<\/title>/);
    assert.match(team, /<link rel="canonical" href="https:\/\/changes\.example\.com\/changelog\/acme">/);
    assert.match(team, /<a href="acme\/rocket" dir="auto">Rocket</);
    assert.match(
      team,
      /<a href="acme\/rocket\/versions\/Rocket" class="label" dir="auto">Rocket<\/a> <time class="date"/,
    );
    assert.match(team, /<a class="brand" href="\.\.\/">.*changes\.example\.com/);
    assert.match(team, /<a href="\.\.\/">All products</);
    assert.match(team, /<a href="acme">All versions</);
    assert.match(team, /<p class="newest">Nothing is published yet<\/p>/);
    const home = await listPage(null);
    assert.match(home, /<span class="brand">/);
    assert.match(home, /<link rel="canonical" href="https:\/\/changes\.example\.com\/">/);
    assert.match(home, /<a href="changelog\/acme\/rocket" dir="auto">Rocket</);
    assert.equal(
      dataOf(home).mainEntity.itemListElement[0].url,
      'https://changes.example.com/changelog/acme/rocket',
    );
  });

  it('show products by team with what is new in them, newest first, if one team has several', async () => {
    const newest = { ...VERSION, status: 'published', changeCount: 1, yanked: 0 } as const;
    const productOf = (teamSlug: string, productSlug: string, publishedAt: string | null) => ({
      ...HEAD,
      ...{ teamSlug, teamName: teamSlug.toUpperCase(), productSlug, productName: productSlug },
      newest: publishedAt === null ? null : { ...newest, publishedAt },
      newestChanges: [{ type: 'fixed', text: 'x'.repeat(200) }] as const,
    });
    const products = [
      { ...productOf('a', 'fuel', null), accent: '#ffee00' },
      productOf('a', 'rocket', '2026-05-04T09:00:00.000Z'),
      productOf('b', 'lander', '2026-05-05T09:00:00.000Z'),
    ];
    const pageOf = (shown: typeof products, moreUrl: string | null = null) =>
      writtenList({ team: null, products: shown, isContinued: false, moreUrl });
    const namesIn = (html: string) =>
      [...html.matchAll(/<h[23][^>]*>(?:<a [^>]*>)?([^<]*)/g)].map(([, name]) => name);
    const page = await pageOf(products);
    assert.deepEqual(namesIn(page), ['B', 'lander', 'A', 'rocket', 'fuel']);
    assert.deepEqual(namesIn(await pageOf(products, '?cursor=a')), ['A', 'fuel', 'rocket', 'B', 'lander']);
    assert.match(page, /<a href="changelog\/a" aria-label="A: All versions">All versions /);
    assert.match(page, /<li class="dot fixed"><span class="sr">Fixed: <\/span><span dir="auto">x{79}…</);
    assert.match(page, / color="light-dark\(#[0-9a-f]{6},#ffee00\)"><rect [^>]*><text x="20" y="27">f</);
    const flat = await pageOf(products.slice(1));
    assert.deepEqual(namesIn(flat), ['lander', 'rocket']);
    assert.match(flat, /<p dir="auto">A<\/p>/);
  });

  it('have a next page; only the first is for search engines', async () => {
    const view = { team: null, products: [], isContinued: true, moreUrl: '?cursor=abc' };
    const html = await writtenList(view);
    assert.match(html, /<a rel="next" href="\?cursor=abc">More products/);
    assert.match(html, /noindex, follow/);
    assert.match(html, /No more products/);
    assert.match(await writtenList({ ...view, isContinued: false }), /Nothing is published yet/);
  });
});
