import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith';
import RssParser from 'rss-parser';
import { OUTPUTS } from '../../../src/http/app.ts';
import { serverLinks } from '../../../src/present/links.ts';
import { atom, writeEntry } from '../../../src/present/outputs/atom.ts';
import { type Entry, presentEntry } from '../../../src/present/outputs/entry.ts';
import { jsonFeed, writeItem as writeJsonItem } from '../../../src/present/outputs/json-feed.ts';
import { describeFeed, UNFILTERED, webImageOf } from '../../../src/present/outputs/output.ts';
import { rss, writeItem as writeRssItem } from '../../../src/present/outputs/rss.ts';
import type { FullVersion } from '../../../src/store/read/pages.ts';
import type { HeadRow } from '../../../src/store/read/reads.ts';
import { inFrame } from './in-frame.ts';

/** XML 1.0, production 2: the characters that a document may contain. */
const XML_TEXT = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

const FRAGMENTS = [
  ...[
    ']]>',
    '<![CDATA[',
    '<',
    '>',
    '&',
    '"',
    "'",
    '&amp;',
    '&lt;b&gt;',
    '&#0;',
    '&#x1;',
    '<!--',
    '--',
    '<?xml',
  ],
  ...[
    '\0',
    '\u0001',
    '\b',
    '\u000b',
    '\u001f',
    '\ufffe',
    '\uffff',
    '\ud800',
    '\udc00',
    '\u{1f680}',
    '\u007f',
  ],
  ...[
    '\u202e',
    '\u200f',
    'מילה',
    '\u0085',
    '\u2028',
    '\ufeff',
    '\r',
    '\r\n',
    '\n',
    '\t',
    'word',
    '<b>bold</b>',
  ],
];
/** Ends with a character that parsers do not trim. */
const hostile = () =>
  fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 10 }).map((parts) => `a${parts.join('')}z`);

const HEAD = {
  teamSlug: 'acme',
  teamName: 'Acme',
  productSlug: 'rocket',
  productName: 'Rocket',
  changelogId: 'cl_1',
  changelogName: 'Rocket changelog',
  linkBase: null,
  domain: null,
  language: 'de-CH',
} as HeadRow;

const VERSION: FullVersion = {
  id: 'ver_1',
  label: '2.1.0',
  title: 'Faster launches',
  status: 'published',
  publishedAt: '2026-05-04T09:00:00.000Z',
  updatedAt: '2026-06-01T10:00:00.000Z',
  compareUrl: null,
  image: null,
  description: 'Optional *Markdown*.',
  yanked: 0,
  changes: [
    { id: 'chg_1', type: 'other', text: 'One.', breaking: 0 },
    { id: 'chg_2', type: 'added', text: 'Two.', breaking: 0 },
    { id: 'chg_3', type: 'removed', text: 'Three. <b>x</b>', breaking: 1 },
    { id: 'chg_4', type: 'added', text: 'Four.', breaking: 0 },
  ],
};

describe('a feed entry', () => {
  it('an entry’s title starts with the label, and is the label if there is no title', () => {
    assert.equal(entryOf({}).title, '2.1.0: Faster launches');
    assert.equal(entryOf({ title: '' }).title, '2.1.0');
    assert.equal(entryOf({ title: 'Faster', label: '$& [1] (x' }).title, '$& [1] (x: Faster');
  });

  it('a title that contains the label stays as it is', () => {
    for (const title of [
      ...[
        '2.1.0',
        'Rocket 2.1.0',
        'v2.1.0 – x',
        'V2.1.0',
        '2.1.0: x',
        '(2.1.0)',
        'rocket-2.1.0',
        'rocket@2.1.0',
      ],
      ...['We released 2.1.0.', '2.1.0, faster', '火箭2.1.0发布', '12.1.0 and 2.1.0'],
    ])
      for (const label of ['2.1.0', 'v2.1.0']) assert.equal(entryOf({ title, label }).title, title);
    assert.equal(entryOf({ title: 'Our spring release', label: 'Spring' }).title, 'Our spring release');
    assert.equal(entryOf({ title: '2.1.0-rc.1 is out', label: '2.1.0-rc.1' }).title, '2.1.0-rc.1 is out');
  });

  it('a label inside another word does not count as contained', () => {
    for (const title of [
      '12.1.0',
      '2.1.01',
      '1.2.1.0',
      '2.1.0.1',
      '2.1.0-beta',
      '2.1.0+7',
      'rev2.1.0',
      '2.1.0b',
      '2x1x0',
    ])
      assert.equal(entryOf({ title }).title, `2.1.0: ${title}`);
    assert.equal(entryOf({ title: 'Springtime', label: 'Spring' }).title, 'Spring: Springtime');
  });

  it('an entry links to its version’s page, by label if that is unambiguous', () => {
    const page = 'http://a/changelog/acme/rocket/versions';
    assert.equal(entryOf({}).url, `${page}/2.1.0`);
    assert.equal(entryOf({ label: '1 & "ü"' }).url, `${page}/1%20%26%20%22%C3%BC%22`);
    for (const label of ['latest', 'a/b', '..']) assert.equal(entryOf({ label }).url, `${page}/ver_1`);
  });

  it('an entry is tagged with the label, yanked, breaking and its change types', () => {
    assert.deepEqual(entryOf({}).tags, ['2.1.0', 'breaking', 'added', 'removed', 'other']);
    assert.deepEqual(entryOf({ yanked: 1, changes: [] }).tags, ['2.1.0', 'yanked']);
  });

  it('the ids of a feed and its entries do not depend on the URL', () => {
    const [here, there] = ['http://a', 'https://b/c'].map((url) => entryOf({}, url));
    assert.equal(here?.id, 'urn:changelog:ver_1');
    assert.equal(there?.id, here.id);
    assert.notEqual(there.url, here.url);
    assert.equal(feedAt('http://a').id, feedAt('https://b/c').id);
  });
});

