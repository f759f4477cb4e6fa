import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith';
import RssParser from 'rss-parser';
import type { Change, FeedRecord, Version } from '../../../client/records.d.ts';
import { CHANGE_TYPES, sectionsOf } from '../../../src/domain/model.ts';
import { renderMarkdown } from '../../../support/content/texts.ts';
import { PUBLIC_FEED } from '../../../support/content/world.ts';
import { apply } from '../../../support/program/command.ts';
import { readChangelog } from '../../support/read-changelog.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const BASE_URL = 'https://changes.example.com/api-host';

/** Texts that are difficult for one format or another. */
const ODD = {
  team: { slug: 'odd', name: 'Odd & "Co" <b>', visibility: 'public' },
  products: [
    {
      slug: 'things',
      name: 'Things ]]>',
      status: 'published',
      changelog: {
        id: 'cl_odd',
        name: 'Things & <others>',
        status: 'published',
        versions: [
          version('2.0.0', '', { description: '## [9.9.9] - 2026-01-01\n\n### Added\n\n- `]]>` <b>x</b>' }),
          version('1.1 [beta]', 'A & B ]]> <i>c</i> \u202eright to left', {
            publishedAt: '2026-02-03T04:05:06.007Z',
            yanked: true,
            changes: [
              { type: 'other', text: '**Breaking:** said, not meant.' },
              { type: 'security', text: '```\n## code\n```\n\n- one\n  - two', breaking: true },
              { type: 'added', text: '| a | b |\n|---|---|\n| 1 | 2 |' },
              { type: 'added', text: 'מימין לשמאל \u0001 & [link](https://example.com/?a=1&b=2)' },
            ],
          }),
        ],
      },
    },
  ],
};
const ODD_FEED = '/api/v1/public/teams/odd/products/things/changelog';

function version(label: string, title: string, fields: object) {
  return { version: label, title, status: 'published', publishedAt: '2026-03-01', ...fields };
}

describe('the content of feeds (R34)', () => {
  const suite = suiteWithWorld({ BASE_URL });
  before(() => apply(suite.sandbox, ODD));

  const textOf = async (url: string) => {
    const response = await suite.app.inject(url);
    assert.equal(response.statusCode, 200, url);
    return response.body;
  };
  /** Every version as the version route returns it, in the order of the changelog route. */
  const versionsOf = async (feed: string): Promise<Version[]> => {
    const { data } = JSON.parse(await textOf(feed)) as { data: FeedRecord };
    const texts = await Promise.all(data.versions.map(({ id }) => textOf(`${feed}/versions/${id}`)));
    return texts.map((text) => (JSON.parse(text) as { data: Version }).data);
  };

  for (const feed of [PUBLIC_FEED, ODD_FEED]) {
    const home = BASE_URL + feed;
    const page = `${BASE_URL}/changelog/${feed.split('/')[5]}/${feed.split('/')[7]}`;

    it(`two Atom parsers read the same content as the API returns: ${feed}`, async () => {
      const text = await textOf(`${feed}/feed.atom`);
      const expected = (await versionsOf(feed)).map((found) => entryOf(found, page, asXml));
      const parsed = parseAtomFeed(text);
      assert.deepEqual(
        parsed.entries?.map(({ id, title, published, updated, links, content, categories }) => {
          assert.equal(updated, published);
          const tags = categories?.map(({ term }) => term);
          const [url, html] = [links?.[0]?.href, valueIn(content)];
          return { id, title: valueIn(title), date: published, url, html, tags };
        }),
        expected,
      );
      assert.equal(parsed.updated, expected[0]?.date);
      const { items, ...other } = await new RssParser().parseString(text);
      assert.deepEqual(
        items.map(({ id, title, isoDate: date, link: url, content: html }) => ({
          id,
          title,
          date,
          url,
          html,
        })),
        expected.map(({ tags: _, ...rest }) => rest),
      );
      const { data } = JSON.parse(await textOf(feed)) as { data: FeedRecord };
      assert.deepEqual(
        { id: parsed.id, title: valueIn(parsed.title), author: parsed.authors?.[0]?.name },
        { id: `urn:changelog:${data.changelog.id}`, title: data.changelog.name, author: data.team.name },
      );
      assert.deepEqual([other.link, other.feedUrl], [page, `${home}/feed.atom`]);
    });

    it(`two RSS parsers read the same content as the API returns: ${feed}`, async () => {
      const text = await textOf(`${feed}/feed.rss`);
      // RSS dates have no milliseconds.
      const expected = (await versionsOf(feed)).map((found) => {
        const entry = entryOf(found, page, asXml);
        return { ...entry, date: entry.date.replace(/\.\d{3}Z$/, '.000Z') };
      });
      const { data } = JSON.parse(await textOf(feed)) as { data: FeedRecord };
      const parsed = parseRssFeed(text);
      assert.deepEqual([parsed.title, parsed.link], [data.changelog.name, page]);
      assert.deepEqual(
        parsed.items?.map(({ guid, title, pubDate = '', link, description, categories }) => {
          assert.equal(guid?.isPermaLink, false);
          assert.match(pubDate, /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/);
          const tags = categories?.map(({ name }) => name);
          const date = new Date(pubDate).toISOString();
          return { id: guid?.value, title, date, url: link, html: description, tags };
        }),
        expected,
      );
      const { items, feedUrl } = await new RssParser().parseString(text);
      assert.equal(feedUrl, `${home}/feed.rss`);
      assert.deepEqual(
        items.map(({ guid, title, isoDate, link, content, categories }) => {
          return { id: guid, title, date: isoDate, url: link, html: content, tags: categories };
        }),
        expected,
      );
    });

    it(`a JSON Feed parser reads the same content as the API returns, in the standard form: ${feed}`, async () => {
      const text = await textOf(`${feed}/feed.json`);
      const expected = (await versionsOf(feed)).map((found) => entryOf(found, page));
      const { items, ...head } = JSON.parse(text);
      const { data } = JSON.parse(await textOf(feed)) as { data: FeedRecord };
      assert.deepEqual(head, {
        version: 'https://jsonfeed.org/version/1.1',
        title: data.changelog.name,
        description: `What's new in ${data.product.name}, newest first.`,
        home_page_url: page,
        feed_url: `${home}/feed.json`,
        authors: [{ name: data.team.name }],
        language: 'en',
      });
      const asEntry = (item: Record<string, unknown>) => {
        const { id, title, date_published: date, url, content_html: html, tags } = item;
        return { id, title, date, url, html, tags };
      };
      assert.deepEqual(items.map(asEntry), expected);
      assert.deepEqual(parseJsonFeed(text).items?.map(asEntry), expected);
    });

    it(`CHANGELOG.md reads back as the content that the API returns: ${feed}`, async () => {
      const { data } = JSON.parse(await textOf(feed)) as { data: FeedRecord };
      const text = await textOf(`${feed}/CHANGELOG.md`);
      assert.doesNotMatch(text, /[^\P{Cc}\t\n]/u);
      assert.deepEqual(readChangelog(text), {
        name: data.changelog.name,
        description: null,
        versions: (await versionsOf(feed)).map((found) => ({
          version: found.version,
          status: found.status,
          publishedAt: found.publishedAt,
          yanked: found.yanked,
          title: found.title,
          description: found.description,
          changes: sectionsOf(found.changes).flatMap((section) =>
            section.changes.map(({ type, breaking, text }) => ({ type, breaking, text })),
          ),
        })),
      });
    });
  }
});

