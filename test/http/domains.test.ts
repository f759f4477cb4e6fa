// A product at its own host name (R60).
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import inject from 'light-my-request';
import { readConfig } from '../../src/config.ts';
import { formatApiKey } from '../../src/domain/access/api-key.ts';
import { buildApp } from '../../src/http/app.ts';
import { ROUTES } from '../../src/http/routes.ts';
import { createLog } from '../../src/http/telemetry/log.ts';
import { DatabaseUnreachable } from '../../src/store/engine/failures.ts';
import { LISTS } from '../../support/content/pages.ts';
import { execute } from '../../support/databases/engine.ts';
import { startApp, type TestApp } from '../../support/program/app.ts';
import { becomes } from '../support/becomes.ts';
import { fakeSource } from '../support/source.ts';
import { suiteWithWorld } from '../support/suite.ts';

const BASE_URL = 'https://changes.example.com';
const OWN = 'changes.example.com';
const DOMAIN = 'rocket.example';
const UNDECLARED = 'nobody.example';
const PAGE = '/changelog/acme/rocket';
const API = '/api/v1/public/teams/acme/products/rocket/changelog';
/** Products of the world that nobody may see, each with a domain. */
const HIDDEN_DOMAINS = ['secret', 'frozen', 'quiet', 'still', 'bare'].map((slug) => [
  slug,
  `${slug}.example`,
]);

const filled = (path: string) =>
  path.replace(':team', 'acme').replace(':product', 'rocket').replace(':versionId', '2.1.0');
const shortened = (below: string) => ({ '': '/', '.md': '/index.md' })[below] ?? below;
/** What is at the root of a domain, and what the same is on the instance's own host. */
const AT_ROOT = ROUTES.filter(({ read, surface }) => read && (surface === 'pages' || surface === 'public'))
  .map(({ path }) => filled(path))
  .flatMap((path) =>
    [PAGE, API].flatMap((root) =>
      path.startsWith(root) ? [[shortened(path.slice(root.length)), path]] : [],
    ),
  )
  // The page's own is at the root: the changelog and the comparison as JSON are in the API.
  .filter(([short, path], index, all) => all.findLast((each) => each[0] === short)?.[1] === path || index < 0)
  .concat([
    ['/versions/2.1.0.md', `${PAGE}/versions/2.1.0.md`],
    ['/llms.txt', `${PAGE}.md`],
  ]);
const EVERYWHERE = [
  PAGE,
  `${PAGE}/versions/2.1.0`,
  API,
  '/api/openapi.json',
  '/api/v1/version',
  '/api',
  '/api/none',
  '/api/%2f',
  '/docs',
  '/widget.js',
  '/robots.txt',
  '/favicon.ico',
];
const NOT_THERE = [
  '/changelog/acme/new',
  '/changelog/acme/rocketry',
  '/changelog/acme',
  '/nothing',
  '/versions',
  '/versions/9.9.9',
  '/acme/new',
  '/acme/new/releases/tag/1.0.0',
  '/releases/tag/9.9.9',
];

/** Links that clients of Gitea make on the domain, with and without the names of the product, and where they lead. */
const REDIRECTED = [
  ['', '/'],
  ['/releases', '/'],
  ['/releases/latest', '/versions/2.1.0'],
  ['/releases/tag/v2.1.0', '/versions/2.1.0'],
  ['/compare/1.0.0...2.1.0', '/changes?from=1.0.0&to=2.1.0'],
] as const;

