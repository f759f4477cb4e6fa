import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cut } from '../../../src/present/pages/document.ts';
import { allPages, changelogPage, HEAD, listPage, timelinePage, VERSION, versionPage } from './sample.ts';

const HOSTILE = [
  '"><script>alert(1)</script>',
  `' onmouseover='alert(1)`,
  '" style="color:red" onfocus="alert(1)" x="',
  'javascript:alert(1)',
  '</style><script>alert(1)</script>',
  '</title><img src=x onerror=alert(1)>',
  '</script><!--<script>alert(1)',
  ']]>&amp;&lt;script&gt;',
];

/** Tags with their attributes, as a browser reads them, without text. */
function tagsIn(page: string): string[] {
  const withoutRaw = page.replaceAll(/(<(style|script|title)[^>]*>).*?<\/\2>/gs, '$1');
  return withoutRaw.match(/<[a-z][^\s>]*(?:\s[^\s=>]+(?:="[^"]*")?)*\s*>/g) ?? [];
}

const attributesIn = (tag: string): string[] =>
  [...tag.matchAll(/\s([^\s=">]+)(?:="[^"]*")?/g)].map((match) => match[1] as string);

describe('every page', () => {
  for (const text of HOSTILE)
    it(`escapes ${text} wherever it is shown`, async () => {
      const plain = await allPages('text');
      for (const [name, page] of Object.entries(await allPages(text))) {
        assert.deepEqual(
          tagsIn(page).filter((tag) => !/^<(?:img|link|meta)/.test(tag)).length,
          tagsIn(plain[name] as string).filter((tag) => !/^<(?:img|link|meta)/.test(tag)).length,
          name,
        );
        assert.equal(page.includes('<script>'), false, name);
        assert.equal(/<[^<>]*(?:href|src|action)="\s*javascript:/i.test(page), false, name);
      }
    });

  it('has no script, no style attribute and no event handler', async () => {
    for (const [name, page] of Object.entries(await allPages('text'))) {
      const tags = tagsIn(page);
      const forbidden = tags.flatMap(attributesIn).filter((attribute) => /^(?:style|on.*)$/i.test(attribute));
      assert.deepEqual(forbidden, [], name);
      const scripts = tags.filter((tag) => tag.startsWith('<script'));
      const isError = name.includes('error') || name.includes('form');
      assert.deepEqual(scripts, isError ? [] : ['<script type="application/ld+json">'], name);
      assert.equal(page.match(/<style>/g)?.length, 1, name);
    }
  });

  it('loads nothing: its icon is embedded', async () => {
    for (const [name, page] of Object.entries(await allPages('text'))) {
      const sources = tagsIn(page).filter((tag) => /\ssrc=|rel="(?:icon|stylesheet|preload)"/.test(tag));
      assert.equal(sources.length, 1, name);
      assert.match(sources[0] as string, /^<link rel="icon" href="data:image\/svg\+xml,[^<>]+">$/, name);
    }
  });

  it('has no comments', async () => {
    for (const [name, page] of Object.entries(await allPages('text')))
      assert.doesNotMatch(page, /<!--/, name);
  });
});

describe('a page’s language', () => {
  it('is the changelog’s, also that of the page’s own words', () => {
    const page = changelogPage({ head: { ...HEAD, language: 'de-AT' } });
    assert.match(page, /^<!DOCTYPE html>\n<html lang="de-AT">/);
    assert.match(page, /<body>\n<a class="skip" href="#main">Zum Inhalt springen</);
    assert.match(page, /<h1 class="p-name" dir="auto">Rocket changelog</);
    assert.match(page, />4\. Mai 2026<\/time>/);
    assert.match(page, /rel="alternate"[^>]* hreflang="de-AT"/);
    assert.doesNotMatch(page, / lang="en/);
  });

  it('is the changelog’s; where the page’s own words are English, they are marked', () => {
    const page = changelogPage({ head: { ...HEAD, language: 'fi' } });
    assert.match(page, /^<!DOCTYPE html>\n<html lang="fi">/);
    assert.match(page, /<body lang="en">/);
    assert.match(page, /<h1 class="p-name" lang="fi" dir="auto">Rocket changelog</);
    assert.match(page, /<div class="text" lang="fi"><p>Uploads overlap/);
    assert.match(page, /lang="fi" dir="auto">4\. toukokuuta 2026<\/time>/);
    assert.match(page, /rel="alternate"[^>]* hreflang="fi"/);
  });

  it('is set only once if the changelog is in English', () => {
    const page = changelogPage({ head: { ...HEAD, language: 'en-GB' } });
    assert.match(page, /<html lang="en-GB">/);
    assert.match(page, /<body>/);
    assert.match(page, />4 May 2026<\/time>/);
  });

  it('may be one without month names on the server', async () => {
    assert.match(await versionPage({}, { language: 'tlh' }), />May 4, 2026<\/time>/);
    assert.match(await versionPage({}, { language: 'not a language' }), />May 4, 2026<\/time>/);
  });
});

describe('texts in the head', () => {
  it('are cut between characters', () => {
    assert.equal(cut('Rocket', 6), 'Rocket');
    assert.equal(cut('Rockets', 6), 'Rocke…');
    assert.equal(cut('🚀'.repeat(9), 5), `${'🚀'.repeat(4)}…`);
  });
});

describe('a label that is the day of the version', () => {
  const dated = { label: '2026-05-04', title: '2026-05-04' };
  const titled = { label: '2026-05-04', title: 'Faster launches' };
  const ofPages = async (version: typeof dated) => ({
    changelog: changelogPage({}, { ...VERSION, ...version }),
    version: await versionPage(version),
    team: await timelinePage({}, HEAD, { ...VERSION, ...version }),
  });

  it('is its date, and the only one of its article', async () => {
    const pages = [await ofPages(dated), await ofPages(titled)].flatMap(Object.entries<string>);
    for (const [page, html] of pages) {
      const article = html.slice(html.indexOf('<article'), html.indexOf('</article>'));
      assert.deepEqual(
        article.match(/<time .*?<\/time>/g),
        [`<time class="dt-published" datetime="${VERSION.publishedAt}">2026-05-04</time>`],
        page,
      );
      assert.ok(article.includes('class="u-url'), page);
      assert.equal(article.includes('May 4, 2026'), false, page);
    }
  });

  it('is the only date of its card', async () => {
    const card = await listPage(null, '2026-05-04');
    assert.equal(card.match(/<time /g)?.length, 1);
    assert.match(
      card,
      /class="label" dir="auto"><time class="date" datetime="[^"]*">2026-05-04<\/time><\/a><\/p>/,
    );
  });

  it('any other label has a date besides', async () => {
    assert.match(await versionPage({ label: '2026-05-05' }), /<time [^>]*>May 4, 2026<\/time><\/a>/);
    assert.match(await listPage(null), /<time class="date" [^>]*>May 4, 2026<\/time>/);
  });
});
