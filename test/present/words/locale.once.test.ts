import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import {
  ENGLISH,
  fill,
  fillHtml,
  LANGUAGES,
  localeFor,
  sharedLanguage,
} from '../../../src/present/words/locale.ts';

/** Every text of a language by its place, such as `go.allVersions` or `filters.matches.one`. */
function textsOf(value: unknown, place = ''): [string, string][] {
  if (typeof value === 'string') return [[place, value]];
  return Object.entries(value as object).flatMap(([name, part]) =>
    textsOf(part, place === '' ? name : `${place}.${name}`),
  );
}

const PLACEHOLDERS = /\{\w*\}/g;
const placeholdersOf = (text: string) => [...text.matchAll(PLACEHOLDERS)].map(([it]) => it).sort();
/** A plural form's place without its category. */
const withoutCategory = (place: string) => place.replace(/\.(?:zero|one|two|few|many|other)$/, '');
const ENGLISH_TEXTS = new Map(textsOf(ENGLISH.words));
const isPlural = (place: string) => ENGLISH_TEXTS.has(`${place}.one`);

const PAGES_DOCUMENT = readFileSync(path.resolve(import.meta.dirname, '../../../docs/pages.md'), 'utf8');

for (const tag of LANGUAGES) {
  const { words } = localeFor(tag);
  describe(`the words of ${tag}`, () => {
    const texts = textsOf(words);

    it('none is empty or has spaces at its ends', () => {
      const odd = texts.filter(([, text]) => text === '' || text !== text.trim());
      assert.deepEqual(odd, []);
    });

    it('each is in English, too', () => {
      const placesOf = (all: Iterable<string>) => new Set([...all].map(withoutCategory));
      assert.deepEqual(
        placesOf(texts.map(([place]) => place)).symmetricDifference(placesOf(ENGLISH_TEXTS.keys())),
        new Set(),
      );
    });

    it('each has the placeholders of the English text', () => {
      const wrong = texts.filter(([place, text]) => {
        const base = withoutCategory(place);
        const english = ENGLISH_TEXTS.get(isPlural(base) ? `${base}.other` : place) ?? '';
        // A category that stands for a single number may spell it out.
        if (isPlural(base) && !text.includes('{n}')) return !isOfOneNumber(tag, place);
        return placeholdersOf(text).join() !== placeholdersOf(english).join();
      });
      assert.deepEqual(wrong, []);
    });

    if (localeFor(tag).direction === 'rtl')
      it('a version or a name keeps its own direction', () => {
        const bare = /(?<!\u2068)\{(?:|product|team|version|from|to|text|value|filter|example)\}/;
        assert.deepEqual(
          texts.filter(([, text]) => bare.test(text)),
          [],
        );
      });

    it('a number has the plural forms of the language, and no other', () => {
      const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions();
      const plurals = Map.groupBy(
        texts.filter(([place]) => isPlural(withoutCategory(place))),
        ([place]) => withoutCategory(place),
      );
      assert.ok(plurals.size > 0);
      for (const [base, forms] of plurals)
        assert.deepEqual(
          forms.map(([place]) => place.slice(base.length + 1)).sort(),
          [...pluralCategories].sort(),
          base,
        );
    });

    it('the file is named by its tag, which Intl knows, and docs/pages.md lists it', () => {
      assert.match(PAGES_DOCUMENT, new RegExp(`^Pages speak [^.]*\`${tag}\``, 'm'));
      assert.deepEqual(Intl.DateTimeFormat.supportedLocalesOf(tag), [tag]);
      assert.equal(localeFor(tag).tag, tag);
    });
  });
}

function isOfOneNumber(tag: string, place: string): boolean {
  const rules = new Intl.PluralRules(tag);
  const category = place.slice(place.lastIndexOf('.') + 1);
  return [...Array(200).keys()].filter((n) => rules.select(n) === category).length === 1;
}

