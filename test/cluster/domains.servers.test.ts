// Products at their own domains, an instance at its own host and one below a path, behind the real proxies of deploy/.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { startCaddy } from '../../cluster/caddy.ts';
import { startNginx } from '../../cluster/nginx.ts';
import { startNode } from '../../cluster/nodes.ts';
import { startVarnish } from '../../cluster/varnish.ts';
import { databaseUrl } from '../../support/databases/engine.ts';
import {
  crawlHosts,
  type Front,
  type HostClient,
  type HostsCrawl,
  openHostClient,
  type Reply,
} from '../../support/http/crawl-hosts.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import { apply, runOk } from '../../support/program/command.ts';
import { becomes } from '../support/becomes.ts';
import { rawRequest } from '../support/socket.ts';

const OWN = 'https://changelog.example.com';
const ABOVE = 'https://www.example.com';
const BELOW = `${ABOVE}/notes`;
const ROCKET = 'https://changes.rocket.example';
const LANDER = 'https://news.lander.example';
const HIDDEN = 'https://secret.example';
const NOBODY = 'https://nobody.example';
const hostOf = (origin: string) => new URL(origin).host;

function product(slug: string, labels: string[], more: object = {}) {
  const versions = labels.map((version, index) => ({
    version,
    title: `${slug} ${version}`,
    status: 'published',
    publishedAt: `2026-0${index + 1}-04T09:00:00.000Z`,
    changes: [
      { type: 'added', text: `${slug} ${version} flies.` },
      { type: 'security', text: 'It lands, too.', breaking: index > 0 },
    ],
  }));
  const changelog = { status: 'published', versions };
  return { slug, name: slug, status: 'published', changelog, ...more };
}

const TEAMS = [
  {
    team: { slug: 'acme', name: 'Acme', visibility: 'public' },
    products: [
      product('rocket', ['1.0.0', '2.0.0', '2.1.0', 'next/7'], { domain: hostOf(ROCKET) }),
      product('engine', ['0.1.0', '0.2.0']),
      product('secret', ['1.0.0'], { domain: hostOf(HIDDEN), status: 'draft' }),
    ],
  },
  {
    team: { slug: 'moon', name: 'Moon', visibility: 'public' },
    products: [product('lander', ['1.0.0', '1.1.0'], { domain: hostOf(LANDER) })],
  },
];

/** What no link leads to. */
const STARTS = [
  ...[OWN, BELOW].flatMap((base) =>
    [
      '/',
      '/robots.txt',
      '/llms.txt',
      '/sitemap.xml',
      '/widget.js',
      '/docs',
      '/changelog/acme',
      '/changelog/acme/engine',
    ].map((path) => base + path),
  ),
  ...[OWN, BELOW].flatMap((base) =>
    ['rocket', 'engine'].flatMap((slug) => [
      `${base}/api/v1/repos/acme/${slug}/releases`,
      `${base}/api/v1/public/teams/acme/products/${slug}/changelog/update`,
      `${base}/acme/${slug}/releases/tag/${slug === 'rocket' ? '2.0.0' : '0.2.0'}`,
    ]),
  ),
  ...[ROCKET, LANDER].flatMap((root) =>
    ['/', '/robots.txt', '/widget.js', '/docs', '/latest.txt', '/releases.xml', '/badge.svg', '/update'].map(
      (path) => root + path,
    ),
  ),
];
const GATE = {
  PASSWORD_PROTECTION: 'true',
  PASSWORD_PROTECTION_USERNAME: 'u',
  PASSWORD_PROTECTION_PASSWORD: 'p',
};
const CHANGING = [
  'date',
  'x-request-id',
  'ratelimit',
  'x-cache-status',
  'age',
  'x-varnish',
  'content-length',
  'transfer-encoding',
];
/** Not links, but names of formats. */
const FORMATS = ['https://jsonfeed.org/version/1.1', 'https://keepachangelog.com/en/1.1.0/'];

