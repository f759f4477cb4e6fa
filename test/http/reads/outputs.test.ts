import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith';
import type { Version } from '../../../client/records.d.ts';
import { CHANGE_TYPES } from '../../../src/domain/model.ts';
import { apply } from '../../../support/program/command.ts';
import { readChangelog } from '../../support/read-changelog.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const BASE_URL = 'https://changes.example.com';
const FEED = '/api/v1/public/teams/sieve/products/mesh/changelog';
const FEEDS = ['feed.atom', 'feed.rss', 'feed.json'];

/** Each version has one change of two types, and every third change is breaking. */
const SIEVE = {
  team: { slug: 'sieve', name: 'Sieve', visibility: 'public' },
  products: [
    {
      slug: 'mesh',
      name: 'Mesh',
      status: 'published',
      changelog: {
        name: 'Mesh changelog',
        status: 'published',
        versions: ['3.0.0-rc.1', '2.1.0', '2.0.0', '1.4.0', '1.0.0', 'Dawn'].map((label, index) => ({
          version: label,
          title: `Number ${index}`,
          status: label === '1.0.0' ? 'draft' : 'published',
          ...(label === '1.0.0' ? {} : { publishedAt: `202${6 - index}-05-04T09:00:00.000Z` }),
          description: index === 1 ? 'A countdown.' : null,
          changes: [0, 1].map((each) => {
            const type = CHANGE_TYPES[(index * 2 + each) % CHANGE_TYPES.length];
            return { type, text: `${type} in ${label}`, breaking: (index * 2 + each) % 3 === 0 };
          }),
        })),
      },
    },
  ],
};

const FILTERS = [
  '',
  ...CHANGE_TYPES.map((type) => `type=${type}`),
  ...CHANGE_TYPES.map((type) => `type=${type}&breaking=true`),
  'type=added,security',
  'breaking=true',
  'breaking=false',
  'breaking=true&prerelease=false',
  'prerelease=false',
  'from=1.4.0',
  'from=1.0.0&to=2.0.0&breaking=true',
  'to=2.0.0',
  'since=2024-01-01',
  'until=2024-12-31',
  'q=countdown',
  'q=nowhere',
  'type=fixed&q=in&since=2020-01-01',
];