describe('the language of a page', () => {
  it('is the nearest one with words; dates and numbers follow the region', () => {
    const day = '2026-01-04T09:00:00.000Z';
    const rows = ['de', 'de-CH', 'de-AT', 'pt-BR', 'pt-PT', 'es-MX'].map((language) => {
      const { tag, words, isOwn, date, number } = localeFor(language);
      assert.equal(words, localeFor(tag).words);
      assert.ok(isOwn);
      return [language, tag, date(day), number(12_345)];
    });
    assert.deepEqual(rows, [
      ['de', 'de', '4. Januar 2026', '12.345'],
      ['de-CH', 'de', '4. Januar 2026', "12'345"],
      ['de-AT', 'de', '4. Jänner 2026', '12\u{a0}345'],
      ['pt-BR', 'pt', '4 de janeiro de 2026', '12.345'],
      ['pt-PT', 'pt', '4 de janeiro de 2026', '12\u{a0}345'],
      ['es-MX', 'es', '4 de enero de 2026', '12,345'],
    ]);
  });

  it('is English for a language without words, whose dates stay its own', () => {
    const finnish = localeFor('fi');
    assert.equal(finnish.words, ENGLISH.words);
    assert.equal(finnish.isOwn, false);
    assert.equal(finnish.tag, 'en');
    assert.equal(finnish.date('2026-05-04T09:00:00.000Z'), '4. toukokuuta 2026');
    assert.equal(finnish.number(1000), '1,000');
  });

  it('is English for a text that is not a language', () => {
    assert.equal(localeFor('"><script>').words, ENGLISH.words);
  });

  it('is the nearest one with the same script', () => {
    const nearest = {
      zh: 'zh-Hans',
      'zh-CN': 'zh-Hans',
      'zh-SG': 'zh-Hans',
      'zh-TW': 'zh-Hant',
      'zh-HK': 'zh-Hant',
    };
    const others = { iw: 'he', 'ar-EG': 'ar', fa: 'en', 'sr-Latn': 'en' };
    for (const [tag, expected] of Object.entries({ ...nearest, ...others }))
      assert.equal(localeFor(tag).tag, expected, tag);
  });

  it('is written from right to left in Arabic and Hebrew, as far as there are words', () => {
    const tags = [...LANGUAGES, 'ar-EG', 'iw', 'fa'];
    const mirrored = tags.filter((tag) => localeFor(tag).direction === 'rtl');
    assert.deepEqual(mirrored.sort(), ['ar', 'ar-EG', 'he', 'iw']);
    for (const tag of LANGUAGES) {
      const isMirrored = ['Arab', 'Hebr'].includes(new Intl.Locale(tag).maximize().script ?? '');
      assert.equal(localeFor(tag).direction, isMirrored ? 'rtl' : 'ltr', tag);
    }
  });

  it('is that of all changelogs in a list, or English', () => {
    assert.equal(sharedLanguage([]), 'en');
    assert.equal(sharedLanguage([{ language: 'de' }, { language: 'de' }]), 'de');
    assert.equal(sharedLanguage([{ language: 'de' }, { language: 'fr' }]), 'en');
  });
});

describe('a text with placeholders', () => {
  it('takes values as they are, whatever they contain', () => {
    assert.equal(fill('from {from} to {to}', { from: '{to}', to: '$&' }), 'from {to} to $&');
  });

  it('takes elements, and escapes everything else', () => {
    const filled = fillHtml('a < {link} & {text}', { link: { html: '<b>x</b>' }, text: '<i>' });
    assert.equal(filled.html, 'a &lt; <b>x</b> &amp; &lt;i&gt;');
  });

  it('counts in the forms of its language', () => {
    const { words, count } = ENGLISH;
    assert.equal(count(words.version.breakingCount, 1), '1 breaking change');
    assert.equal(count(words.version.breakingCount, 1000), '1,000 breaking changes');
    const russian = localeFor('ru');
    const counts = [1, 3, 11, 21].map((n) => russian.count(russian.words.version.versionCount, n));
    assert.deepEqual(counts, ['1 версия', '3 версии', '11 версий', '21 версия']);
    const french = localeFor('fr');
    assert.deepEqual(
      [0, 1, 2, 1_000_000].map((n) => french.count(french.words.version.versionCount, n)),
      ['0 version', '1 version', '2 versions', '1\u{202f}000\u{202f}000 de versions'],
    );
  });
});
