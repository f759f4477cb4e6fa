import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writeListPage } from '../../../src/present/pages/list-page.ts';
import { dataOf, listPage, SITE } from './sample.ts';

describe('lists of products', () => {
  it('link to products and their newest versions', () => {
    const team = listPage({ slug: 'acme', name: 'Acme' });
    assert.match(team, /<title>Acme changelogs<\/title>/);
    assert.match(team, /<link rel="canonical" href="https:\/\/changes\.example\.com\/changelog\/acme">/);
    assert.match(team, /<a href="acme\/rocket" dir="auto">Rocket</);
    assert.match(
      team,
      /<a href="acme\/rocket\/versions\/Rocket" class="label" dir="auto">Rocket<\/a> <time class="date"/,
    );
    assert.match(team, /<a class="brand" href="\.\.\/">.*changes\.example\.com/);
    assert.match(team, /<a href="\.\.\/">All products</);
    const home = listPage(null);
    assert.match(home, /<span class="brand">/);
    assert.match(home, /<link rel="canonical" href="https:\/\/changes\.example\.com\/">/);
    assert.match(home, /<a href="changelog\/acme\/rocket" dir="auto">Rocket</);
    assert.equal(
      dataOf(home).mainEntity.itemListElement[0].url,
      'https://changes.example.com/changelog/acme/rocket',
    );
  });

  it('have a next page; only the first is for search engines', () => {
    const view = { team: null, products: [], isContinued: true, moreUrl: '?cursor=abc' };
    const html = writeListPage(SITE, view);
    assert.match(html, /<a rel="next" href="\?cursor=abc">More products/);
    assert.match(html, /noindex, follow/);
    assert.match(html, /No more products/);
    assert.match(writeListPage(SITE, { ...view, isContinued: false }), /Nothing is published yet/);
  });
});