describe('domains, a path and the host of an instance behind proxies', () => {
  const scope = sharedScope();
  const sandbox = { folder: temporaryFolder(scope) };
  const environment = {
    DATABASE_URL: databaseUrl(sandbox),
    TRUSTED_PROXIES: '127.0.0.1',
    PUBLIC_RATE_LIMIT: '1000000',
    LISTING: 'all',
    LOG_LEVEL: 'silent',
  };
  const start = (base: string, more = {}) =>
    startNode(scope, { environment: { ...environment, BASE_URL: base, ...more } });
  type Name = 'nginx' | 'removing' | 'caddy' | 'caddyWithoutTls' | 'varnish';
  let fronts: Record<Name, HostClient>;
  let ask: string;
  let nodes: Awaited<ReturnType<typeof start>>[];
  before(async () => {
    for (const document of TEAMS) await apply(sandbox, document);
    const [own, below, gated] = await Promise.all([
      start(OWN, { OPS_PORT: '0', LOG_LEVEL: 'info' }),
      start(BELOW, { LOG_LEVEL: 'info' }),
      start(OWN, GATE),
    ]);
    nodes = [own, below];
    ask = `${own.opsAddress}/domains?domain=`;
    const site = { host: hostOf(ABOVE), nodePort: below.port };
    const opsPort = Number(new URL(ask).port);
    const [nginx, removing, caddy, varnish] = await Promise.all([
      startNginx(scope, [own.port], { below: site }),
      startNginx(scope, [gated.port], { below: { ...site, isRemoved: true } }),
      startCaddy(scope, { nodePort: own.port, belowPort: below.port, opsPort }),
      startVarnish(scope, [own.port]),
    ]);
    const open = (front: Front) => {
      const client = openHostClient(front);
      scope.after(client.close);
      return client;
    };
    fronts = {
      nginx: open(nginx),
      removing: open(removing),
      caddy: open({ port: caddy.httpsPort, ca: caddy.rootCertificate }),
      caddyWithoutTls: open({ port: caddy.httpPort }),
      varnish: open(varnish),
    };
  });
  const get = (name: Name, url: string, headers?: Record<string, string>) => fronts[name].get(url, headers);
  /** Without what differs from one response to the next. */
  const seen = async (name: Name, url: string) => {
    const { headers, ...rest } = await get(name, url);
    return { ...rest, headers: Object.entries(headers).filter(([header]) => !CHANGING.includes(header)) };
  };

  const crawl = (name: Name) => crawlHosts(fronts[name], [OWN, ABOVE, ROCKET, LANDER], STARTS);
  let crawled: HostsCrawl;
  const assertWhole = ({ visited, broken, outside }: HostsCrawl) => {
    assert.deepEqual(broken, []);
    assert.deepEqual(outside, FORMATS);
    const count = (base: string) => [...visited.keys()].filter((url) => url.startsWith(`${base}/`)).length;
    for (const base of [OWN, BELOW, ROCKET, LANDER]) assert.ok(count(base) > 20, `${base}: ${count(base)}`);
    assert.equal(count(ABOVE), count(BELOW), 'no link leads above the path');
  };

  it('behind nginx every link leads somewhere, and none to another host', async () => {
    crawled = await crawl('nginx');
    assertWhole(crawled);
  });

  it('behind Caddy with TLS the same links lead to the same bytes, with the same ETags', async () => {
    const behindCaddy = await crawl('caddy');
    assertWhole(behindCaddy);
    const bytes = ({ visited }: HostsCrawl) =>
      [...visited].map(([url, { status, headers, body }]) => [url, status, headers.etag, body]);
    assert.deepEqual(bytes(behindCaddy), bytes(crawled));
  });

  it('no proxy passes on the trace that a client chose, and what a trusted proxy sends itself is logged', async () => {
    const sent = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' };
    const traces = () =>
      nodes.map(({ log }) =>
        log.all.filter((line) => line.includes('trace_id')).map((line) => JSON.parse(line)),
      );
    for (const name of ['nginx', 'caddy', 'varnish'] as const)
      assert.equal((await get(name, `${OWN}/api/v1/public/nothing?${name}`, sent)).status, 404);
    for (const name of ['nginx', 'caddy'] as const)
      assert.equal((await get(name, `${BELOW}/api/v1/public/nothing`, sent)).status, 404);
    for (const { address } of nodes) await (await fetch(`${address}/direct`, { headers: sent })).text();
    await becomes(async () => traces().map(({ length }) => length), [1, 1], 5_000);
    for (const [line] of traces()) assert.equal(line.trace_id, sent.traceparent.split('-')[1]);
  });

  it('a proxy may remove the path of BASE_URL', async () => {
    const urls = [...crawled.visited.keys()].filter((url) => url.startsWith(`${BELOW}/`));
    for (const url of urls) {
      const { status, body } = await get('removing', url);
      const expected = crawled.visited.get(url);
      assert.deepEqual([status, body], [expected?.status, expected?.body], url);
    }
  });

  it('the sites above the path are not ours', async () => {
    for (const name of ['nginx', 'caddy', 'removing'] as const)
      assert.match((await get(name, `${ABOVE}/`)).body, /^The site above the path/, name);
  });

  it('the domain of a hidden product is like a host that nobody declared, which is echoed nowhere', async () => {
    const paths = new Set([...crawled.visited.keys()].map((url) => url.slice(new URL(url).origin.length)));
    assert.ok(paths.size > 50);
    for (const name of ['nginx', 'varnish'] as const)
      for (const path of paths) {
        const undeclared = await seen(name, NOBODY + path);
        assert.deepEqual(await seen(name, HIDDEN + path), undeclared, `${name} ${path}`);
        const text = JSON.stringify(undeclared);
        for (const host of [NOBODY, HIDDEN]) assert.ok(!text.includes(hostOf(host)), `${name} ${path}`);
      }
    for (const [url, { headers, body }] of crawled.visited)
      assert.ok(!`${JSON.stringify(headers)}${body}`.includes(hostOf(HIDDEN)), url);
  });

  it('Caddy has certificates for declared domains alone, and redirects no other host to itself', async () => {
    for (const origin of [HIDDEN, NOBODY]) {
      await assert.rejects(get('caddy', `${origin}/`), /alert internal error/, origin);
      const { status, headers, body } = await get('caddyWithoutTls', `${origin}/x`);
      assert.deepEqual([status, headers.location, body], [404, undefined, 'not found\n']);
    }
    for (const origin of [OWN, ROCKET, LANDER]) {
      const { status, headers } = await get('caddyWithoutTls', `${origin}/versions/1.0.0?x`);
      assert.deepEqual([status, headers.location], [308, `${origin}/versions/1.0.0?x`]);
    }
  });

  it('behind Caddy a domain is served as soon as it is declared', async () => {
    const origin = 'https://new.engine.example';
    const set = (domain: string) => runOk(sandbox, ['product', 'set', 'acme/engine', '--domain', domain]);
    await assert.rejects(get('caddy', `${origin}/latest.txt`));
    await set(hostOf(origin));
    assert.equal((await get('caddy', `${origin}/latest.txt`)).body, '0.2.0\n');
    await set('');
    // The certificate stays. The host is the instance's own again.
    assert.equal((await get('caddy', `${origin}/latest.txt`)).status, 404);
    assert.equal((await fetch(ask + hostOf(origin))).status, 404);
  });

  it('the gate covers domains, and nothing that it lets through is cached', async () => {
    const authorization = `Basic ${btoa('u:p')}`;
    for (const path of ['/', '/versions/2.0.0', '/changes', '/feed.atom', '/latest.txt']) {
      const refused = await seen('removing', ROCKET + path);
      assert.equal(refused.status, 401, path);
      assert.deepEqual(await seen('removing', NOBODY + path), refused, path);
      const allowed = await get('removing', ROCKET + path, { authorization });
      assert.equal(allowed.status, 200, path);
      assert.deepEqual(await seen('removing', ROCKET + path), refused, path);
    }
  });

  for (const name of ['nginx', 'varnish'] as const)
    it(`${name} caches by host: no request changes what another host gets`, async () => {
      const isHit = (reply: Reply) =>
        name === 'nginx'
          ? reply.headers['x-cache-status'] === 'HIT'
          : /^\d+ \d+$/.test(String(reply.headers['x-varnish']));
      const latest = { [ROCKET]: '2.1.0\n', [LANDER]: '1.1.0\n' };
      const attacks = [
        ['GET /latest.txt HTTP/1.1', `Host: ${hostOf(NOBODY)}`],
        ['GET /latest.txt HTTP/1.1', `Host: ${hostOf(ROCKET)}`, `X-Forwarded-Host: ${hostOf(LANDER)}`],
        ['GET /latest.txt HTTP/1.1', `Host: ${hostOf(ROCKET)}`, `Forwarded: host=${hostOf(LANDER)}`],
        [`GET http://${hostOf(LANDER)}/latest.txt HTTP/1.1`, `Host: ${hostOf(ROCKET)}`],
        [`GET ${LANDER}/latest.txt HTTP/1.1`, `Host: ${hostOf(ROCKET)}`],
        ['GET /latest.txt HTTP/1.1', `Host: ${hostOf(ROCKET)}`, `Host: ${hostOf(LANDER)}`],
        ['GET /latest.txt HTTP/1.1', `Host: ${hostOf(LANDER).toUpperCase()}:8443`],
        ['GET /latest.txt HTTP/1.1', `Host: ${hostOf(NOBODY)}:@${hostOf(ROCKET)}`],
      ];
      // Before and after the response is cached.
      for (const query of ['?before', '?after']) {
        const targets = Object.entries(latest).map(([origin, body]) => [
          `${origin}/latest.txt${query}`,
          body,
        ]);
        const assertRight = async () => {
          for (const [url = '', body] of targets) assert.equal((await get(name, url)).body, body, url);
          assert.equal((await get(name, `${OWN}/latest.txt${query}`)).status, 404);
        };
        if (query === '?after') await assertRight();
        for (const [line = '', ...headers] of attacks)
          await rawRequest(fronts[name].port, [line.replace('.txt', `.txt${query}`), ...headers]);
        await assertRight();
      }
      const url = `${ROCKET}/feed.atom?cached`;
      const credentials = ['authorization', 'proxy-authorization', 'x-api-key'];
      const askWith = (header: string) => get(name, url, { [header]: 'Basic YTpi' });
      for (const header of credentials) assert.ok(!isHit(await askWith(header)), header);
      assert.ok(!isHit(await get(name, url)), 'what was requested with credentials is not cached');
      const cached = await get(name, url);
      assert.ok(isHit(cached));
      assert.equal(cached.headers.ratelimit, undefined);
      for (const header of credentials) assert.ok(!isHit(await askWith(header)), header);
    });
});