describe('filters on feeds and CHANGELOG.md (R53)', () => {
  const suite = suiteWithWorld({ BASE_URL });
  before(() => apply(suite.sandbox, SIEVE));

  const textOf = async (url: string) => {
    const { statusCode, body } = await suite.app.inject(url);
    assert.equal(statusCode, 200, url);
    return body;
  };

  /** The versions that the changelog route finds, with the changes that match. */
  async function expectedFor(filter: string): Promise<Version[]> {
    const body = await textOf(`${FEED}?include=changes&${filter}`);
    const { versions } = (JSON.parse(body) as { data: { versions: Version[] } }).data;
    const asked = new URLSearchParams(filter);
    const types = asked.get('type')?.split(',');
    return versions.map((version) => ({
      ...version,
      changes: version.changes.filter(
        ({ type, breaking }) =>
          (types?.includes(type) ?? true) && (asked.get('breaking') !== 'true' || breaking),
      ),
    }));
  }

  it('a feed has the versions that pass the filter, with only the changes that match', async () => {
    for (const filter of FILTERS) {
      const expected = await expectedFor(filter);
      const ids = expected.map(({ id }) => `urn:changelog:${id}`);
      const [atom, rss, json] = [
        parseAtomFeed(await textOf(`${FEED}/feed.atom?${filter}`)),
        parseRssFeed(await textOf(`${FEED}/feed.rss?${filter}`)),
        parseJsonFeed(await textOf(`${FEED}/feed.json?${filter}`)),
      ];
      assert.deepEqual(atom.entries?.map(({ id }) => id) ?? [], ids, filter);
      assert.deepEqual(rss.items?.map(({ guid }) => guid?.value) ?? [], ids, filter);
      assert.deepEqual(json.items?.map(({ id }) => id) ?? [], ids, filter);
      for (const [index, { changes, publishedAt }] of expected.entries()) {
        const shown = (json.items?.[index]?.content_html ?? '').match(/\w+ in [\w.-]+/g) ?? [];
        assert.deepEqual(shown.sort(), changes.map(({ text }) => text).sort(), filter);
        assert.equal(atom.entries?.[index]?.published, publishedAt);
        if (/type|breaking=true/.test(filter)) assert.ok(changes.length > 0, filter);
      }
    }
  });

  it('CHANGELOG.md has the same versions and changes', async () => {
    for (const filter of FILTERS) {
      const { versions } = readChangelog(await textOf(`${FEED}/CHANGELOG.md?${filter}`));
      const written = versions.map(({ version, changes }) => [
        version,
        changes.map(({ text }) => text).sort(),
      ]);
      const expected = await expectedFor(filter);
      assert.deepEqual(
        written,
        expected.map(({ version, changes }) => [version, changes.map(({ text }) => text).sort()]),
        filter,
      );
    }
  });

  it('the title and the self link have the filter, and a filtered feed has an id of its own', async () => {
    const query = 'prerelease=false&type=security&type=added&since=2024-01-01&limit=7';
    const inOrder = '?since=2024-01-01&type=added&type=security&prerelease=false&limit=7';
    const atom = parseAtomFeed(await textOf(`${FEED}/feed.atom?${query}`));
    const json = parseJsonFeed(await textOf(`${FEED}/feed.json?${query}`));
    const title = 'Mesh changelog (Published since: 2024-01-01, Added, Security, No prereleases)';
    assert.deepEqual([atom.title?.value, json.title], [title, title]);
    const self = atom.links?.find(({ rel }) => rel === 'self')?.href;
    assert.equal(self, `${BASE_URL}${FEED}/feed.atom${inOrder}`);
    assert.equal(json.feed_url, `${BASE_URL}${FEED}/feed.json${inOrder}`);
    assert.equal(await textOf(self.slice(BASE_URL.length)), await textOf(`${FEED}/feed.atom?${query}`));
    const whole = parseAtomFeed(await textOf(`${FEED}/feed.atom`));
    assert.notEqual(atom.id, whole.id);
    assert.ok(URL.canParse(String(atom.id)));
    assert.match(await textOf(`${FEED}/CHANGELOG.md?type=fixed`), /^# Mesh changelog \(Fixed\)\n/);
    const { headers } = await suite.app.inject(`${FEED}/feed.rss?type=fixed`);
    assert.ok(String(headers.link).includes(`${FEED}/feed.atom?type=fixed>; rel="alternate"`));
  });

  it('other spellings of a filter share the response', async () => {
    for (const [one, other] of [
      ['type=added&type=fixed', 'type[]=fixed,added'],
      ['since=2024-01-01&q=two+words', 'q=two%20words&since=2024-01-01'],
      ['prerelease=true&breaking=false', 'utm_source=x'],
    ])
      for (const file of FEEDS)
        assert.equal(await textOf(`${FEED}/${file}?${one}`), await textOf(`${FEED}/${file}?${other}`), one);
  });

  it('a feed without a word to search for says what was asked, whoever asked before', async () => {
    for (const words of ['***', '!']) {
      const { title, feed_url, items } = parseJsonFeed(await textOf(`${FEED}/feed.json?q=${words}`));
      assert.equal(title, `Mesh changelog (Search: ${words})`);
      assert.equal(feed_url, `${BASE_URL}${FEED}/feed.json?${new URLSearchParams({ q: words })}`);
      assert.deepEqual(items ?? [], []);
    }
  });

  it('limit is 1 to 250, and only on the three feeds', async () => {
    for (const file of FEEDS) {
      const entries = (await textOf(`${FEED}/${file}?limit=2`)).match(/urn:changelog:ver_/g);
      assert.equal(entries?.length, 2, file);
      assert.equal(await textOf(`${FEED}/${file}?limit=250`).then(() => 200), 200);
      for (const limit of ['0', '251', 'x', '']) {
        const { statusCode, body } = await suite.app.inject(`${FEED}/${file}?limit=${limit}`);
        assert.equal(statusCode, 400);
        assert.match(body, /The query parameter limit must be a whole number from 1 to 250\./);
      }
    }
    const whole = await textOf(`${FEED}/CHANGELOG.md`);
    assert.equal(await textOf(`${FEED}/CHANGELOG.md?limit=0`), whole);
  });

  it('a wrong filter is 400 and names the parameter, and so is a near miss', async () => {
    for (const file of [...FEEDS, 'CHANGELOG.md'])
      for (const [query, message] of [
        ['type=nice', 'The query parameter type must be'],
        ['breaking=maybe', 'The query parameter breaking must be true or false'],
        ['from=spring', 'The query parameter from must be a semantic version'],
        ['types=added', 'Did you mean type?'],
        ['braking=true', 'Did you mean breaking?'],
      ] as const) {
        const { statusCode, body } = await suite.app.inject(`${FEED}/${file}?${query}`);
        assert.equal(statusCode, 400, query);
        assert.ok(body.includes(message), body);
      }
  });
});