/** The part of a text that XML can contain. */
function asXml(text: string): string {
  return text.replaceAll('\u0001', '');
}

const SECTIONS: readonly [string, (change: Change) => boolean][] = [
  ['Breaking changes', ({ breaking }) => breaking],
  ...['Security', 'Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Other'].map(
    (heading): [string, (change: Change) => boolean] => [
      heading,
      ({ type, breaking }) => !breaking && type === heading.toLowerCase(),
    ],
  ),
];

function itemOf({ type, breaking, html }: Change): string {
  if (!breaking) return `<li>${html}</li>`;
  const lead = `<p><strong>${type.replace(/^./, (letter) => letter.toUpperCase())}:</strong>`;
  return `<li>${html.startsWith('<p>') ? html.replace('<p>', `${lead} `) : `${lead}</p>\n${html}`}</li>`;
}

/** The expected entry, from the version route's response. */
function entryOf(found: Version, page: string, write = (text: string) => text) {
  const types = CHANGE_TYPES.filter((wanted) => found.changes.some(({ type }) => type === wanted));
  const html = [
    ...(found.yanked
      ? ['<p><strong>Yanked:</strong> This version was withdrawn after its release. Do not use it.</p>']
      : []),
    ...(found.description === null ? [] : [renderMarkdown(found.description)]),
    ...SECTIONS.flatMap(([heading, isIn]) => {
      const changes = found.changes.filter(isIn);
      if (changes.length === 0) return [];
      return [`<h3>${heading}</h3>`, '<ul>', ...changes.map(itemOf), '</ul>'];
    }),
  ].join('\n');
  return {
    id: `urn:changelog:${found.id}`,
    title: write(found.title ? `${found.version}: ${found.title}` : found.version),
    date: found.publishedAt as string,
    url: `${page}/versions/${encodeURIComponent(found.version)}`,
    html: write(html),
    tags: [
      found.version,
      ...(found.yanked ? ['yanked'] : []),
      ...(found.changes.some(({ breaking }) => breaking) ? ['breaking'] : []),
      ...types,
    ],
  };
}

/** A parser returns a text construct as a string or as an object. */
function valueIn(construct: unknown): unknown {
  return typeof construct === 'object' ? (construct as { value?: unknown } | null)?.value : construct;
}
