import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { releaseNumber } from '../../../src/domain/release-number.ts';
import { CHANGES_PAGE, HIDDEN_PAGES, LISTS, PAGES, PRODUCT_PAGE } from '../../../support/content/pages.ts';
import { ACME, HIDDEN, HIDDEN_PATHS, PUBLIC_FEED } from '../../../support/content/world.ts';
import { listenApp, startApp } from '../../../support/program/app.ts';
import { apply, runOk } from '../../../support/program/command.ts';
import { rawRequest } from '../../support/socket.ts';
import { suiteWithWorld } from '../../support/suite.ts';

/** Other requests for a changelog, and for a draft or another product's version by name. */
const BELOW_CHANGELOG = [
  ...['?limit=1', '?q=hush', '?type=added', '?since=2020-01-01', '?from=0.1.0&to=9.0.0', '?prerelease=false'],
  ...['?include=changes', '?limit=1&cursor=AAAAAAAAAAAAAAAAYSBi', '/changes', '/changes?from=0.1.0'],
  ...['/update', '/update?from=0.1.0', '/update?from=2.1.0&prerelease=true'],
  ...['/feed.atom', '/feed.rss', '/feed.json', '/CHANGELOG.md', '/versions/latest', '/versions/1.0.0'],
  ...['/releases.xml', '/latest.txt', '/badge.json', '/badge.svg?label=new'],
  ...['md', 'txt', 'html'].flatMap((form) => [`/changes.${form}`, `/versions/latest/notes.${form}`]),
];
const HIDDEN_CHANGELOGS = HIDDEN_PATHS.filter((path) => path.endsWith('/changelog'));
const NO_CHANGELOG = '/api/v1/public/teams/nobody/products/nothing/changelog';
/** Below a readable changelog: names of drafts, and missing names. */
const HIDDEN_NAMES = ['3.0.0', 'v3.0.0', 'ver_300', 'ver_vault'];

/** The same products for clients of Gitea. */
const REPO = '/api/v1/repos/acme/rocket';
const BELOW_REPO = [
  '',
  '/releases',
  '/releases?draft=false',
  '/releases/latest',
  '/releases/tags/1.0.0',
  '/tags',
];
const HIDDEN_REPOS = HIDDEN_CHANGELOGS.map((path) =>
  path.replace(/^\/api\/v1\/public\/teams\/([^/]+)\/products\/([^/]+)\/changelog$/, '/api/v1/repos/$1/$2'),
);

/** A team whose content is hidden, and lists of a team where some is. */
const HIDDEN_TEAM = '/api/v1/public/teams/vault';
const TEAM = '/api/v1/public/teams/acme';
const BELOW_TEAM = [
  ...['', '?limit=1', '?q=hush', '?type=added', '?since=2020-01-01', '?prerelease=false', '?include=changes'],
].map((query) => `/versions${query}`);
BELOW_TEAM.push('/products', '/products?limit=1', '/feed.atom', '/feed.rss', '/feed.json?q=hush');

/** Hidden products, as in a link to them. */
const HIDDEN_SLUGS = ['secret', 'frozen', 'quiet', 'still', 'bare'].map((slug) => `/${slug}"`);
/** Pages that show the changelog, or search it for hidden content. */
const SHOWN_PAGES = [
  ...PAGES,
  ...LISTS,
  ...[
    '?limit=1',
    '?q=hush',
    '?q=3.0.0',
    '?type=added',
    '?since=2020-01-01',
    '?from=2.1.0',
    '?prerelease=false',
  ].map((query) => PRODUCT_PAGE + query),
  ...['?from=0.1.0', '?from=2.1.0&to=4.0.0', '.md?from=2.1.0&to=4.0.0'].map((query) => CHANGES_PAGE + query),
  ...['latest', '1.0.0'].map((name) => `${PRODUCT_PAGE}/versions/${name}`),
];
const LISTING = { LISTING: 'all', BASE_URL: 'https://changes.example.com' };

