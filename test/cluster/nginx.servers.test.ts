// The nginx site of deploy/ as an operator would run it, in front of real nodes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { type NginxServer, siteFor, startNginx } from '../../cluster/nginx.ts';
import { type Node, startNode } from '../../cluster/nodes.ts';
import { freePorts } from '../../cluster/port.ts';
import { removeFolder } from '../../cluster/scope.ts';
import { makeServerFolder } from '../../cluster/user.ts';
import { API_ERRORS, ApiError, type ApiErrorCode } from '../../src/errors.ts';
import { ACME, HIDDEN, PUBLIC_FEED, seedWorld, TEAM_FEED, type World } from '../../support/content/world.ts';
import { databaseUrl } from '../../support/databases/engine.ts';
import { deadline } from '../../support/processes/busy.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import { apply } from '../../support/program/command.ts';
import { becomes } from '../support/becomes.ts';
import { exchange, parseResponse, rawRequest } from '../support/socket.ts';

const SITE = path.resolve(import.meta.dirname, '../../deploy/nginx/changelog.conf');
/** One second in the micro-cache, which nginx may round up to two, and a margin. */
const FRESH_MS_MAX = 3_000;
/** Log lines follow the response. */
const LOGGED_MS_MAX = 2_000;
const CLIENTS = 8;
const PAGE = '/changelog/acme/rocket';
/** What browsers decide by. */
const GRANTS = ['content-security-policy', 'access-control-allow-origin', 'cross-origin-resource-policy'];

