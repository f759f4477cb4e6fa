// What people can read of a private team, and the nginx site of docs/production/private-teams.md. oauth2-proxy is not among
// Debian's packages: a stand-in answers as its documentation says.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { ROUTES } from '../../src/http/routes.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import { startApp, type TestApp } from '../../support/program/app.ts';
import { apply, createKey, run } from '../../support/program/command.ts';
import { codeBlock, section, tableUnder } from '../support/markdown.ts';
import { startSite } from './nginx-site.ts';
import { ROOT, readPage, replaceShown } from './page.ts';

const PAGE = readPage('private-teams.md');
const SITE = readFileSync(path.join(ROOT, 'deploy/nginx/private-team.conf'), 'utf8');
const scope = sharedScope();

const product = (slug: string) => ({
  slug,
  name: slug,
  status: 'published',
  changelog: {
    status: 'published',
    versions: [
      { version: '2.0.0', title: 'hush-hush', changes: [] },
      {
        version: '1.0.0',
        title: 'One',
        status: 'published',
        publishedAt: '2026-01-01',
        changes: [{ type: 'added', text: 'A countdown.' }],
      },
    ],
  },
});

describe('docs/production/private-teams.md', () => {
  const sandbox = { folder: temporaryFolder(scope) };
  let app: TestApp;
  let full: string;
  let select: string;
  before(async () => {
    const team = { slug: 'acme', name: 'Acme', visibility: 'private', plan: 'paid' };
    await apply(sandbox, { team, products: [product('rocket'), product('glider')] });
    full = (await createKey(sandbox, 'acme', '--kind', 'FULL')).key;
    select = (await createKey(sandbox, 'acme', '--kind', 'SELECT', '--product', 'rocket')).key;
    app = (await startApp(scope, sandbox, { LISTING: 'all' })).app;
  });

  it('its table is right for every route', async () => {
    const rows = tableUnder(PAGE, 'URL').map(([urls = '', ...cells]) => ({
      prefixes: [...urls.matchAll(/`([^`]*?)(…?)`/g)].map(([, prefix = '', more]) => ({
        prefix,
        more: more !== '',
      })),
      cells,
    }));
    const names: Record<string, string> = { team: 'acme', labels: '1.0.0...1.0.0', product: 'rocket' };
    const counted = new Set<object>();
    for (const { path: route, read } of ROUTES) {
      if (read === undefined) continue;
      const target = route.replaceAll(/:(\w+)/g, (_, name: string) => names[name] ?? '1.0.0');
      const shown = target.replace(/\bacme\b/, 'TEAM').replace(/\brocket\b/, 'PRODUCT');
      const matching = rows.filter(({ prefixes }) =>
        prefixes.some(({ prefix, more }) => (more ? shown.startsWith(prefix) : shown === prefix)),
      );
      assert.equal(matching.length, 1, shown);
      const [row] = matching;
      assert.ok(row);
      counted.add(row);
      const other = target.replace(/\brocket\b/, 'glider');
      for (const [index, [url, key]] of [
        [target],
        [target, select],
        [other, select],
        [target, full],
      ].entries()) {
        // Lists of the whole team have what the key may read.
        const isOfTeam = index === 2 && row.cells[index] === '403' && !route.includes(':product');
        const expected: string = isOfTeam ? 'everything' : (row.cells[index] ?? '');
        const { statusCode, body } = await app.inject({
          url: url ?? '',
          headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
        });
        // A release of Gitea has a number.
        const isMissing = route.endsWith('/releases/:id') && expected === 'published versions';
        const status = isMissing ? 404 : Number(/^\d+$/.exec(expected)?.[0] ?? 200);
        assert.equal(statusCode, status, `${url} ${index}`);
        if (expected !== 'everything') assert.ok(!body.includes('hush-hush'), url);
        if (expected === 'nothing of it') assert.ok(!/acme|rocket/.test(body), url);
      }
    }
    assert.equal(counted.size, rows.length);
    assert.equal(
      (await run(sandbox, ['build', '--team', 'acme', '--out', path.join(sandbox.folder, 'site')])).code,
      1,
    );
  });

  describe('deploy/nginx/private-team.conf', () => {
    const seen: IncomingHttpHeaders[] = [];
    const asked: IncomingHttpHeaders[] = [];
    let logs: string;
    let address: string;
    let stopOauth: () => void;
    const listen = async (handle: RequestListener) => {
      const server = createServer(handle).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const stop = () => {
        server.closeAllConnections();
        server.close();
      };
      scope.after(stop);
      return { port: (server.address() as AddressInfo).port, stop };
    };
    before(async () => {
      const node = await listen((request, response) => {
        seen.push(request.headers);
        app.handle(request, response);
      });
      const oauth = await listen((request, response) => {
        asked.push(request.headers);
        const isIn = request.headers.cookie === '_oauth2_proxy=ada';
        if (request.url !== '/oauth2/auth') response.setHeader('Content-Type', 'text/html').end(`Sign in`);
        else if (!isIn) response.writeHead(401).end('Unauthorized');
        else
          response
            .writeHead(202, {
              'X-Auth-Request-Email': 'ada@example.com',
              'Set-Cookie': '_oauth2_proxy=ada; HttpOnly',
            })
            .end();
      });
      stopOauth = oauth.stop;
      const { port, folder } = await startSite(scope, (listening, place) => {
        const at = (name: string) => path.join(place, name);
        const line = codeBlock(section(PAGE, '## 2. Make a key that only nginx has'), 'nginx');
        writeFileSync(at('key.conf'), line.replace('clk_…', select));
        return replaceShown(SITE, [
          ['listen 80;', `listen 127.0.0.1:${listening};`],
          ['127.0.0.1:3000', `127.0.0.1:${node.port}`],
          ['127.0.0.1:4180', `127.0.0.1:${oauth.port}`],
          ['include /etc/nginx/changelog-key.conf', `include ${at('key.conf')}`],
          ['/var/log/nginx/private.access.log', at('access.log')],
        ]);
      });
      address = `http://127.0.0.1:${port}`;
      logs = folder;
    });

    const get = async (target: string, headers: Record<string, string> = {}, method = 'GET') => {
      const response = await fetch(`${address}${target}`, { headers, method, redirect: 'manual' });
      const text = await response.text();
      const all = JSON.stringify([...response.headers]) + text;
      assert.ok(!all.includes(select), `${target} has the key`);
      return { status: response.status, headers: response.headers, text };
    };
    const ADA = { cookie: '_oauth2_proxy=ada' };

    it('whoever is not logged in gets the page to log in, 401 from the API, and reaches no node', async () => {
      seen.length = 0;
      for (const target of ['/', '/rocket', '/rocket?from=0.9&to=2.0.0', '/rocket/1.0.0', '/missing']) {
        const { status, text } = await get(target, {
          cookie: '_oauth2_proxy=mallory',
          authorization: 'Bearer x',
        });
        assert.deepEqual([status, text], [200, 'Sign in'], target);
        assert.equal(asked.at(-1)?.['x-auth-request-redirect'], target);
      }
      assert.equal((await get('/api/v1/teams/acme/products')).status, 401);
      assert.equal((await get('/api/v1/teams/acme/products', {}, 'POST')).status, 403);
      for (const target of ['/oauth2/auth', '/changelog/acme/rocket/x', '/api/v1/teams/other/products'])
        assert.equal((await get(target)).status, 404, target);
      assert.deepEqual(seen, []);
    });

    it('whoever is logged in reads the products of the key as pages and as JSON', async () => {
      for (const target of ['/', '/rocket']) {
        const { status, text, headers } = await get(target, ADA);
        assert.equal(status, 200);
        assert.match(text, /<h2>.*1\.0\.0.*One/);
        assert.match(text, /hush-hush/);
        assert.equal(headers.get('cache-control'), 'private, no-cache');
        assert.match(headers.get('vary') ?? '', /Cookie/);
        assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'self'/);
        assert.equal(headers.get('set-cookie'), '_oauth2_proxy=ada; HttpOnly');
      }
      assert.match((await get('/rocket/1.0.0', ADA)).text, /A countdown/);
      assert.doesNotMatch((await get('/rocket?to=1.0.0', ADA)).text, /hush-hush/);
      const { text } = await get('/api/v1/teams/acme/products', ADA);
      assert.deepEqual(
        JSON.parse(text).data.products.map(({ slug }: { slug: string }) => slug),
        ['rocket'],
      );
      const etag = (await get('/rocket', ADA)).headers.get('etag') ?? '';
      assert.equal((await get('/rocket', { ...ADA, 'if-none-match': etag })).status, 304);
      assert.equal((await get('/rocket', { 'if-none-match': etag })).text, 'Sign in');
    });

    it('nothing else is served, and nothing is written', async () => {
      for (const [target, expected] of [
        ['/glider', 403],
        ['/rocket/9.9.9', 404],
        ['/rocket/..%2Fglider', 403],
        ['/api/v1/teams/other/products', 404],
        ['/api/v1/teams/acme/../other/products', 404],
        ['/api/v1/public/teams/acme/products', 404],
        ['/changelog/acme/rocket/changes', 404],
        ['/metrics/x/y', 404],
      ] as const)
        assert.equal((await get(target, ADA)).status, expected, target);
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
        assert.equal((await get('/rocket', ADA, method)).status, 403, method);
    });

    it('the key reaches the node alone, and no log', async () => {
      seen.length = 0;
      asked.length = 0;
      const own = { authorization: 'Bearer own', 'x-api-key': 'own', 'proxy-authorization': 'Basic own' };
      assert.equal((await get('/rocket', { ...ADA, ...own })).status, 200);
      assert.equal(seen.length, 1);
      assert.equal(seen[0]?.authorization, `Bearer ${select}`);
      assert.ok(!/own|_oauth2_proxy/.test(JSON.stringify(seen[0])));
      assert.ok(!JSON.stringify(asked).includes(select));
      const [access = '', error = ''] = ['access.log', 'error.log'].map((name) =>
        readFileSync(path.join(logs, name), 'utf8'),
      );
      assert.match(access, / - ada@example\.com \[.*"GET \/rocket HTTP/);
      assert.ok(!(access + error).includes(select.slice(4, 20)));
    });

    it('without oauth2-proxy nobody reads anything', async () => {
      seen.length = 0;
      stopOauth();
      for (const target of ['/', '/rocket', '/api/v1/teams/acme/products'])
        assert.equal((await get(target, ADA)).status, 500, target);
      assert.deepEqual(seen, []);
    });
  });
});