describe('hidden content on the public surface (R9)', () => {
  const suite = suiteWithWorld(LISTING);

  it('hidden content gets the same bytes as missing content', async (t) => {
    const { port } = await listenApp(t, suite.sandbox);
    const nonexistent = [
      '/api/v1/public/teams/nobody/products/nothing/changelog',
      `${PUBLIC_FEED}/versions/ver_none`,
    ];
    const responses = [];
    const others = [NO_CHANGELOG, ...HIDDEN_CHANGELOGS].flatMap((path) =>
      BELOW_CHANGELOG.map((below) => path + below),
    );
    const names = [...HIDDEN_NAMES, '9.9.9'].flatMap((name) =>
      ['', '/notes.md', '/notes.txt', '/notes.html'].map((form) => `${PUBLIC_FEED}/versions/${name}${form}`),
    );
    const empty = '/api/v1/public/teams/acme/products/new/changelog/versions/latest';
    const lists = [HIDDEN_TEAM, HIDDEN_TEAM.replace('vault', 'nobody')].flatMap((team) =>
      BELOW_TEAM.map((below) => team + below),
    );
    for (const path of [...nonexistent, ...HIDDEN_PATHS, ...others, ...names, ...lists, empty]) {
      const { status, headerLines, body } = await rawRequest(port, [`GET ${path} HTTP/1.1`, 'Host: x']);
      assert.equal(status, 404, path);
      assert.ok(!body.includes(HIDDEN), path);
      const lines = headerLines.filter((line) => !/^(date|ratelimit|x-request-id):/i.test(line));
      responses.push([...lines, '', body].join('\r\n'));
    }
    assert.equal(new Set(responses).size, 1, [...new Set(responses)].join('\n\n'));
  });

  it('hidden content gets the same bytes as missing content from clients of Gitea', async (t) => {
    const { port } = await listenApp(t, suite.sandbox);
    const numbers = ['ver_300', 'ver_vault', 'ver_none', 'ver_01a1dcf6ff237691a9ced31f0cd2217a'];
    const paths = [
      ...['/api/v1/repos/nobody/nothing', ...HIDDEN_REPOS].flatMap((repo) =>
        BELOW_REPO.map((below) => repo + below),
      ),
      ...['3.0.0', 'v3.0.0', '9.9.9'].flatMap((name) => [
        `${REPO}/tags/${name}`,
        `${REPO}/releases/tags/${name}`,
      ]),
      ...numbers.map((id) => `${REPO}/releases/${releaseNumber(id)}`),
    ];
    const responses = new Set<string>();
    for (const path of paths) {
      const { status, headerLines, body } = await rawRequest(port, [`GET ${path} HTTP/1.1`, 'Host: x']);
      assert.equal(status, 404, path);
      responses.add(
        [...headerLines.filter((line) => !/^(date|ratelimit|x-request-id):/i.test(line)), body].join('\r\n'),
      );
    }
    assert.equal(responses.size, 1, [...responses].join('\n\n'));
  });

  it('hidden content takes the same single query as missing content', async () => {
    const queriesFor = async (path: string) => {
      suite.queries.length = 0;
      await suite.app.inject(path);
      return suite.queries.map(({ query }) => query.sql);
    };
    const [missingFeed, missingVersion] = [
      await queriesFor('/api/v1/public/teams/nobody/products/nothing/changelog'),
      await queriesFor(`${PUBLIC_FEED}/versions/ver_none`),
    ];
    assert.equal(missingFeed.length, 1);
    assert.equal(missingVersion.length, 1);
    for (const path of HIDDEN_PATHS) {
      assert.deepEqual(
        await queriesFor(path),
        path.includes('/versions/') ? missingVersion : missingFeed,
        path,
      );
    }
  });

  it('hidden content takes the same single query in every other kind of request', async () => {
    const queriesFor = async (path: string) => {
      suite.queries.length = 0;
      assert.equal((await suite.app.inject(path)).statusCode, 404, path);
      return suite.queries.map(({ query }) => query.sql);
    };
    for (const below of BELOW_CHANGELOG) {
      const missing = await queriesFor(NO_CHANGELOG.replace('nobody', 'none') + below);
      assert.equal(missing.length, 1, below);
      for (const path of HIDDEN_CHANGELOGS)
        assert.deepEqual(await queriesFor(`${path}${below}`), missing, path + below);
    }
    for (const below of BELOW_TEAM) {
      const missing = await queriesFor(HIDDEN_TEAM.replace('vault', 'none') + below);
      assert.equal(missing.length, 1, below);
      assert.deepEqual(await queriesFor(HIDDEN_TEAM + below), missing, below);
    }
    for (const below of BELOW_REPO) {
      const missing = await queriesFor(`/api/v1/repos/none/nothing${below}`);
      assert.equal(missing.length, 1, below);
      for (const repo of HIDDEN_REPOS)
        assert.deepEqual(await queriesFor(repo + below), missing, repo + below);
    }
    // From here on, the index of the public versions is in memory.
    await queriesFor(`${REPO}/releases/${releaseNumber('ver_first')}`);
    for (const [hidden, other] of [
      ['/releases/tags/3.0.0', '/releases/tags/8.8.8'],
      ['/tags/3.0.0', '/tags/8.8.8'],
      [`/releases/${releaseNumber('ver_300')}`, `/releases/${releaseNumber('ver_none')}`],
    ])
      assert.deepEqual(await queriesFor(`${REPO}${hidden}`), await queriesFor(`${REPO}${other}`), hidden);
    const missingLabel = await queriesFor(`${PUBLIC_FEED}/versions/8.8.8`);
    assert.deepEqual(await queriesFor(`${PUBLIC_FEED}/versions/3.0.0`), missingLabel);
  });

  it('no response contains hidden content', async () => {
    const urls = BELOW_CHANGELOG.filter((below) => !below.includes('cursor'));
    const feeds = [...urls, '?q=3.0.0', `?q=${HIDDEN}`, '?from=2.1.0', '/changes?from=2.1.0&to=4.0.0'];
    const others = [...BELOW_REPO.map((below) => REPO + below), ...BELOW_TEAM.map((below) => TEAM + below)];
    for (const url of [...feeds.map((below) => PUBLIC_FEED + below), ...SHOWN_PAGES, ...others]) {
      const { statusCode, body, headers } = await suite.app.inject(url);
      assert.equal(statusCode, 200, url);
      // A form shows the search words.
      const said = body.replaceAll(/ value="[^"]*"/g, '') + JSON.stringify(headers);
      for (const secret of [HIDDEN, 'ver_300', '"3.0.0"', '>3.0.0', 'vault', ...HIDDEN_SLUGS])
        assert.ok(!said.includes(secret), `${url} shows ${secret}`);
    }
  });

  it('editing hidden content changes no public ETag', async (t) => {
    const paths = [
      ...['', '/versions/ver_210', '/versions/2.1.0', ...BELOW_CHANGELOG]
        .filter((below) => !below.includes('cursor'))
        .map((below) => PUBLIC_FEED + below),
      ...SHOWN_PAGES,
      ...BELOW_REPO.map((below) => REPO + below),
      ...BELOW_TEAM.map((below) => TEAM + below),
    ];
    const etags = async (app = suite.app) => {
      const responses = [];
      for (const path of paths) responses.push(await app.inject(path));
      return responses.map(({ headers }, index) => `${paths[index]} ${headers.etag}`);
    };
    const before = await etags();
    assert.ok(before.every((etag) => !etag.endsWith('undefined')));
    const edited = structuredClone(ACME);
    const draft = edited.products[0]?.changelog?.versions?.[0];
    assert.equal(draft?.status, 'draft');
    Object.assign(draft, { title: 'Edited', version: '1.5.0', publishedAt: '2026-01-01', changes: [] });
    await apply(suite.sandbox, edited);
    await runOk(suite.sandbox, ['version', 'show', 'acme/rocket', '1.5.0']);
    // Another server starts with an empty cache.
    const { app } = await startApp(t, suite.sandbox, LISTING);
    assert.deepEqual(await etags(app), before);
  });

  it('hidden content stays hidden on the public surface even with a key', async () => {
    for (const url of [...HIDDEN_PATHS, ...HIDDEN_PAGES]) {
      const headers = { authorization: `Bearer ${suite.world.full}`, 'x-api-key': suite.world.full };
      assert.equal((await suite.app.inject({ url, headers })).statusCode, 404, url);
    }
  });
});
