// A server on the internet that leads a fetch into the network of this machine. Here, it is on loopback: the first name
// has a public address, too, which makes it a host on the internet.
import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import https from 'node:https';
import { type AddressInfo, getDefaultAutoSelectFamily, setDefaultAutoSelectFamily } from 'node:net';
import { after, before, describe, it, type TestContext } from 'node:test';
import { fetchSource } from '../../../src/import/remote/fetch.ts';
import type { Resolve } from '../../../src/import/remote/network-guard.ts';
import { parseSource, type RemoteSource } from '../../../src/import/remote/sources.ts';
import { SELF_SIGNED } from '../../hooks/self-signed.ts';

// Only the first address of a name is ever connected to, which is on loopback.
const isSelecting = getDefaultAutoSelectFamily();
before(() => setDefaultAutoSelectFamily(false));
after(() => setDefaultAutoSelectFamily(isSelecting));

const NOW = '2026-07-01T00:00:00.000Z';
const LOOPBACK = { address: '127.0.0.1', family: 4 };
const PUBLIC = { address: '93.184.216.34', family: 4 };

async function serve(t: TestContext, answer: RequestListener): Promise<number> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** The name of a public host as it is resolved the first time, the second time, and so on. */
function resolving(...answers: readonly (readonly LookupAddress[])[]): Resolve {
  const left = [...answers];
  return (host, _, found) => {
    const addresses = left.shift();
    if (addresses === undefined) return found(new Error(`${host} was resolved once more`), []);
    found(null, [...addresses]);
  };
}

const sourceAt = (url: string): RemoteSource => ({
  ...(parseSource('https://files.example/C.md', {}) ?? assert.fail()),
  url: new URL(url),
});

const fetched = async (url: string, resolve?: Resolve) => {
  const options = { cacheFolder: null, now: NOW, ...(resolve && { resolve }) };
  return (await fetchSource(sourceAt(url), options)).input.bytes.toString();
};

describe('a fetch from the internet', () => {
  /** Where a redirect leads, and what happens there. */
  async function redirected(t: TestContext, location: string, ...more: LookupAddress[][]) {
    const inside: string[] = [];
    const innerPort = await serve(t, (request, response) => {
      inside.push(request.headers.host ?? '');
      response.end('secret');
    });
    const target = location.replace('PORT', String(innerPort));
    const port = await serve(t, (_, response) => void response.writeHead(302, { location: target }).end());
    const error = await fetched(
      `http://files.example:${port}/C.md`,
      resolving([LOOPBACK, PUBLIC], ...more),
    ).catch((error: Error) => error.message);
    assert.deepEqual(inside, []);
    return error;
  }

  it('is not redirected to loopback, private and reserved addresses, however they are written', async (t) => {
    for (const host of [
      '127.0.0.1',
      '127.1',
      '0177.0.0.1',
      '0x7f.0.0.1',
      '0x7f000001',
      '2130706433',
      '127.0.0.1.',
      '%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1',
      '127.8.9.10',
      '0.0.0.0',
      '0',
      '10.1.2.3',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.0.1',
      '169.254.169.254',
      '100.64.0.1',
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '[::]',
      '[::1]',
      '[0:0:0:0:0:0:0:1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::ffff:0:127.0.0.1]',
      '[::127.0.0.1]',
      '[64:ff9b::127.0.0.1]',
      '[64:ff9b::a9fe:a9fe]',
      '[64:ff9b:1::10.0.0.1]',
      '[2002:7f00:1::]',
      '[2001:0:7f00:1::]',
      '[fc00::1]',
      '[fd12:3456::1]',
      '[fe80::1]',
      '[fec0::1]',
      '[ff02::1]',
    ])
      assert.match(
        await redirected(t, `https://${host}:PORT/`),
        /^https:\/\/files\.example\/C\.md redirects to [\w.:]+, which is not on the internet; import its own URL if/,
        host,
      );
  });

  it('is not redirected to a name with such an address, nor to this machine without TLS', async (t) => {
    for (const address of [
      '127.0.0.1',
      '10.0.0.1',
      '169.254.169.254',
      '::1',
      '::ffff:192.168.0.1',
      'fe80::1%lo',
    ])
      assert.equal(
        await redirected(t, 'https://inside.example:PORT/', [PUBLIC, { address, family: 4 }]),
        `https://files.example/C.md redirects to inside.example (${address}), which is not on the internet; import its own URL if you trust it`,
      );
    assert.match(
      await redirected(t, 'http://localhost:PORT/', [LOOPBACK]),
      /redirects to localhost \(127\.0\.0\.1\), which is not/,
    );
  });

  it('goes on where its name led first, whatever its name servers say later', async (t) => {
    const port = await serve(t, ({ url }, response) => {
      const link = url === '/C.md' ? { link: '</2>; rel="next"' } : {};
      response.writeHead(200, { ...link, connection: 'close' }).end(`page ${url}`);
    });
    assert.equal(
      await fetched(`http://files.example:${port}/C.md`, resolving([LOOPBACK, PUBLIC])),
      'page /C.md\npage /2',
    );
  });
});

describe('a fetch from a private network', () => {
  it('is not redirected from https: to http:', async (t) => {
    const port = await serve(t, () => assert.fail('was followed'));
    const location = `http://127.0.0.1:${port}/`;
    const server = https.createServer(SELF_SIGNED, (_, response) => {
      response.writeHead(302, { location }).end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    https.globalAgent.options.ca = SELF_SIGNED.cert;
    t.after(() => {
      delete https.globalAgent.options.ca;
      server.closeAllConnections();
      server.close();
    });
    await assert.rejects(
      fetched(`https://127.0.0.1:${(server.address() as AddressInfo).port}/C.md`),
      /redirects to a URL that does not start with https:/,
    );
  });

  it('is redirected within it, and to other private addresses', async (t) => {
    const port = await serve(t, (_, response) => void response.end('text'));
    for (const location of [
      `http://localhost:${port}/`,
      `http://127.0.0.1:${port}/`,
      `http://0177.1:${port}/`,
    ]) {
      const first = await serve(t, (_, response) => void response.writeHead(302, { location }).end());
      assert.equal(await fetched(`http://127.0.0.1:${first}/C.md`), 'text');
      const resolve = resolving([LOOPBACK], [LOOPBACK]);
      assert.equal(await fetched(`http://git.internal:${first}/C.md`, resolve), 'text');
    }
  });
});
