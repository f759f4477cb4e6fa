// Varnish and nginx with a lifetime of a day and purges, as in docs/cdn.md: in front of a server that counts its requests, and of
// a node with hooks.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startNginx } from '../../cluster/nginx.ts';
import { startNode } from '../../cluster/nodes.ts';
import { freePorts } from '../../cluster/port.ts';
import { startVarnish } from '../../cluster/varnish.ts';
import type { PurgeHook } from '../../src/domain/hook.ts';
import { purgesFor } from '../../src/hooks/outgoing.ts';
import { send } from '../../src/hooks/send.ts';
import { PUBLIC_FEED, seedWorld } from '../../support/content/world.ts';
import { databaseUrl } from '../../support/databases/engine.ts';
import { type HttpResponse, openClient } from '../../support/http/http-client.ts';
import { until } from '../../support/processes/poll.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import { runOk } from '../../support/program/command.ts';

const PUBLIC = { 'Cache-Control': 'public, max-age=30', ETag: '"e"', Vary: 'Accept-Encoding' };
const tagged = (tags: string) => ({
  ...PUBLIC,
  'CDN-Cache-Control': 'public, max-age=86400',
  'Surrogate-Key': tags,
  'Cache-Tag': tags.replaceAll(' ', ','),
});
/** What the server responds to each path, apart from how many requests there were. */
const RESPONSES: Record<string, [status: number, headers: Record<string, string>]> = {
  '/changelog/acme': [200, tagged('all team-1')],
  '/changelog/acme?limit=2': [200, tagged('all team-1')],
  '/changelog/moon': [200, tagged('all team-2')],
  '/changelog/not-confirmed': [200, { ...PUBLIC, 'Surrogate-Key': 'all team-1' }],
  '/api/v1/repos/acme/rocket/releases': [200, tagged('all team-1')],
  '/widget.js': [200, PUBLIC],
  '/changelog/private': [200, { 'Cache-Control': 'private, no-cache' }],
  '/changelog/nothing': [404, { 'Cache-Control': 'no-store' }],
};
const NEVER_CACHED = ['/changelog/not-confirmed', '/changelog/private', '/changelog/nothing'];

