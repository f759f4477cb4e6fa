import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FilterForm, writeFilters } from '../../../src/present/pages/filters.ts';
import { ENGLISH } from '../../../src/present/words/locale.ts';
import { staticLinks } from '../../../src/site/layout.ts';
import { FORM, HEAD, SITE } from './sample.ts';

const COUNTS = [
  ['', { '': 1700, added: 9, fixed: 4, breaking: 2 }],
  ['2026', { '': 1200, added: 6 }],
  ['2025', { '': 500, added: 3, fixed: 4, breaking: 2 }],
] as const;
const facets = COUNTS.flatMap(([year, marks]) =>
  Object.entries(marks).map(([mark, versions]) => ({
    year: String(year),
    mark: mark as '' | 'added',
    versions,
  })),
);

const CHIPS = {
  facets,
  links: SITE.links.fromProduct('changelog', HEAD),
  locale: ENGLISH,
  isEmpty: false,
  isStatic: false,
};

function textsOf(values: FilterForm['values'], changes: Partial<typeof CHIPS> = {}): string[] {
  const { html } = writeFilters({ ...CHIPS, ...changes, form: { ...FORM, values } }).choices;
  return [...html.matchAll(/<li>(.*?)<\/li>/g)].map(([, item = '']) => item.replaceAll(/<[^>]*>/g, ''));
}
const YEAR_2026 = { since: ['2026-01-01'], until: ['2026-12-31'] };

describe('chips', () => {
  it('are for types and years that exist, with the number of versions', () => {
    assert.deepEqual(textsOf({}), ['Breaking 2', 'Added 9', 'Fixed 4', '2026 1,200', '2025 500']);
  });

  it('in a year, are for the types of that year; with a type, for the years of that type', () => {
    assert.deepEqual(textsOf(YEAR_2026), ['Added 6', '2026 ×', '2025 500']);
    assert.deepEqual(textsOf({ type: ['added'] }), ['Breaking', 'Added ×', 'Fixed 4', '2026 6', '2025 3']);
    assert.deepEqual(textsOf({ type: ['fixed'] }), ['Breaking', 'Added 9', 'Fixed ×']);
    assert.deepEqual(textsOf({ breaking: ['true'] }), ['Breaking ×', 'Added', 'Fixed']);
    assert.deepEqual(textsOf({ type: ['added', 'fixed'] }), [
      'Breaking',
      'Added ×',
      'Fixed ×',
      '2026',
      '2025',
    ]);
  });

  it('have no number where other filters would make it wrong', () => {
    for (const values of [
      { q: ['a'] },
      { since: ['2026-02-01'] },
      { from: ['1.0.0'] },
      { prerelease: ['false'] },
    ])
      assert.deepEqual(textsOf(values), ['Breaking', 'Added', 'Fixed', '2026', '2025']);
  });

  it('that are chosen are shown in any case, and are the only ones if nothing matches', () => {
    assert.deepEqual(textsOf({ type: ['security'] }, { isEmpty: true }), ['Security ×']);
    assert.deepEqual(textsOf({ since: ['1999-01-01'], until: ['1999-12-31'] }), [
      '2026 1,200',
      '2025 500',
      '1999 ×',
    ]);
    const none = writeFilters({ ...CHIPS, form: { ...FORM, values: { q: ['a'] } }, isEmpty: true });
    assert.equal(none.choices.html, '');
  });

  it('set or remove one filter and keep the others', () => {
    const { html } = writeFilters({
      ...CHIPS,
      form: { ...FORM, values: { q: ['a b'], type: ['added'], since: ['2026-02-01'] } },
    }).choices;
    for (const href of [
      '?q=a+b&amp;since=2026-02-01&amp;type=added&amp;type=fixed',
      '?q=a+b&amp;since=2025-01-01&amp;until=2025-12-31&amp;type=added',
      '?q=a+b&amp;since=2026-02-01&amp;type=added&amp;breaking=true',
    ])
      assert.ok(html.includes(`href="${href}" rel="nofollow">`), href);
    assert.match(
      html,
      / aria-current="true" href="\?q=a\+b&amp;since=2026-02-01" rel="nofollow" aria-label="Remove filter Added">/,
    );
  });

  it('of a static site lead to one filter at a time, and its pages have none for breaking changes', () => {
    const links = staticLinks('product', null, []).fromProduct('changelog', HEAD);
    const site = { links, isStatic: true };
    assert.deepEqual(textsOf({ type: ['added'] }, site), ['Added ×', 'Fixed 4', '2026 1,200', '2025 500']);
    const { html } = writeFilters({ ...CHIPS, ...site, form: { ...FORM, values: YEAR_2026 } }).choices;
    for (const file of ['type-fixed.html', 'year-2025.html', 'index.html'])
      assert.ok(html.includes(`href="${file}"`));
  });
});
