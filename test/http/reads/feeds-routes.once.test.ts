import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { parseAtomFeed, parseRssFeed } from 'feedsmith';
import { ACME, HIDDEN, HIDDEN_PATHS, PUBLIC_FEED, TEAM_FEED } from '../../../support/content/world.ts';
import { startApp } from '../../../support/program/app.ts';
import { apply, runOk } from '../../../support/program/command.ts';
import { becomes } from '../../support/becomes.ts';
import { readChangelog } from '../../support/read-changelog.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const TYPES = {
  'feed.atom': 'application/atom+xml',
  'feed.rss': 'application/rss+xml',
  'feed.json': 'application/feed+json',
  'CHANGELOG.md': 'text/markdown',
};
const NAMES = Object.keys(TYPES);
const BASE_URL = 'https://changes.example.com/api-host';

describe('the feeds (R34)', () => {
  const suite = suiteWithWorld({ BASE_URL });

  const textOf = async (url: string) => {
    const response = await suite.app.inject(url);
    assert.equal(response.statusCode, 200, url);
    return response.body;
  };

  it('each feed has its content type, and links to the others', async () => {
    for (const [name, type] of Object.entries(TYPES)) {
      const { headers, body } = await suite.app.inject(`${PUBLIC_FEED}/${name}`);
      assert.equal(headers['content-type'], `${type}; charset=utf-8`);
      const others = Object.entries(TYPES).filter(([other]) => other !== name);
      assert.equal(
        headers.link,
        others
          .map(([other, kind]) => `<${BASE_URL}${PUBLIC_FEED}/${other}>; rel="alternate"; type="${kind}"`)
          .join(', '),
      );
      if (name !== 'feed.rss') continue;
      for (const [other, kind] of others)
        assert.ok(
          body.includes(`rel="alternate" type="${kind}" href="${BASE_URL}${PUBLIC_FEED}/${other}"`),
          other,
        );
    }
  });

  it('feed entries keep their ids when BASE_URL changes', async (t) => {
    const moved = await startApp(t, suite.sandbox, { BASE_URL: 'http://elsewhere.example' });
    for (const name of ['feed.atom', 'feed.rss', 'feed.json']) {
      const [here, there] = [
        await textOf(`${PUBLIC_FEED}/${name}`),
        (await moved.app.inject(`${PUBLIC_FEED}/${name}`)).body,
      ];
      const ids = (text: string) => text.match(/urn:changelog:\w+/g);
      assert.deepEqual(ids(there), ids(here));
      assert.equal(there, here.replaceAll(BASE_URL, 'http://elsewhere.example'));
    }
  });

  it('the feeds of a changelog without published versions are valid and empty', async () => {
    const feed = '/api/v1/public/teams/acme/products/new/changelog';
    assert.equal(parseAtomFeed(await textOf(`${feed}/feed.atom`)).entries, undefined);
    assert.equal(parseRssFeed(await textOf(`${feed}/feed.rss`)).items, undefined);
    assert.deepEqual(JSON.parse(await textOf(`${feed}/feed.json`)).items, []);
    assert.deepEqual(readChangelog(await textOf(`${feed}/CHANGELOG.md`)), {
      name: 'New',
      description: null,
      versions: [],
    });
  });

  it('a feed is 404 if anything above it is hidden, with the same bytes as for missing content', async () => {
    const hidden = HIDDEN_PATHS.filter((path) => path.endsWith('/changelog'));
    assert.ok(hidden.length > 5);
    for (const name of NAMES) {
      const missing = await refusal(`/api/v1/public/teams/nobody/products/nothing/changelog/${name}`);
      for (const path of hidden) assert.deepEqual(await refusal(`${path}/${name}`), missing, path);
    }
  });

  it('feeds are 404 on the authenticated surface', async () => {
    const headers = { authorization: `Bearer ${suite.world.full}` };
    for (const name of NAMES) {
      assert.equal((await suite.app.inject({ url: `${TEAM_FEED}/${name}`, headers })).statusCode, 404, name);
      assert.equal((await suite.app.inject(`${TEAM_FEED}/${name}`)).statusCode, 404, name);
    }
  });

  it('feeds support HEAD, OPTIONS, 405, 304 and compression like every public route', async () => {
    for (const name of NAMES) {
      const url = `${PUBLIC_FEED}/${name}`;
      const whole = await suite.app.inject(url);
      assert.equal(whole.headers['cache-control'], 'public, max-age=30');
      assert.ok(whole.headers['ratelimit-policy']);
      const head = await suite.app.inject({ url, method: 'HEAD' });
      assert.deepEqual([head.statusCode, head.body, head.headers.etag], [200, '', whole.headers.etag]);
      const options = await suite.app.inject({ url, method: 'OPTIONS' });
      assert.deepEqual([options.statusCode, options.headers.allow], [204, 'GET, HEAD, OPTIONS']);
      assert.equal((await suite.app.inject({ url, method: 'POST' })).statusCode, 405);
      const etag = String(whole.headers.etag);
      const unchanged = await suite.app.inject({ url, headers: { 'if-none-match': etag } });
      assert.deepEqual([unchanged.statusCode, unchanged.headers.link], [304, whole.headers.link]);
      const gzip = await suite.app.inject({ url, headers: { 'accept-encoding': 'gzip' } });
      assert.equal(gzip.headers['content-encoding'], 'gzip', name);
      assert.notEqual(gzip.headers.etag, etag);
      assert.equal((await suite.app.inject(`${url}?page=x&utm_source=mail`)).headers.etag, etag);
    }
  });

  it('the gate protects the feeds', async (t) => {
    const gate = {
      PASSWORD_PROTECTION: 'true',
      PASSWORD_PROTECTION_USERNAME: 'u',
      PASSWORD_PROTECTION_PASSWORD: 'p',
    };
    const { app } = await startApp(t, suite.sandbox, gate);
    const headers = { authorization: `Basic ${Buffer.from('u:p').toString('base64')}` };
    for (const name of NAMES) {
      const url = `${PUBLIC_FEED}/${name}`;
      assert.equal((await app.inject(url)).statusCode, 401);
      const { statusCode, headers: gated } = await app.inject({ url, headers });
      assert.deepEqual([statusCode, gated['cache-control']], [200, 'private, no-cache']);
    }
  });

  it('feeds show nothing of a draft, and do not change when one is edited', async () => {
    const etags = async () => {
      const responses = [];
      for (const name of NAMES) responses.push(await suite.app.inject(`${PUBLIC_FEED}/${name}`));
      for (const { body } of responses) {
        assert.ok(!body.includes(HIDDEN) && !body.includes('ver_300'));
        assert.match(body, /2\.1\.0/);
      }
      return responses.map(({ headers }) => headers.etag);
    };
    const before = await etags();
    const edited = structuredClone(ACME);
    Object.assign(edited.products[0]?.changelog?.versions?.[0] ?? {}, { changes: [], description: HIDDEN });
    await apply(suite.sandbox, edited);
    assert.deepEqual(await etags(), before);
  });

  it('feeds show a version as soon as it is published', async () => {
    const shows = async () => {
      const texts = await Promise.all(NAMES.map((name) => textOf(`${PUBLIC_FEED}/${name}`)));
      return texts.map((text) => text.includes('3.0.0'));
    };
    assert.deepEqual(await shows(), [false, false, false, false]);
    await runOk(suite.sandbox, ['version', 'publish', 'acme/rocket', '3.0.0']);
    await becomes(shows, [true, true, true, true]);
    await runOk(suite.sandbox, ['version', 'unpublish', 'acme/rocket', '3.0.0']);
    await becomes(shows, [false, false, false, false]);
  });

  async function refusal(url: string) {
    const { statusCode, headers, body } = await suite.app.inject(url);
    assert.equal(statusCode, 404, url);
    const { date: _, ratelimit: __, 'x-request-id': ___, ...others } = headers;
    return { others, body };
  }
});