describe("a product's own domain", () => {
  const suite = suiteWithWorld({ BASE_URL, LISTING: 'all' });
  const set = (slug: string, domain: string | null) =>
    execute(
      suite.sandbox,
      `update products set domain = ${domain === null ? 'null' : `'${domain}'`}
      where slug = '${slug}' and team_id = (select id from teams where slug = 'acme')`,
    );
  const get = (url: string, host: string, app: TestApp = suite.app, headers = {}) =>
    inject(app.handle, { url, headers: { host, ...headers } });
  /** Everything about a response but what differs from one to the next. */
  const seen = async (url: string, host: string, app?: TestApp) => {
    const { statusCode, headers, body } = await get(url, host, app);
    const { date, ratelimit, 'x-request-id': id, ...rest } = headers;
    return { statusCode, headers: rest, body };
  };

  before(async () => {
    await set('rocket', DOMAIN);
    for (const [slug = '', domain = ''] of HIDDEN_DOMAINS) await set(slug, domain);
    await becomes(async () => (await get('/latest.txt', DOMAIN)).body, '2.1.0\n');
  });

  it('has its pages and outputs at the root, with the bytes that they have elsewhere', async () => {
    assert.ok(AT_ROOT.length > 15);
    for (const [short = '', path = ''] of AT_ROOT)
      assert.deepEqual(await seen(short, DOMAIN), await seen(path, OWN), short);
  });

  it('with a port or in other case it is the same host', async () => {
    for (const host of [`${DOMAIN}:8443`, DOMAIN.toUpperCase()])
      assert.deepEqual(await seen('/', host), await seen('/', DOMAIN));
  });

  it('has the API and what has no content where they are everywhere', async () => {
    for (const path of EVERYWHERE) assert.deepEqual(await seen(path, DOMAIN), await seen(path, OWN), path);
  });

  it('has nothing else, and its 404 leads back to it', async () => {
    assert.equal((await get('/sitemap.xml', DOMAIN)).statusCode, 404);
    for (const path of NOT_THERE) {
      const { statusCode, headers, body } = await get(path, DOMAIN);
      assert.equal(statusCode, 404, path);
      assert.match(String(headers['content-type']), /^text\/html/, path);
      assert.ok(body.includes(`href="https://${DOMAIN}/"`), path);
      assert.ok(!body.includes(OWN), path);
    }
  });

  it('has what the links of clients of Gitea lead to', async () => {
    for (const [below, location] of REDIRECTED)
      for (const path of [`/acme/rocket${below}`, ...(below === '' ? [] : [below])]) {
        const { statusCode, headers } = await get(path, DOMAIN);
        assert.deepEqual([statusCode, headers.location], [302, `https://${DOMAIN}${location}`], path);
        assert.equal((await get(location, DOMAIN)).statusCode, 200, path);
      }
  });

  it('speaks the language of the product, also where there is nothing', async () => {
    const speak = (language: string) =>
      execute(
        suite.sandbox,
        `update changelogs set language = '${language}' where product_id =
        (select id from products where domain = '${DOMAIN}')`,
      );
    const languageOf = async (path: string) =>
      /<html lang="([^"]*)"/.exec((await get(path, DOMAIN)).body)?.[1];
    await speak('de');
    // A page may be read before the server knows of the write, and after that it has to be read again.
    const [first = ''] = NOT_THERE;
    await becomes(async () => `${await languageOf('/')} ${await languageOf(first)}`, 'de de');
    for (const path of NOT_THERE) assert.equal(await languageOf(path), 'de', path);
    await speak('en');
    await becomes(() => languageOf('/'), 'en');
  });

  it('is in every link to the product, on the instance too', async () => {
    const expected: Record<string, readonly string[]> = {
      [PAGE]: [
        `<link rel="canonical" href="https://${DOMAIN}/">`,
        `https://${DOMAIN}/versions/2.1.0`,
        `https://${DOMAIN}/feed.atom`,
        `https://${DOMAIN}/docs`,
        `${BASE_URL}/changelog/acme"`,
      ],
      [`${PAGE}/versions/2.1.0`]: [
        `<link rel="canonical" href="https://${DOMAIN}/versions/2.1.0">`,
        `content="https://${DOMAIN}/versions/2.1.0"`,
      ],
      [`${PAGE}/changes`]: [
        `<link rel="canonical" href="https://${DOMAIN}/changes">`,
        `href="https://${DOMAIN}/changes.md"`,
      ],
      '/changelog/acme': [`href="https://${DOMAIN}/"`],
      '/': [`href="https://${DOMAIN}/"`],
      '/sitemap.xml': [`<loc>https://${DOMAIN}/</loc>`, `<loc>https://${DOMAIN}/versions/2.1.0</loc>`],
      '/llms.txt': [`](https://${DOMAIN}/)`, `](https://${DOMAIN}/CHANGELOG.md)`],
      [`${API}/feed.atom`]: [`href="https://${DOMAIN}/feed.atom"`, `href="https://${DOMAIN}/versions/2.1.0"`],
      [`${API}/feed.json`]: [`"home_page_url":"https://${DOMAIN}/"`],
      [`${API}/update`]: [`"url":"https://${DOMAIN}/versions/2.1.0"`],
      '/api/v1/repos/acme/rocket/releases': [`"html_url":"https://${DOMAIN}/versions/2.1.0"`],
    };
    for (const [path, texts] of Object.entries(expected)) {
      const { body, statusCode } = await get(path, OWN);
      assert.equal(statusCode, 200, path);
      for (const text of texts) assert.ok(body.includes(text), `${path} has no ${text}`);
      const others = path.includes('/repos/')
        ? /(?!)/
        : /changes\.example\.com\/(?:changelog\/acme\/rocket|api\/v1\/public\/teams\/acme\/products\/rocket)/;
      assert.doesNotMatch(body, others, path);
    }
    const { headers } = await get('/acme/rocket/releases/tag/2.1.0', OWN);
    assert.equal(headers.location, `https://${DOMAIN}/versions/2.1.0`);
  });

  it('its pages name their Markdown there', async () => {
    for (const [page, twin] of [
      [PAGE, '/index.md'],
      [`${PAGE}?type=added`, '/index.md?type=added'],
      [`${PAGE}/versions/2.1.0`, '/versions/2.1.0.md'],
      [`${PAGE}/changes?from=1.0.0`, '/changes.md?from=1.0.0'],
    ]) {
      const { headers } = await get(String(page), OWN);
      assert.equal(headers.link, `<https://${DOMAIN}${twin}>; rel="alternate"; type="text/markdown"`);
      const { statusCode, body } = await get(String(twin), DOMAIN);
      assert.equal(statusCode, 200, twin);
      assert.doesNotMatch(body, /changes\.example\.com/, twin);
    }
  });

  it('its JSON names its page', async () => {
    const { headers } = await get(API, OWN);
    assert.equal(headers.link, `<https://${DOMAIN}/>; rel="alternate"; type="text/html"`);
    const page = await get(`${API}?limit=1`, OWN);
    assert.match(String(page.headers.link), /rel="next", <https:\/\/rocket\.example\/>; rel="alternate"/);
    assert.equal((await get(`${API}/changes?from=1.0.0`, OWN)).headers.link, headers.link);
  });

  it('forms may be sent to it', async () => {
    const { headers } = await get(PAGE, OWN);
    assert.match(String(headers['content-security-policy']), /form-action 'self' https:\/\/rocket\.example;/);
  });

  it('a hidden one is like one that nobody declared, and neither is echoed', async () => {
    for (const path of [...AT_ROOT.map(([short = '']) => short), ...EVERYWHERE, ...LISTS, ...NOT_THERE]) {
      const undeclared = await seen(path, UNDECLARED);
      assert.deepEqual(undeclared, await seen(path, OWN), path);
      for (const [, domain = ''] of HIDDEN_DOMAINS) {
        assert.deepEqual(await seen(path, domain), undeclared, `${domain}${path}`);
      }
      assert.ok(!JSON.stringify(undeclared).includes(UNDECLARED), path);
    }
  });

  it('no other name chooses it', async () => {
    const home = await seen('/', OWN);
    for (const host of [
      `x.${DOMAIN}`,
      `${DOMAIN}.`,
      `${DOMAIN}.evil.example`,
      `x@${DOMAIN}`,
      `${DOMAIN}/`,
      `[${DOMAIN}]`,
      `${DOMAIN}:80:80`,
      '',
    ])
      assert.deepEqual(await seen('/', host), home, host);
  });

  it('cannot be the host of BASE_URL', async () => {
    const home = await seen('/', OWN);
    await set('rocket', OWN);
    await becomes(async () => (await get('/latest.txt', DOMAIN)).statusCode, 404);
    assert.equal((await get('/latest.txt', OWN)).statusCode, 404);
    assert.equal((await get('/', OWN)).statusCode, home.statusCode);
    const { body, headers } = await get(PAGE, OWN);
    assert.ok(body.includes(`<link rel="canonical" href="${BASE_URL}${PAGE}">`));
    assert.doesNotMatch(String(headers['content-security-policy']), /form-action 'self' /);
    assert.equal((await get(API, OWN)).headers.link, undefined);
    await set('rocket', DOMAIN);
    await becomes(async () => (await get('/latest.txt', DOMAIN)).body, '2.1.0\n');
  });

  it('goes from one product to another at once', async () => {
    await set('rocket', null);
    await set('new', DOMAIN);
    await becomes(async () => (await get('/feed.json', DOMAIN)).json().title, 'New');
    assert.doesNotMatch((await get(PAGE, OWN)).body, /rocket\.example/);
    await set('new', null);
    await set('rocket', DOMAIN);
    await becomes(async () => (await get('/latest.txt', DOMAIN)).body, '2.1.0\n');
  });

  it('is below the path of BASE_URL too, as everything is (R61)', async () => {
    const { app } = await startApp(suite.scope, suite.sandbox, { BASE_URL: `${BASE_URL}/changes` });
    for (const path of [...AT_ROOT.map(([short = '']) => short), ...EVERYWHERE, ...LISTS, ...NOT_THERE])
      assert.deepEqual(await seen(`/changes${path}`, DOMAIN, app), await seen(path, DOMAIN, app), path);
    assert.match((await get('/changes', DOMAIN, app)).body, /rel="canonical" href="[^"]*\/changes">/);
  });

  for (const base of ['', '/notes', '/changes'])
    it(`without the password, nobody can tell which hosts are declared${base && `, below ${base}`}`, async () => {
      const { app } = await startApp(suite.scope, suite.sandbox, {
        BASE_URL: BASE_URL + base,
        LISTING: 'all',
        PASSWORD_PROTECTION: 'true',
        PASSWORD_PROTECTION_USERNAME: 'u',
        PASSWORD_PROTECTION_PASSWORD: 'p',
      });
      const basic = { authorization: `Basic ${btoa('u:p')}` };
      const paths = [...AT_ROOT.map(([short = '']) => short), ...EVERYWHERE, ...LISTS, ...NOT_THERE];
      for (const path of new Set(paths.flatMap((each) => [each, base + each])))
        assert.deepEqual(await seen(path, DOMAIN, app), await seen(path, UNDECLARED, app), path);
      for (const [short = ''] of AT_ROOT) {
        assert.equal((await get(short, DOMAIN, app)).statusCode, 401, short);
        assert.equal((await get(short, DOMAIN, app, basic)).statusCode, 200, short);
      }
      assert.equal((await get('/latest.txt', UNDECLARED, app, basic)).statusCode, 404);
      assert.equal((await get('/sitemap.xml', DOMAIN, app, basic)).statusCode, 404);
    });
});

describe('the look-up of a host', () => {
  it('counts against the time that the database has for the request (R30)', async () => {
    const spent: number[] = [];
    const { source } = fakeSource(async (_query, spentMs = 0) => {
      spent.push(spentMs);
      await delay(50);
      throw new DatabaseUnreachable('it does not answer');
    });
    const config = readConfig({});
    const app = buildApp({ config, source, log: createLog('silent', { write: () => {} }) });
    const headers = { host: DOMAIN, authorization: `Bearer ${formatApiKey(() => 0)}` };
    const { statusCode } = await inject(app.handle, {
      url: '/api/v1/teams/acme/products/rocket/changelog',
      headers,
    });
    assert.equal(statusCode, 503);
    const [forHost, forKey = 0, ...others] = spent;
    assert.deepEqual([forHost, others], [0, []]);
    assert.ok(forKey >= 49, `${forKey} ms`);
  });
});
