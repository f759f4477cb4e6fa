import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, it } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { baseUrlFor, createBaseUrl, listenUrl, unsetBaseUrlWarning } from '../../src/http/urls.ts';

const linksOf = (environment: Record<string, string>) => {
  const config = readConfig({ PORT: '8080', ...environment });
  return baseUrlFor(config, listenUrl(null, config));
};
const warningOf = (environment: Record<string, string>) => {
  const config = readConfig({ PORT: '8080', ...environment });
  return unsetBaseUrlWarning(config, listenUrl(null, config));
};

describe('links', () => {
  it('links begin with a URL that a client can use, also if the server listens on every address', () => {
    for (const HOST of ['0.0.0.0', '0', '0x0', '::ffff:0.0.0.0'])
      assert.equal(linksOf({ HOST }), 'http://127.0.0.1:8080', HOST);
    for (const HOST of ['::', '::0', '0:0:0:0:0:0:0:0'])
      assert.equal(linksOf({ HOST }), 'http://[::1]:8080', HOST);
    assert.equal(linksOf({}), 'http://127.0.0.1:8080');
    assert.equal(linksOf({ HOST: 'localhost' }), 'http://localhost:8080');
    assert.equal(linksOf({ HOST: '192.0.2.1' }), 'http://192.0.2.1:8080');
    assert.equal(linksOf({ HOST: '2001:db8::1' }), 'http://[2001:db8::1]:8080');
  });

  it('links have the port that the server was given, looked up only until it listens', async (t) => {
    const server = createServer();
    const baseUrl = createBaseUrl(readConfig({ PORT: '0', HOST: '0.0.0.0' }), () => server);
    assert.equal(baseUrl(), 'http://127.0.0.1:0');
    server.listen(0, '127.0.0.1');
    t.after(() => server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const address = t.mock.method(server, 'address');
    for (const _ of [1, 2, 3]) assert.equal(baseUrl(), `http://127.0.0.1:${port}`);
    assert.equal(address.mock.callCount(), 1);
  });

  it('links begin with BASE_URL if it is set, and nothing is warned of', () => {
    const environment = {
      HOST: '0.0.0.0',
      TRUSTED_PROXIES: '10.0.0.0/8',
      BASE_URL: 'https://log.example/x/',
    };
    assert.equal(linksOf(environment), 'https://log.example/x');
    assert.equal(warningOf(environment), null);
  });

  it('an unset BASE_URL is warned of behind a proxy and on every host except loopback', () => {
    for (const HOST of [
      '127.0.0.1',
      '127.0.0.2',
      '127.1',
      '::1',
      '::ffff:127.0.0.1',
      'localhost',
      'LocalHost',
    ])
      assert.equal(warningOf({ HOST }), null, HOST);
    for (const HOST of ['0.0.0.0', '::', '192.0.2.1', '2001:db8::1', 'log.example'])
      assert.match(
        warningOf({ HOST }) ?? '',
        /^HOST is \S+ and BASE_URL is unset, so links begin with http:\S+:8080\. Set BASE_URL to the URL that clients use\.$/,
      );
    assert.equal(
      warningOf({ HOST: '127.0.0.1', TRUSTED_PROXIES: '127.0.0.1' }),
      'TRUSTED_PROXIES is set and BASE_URL is unset, so links begin with http://127.0.0.1:8080. Set BASE_URL to the URL that clients use.',
    );
  });
});