describe('a feed of any text', () => {
  it('any text makes well-formed Atom and RSS that two parsers read as the same text', async () => {
    await fc.assert(
      fc.asyncProperty(hostile(), hostile(), async (title, html) => {
        const name = asXml(title);
        const entry: Entry = { ...entryOf({}), title, html, tags: [title] };
        const head = { ...HEAD, changelogName: title, teamName: title, productName: title };

        const written = inFrame(atom.frame(feedAt('http://a', 'feed.atom', head)), [writeEntry(entry)]);
        assert.match(written, XML_TEXT);
        const atomFeed = parseAtomFeed(written);
        assert.equal(textOf(atomFeed.title), name);
        assert.equal(textOf(atomFeed.entries?.[0]?.title), name);
        assert.equal(textOf(atomFeed.entries?.[0]?.content), asXml(html));
        await assertRead(written, { name, title: name, content: asXml(html) });

        const writtenRss = inFrame(rss.frame(feedAt('http://a', 'feed.rss', head)), [writeRssItem(entry)]);
        assert.match(writtenRss, XML_TEXT);
        const rssFeed = parseRssFeed(writtenRss);
        assert.equal(rssFeed.title, name);
        assert.equal(rssFeed.items?.[0]?.title, name);
        assert.equal(rssFeed.items?.[0]?.description, asXml(html));
        assert.equal(rssFeed.items?.[0]?.categories?.[0]?.name, name);
        await assertRead(writtenRss, { name, title: name, content: asXml(html) });
      }),
      { numRuns: 200 },
    );
  });

  it('any text makes JSON without lone surrogates', () => {
    fc.assert(
      fc.property(hostile(), hostile(), (title, description) => {
        const head = { ...HEAD, changelogName: title, teamName: title, productName: title };
        const entry = entryOf({ title: '', label: title, description });
        const json = inFrame(jsonFeed.frame(feedAt('http://a', 'feed.json', head)), [writeJsonItem(entry)]);
        const feed = JSON.parse(json, (_, value) => {
          if (typeof value === 'string') assert.ok(value.isWellFormed());
          return value;
        });
        assert.equal(feed.title, title.toWellFormed());
        assert.equal(feed.items[0].title, title.toWellFormed());
        assert.equal(parseJsonFeed(json).items?.[0]?.content_html, entry.html);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a feed', () => {
  const writeAll = (head: HeadRow, ...entries: Entry[]) => ({
    atom: inFrame(atom.frame(feedAt('http://a/b', 'feed.atom', head)), entries.map(writeEntry)),
    rss: inFrame(rss.frame(feedAt('http://a/b', 'feed.rss', head)), entries.map(writeRssItem)),
    json: inFrame(jsonFeed.frame(feedAt('http://a/b', 'feed.json', head)), entries.map(writeJsonItem)),
  });
  const page = 'http://a/b/changelog/acme/rocket';

  it('a feed links to its changelog’s page, and says in its language, which it names, what it is about', () => {
    const { atom, rss, json } = writeAll(HEAD);
    const [first, ...others] = parseAtomFeed(atom).links ?? [];
    assert.deepEqual(first, { href: page, rel: 'alternate', type: 'text/html' });
    assert.deepEqual(
      others.map(({ rel }) => rel),
      ['self'],
    );
    assert.match(atom, /<feed [^>]*xml:lang="de-CH"/);
    const about = 'Neues in Rocket, das Neueste zuerst.';
    assert.equal(parseAtomFeed(atom).subtitle?.value, about);
    const { link, language, description } = parseRssFeed(rss);
    assert.deepEqual([link, language, description], [page, 'de-CH', about]);
    const feed = parseJsonFeed(json);
    assert.deepEqual([feed.home_page_url, feed.language, feed.description], [page, 'de-CH', about]);
  });

  it('a feed has the logo and the image of its product, and an entry that of its version, if others can load them', async () => {
    const [logo, image, cover] = ['logo.svg', 'cover.png?a&b', '2.1.0.png'].map(
      (file) => `https://a.example/${file}`,
    );
    const head = { ...HEAD, logo, image } as HeadRow;
    const entry = entryOf({ image: cover as string });
    const { atom: atomText, rss: rssText, json } = writeAll(head, entry);
    const atomFeed = parseAtomFeed(atomText);
    assert.deepEqual([atomFeed.icon, atomFeed.logo], [logo, image]);
    const rssFeed = parseRssFeed(rssText);
    assert.deepEqual(rssFeed.image, { url: logo, title: 'Rocket changelog', link: page });
    assert.equal(parseRssFeed(writeAll({ ...head, logo: null }, entry).rss).image?.url, image);
    for (const { media } of [atomFeed.entries?.[0] ?? {}, rssFeed.items?.[0] ?? {}])
      assert.deepEqual(media?.contents, [{ url: cover, medium: 'image' }]);
    const parser = new RssParser<object, { media: unknown }>({
      customFields: { item: [['media:content', 'media']] },
    });
    const { items, image: channel } = await parser.parseString(rssText);
    assert.equal(channel?.url, logo);
    assert.partialDeepStrictEqual(items[0]?.media, { $: { url: cover } });
    const { icon, items: [item] = [] } = parseJsonFeed(json);
    assert.deepEqual([icon, item?.image, item?.banner_image], [logo, cover, cover]);
  });

  it('images that only our pages can show are in no feed', () => {
    const written = writeAll(HEAD, entryOf({}));
    for (const url of ['data:image/png;base64,AA', 'javascript:alert(1)', 'http://a.example/b', 'https://'])
      assert.deepEqual(writeAll({ ...HEAD, logo: url, image: url }, entryOf({ image: url })), written);
    const hostile = 'https://a.example/"><script>\u0001&]]>';
    for (const text of Object.values(
      writeAll({ ...HEAD, logo: hostile, image: hostile }, entryOf({ image: hostile })),
    ))
      assert.doesNotMatch(text, /<script|"><|\]\]>/);
  });

  it('relative links resolve against the page, unless already resolved', () => {
    const { atom, rss } = writeAll(HEAD);
    assert.ok(
      atom.includes(`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de-CH" xml:base="${page}">`),
    );
    assert.ok(
      rss.includes(`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xml:base="${page}">`),
    );
    for (const text of Object.values(writeAll({ ...HEAD, linkBase: 'https://rocket.example/' })))
      assert.doesNotMatch(text, /xml:base/);
  });
});

describe('a feed without entries', () => {
  it('a feed without entries is valid and has a fixed date', () => {
    const empty = parseAtomFeed(inFrame(atom.frame(feedAt('http://a', 'feed.atom')), []));
    assert.equal(empty.id, 'urn:changelog:cl_1');
    assert.equal(empty.updated, '1970-01-01T00:00:00.000Z');
    assert.equal(empty.entries, undefined);
    const emptyRss = parseRssFeed(inFrame(rss.frame(feedAt('http://a', 'feed.rss')), []));
    assert.equal(emptyRss.title, 'Rocket changelog');
    assert.equal(emptyRss.lastBuildDate, undefined);
    assert.deepEqual(JSON.parse(inFrame(jsonFeed.frame(feedAt('http://a', 'feed.json')), [])).items, []);
  });
});

function feedAt(baseUrl: string, file = 'feed.atom', head: HeadRow = HEAD) {
  return describeFeed(
    head,
    { file, introduction: null, updatedAt: null, filter: UNFILTERED },
    { links: serverLinks(baseUrl), outputs: OUTPUTS },
  );
}

function entryOf(fields: Partial<FullVersion>, baseUrl = 'http://a'): Entry {
  const version = { ...VERSION, ...fields };
  return presentEntry(feedAt(baseUrl), version, { html: '<p>One.</p>', image: webImageOf(version.image) });
}

/** The part of a text that XML can contain. */
function asXml(text: string): string {
  return [...text.toWellFormed()].filter((character) => XML_TEXT.test(character)).join('');
}

/** Parsers return a text construct as a string or as an object. */
function textOf(construct: unknown): unknown {
  return typeof construct === 'object' ? (construct as { value?: unknown } | null)?.value : construct;
}

async function assertRead(
  xml: string,
  { name, title, content }: { name: string; title: string; content: string },
): Promise<void> {
  const feed = await new RssParser().parseString(xml);
  assert.equal(feed.title, name);
  assert.equal(feed.items[0]?.title, title);
  assert.equal(feed.items[0]?.content, content);
}