describe('caches that keep responses until they are purged', () => {
  const scope = sharedScope();
  const client = openClient();
  scope.after(client.close);
  type Front = Readonly<{ address: string; hook: PurgeHook }>;
  let fronts: Record<'varnish' | 'nginx', Front>;
  let port = 0;
  before(async () => {
    const [nodePort = 0, purgePort = 0] = await freePorts(2);
    port = nodePort;
    const [varnish, nginx] = await Promise.all([
      startVarnish(scope, [port], 'purged.vcl'),
      startNginx(scope, [port], { purgePort }),
    ]);
    const hook = (kind: PurgeHook['kind'], url: string) => ({ name: kind, kind, url, secret: null });
    fronts = {
      varnish: { address: varnish.address, hook: hook('purge-varnish', varnish.address) },
      nginx: { address: nginx.address, hook: hook('purge-url', `http://127.0.0.1:${purgePort}`) },
    };
  });

  describe('in front of a server that counts its requests', () => {
    let requests = 0;
    const server = http.createServer(({ url = '', headers }, response) => {
      const [status, own] = RESPONSES[url] ?? [404, {}];
      response.writeHead(status, own).end(`${++requests} ${headers.host}`);
    });
    before(async () => void (await once(server.listen(port, '127.0.0.1'), 'listening')));
    after(async () => {
      await Promise.all(Object.values(fronts).map((front) => purge(front, 'all')));
      server.closeAllConnections();
      await once(server.close(), 'close');
    });

    const get = ({ address }: Front, target: string, headers = {}) => client.get(address + target, headers);
    const read = async (front: Front, target: string, headers = {}) =>
      (await get(front, target, headers)).body;
    const purge = ({ hook }: Front, ...tags: string[]) => send(purgesFor(hook, tags), { environment: {} });

    for (const name of ['varnish', 'nginx'] as const) {
      it(`${name} keeps a response until it is purged, by host and URL with parameters`, async () => {
        const front = fronts[name];
        const targets = [
          '/changelog/acme',
          '/changelog/acme?limit=2',
          '/changelog/moon',
          '/api/v1/repos/acme/rocket/releases',
        ];
        const readAll = () => Promise.all(targets.map((target) => read(front, target)));
        const first = await readAll();
        assert.deepEqual(await readAll(), first);
        const elsewhere = await read(front, '/changelog/acme', { host: 'changes.example' });
        assert.match(elsewhere, /changes\.example$/);
        await purge(front, 'team-1');
        const [feed, page, other] = await readAll();
        assert.notEqual(feed, first[0]);
        assert.notEqual(page, first[1]);
        assert.notEqual(await read(front, '/changelog/acme', { host: 'changes.example' }), elsewhere);
        // A cache without tags forgets everything.
        assert.equal(other === first[2], name === 'varnish');
        await purge(front, 'all');
        assert.notEqual(await read(front, '/changelog/moon'), other);
      });

      it(`${name} does not keep what a node does not say it may keep`, async () => {
        const front = fronts[name];
        for (const target of NEVER_CACHED)
          assert.notEqual(await read(front, target), await read(front, target), target);
        // Varnish keeps what does not depend on content for max-age, nginx not at all.
        const script = await read(front, '/widget.js');
        assert.equal((await read(front, '/widget.js')) === script, name === 'varnish');
        const credentials = { authorization: 'Bearer key' };
        const known = await read(front, '/changelog/acme');
        assert.notEqual(await read(front, '/changelog/acme', credentials), known);
        assert.equal(await read(front, '/changelog/acme'), known);
      });

      it(`${name} tells clients max-age, and neither its own lifetime nor tags`, async () => {
        const releases = '/api/v1/repos/acme/rocket/releases';
        for (const target of ['/changelog/acme', '/changelog/acme', releases, releases]) {
          const { headers } = await get(fronts[name], target);
          assert.equal(headers['cache-control'], 'public, max-age=30');
          for (const own of [
            'age',
            'cdn-cache-control',
            'surrogate-key',
            'cache-tag',
            'xkey',
            'x-generation',
          ])
            assert.equal(headers[own], undefined, own);
        }
      });

      it(`${name} lets its clients purge nothing`, async () => {
        const front = fronts[name];
        const known = await read(front, '/changelog/acme');
        const attempt = await fetch(`${front.address}/changelog/acme`, {
          method: 'PURGE',
          headers: { 'xkey-purge': 'all', 'X-Forwarded-For': '192.0.2.1' },
        });
        // nginx passes the request to a node.
        assert.equal(attempt.status === 405, name === 'varnish');
        assert.equal(await read(front, '/changelog/acme'), known);
        assert.equal((await get(front, '/changelog-generation')).status, 404);
      });
    }

    it('varnish does not connect clients to a node, whatever their method', async () => {
      const { headers } = await fetch(`${fronts.varnish.address}/changelog/acme`, { method: 'UNKNOWN' });
      assert.notEqual(headers.get('x-varnish'), null);
    });
  });

  describe('in front of a node that purges them', () => {
    const sandbox = { folder: temporaryFolder(scope) };
    before(async () => {
      await seedWorld(sandbox);
      writeFileSync(
        path.join(sandbox.folder, 'hooks.yaml'),
        JSON.stringify({
          hooks: Object.values(fronts).map(({ hook: { name, kind, url } }) => ({ name, kind, url })),
        }),
      );
      const environment = {
        DATABASE_URL: databaseUrl(sandbox),
        HOOKS: 'hooks.yaml',
        CDN_MAX_AGE_SECONDS: '86400',
        PUBLIC_RATE_LIMIT: '1000000',
      };
      await startNode(scope, { environment, port, folder: sandbox.folder });
    });

    const isCached = ({ headers }: HttpResponse) =>
      headers['x-cache-status'] === 'HIT' || /^\d+ \d+$/.test(String(headers['x-varnish']));
    const writes: [what: string, args: string[], isShown: (response: HttpResponse) => boolean][] = [
      ['publishing', ['version', 'publish', 'acme/rocket', '3.0.0'], ({ body }) => body.includes('3.0.0')],
      [
        'withdrawing',
        ['version', 'unpublish', 'acme/rocket', '3.0.0'],
        ({ body }) => !body.includes('3.0.0'),
      ],
      ['hiding a team', ['team', 'set', 'acme', '--visibility', 'private'], ({ status }) => status === 404],
    ];
    for (const [what, args, isShown] of writes)
      it(`neither Varnish nor nginx serves anything old a second after ${what}`, async () => {
        const urls = Object.values(fronts).flatMap(({ address }) =>
          [PUBLIC_FEED, '/changelog/acme/rocket'].map((target) => address + target),
        );
        const readAll = () => Promise.all(urls.map((url) => client.get(url)));
        await until('all are cached', async () => (await readAll()).every(isCached));
        await runOk(sandbox, args);
        await until(what, async () => (await readAll()).every(isShown), { withinMs: 1_000 });
      });
  });
});
