import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ENGLISH, localeFor } from '../../../src/present/words/locale.ts';
import {
  CHANGES_PAGE,
  HIDDEN_PAGES,
  MALFORMED_PAGES,
  PAGES,
  PRODUCT_PAGE,
  UNKNOWN_PAGES,
  VERSION_PAGE,
} from '../../../support/content/pages.ts';
import { HIDDEN, PUBLIC_FEED } from '../../../support/content/world.ts';
import { execute } from '../../../support/databases/engine.ts';
import { listenApp, startApp } from '../../../support/program/app.ts';
import { becomes } from '../../support/becomes.ts';
import { rawRequest } from '../../support/socket.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const BASE_URL = 'https://changes.example.com';

describe('pages (R37)', () => {
  const suite = suiteWithWorld({ LISTING: 'all', BASE_URL });
  const read = async (url: string) => {
    const response = await suite.app.inject(url);
    assert.equal(response.statusCode, 200, `${url}: ${response.body.slice(0, 500)}`);
    return response;
  };

  for (const url of PAGES) {
    it(`${url} is cached like the public API, and shows nothing hidden`, async () => {
      const { headers, body } = await read(url);
      assert.equal(
        headers['content-type'],
        url.endsWith('.md') ? 'text/markdown; charset=utf-8' : 'text/html; charset=utf-8',
      );
      assert.equal(headers['cache-control'], 'public, max-age=30');
      assert.equal(headers.vary, 'Accept-Encoding');
      assert.equal(headers['last-modified'], undefined);
      assert.match(String(headers.ratelimit), /^"public";r=\d+;t=\d+$/);
      assert.ok(!body.includes(HIDDEN));
      const unchanged = await suite.app.inject({ url, headers: { 'if-none-match': String(headers.etag) } });
      assert.equal(unchanged.statusCode, 304);
      assert.equal(unchanged.headers.etag, headers.etag);
      const head = await suite.app.inject({ url, method: 'HEAD' });
      assert.deepEqual([head.statusCode, head.body], [200, '']);
      assert.equal(head.headers['content-length'], headers['content-length']);
    });
  }

  it('the changelog shows the newest versions in full', async () => {
    const { body } = await read(PRODUCT_PAGE);
    assert.ok(body.indexOf('2.1.0') < body.indexOf('1.0.0'));
    assert.match(body, /A countdown, in <em>Markdown<\/em>\./);
    assert.match(body, /id="chg_1"/);
    assert.match(body, /href="[^"]*#chg_1"/);
    assert.match(body, new RegExp(`<link rel="canonical" href="${BASE_URL}${PRODUCT_PAGE}"`));
  });

  it('the changelog shows its description below the title, on the first page of all versions only', async (t) => {
    const rows = `where id = 'cl_rocket'`;
    t.after(() => execute(suite.sandbox, `update changelogs set description = null ${rows}`));
    await execute(suite.sandbox, `update changelogs set description = '# *All* <b>changes</b>' ${rows}`);
    const shown =
      'newest first.</p>\n<div class="lede text" dir="auto"><h2><em>All</em> <b>changes</b></h2></div>\n</div>';
    await becomes(async () => (await read(PRODUCT_PAGE)).body.includes(shown), true);
    for (const query of ['?q=countdown', '?type=added'])
      assert.doesNotMatch((await read(PRODUCT_PAGE + query)).body, /lede text/);
    assert.match(
      (await read(`${PUBLIC_FEED}/CHANGELOG.md`)).body,
      /^# Rocket changelog\n\n<!-- changelog-read-api -->\n\n<!-- quoted -->\n\n> # \*All\*/,
    );
    for (const url of [PUBLIC_FEED, `${PUBLIC_FEED}/versions/2.1.0`, VERSION_PAGE])
      assert.doesNotMatch((await read(url)).body, /changes<\/b>|&lt;b&gt;changes/);
  });

  it('the policy allows the images on the page, and no others (R63)', async (t) => {
    const imagesOn = async (url: string, method: 'GET' | 'HEAD' = 'GET') => {
      const { headers } = await suite.app.inject({ url, method });
      return /; img-src ([^;]*);/.exec(String(headers['content-security-policy']))?.[1];
    };
    for (const url of [PRODUCT_PAGE, CHANGES_PAGE, '/', '/changelog/nothing'])
      assert.equal(await imagesOn(url), 'data:', url);
    const write = async (logo: string, cover: string, text: string) => {
      await execute(suite.sandbox, `update products set logo = ${logo} where slug = 'rocket'`);
      await execute(suite.sandbox, `update versions set image = ${cover} where label = '2.1.0'`);
      await execute(suite.sandbox, `update changes set text = ${text} where id = 'chg_1'`);
    };
    t.after(() => write('null', 'null', `replace(text, '![b](https://b.example/b.png)', '')`));
    await write(
      `'https://logo.example/a.svg'`,
      `'https://cover.example/a.png'`,
      `text || '![b](https://b.example/b.png)'`,
    );
    for (const url of [PRODUCT_PAGE, VERSION_PAGE, CHANGES_PAGE])
      await becomes(
        () => imagesOn(url),
        'https://logo.example https://cover.example https://b.example data:',
      );
    assert.equal(await imagesOn(PRODUCT_PAGE, 'HEAD'), await imagesOn(PRODUCT_PAGE));
    for (const url of [`${PRODUCT_PAGE}?q=nothing`, '/'])
      await becomes(() => imagesOn(url), 'https://logo.example data:');
  });

  it('filters show the versions that match, on a page not meant for search engines', async () => {
    const searched = (await read(`${PRODUCT_PAGE}?q=countdown`)).body;
    assert.ok(searched.includes('Faster launches') && !searched.includes('Lift-off'));
    assert.match(searched, /<meta name="robots" content="noindex, follow">/);
    const empty = (await read(`${PRODUCT_PAGE}?q=nothing+like+it`)).body;
    assert.ok(!empty.includes('Faster launches'));
    assert.doesNotMatch((await read(`${PRODUCT_PAGE}?q=&from=&type=`)).body, /noindex/);
  });

  it('older versions follow by cursor, which is valid for this page only', async () => {
    const first = (await read(`${PRODUCT_PAGE}?limit=1`)).body;
    const [, query = ''] = /href="[^"]*(\?limit=1&(?:amp;)?cursor=[\w-]+)"/.exec(first) ?? [];
    assert.ok(first.includes('Faster launches') && !first.includes('Lift-off'));
    const second = (await read(PRODUCT_PAGE + query.replace('&amp;', '&'))).body;
    assert.ok(!second.includes('Faster launches') && second.includes('Lift-off'));
    assert.match(second, /<meta name="robots" content="noindex, follow">/);
    const cursor = query.replace(/.*cursor=/, '');
    for (const url of [
      `/changelog/acme/new?limit=1&cursor=${cursor}`,
      `${PRODUCT_PAGE}?q=countdown&cursor=${cursor}`,
      `${PRODUCT_PAGE}?cursor=${cursor}&cursor=${cursor}`,
      `${PRODUCT_PAGE}?cursor=${cursor}A`,
      `/changelog/acme?cursor=${cursor}`,
      `/?cursor=${cursor}`,
      `/api/v1/public/teams/acme/products/rocket/changelog?cursor=${cursor}`,
    ])
      assert.equal((await suite.app.inject(url)).statusCode, 400, url);
    const { headers } = await suite.app.inject(`/api/v1/public/teams/acme/products/rocket/changelog?limit=1`);
    const [, ofApi] = /cursor=([\w-]+)/.exec(String(headers.link)) ?? [];
    assert.equal((await suite.app.inject(`${PRODUCT_PAGE}?limit=1&cursor=${ofApi}`)).statusCode, 400);
    // Where nothing is shown, a cursor that is valid elsewhere reveals nothing.
    assert.equal((await suite.app.inject(`/changelog/acme/secret?limit=1&cursor=${cursor}`)).statusCode, 404);
  });

  it('errors on the pages of a public changelog speak its language, and no others do (R59)', async (t) => {
    const setLanguage = (tag: string) => execute(suite.sandbox, `update changelogs set language = '${tag}'`);
    t.after(() => setLanguage('en'));
    const notFound = ENGLISH.words.errors.not_found.title;
    const missing = `${PRODUCT_PAGE}/versions/9.9.9`;
    assert.match((await suite.app.inject(missing)).body, new RegExp(`<h1>${notFound}</h1>`));
    await setLanguage('de-CH');
    const { errors, problems } = localeFor('de').words;
    const titleOf = async (url: string, options = {}) =>
      /<h1>(.*)<\/h1>/.exec((await suite.app.inject({ url, ...options })).body)?.[1];
    await becomes(() => titleOf(missing), errors.not_found.title);
    const german = await suite.app.inject(missing);
    assert.match(german.body, /<html lang="de-CH">/);
    // A draft, and what never existed.
    for (const name of ['3.0.0', 'ver_300', 'ver_none'])
      assert.equal((await suite.app.inject(`${PRODUCT_PAGE}/versions/${name}`)).body, german.body, name);
    assert.equal(await titleOf(`${PRODUCT_PAGE}?since=yesterday`), problems.title);
    assert.equal(await titleOf(PRODUCT_PAGE, { method: 'POST' }), errors.method_not_allowed.title);
    // Hidden changelogs are in German too, which must not show.
    const hidden = [...HIDDEN_PAGES, '/changelog/nobody/nothing', '/changelog/acme/nothing'].filter(
      (url) => !url.includes('acme/rocket'),
    );
    for (const url of [...hidden, ...hidden]) assert.equal(await titleOf(url), notFound, url);
  });

  it('equivalent queries share one cached response', async () => {
    const spellings = [
      ['', '?', '?q=', '?q=&from=&to=&since=&until=&type=&prerelease=', '?q=%20%09', '?unknown=1'],
      ['?q=countdown', '?q=countdown&from=', '?q=+countdown+', '?%71=count%64own', '?x=1&q=countdown'],
      ['?type=added&type=removed', '?type=removed&type=added', `?${'type=removed&type=added&'.repeat(300)}`],
    ];
    for (const [first = '', ...others] of spellings) {
      const { body } = await read(PRODUCT_PAGE + first);
      suite.queries.length = 0;
      for (const other of others) assert.equal((await read(PRODUCT_PAGE + other)).body, body, other);
      assert.equal(suite.queries.length, 0, first);
    }
  });

  it('a version has one canonical URL, by whatever name it was requested', async () => {
    for (const name of ['2.1.0', 'v2.1.0', 'ver_210', 'latest']) {
      const { body } = await read(`${PRODUCT_PAGE}/versions/${name}`);
      assert.match(body, new RegExp(`<link rel="canonical" href="${BASE_URL}${VERSION_PAGE}"`), name);
    }
  });

  it('a range is merged, breaking changes first, then by type; as Markdown it is the notes of its versions', async () => {
    const { body } = await read(`${CHANGES_PAGE}?from=1.0.0&to=2.1.0`);
    assert.ok(body.includes('chg_1') && body.includes('chg_2'));
    const only = (await read(`${CHANGES_PAGE}?type=removed`)).body;
    assert.ok(!only.includes('chg_1') && only.includes('chg_2'));
    assert.equal(
      (await read(`${CHANGES_PAGE}.md?from=1.0.0&to=2.1.0`)).body,
      `## 2.1.0: Faster launches (2026-05-04)

Optional *Markdown*.

### Breaking changes

- **Removed:** The fuse. <script>alert(1)</script>

### Added

- A countdown, in *Markdown*.
`,
    );
  });

  it('versions to compare are chosen from lists: the newest two, or those of the comparison', async () => {
    const selects = (body: string) =>
      [...body.matchAll(/<select[^>]* name="(\w+)">.*?<option selected>(.*?)<\/option>/gs)].map(
        ([, name, label]) => [name, label],
      );
    const { body } = await read(PRODUCT_PAGE);
    assert.deepEqual(selects(body), [
      ['from', '1.0.0'],
      ['to', '2.1.0'],
    ]);
    assert.match(body, /<form class="fields pair row" action="rocket\/changes">/);
    const compared = (await read(`${CHANGES_PAGE}?from=0.9&to=2.1.0`)).body;
    assert.deepEqual(selects(compared), [
      ['from', '0.9'],
      ['to', '2.1.0'],
    ]);
  });

  it('an invalid value is a 400 with the form as filled in and the message next to the field', async () => {
    const pages = [PRODUCT_PAGE, CHANGES_PAGE, '/changelog/acme/secret'];
    // The language of a product is read once.
    for (const page of pages) await suite.app.inject(`${page}?from=one`);
    suite.queries.length = 0;
    for (const page of pages) {
      const { statusCode, headers, body } = await suite.app.inject(`${page}?from=%22%3Eone&to=2.1.0`);
      assert.equal(statusCode, 400, page);
      assert.equal(headers['content-type'], 'text/html; charset=utf-8');
      assert.equal(headers['cache-control'], 'no-store');
      assert.match(body, /Enter a semantic version, such as 1\.4\.0\./);
      assert.match(body, /value="&quot;&gt;one"/);
      assert.match(body, /value="2\.1\.0"/);
    }
    assert.equal(suite.queries.length, 0);
  });

  it('a misspelled parameter is a 400 with the form as filled in, and is not repeated', async () => {
    for (const page of [PRODUCT_PAGE, CHANGES_PAGE, `${CHANGES_PAGE}.md`]) {
      const { statusCode, body } = await suite.app.inject(`${page}?tpye=%3Cb%3E&to=2.1.0`);
      assert.equal(statusCode, 400, page);
      assert.match(body, /<li>The query has an unknown parameter\. Did you mean type\?<\/li>/);
      assert.match(body, /value="2\.1\.0"/);
      assert.doesNotMatch(body, /tpye|<b>/);
    }
    assert.equal((await suite.app.inject(`${PRODUCT_PAGE}?tpye=&utm_source=x`)).statusCode, 200);
    const [plain, listed] = [
      await suite.app.inject(`${PRODUCT_PAGE}?type=added&type=fixed`),
      await suite.app.inject(`${PRODUCT_PAGE}?type[]=fixed&type%5B0%5D=added`),
    ];
    assert.equal(listed.headers.etag, plain.headers.etag);
  });
});