describe('the nginx site', () => {
  const scope = sharedScope();
  const sandbox = { folder: temporaryFolder(scope) };
  const logFolder = makeServerFolder();
  scope.after(() => removeFolder(logFolder));
  const accessLog = path.join(logFolder, 'access.log');
  const environment = {
    DATABASE_URL: databaseUrl(sandbox),
    TRUSTED_PROXIES: '127.0.0.1',
    PUBLIC_RATE_LIMIT: '1000000',
    LISTING: 'all',
  };
  const start = (port?: number) =>
    startNode(scope, { environment: { ...environment, BASE_URL: nginx.address }, ...(port && { port }) });
  let world: World;
  let nodes: Node[];
  let nginx: NginxServer;
  before(async () => {
    world = await seedWorld(sandbox);
    const ports = await freePorts(2);
    nginx = await startNginx(scope, ports, { accessLog });
    nodes = await Promise.all(ports.map(start));
  });
  const get = (target: string, headers: Record<string, string> = {}) =>
    fetch(`${nginx.address}${target}`, { headers });
  const readAsTeam = (key: string) => get(TEAM_FEED, { Authorization: `Bearer ${key}` });
  /** A path that was not requested before. */
  let requested = 0;
  const newTarget = () => `${PUBLIC_FEED}?requested=${++requested}`;

  it('the tested site is deploy/nginx/changelog.conf with other addresses, another cache folder and another log', () => {
    const ours = siteFor({ port: 8080, nodePorts: [3001, 3002, 3003], folder: '/tmp/x' }).split('\n');
    const theirs = readFileSync(SITE, 'utf8').split('\n');
    assert.equal(ours.length, theirs.length);
    const changed = theirs
      .filter((line, index) => line !== ours[index])
      .map((line) => line.trim().split(' ')[0]);
    assert.deepEqual(changed, ['proxy_cache_path', 'listen', 'access_log']);
  });

  it('the nginx site caches a public response for a second, and only the first client gets RateLimit', async () => {
    const target = newTarget();
    const first = await get(target);
    assert.equal(first.headers.get('x-cache-status'), 'MISS');
    assert.match(first.headers.get('ratelimit') ?? '', /^"public";r=\d+;t=\d+$/);
    const second = await get(target);
    assert.equal(second.headers.get('x-cache-status'), 'HIT');
    assert.equal(second.headers.get('ratelimit'), null);
    assert.equal(second.headers.get('cache-control'), 'public, max-age=30');
    assert.equal(second.headers.get('etag'), first.headers.get('etag'));
    assert.equal(await second.text(), await first.text());
  });

  it('the nginx site gives every response an id of its own, cached or not, the one in its log and in that of the node', async () => {
    const ofClient = [
      'X-Request-Id: of-the-client',
      'traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    ];
    const ask = (head: string) => rawRequest(nginx.port, [head, 'Host: x', ...ofClient]);
    const get = (target: string) => ask(`GET ${target} HTTP/1.1`);
    const target = newTarget();
    const responses = [
      await get(PAGE),
      await get('/docs'),
      await get('/nothing'),
      await get(TEAM_FEED),
      await get(`${PUBLIC_FEED}?limit=x`),
      await ask(`POST ${PUBLIC_FEED} HTTP/1.1`),
      await get(target),
      await get(target),
      await ask('TRACE / HTTP/1.1'),
      await get('/%00'),
    ];
    assert.equal(responses.at(-3)?.headers['x-cache-status'], 'HIT');
    const ids = responses.map(({ headerLines, status }) => {
      const [line = '', ...more] = headerLines.filter((each) => /^x-request-id:/i.test(each));
      assert.match(line, /^X-Request-Id: [\da-f]{32}$/, String(status));
      assert.deepEqual(more, []);
      return line.slice(-32);
    });
    assert.equal(new Set(ids).size, ids.length);
    const isLogged = (id: string) => readFileSync(accessLog, 'utf8').includes(` ${id}\n`);
    const isLoggedByNode = (id: string) =>
      nodes.some(({ log }) => log.all.some((line) => line.includes(`"reqId":"${id}"`)));
    await becomes(async () => ids.every(isLogged), true, LOGGED_MS_MAX);
    await becomes(async () => ids.slice(0, -3).every(isLoggedByNode), true, LOGGED_MS_MAX);
    assert.deepEqual(ids.slice(-3).filter(isLoggedByNode), [], 'these never reached a node');
    assert.ok(nodes.every(({ log }) => log.all.every((line) => !line.includes('trace_id'))));
  });

  it('the nginx site passes on every kind of request as sent, and caches the responses separately', async () => {
    const names = [
      '/versions/latest',
      '/versions/v2.1.0',
      '/changes?from=0.1.0',
      '/feed.atom',
      '/CHANGELOG.md',
    ];
    const targets = [
      '?limit=1',
      '?limit=2',
      '?q=lift%2Doff',
      '?type=added&type=fixed',
      '?include=changes',
      ...names,
    ];
    const etags = new Set<string | null>();
    for (const below of targets) {
      const direct = await fetch(`${nodes[0]?.address}${PUBLIC_FEED}${below}`);
      for (const expected of ['MISS', 'HIT']) {
        const response = await get(PUBLIC_FEED + below);
        assert.equal(response.headers.get('x-cache-status'), expected, below);
        assert.equal(response.status, 200, below);
        assert.equal(response.headers.get('content-type'), direct.headers.get('content-type'));
        etags.add(response.headers.get('etag'));
        if (below === '?limit=1')
          assert.match(response.headers.get('link') ?? '', /cursor=[\w-]+>; rel="next"$/);
      }
    }
    // Two names refer to the same version.
    assert.equal(etags.size, targets.length - 1);
  });

  it('the nginx site caches pages, the sitemap, llms.txt and the widget as it caches the public API, with all their headers', async () => {
    for (const target of [
      PAGE,
      `${PAGE}?q=launch`,
      `${PAGE}/versions/latest`,
      `${PAGE}/changes?from=0.1.0`,
      '/changelog/acme',
      '/',
      '/sitemap.xml',
      '/llms.txt',
      '/widget.js',
    ]) {
      const direct = await fetch(`${nodes[0]?.address}${target}`);
      assert.equal(direct.status, 200, target);
      for (const expected of ['MISS', 'HIT']) {
        const response = await get(target);
        assert.equal(response.headers.get('x-cache-status'), expected, target);
        const isCounted = expected === 'MISS' && target !== '/widget.js';
        assert.equal(response.headers.has('ratelimit'), isCounted, target);
        for (const name of ['content-type', 'etag', 'cache-control', ...GRANTS])
          assert.equal(response.headers.get(name), direct.headers.get(name), `${target} ${name}`);
        assert.equal(await response.text(), await direct.clone().text(), target);
      }
    }
  });

  it('links lead back through nginx, and are the same on every node, ETags included', async () => {
    const readAll = (target: string) =>
      Promise.all([...nodes, nginx].map(({ address }) => fetch(address + target)));
    for (const name of ['feed.atom', 'feed.rss', 'feed.json']) {
      const responses = await readAll(`${PUBLIC_FEED}/${name}`);
      const etags = responses.map(({ headers }) => headers.get('etag'));
      assert.equal(new Set(etags).size, 1, name);
      assert.match(etags[0] ?? '', /^"/);
      for (const response of responses) {
        const links = (await response.text()).match(/http:\/\/127\.0\.0\.1[^"<]*/g) ?? [];
        assert.ok(links.length > 2, name);
        for (const link of links)
          assert.match(link.replace(nginx.address, ''), /^\/(?:api\/v1\/public|changelog)\//);
      }
    }
    for (const target of [PAGE, '/', '/sitemap.xml']) {
      const etags = (await readAll(target)).map(({ headers }) => headers.get('etag'));
      assert.equal(new Set(etags).size, 1, target);
    }
    for (const { headers } of await readAll(`${PUBLIC_FEED}?limit=1`)) {
      const [, next = ''] = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
      assert.ok(next.startsWith(`${nginx.address}/api/v1/public/`), next);
      const page = await fetch(next);
      assert.equal(page.status, 200);
      assert.ok(page.headers.has('x-cache-status'), 'nginx served it');
    }
  });

  it('the nginx site does not cache a 400', async () => {
    for (const query of ['?limit=x', '?cursor=AAAA', '?since=never', '?q=']) {
      for (let times = 0; times < 2; times++) {
        const response = await get(PUBLIC_FEED + query);
        assert.equal(response.status, 400, query);
        assert.notEqual(response.headers.get('x-cache-status'), 'HIT');
        assert.equal(response.headers.get('cache-control'), 'no-store');
        assert.equal(JSON.parse(await response.text()).error.code, 'bad_request');
      }
    }
  });

  it('the nginx site serves each client an encoding that it accepts, and caches each encoding once', async () => {
    const forms: [acceptEncoding: string, expected: string | null][] = [
      ['gzip', 'gzip'],
      ['gzip, deflate, br', 'br'],
      ['deflate, br;q=0.5', 'br'],
      ['zstd', 'zstd'],
      ['br;q=0, gzip;q=0.0', null],
      ['identity', null],
    ];
    for (const [acceptEncoding, expected] of forms) {
      const responses = [];
      for (let times = 0; times < 2; times++)
        responses.push(
          await rawRequest(nginx.port, [
            `GET ${PUBLIC_FEED}?accepted=${encodeURIComponent(acceptEncoding)} HTTP/1.1`,
            'Host: example.com',
            `Accept-Encoding: ${acceptEncoding}`,
          ]),
        );
      const [first, second] = responses;
      assert.equal(first?.headers['content-encoding'] ?? null, expected, acceptEncoding);
      assert.equal(second?.headers['x-cache-status'], 'HIT', acceptEncoding);
      assert.deepEqual([second?.headers.etag, second?.body], [first?.headers.etag, first?.body]);
    }
  });

  it('the nginx site serves HEAD and If-None-Match from its cache', async () => {
    const target = newTarget();
    const etag = (await get(target)).headers.get('etag') ?? '';
    const unchanged = await get(target, { 'If-None-Match': etag });
    assert.equal(unchanged.status, 304);
    assert.equal(unchanged.headers.get('x-cache-status'), 'HIT');
    assert.equal(unchanged.headers.get('etag'), etag);
    const head = await fetch(`${nginx.address}${target}`, { method: 'HEAD' });
    assert.equal(head.status, 200);
    assert.equal(await head.text(), '');
  });

  it('the nginx site serves nothing longer than allowed, however often it is requested', async () => {
    const renamed = structuredClone(ACME);
    renamed.team.name = 'Acme, renamed';
    await get(PUBLIC_FEED);
    await apply(sandbox, renamed);
    const writtenAt = performance.now();
    while (!(await (await get(PUBLIC_FEED)).text()).includes('renamed')) {
      assert.ok(performance.now() - writtenAt < deadline(FRESH_MS_MAX));
    }
  });

  it('the nginx site bypasses its cache when a request has credentials', async () => {
    const target = newTarget();
    const headers = { Authorization: 'Basic YTpi' };
    assert.equal((await get(target, headers)).headers.get('x-cache-status'), 'BYPASS');
    assert.equal((await get(target)).headers.get('x-cache-status'), 'MISS');
    assert.equal((await get(target, headers)).headers.get('x-cache-status'), 'BYPASS');
  });

  it('the nginx site never caches a response to a request with a key', async () => {
    const response = await readAsTeam(world.full);
    assert.equal(response.headers.get('x-cache-status'), null);
    assert.equal(response.headers.get('cache-control'), 'private, no-cache');
    assert.ok((await response.text()).includes(HIDDEN));
    for (const key of [world.disabled, 'wrong']) {
      const rejected = await readAsTeam(key);
      assert.equal(rejected.status, 401);
      assert.ok(!(await rejected.text()).includes(HIDDEN));
    }
    assert.equal((await get(TEAM_FEED)).status, 401);
  });

  it('the nginx site caches what clients of Gitea read without a key, and nothing that they read with one', async () => {
    const target = '/api/v1/repos/acme/rocket/releases';
    for (const expected of ['MISS', 'HIT'])
      assert.equal((await get(target)).headers.get('x-cache-status'), expected);
    for (const [key, cacheControl] of [
      [world.full, 'private, no-cache'],
      [world.vault, 'public, max-age=30'],
    ] as const) {
      const other = `${target}?limit=${key === world.full ? 1 : 2}`;
      const response = await get(other, { Authorization: `token ${key}` });
      assert.equal(response.headers.get('x-cache-status'), 'BYPASS');
      assert.equal(response.headers.get('cache-control'), cacheControl);
      assert.equal((await get(other)).headers.get('x-cache-status'), 'MISS');
    }
    assert.equal((await get(target, { Authorization: 'token wrong' })).status, 401);
    const redirect = await fetch(`${nginx.address}/acme/rocket`, { redirect: 'manual' });
    assert.deepEqual([redirect.status, redirect.headers.get('location')], [302, PAGE]);
  });

  it('the nginx site passes on the errors of nodes, and caches none', async () => {
    for (const target of [
      '/api/v1/public',
      '/api/v1/public//teams',
      `${PUBLIC_FEED}/`,
      '/changelog-error/503',
    ]) {
      for (let times = 0; times < 2; times++) {
        const response = await get(target);
        assert.equal(response.status, 404, target);
        assert.equal(response.headers.get('cache-control'), 'no-store');
        const { error } = (await response.json()) as { error: { code: string; message: string } };
        assert.equal(error.code, 'not_found');
        assert.equal(error.message, API_ERRORS.not_found.message);
      }
    }
    for (const target of ['/changelog/acme/nothing', '/changelog/acme/', '/changelog//acme']) {
      for (let times = 0; times < 2; times++) {
        const response = await get(target);
        assert.equal(response.status, 404, target);
        assert.equal(response.headers.get('cache-control'), 'no-store');
        assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
      }
    }
    assert.equal((await get(`/${'a'.repeat(9_000)}`)).status, 414);
    assert.equal((await get('/', { X: 'a'.repeat(9_000), Y: 'a'.repeat(9_000) })).status, 431);
    const posted = await fetch(`${nginx.address}${PUBLIC_FEED}`, { method: 'POST', body: 'unread' });
    assert.equal(posted.status, 405);
  });

  it('the nginx site rejects requests that never reach a node with the error bodies of the API', async () => {
    const assertRejected = async (status: number, code: ApiErrorCode, head: string[]) => {
      const response = await rawRequest(nginx.port, head);
      assert.equal(response.status, status);
      assert.equal(response.body, new ApiError(code).body);
      assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
      assert.equal(response.headers['cache-control'], 'no-store');
      return response;
    };
    await assertRejected(400, 'bad_request', ['GET /%00 HTTP/1.1', 'Host: x']);
    await assertRejected(400, 'bad_request', ['GET / HTTP/1.1']);
    await assertRejected(414, 'uri_too_long', [`GET /${'a'.repeat(20_000)} HTTP/1.1`, 'Host: x']);
    await assertRejected(431, 'headers_too_large', ['GET / HTTP/1.1', 'Host: x', `X: ${'a'.repeat(20_000)}`]);
    const traced = await assertRejected(405, 'method_not_allowed', ['TRACE / HTTP/1.1', 'Host: x']);
    assert.equal(traced.headers.allow, 'GET, HEAD, OPTIONS');
    const body = 'a'.repeat(100_000);
    const large = await rawRequest(
      nginx.port,
      ['GET / HTTP/1.1', 'Host: x', `Content-Length: ${body.length}`],
      body,
    );
    assert.equal(large.status, 400);
    assert.equal(JSON.parse(large.body).error.code, 'bad_request');
  });

  it('the nginx site returns 400 where nginx would return 501 or 505, and never shows its version', async () => {
    const feed = `GET ${PUBLIC_FEED} HTTP/1.1\r\nHost: x\r\n`;
    const closing = `${feed}Connection: close\r\n`;
    const refusals: [bytes: string, code: string, status: number][] = [
      [`${closing}Transfer-Encoding: gzip\r\n\r\n`, 'bad_request', 400],
      [`${closing}Transfer-Encoding: chunked, gzip\r\n\r\n`, 'bad_request', 400],
      ['GET / HTTP/9.9\r\nHost: x\r\n\r\n', 'bad_request', 400],
      ['GET / HTTP/2.0\r\nHost: x\r\n\r\n', 'bad_request', 400],
      ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'bad_request', 400],
      ['GET / HTTP/1.1\r\nHost: a b\r\n\r\n', 'bad_request', 400],
      ['GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 'bad_request', 400],
      [`${closing}Content-Length: x\r\n\r\n`, 'bad_request', 400],
      [`${closing}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`, 'bad_request', 400],
      [`${closing}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 'bad_request', 400],
      ['GET /../../x HTTP/1.1\r\nHost: x\r\n\r\n', 'bad_request', 400],
      ['\x16\x03\x01\x02\x00\x01\r\n\r\n', 'bad_request', 400],
      [`CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n`, 'bad_request', 400],
      [`${closing}If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT\r\n\r\n`, 'precondition_failed', 412],
      [`${closing}If-Match: "x"\r\n\r\n`, 'precondition_failed', 412],
    ];
    for (const [bytes, code, status] of refusals) {
      // Otherwise nginx waits for the rest of a rejected body. Requests that reach a node need an open connection.
      const text = await exchange(nginx.port, Buffer.from(bytes, 'latin1'), { closing: status === 400 });
      const response = parseResponse(text);
      assert.equal(response.status, status, bytes);
      assert.equal(JSON.parse(response.body).error.code, code, bytes);
      assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
      assert.equal(response.headers['cache-control'], 'no-store');
      assert.equal(response.headers['x-content-type-options'], 'nosniff');
      assert.doesNotMatch(text, /nginx\/|<html/i);
    }
    for (const target of ['/', PUBLIC_FEED]) {
      const response = await rawRequest(nginx.port, [`GET ${target} HTTP/1.1`, 'Host: x']);
      assert.doesNotMatch(response.headerLines.join(), /nginx\/|node/i);
    }
  });

  it('the nginx site has an error body for every status that nginx creates itself', () => {
    const site = readFileSync(SITE, 'utf8');
    const covered = [...site.matchAll(/^ *error_page ([\d ]+)/gm)].flatMap(([, statuses = '']) =>
      statuses.trim().split(' ').map(Number),
    );
    const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
    // nginx has no page for 407, 417 to 420, 422 to 428, 430 to 493 and 506.
    const made = [400, ...range(401, 406), ...range(408, 416), 421, 429, ...range(494, 497)];
    made.push(...range(500, 505), 507);
    assert.deepEqual(covered.toSorted(), made.toSorted());
    const bodies = [...site.matchAll(/^ *(\/changelog-error\/\d+) '(\{.*\})';$/gm)];
    const targets = new Set([...site.matchAll(/ (\/changelog-error\/\d+);$/gm)].map(([, target]) => target));
    assert.deepEqual(new Set(bodies.map(([, target]) => target)), targets);
    for (const [, , body = ''] of bodies) {
      const { code, message } = JSON.parse(body).error;
      assert.ok(code in API_ERRORS);
      assert.equal(JSON.stringify({ error: { code, message } }), body);
    }
  });

  it('the nginx site fails no request while nodes are stopped and started one after the other', async () => {
    const failures: unknown[] = [];
    let restarting = true;
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      while (restarting) {
        const response = await (client % 2 ? get(newTarget()) : readAsTeam(world.full));
        await response.text();
        if (response.status !== 200) failures.push(response.status);
      }
    });
    for (const index of [0, 1, 0, 1]) {
      const { port, stop } = nodes[index] as Node;
      await stop();
      nodes[index] = await start(port);
    }
    restarting = false;
    await Promise.all(clients);
    assert.deepEqual(failures, []);
  });

  it('the nginx site returns the 503 of the API when no node is up, and recovers with the first', async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    const response = await get(newTarget());
    assert.equal(response.status, 503);
    assert.match(response.headers.get('retry-after') ?? '', /^[123]$/);
    assert.equal(await response.text(), new ApiError('unavailable').body);
    const onDomain = ['/versions/2.1.0', '/versions/latest?x', '/changes', '/changes?from=1.0.0'];
    for (const target of [
      '/',
      '/?q=x',
      '/changelog',
      '/changelog?q=x',
      PAGE,
      `${PAGE}?q=/api/`,
      ...onDomain,
      ...['', '/releases', '/releases/latest?x', '/releases/tag/a/b', '/compare/1...2'].map(
        (below) => `/acme/rocket${below}`,
      ),
    ]) {
      const page = await get(target);
      assert.equal(page.status, 503, target);
      assert.match(page.headers.get('retry-after') ?? '', /^[123]$/);
      assert.match(page.headers.get('x-request-id') ?? '', /^[\da-f]{32}$/);
      assert.equal(page.headers.get('cache-control'), 'no-store');
      assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.ok((await page.text()).includes(`<p>${API_ERRORS.unavailable.message}</p>`), target);
    }
    for (const target of ['/feed.atom', '/versions/2.1.0/notes.md', '/latest.txt', '/docs', '/api/v1'])
      assert.equal(await (await get(target)).text(), new ApiError('unavailable').body, target);
    nodes[0] = await start(nodes[0]?.port);
    assert.equal((await get(newTarget())).status, 200);
  });
});