describe('the feeds of a long changelog', () => {
  const suite = suiteWithWorld();
  const feed = '/api/v1/public/teams/long/products/list/changelog';
  const versions = Array.from({ length: 400 }, (_, index) => ({
    version: `1.${index}.0`,
    title: '',
    status: 'published',
    publishedAt: new Date(index * 86_400_000).toISOString(),
    changes: [{ type: 'added', text: `Thing *${index}*.` }],
  }));
  before(() =>
    apply(suite.sandbox, {
      team: { slug: 'long', name: 'Long', visibility: 'public' },
      products: [
        { slug: 'list', name: 'List', status: 'published', changelog: { status: 'published', versions } },
      ],
    }),
  );

  it('other requests are served while a long feed is written', async () => {
    const done: string[] = [];
    const ask = async (url: string) => {
      assert.equal((await suite.app.inject(url)).statusCode, 200);
      done.push(url);
    };
    await Promise.all([ask(`${feed}/feed.atom`), ask(PUBLIC_FEED)]);
    assert.deepEqual(done, [PUBLIC_FEED, `${feed}/feed.atom`]);
  });

  it('feeds have the newest 250 versions, and CHANGELOG.md has all', async () => {
    const labels = versions.map(({ version: label }) => label).reverse();
    const { body } = await suite.app.inject(`${feed}/feed.json`);
    const items: { title: string }[] = JSON.parse(body).items;
    assert.deepEqual(
      items.map(({ title }) => title),
      labels.slice(0, 250),
    );
    for (const [name, element] of [
      ['feed.atom', '<entry>'],
      ['feed.rss', '<item>'],
    ] as const)
      assert.equal((await suite.app.inject(`${feed}/${name}`)).body.split(element).length, 251);
    const whole = (await suite.app.inject(`${feed}/CHANGELOG.md`)).body.matchAll(/^## \[(.+)\]/gm);
    assert.deepEqual(
      [...whole].map(([, label]) => label),
      labels,
    );
  });

  it('a feed is not shorter because its versions are long', async () => {
    const changes = Array.from({ length: 2_000 }, (_, index) => ({ type: 'fixed', text: `${index}` }));
    const url = feed.replace('list', 'texts');
    // The oldest one changes after the newer ones were published.
    for (const title of ['', 'First']) {
      const long = versions
        .slice(0, 4)
        .map((version, index) => ({ ...version, title: index === 0 ? title : '', changes }));
      const changelog = { status: 'published', versions: long };
      await apply(suite.sandbox, {
        team: { slug: 'long', name: 'Long', visibility: 'public' },
        products: [{ slug: 'texts', name: 'Texts', status: 'published', changelog }],
      });
    }
    const { body } = await suite.app.inject(`${url}/feed.atom`);
    const { entries = [], updated } = parseAtomFeed(body);
    assert.equal(entries.length, 4);
    assert.equal(updated, entries[3]?.updated);
    assert.ok(String(updated) > String(entries[0]?.updated));
    assert.equal((await suite.app.inject(`${url}/feed.json?limit=3`)).json().items.length, 3);
    assert.equal((await suite.app.inject(`${url}/releases.xml`)).body.match(/<release /g)?.length, 4);
  });
});
