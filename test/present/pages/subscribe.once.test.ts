import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Site } from '../../../src/present/pages/document.ts';
import { writeSubscribe } from '../../../src/present/pages/product-pages.ts';
import { ENGLISH } from '../../../src/present/words/locale.ts';
import { HEAD, SITE } from './sample.ts';

const { file } = SITE.links.fromProduct('changelog', HEAD);
const write = (query: string, site: Partial<Site> = {}) =>
  writeSubscribe({ ...SITE, ...site }, file, query, ENGLISH);

/** Each choice with its query, and the formats besides the first. */
function choicesOf(query: string, isStatic = false) {
  const { html } = write(query, { isStatic });
  return [...html.matchAll(/<li><a href="[^"]*\/feed\.atom([^"]*)"[^>]*>(.*?)<\/a>\n(.*?)<\/li>/gs)].map(
    ([, of, text, others = '']) => [
      text,
      of,
      ...[...others.matchAll(/>([^<]+)<\/a>/g)].map(([, label]) => label),
    ],
  );
}

describe('the button that subscribes', () => {
  const [RSS, JSON_FEED] = ['RSS', 'JSON Feed'];
  const known = [
    ['All changes', '', RSS, JSON_FEED],
    ['Only security', '?type=security', RSS, JSON_FEED],
    ['Only breaking changes', '?breaking=true', RSS, JSON_FEED],
  ];

  it('offers all changes, only security and only breaking ones, as Atom first', () => {
    assert.deepEqual(choicesOf(''), known);
    assert.match(write('').html, /aria-label="Only security: RSS">RSS</);
  });

  it('offers what a filtered page shows, once', () => {
    assert.deepEqual(choicesOf('?q=a'), [['With these filters', '?q=a', RSS, JSON_FEED], ...known]);
    assert.deepEqual(choicesOf('?type=security'), known);
  });

  it('offers only the files of a static site', () => {
    assert.deepEqual(choicesOf('', true), known.slice(0, 1));
  });

  it('does not exist without feeds', () => {
    assert.equal(write('', { outputs: [] }).html, '');
  });
});