describe('errors on pages (R39)', () => {
  const suite = suiteWithWorld({ LISTING: 'all' });

  it('hidden, unknown and malformed pages get the same bytes', async (t) => {
    const { port } = await listenApp(t, suite.sandbox, { LISTING: 'all' });
    const responses = new Set<string>();
    for (const path of [...UNKNOWN_PAGES, ...MALFORMED_PAGES, ...HIDDEN_PAGES]) {
      const lines = [`GET ${path} HTTP/1.1`, 'Host: x', 'Accept: application/json'];
      const { status, headerLines, body } = await rawRequest(port, lines);
      assert.equal(status, 404, path);
      const kept = headerLines.filter((line) => !/^(date|ratelimit|x-request-id):/i.test(line));
      responses.add([...kept, '', body].join('\r\n'));
    }
    assert.equal(responses.size, 1, [...responses].map((each) => each.slice(0, 600)).join('\n\n'));
    const [response = ''] = responses;
    assert.match(response, /content-type: text\/html; charset=utf-8/i);
    assert.match(response, /cache-control: no-store/i);
    assert.match(response, /content-security-policy: default-src 'none'; /i);
    assert.ok(!response.includes(HIDDEN));
  });

  it('hidden pages take the same queries as missing ones: one, and one for the language of the first error', async () => {
    const queriesFor = async (path: string) => {
      suite.queries.length = 0;
      await suite.app.inject(path);
      return suite.queries.map(({ query }) => query.sql);
    };
    for (const below of ['', '?q=hush', '/changes', '/changes.md', '/versions/latest', '/versions/1.0.0']) {
      const missing = await queriesFor(`/changelog/nobody/nothing${below}`);
      assert.equal(missing.length, below === '' ? 2 : 1, below);
      for (const path of ['vault/rocket', 'acme/secret', 'acme/frozen', 'acme/quiet', 'acme/bare'])
        assert.deepEqual(await queriesFor(`/changelog/${path}${below}`), missing, path + below);
    }
    const missing = await queriesFor('/changelog/nobody');
    assert.equal(missing.length, 1);
    assert.deepEqual(await queriesFor('/changelog/vault'), missing);
  });

  it('a page is logged by its route and its path, without its query', async () => {
    for (const [url, route, path] of [
      [
        `${PRODUCT_PAGE}/versions/2.1.0?q=private-words`,
        '"/changelog/:team/:product/versions/:versionId"',
        `${PRODUCT_PAGE}/versions/2.1.0`,
      ],
      [`${PRODUCT_PAGE}?from=private-words`, '"/changelog/:team/:product"', PRODUCT_PAGE],
      ['/changelog/acme/%ff', 'null', '/changelog/acme/%ff'],
    ] as const) {
      await suite.app.inject(url);
      const line = suite.logLines.at(-1) ?? '';
      assert.ok(line.includes(`"route":${route},"path":"${path}"`), line);
      assert.doesNotMatch(line, /private-words/);
    }
  });

  it('OPTIONS is 204; methods other than GET and HEAD are 405 as a page', async () => {
    for (const url of PAGES) {
      const options = await suite.app.inject({ url, method: 'OPTIONS' });
      assert.deepEqual([options.statusCode, options.headers.allow], [204, 'GET, HEAD, OPTIONS']);
      assert.equal(options.headers['access-control-allow-origin'], undefined);
      const post = await suite.app.inject({ url, method: 'POST' });
      assert.deepEqual([post.statusCode, post.headers.allow], [405, 'GET, HEAD, OPTIONS']);
      assert.match(String(post.headers['content-type']), /^text\/html/);
    }
  });

  it('if BASE_URL has a path, every link and form stays below it and leads somewhere', async (t) => {
    const base = `${BASE_URL}/notes/`;
    const settings = { LISTING: 'all', BASE_URL: base, PUBLIC_RATE_LIMIT: '10000' };
    const { app } = await startApp(t, suite.sandbox, settings);
    const checked = new Set<string>();
    for (const page of [...PAGES, '/docs', `${PRODUCT_PAGE}?since=x`, '/changelog/nobody/nothing']) {
      const { body } = await app.inject(page);
      for (const [, written = ''] of body.matchAll(/ (?:href|action)="(?!#|data:)([^"]*)"/g)) {
        const { href } = new URL(written.replaceAll('&amp;', '&'), base + page.slice(1));
        assert.ok(href.startsWith(base), `${written} on ${page}`);
        const target = href.slice(base.length - 1).replace(/#.*/, '');
        if (checked.has(target)) continue;
        checked.add(target);
        assert.equal((await app.inject(target)).statusCode, 200, `${written} on ${page}`);
      }
    }
    assert.ok(checked.has('/') && checked.has(VERSION_PAGE) && checked.has(CHANGES_PAGE));
  });
});

describe('listing (R40)', () => {
  const suite = suiteWithWorld();
  const statusOf = async (t: Parameters<typeof startApp>[0], environment: Record<string, string>) => {
    const { app } = await startApp(t, suite.sandbox, environment);
    const urls = ['/', '/changelog/acme', PRODUCT_PAGE];
    return await Promise.all(urls.map(async (url) => (await app.inject(url)).statusCode));
  };

  it('LISTING may be none, team or all', async (t) => {
    assert.deepEqual(await statusOf(t, { LISTING: 'none' }), [404, 404, 200]);
    assert.deepEqual(await statusOf(t, {}), [404, 200, 200]);
    assert.deepEqual(await statusOf(t, { LISTING: 'all' }), [200, 200, 200]);
  });

  it('a team’s list has only its published products', async () => {
    const { body } = await suite.app.inject('/changelog/acme');
    assert.match(body, /href="acme\/rocket"/);
    assert.match(body, /href="acme\/new"/);
    for (const slug of ['secret', 'frozen', 'quiet', 'still', 'bare'])
      assert.ok(!body.includes(`acme/${slug}`), slug);
  });
});
