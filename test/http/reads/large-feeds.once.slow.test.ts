// A changelog of any length is complete (R12): beyond 2,500 versions it is read in parts and counts as long (R52), and
// beyond 16 MiB it is streamed.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { before, describe, it } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { execute } from '../../../support/databases/engine.ts';
import { openClient } from '../../../support/http/http-client.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { listenApp } from '../../../support/program/app.ts';
import { apply, createKey, runOk } from '../../../support/program/command.ts';
import { exchange } from '../../support/socket.ts';

const VERSIONS = 2_850;
/** 6 kB, since JSON writes a control character as six others: the changelog has 17 MB. */
const TITLE = `é${'\u0001'.repeat(999)}`;

const scope = sharedScope();
const sandbox = { folder: temporaryFolder(scope) };
let server: Awaited<ReturnType<typeof listenApp>>;
let bearer: Record<string, string>;

before(async () => {
  const versions = Array.from({ length: VERSIONS }, (_, number) => ({
    version: `1.${number}.0`,
    title: TITLE,
    status: 'published',
    publishedAt: new Date(Date.UTC(2020, 0, 1 + number)).toISOString(),
  }));
  await apply(sandbox, {
    team: { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' },
    products: [
      { slug: 'large', name: 'Large', status: 'published', changelog: { status: 'published', versions } },
    ],
  });
  const { key } = await createKey(sandbox, 'acme', '--kind', 'FULL');
  bearer = { authorization: `Bearer ${key}` };
  server = await listenApp(scope, sandbox);
});

const pathOn = (surface: string) => `/api/v1${surface}/teams/acme/products/large/changelog`;
const SURFACES = [
  ['public', '/public'],
  ['team', ''],
] as const;

for (const [name, surface] of SURFACES)
  describe(`a changelog of 17 MB on the ${name} surface`, () => {
    it(`the changelog has all versions, newest first, each time with the same ETag (${name})`, async (t) => {
      const client = openClient();
      t.after(client.close);
      const etags = new Set<unknown>();
      for (let round = 0; round < 2; round++) {
        const { status, headers, body } = await client.get(server.address + pathOn(surface), bearer);
        assert.equal(status, 200);
        assert.equal(headers['content-length'], undefined, 'it is not known before the end');
        assert.deepEqual(
          JSON.parse(body).data.versions.map(({ version }: { version: string }) => version),
          Array.from({ length: VERSIONS }, (_, index) => `1.${VERSIONS - 1 - index}.0`),
        );
        etags.add(headers.etag);
      }
      assert.equal(etags.size, 1);
      const [etag] = etags;
      const unchanged = await client.get(server.address + pathOn(surface), {
        ...bearer,
        'if-none-match': String(etag),
      });
      assert.deepEqual([unchanged.status, unchanged.headers.etag, unchanged.body], [304, etag, '']);
    });

    it(`HEAD has the headers of GET and no body (${name})`, async () => {
      const request = (method: string) =>
        fetch(server.address + pathOn(surface), {
          method,
          headers: { ...bearer, 'accept-encoding': 'identity' },
        });
      const [head, get] = [await request('HEAD'), await request('GET')];
      for (const field of ['etag', 'content-type', 'cache-control', 'vary'])
        assert.equal(head.headers.get(field), get.headers.get(field), field);
      assert.equal((await head.arrayBuffer()).byteLength, 0);
      assert.ok((await get.arrayBuffer()).byteLength > 16 * 1024 * 1024);
    });

    it(`a client that does not read gets two responses, then 503 (${name})`, async () => {
      const requestLine = `GET ${pathOn(surface)} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n`;
      const request = `${requestLine}Authorization: ${bearer.authorization}\r\n\r\n`;
      const unread = await Promise.all(
        [1, 2].map(async () => {
          const socket = net.connect({ port: server.port, host: '127.0.0.1' });
          socket.write(request);
          await once(socket, 'readable');
          return socket;
        }),
      );
      const refused = await exchange(server.port, request);
      assert.match(refused, /^HTTP\/1\.1 503 [\s\S]*\r\nretry-after: \d/i);
      assert.match(refused, /"code":"unavailable"/);
      for (const socket of unread) {
        socket.destroy();
        await once(socket, 'close');
      }
    });
  });

describe('a client that hangs up', () => {
  for (const [day, what, hangUp] of [
    [1, 'closes the connection', (socket: net.Socket) => socket.resetAndDestroy()],
    [2, 'closes its side of the connection', (socket: net.Socket) => socket.end()],
  ] as const)
    it(`nothing more is read for a client that ${what}, and 499 is logged`, async () => {
      const { log, logLines, queries } = server;
      const before = { queries: queries.length, gone: log.count('"status":499') };
      const socket = net.connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
      socket.on('error', () => {});
      socket.write(`GET ${pathOn('/public')}?since=2019-01-0${day} HTTP/1.1\r\nHost: test\r\n\r\n`);
      while (queries.length === before.queries) await nextTick();
      hangUp(socket);
      await log.until('"status":499', before.gone + 1);
      const parts = queries.length - before.queries;
      assert.ok(parts < VERSIONS / 500, `${parts} of its parts were read`);
      assert.deepEqual(
        logLines.filter((line) => line.includes('"level":"error"')),
        [],
      );
      socket.destroy();
    });
});

describe('a changelog of 17 MB that is written to while it is sent', () => {
  it('the connection is closed before its last byte, and the next response has another ETag', async () => {
    const url = server.address + pathOn('/public');
    const response = await fetch(url);
    await execute(sandbox, `update versions set title = 'Now' where label = '1.0.0'`);
    await assert.rejects(response.arrayBuffer());
    await server.log.until('"name":"ContentChanged"');
    const after = await fetch(url);
    assert.notEqual(after.headers.get('etag'), response.headers.get('etag'));
    await after.arrayBuffer();
  });
});

it('`version list` has all versions', async () => {
  const listed = JSON.parse(await runOk(sandbox, ['version', 'list', 'acme/large', '--json']));
  assert.equal(listed.length, VERSIONS);
  assert.deepEqual(Object.keys(listed[0]), [
    'id',
    'object',
    'version',
    'title',
    'status',
    'publishedAt',
    'changeCount',
  ]);
});
