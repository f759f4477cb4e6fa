import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, it } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { OUTPUTS } from '../../src/http/app.ts';
import { createBaseUrl } from '../../src/http/site.ts';
import { baseUrlFor, listenUrl, unsetBaseUrlWarning } from '../../src/http/urls.ts';
import { LISTS, PAGES } from '../../support/content/pages.ts';
import { PUBLIC_FEED, TEAM_FEED } from '../../support/content/world.ts';
import { suiteWithWorld } from '../support/suite.ts';

const linksOf = (environment: Record<string, string>) => {
  const config = readConfig({ PORT: '8080', ...environment });
  return baseUrlFor(config, listenUrl(null, config));
};
const warningOf = (environment: Record<string, string>) => {
  const config = readConfig({ PORT: '8080', ...environment });
  return unsetBaseUrlWarning(config, listenUrl(null, config));
};

describe('links', () => {
  it('links start with a URL that clients can use, even if the server listens on every address', () => {
    for (const HOST of ['0.0.0.0', '0', '0x0', '::ffff:0.0.0.0'])
      assert.equal(linksOf({ HOST }), 'http://127.0.0.1:8080', HOST);
    for (const HOST of ['::', '::0', '0:0:0:0:0:0:0:0'])
      assert.equal(linksOf({ HOST }), 'http://[::1]:8080', HOST);
    assert.equal(linksOf({}), 'http://127.0.0.1:8080');
    assert.equal(linksOf({ HOST: 'localhost' }), 'http://localhost:8080');
    assert.equal(linksOf({ HOST: '192.0.2.1' }), 'http://192.0.2.1:8080');
    assert.equal(linksOf({ HOST: '2001:db8::1' }), 'http://[2001:db8::1]:8080');
  });

  it('links are normalised URLs in ASCII, whatever the host', () => {
    assert.equal(linksOf({ HOST: 'büro.example' }), 'http://xn--bro-hoa.example:8080');
    assert.equal(linksOf({ HOST: 'fe80::1%eth0' }), 'http://[fe80::1%eth0]:8080');
  });

  it('links have the actual port, which is looked up only until the server listens', async (t) => {
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

  it('links start with BASE_URL if it is set, without a warning', () => {
    const environment = {
      HOST: '0.0.0.0',
      TRUSTED_PROXIES: '10.0.0.0/8',
      BASE_URL: 'https://log.example/x/',
    };
    assert.equal(linksOf(environment), 'https://log.example/x');
    assert.equal(warningOf(environment), null);
  });

  it('an unset BASE_URL causes a warning behind a proxy or a CDN, with hooks, and on every host except loopback', () => {
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
    assert.match(warningOf({ HOOKS: 'hooks.yaml' }) ?? '', /^HOOKS is set and BASE_URL is unset, /);
    assert.match(warningOf({ CDN_MAX_AGE_SECONDS: '60' }) ?? '', /^CDN_MAX_AGE_SECONDS is set and /);
    assert.equal(warningOf({ HOOKS: 'hooks.yaml', BASE_URL: 'https://log.example' }), null);
  });
});

describe('headers', () => {
  const suite = suiteWithWorld({ BASE_URL: 'https://büro.example/änderungen', LISTING: 'all' });

  it('every response head is ASCII, whatever the characters of BASE_URL and the query', async () => {
    const headers = { authorization: `Bearer ${suite.world.full}` };
    for (const url of [
      ...OUTPUTS.map(({ file }) => `${PUBLIC_FEED}/${file}`),
      ...[PUBLIC_FEED, TEAM_FEED].flatMap((feed) => [
        `${feed}?limit=1`,
        `${feed}?limit=1&until=2030-01-01&q=%C3%A9`,
      ]),
      ...[...PAGES, ...LISTS, '/ä', '/docs', '/robots.txt', '/api/openapi.json'].map((path) =>
        encodeURI(path),
      ),
    ]) {
      const response = await suite.app.inject({ url, headers });
      assert.ok([200, 404].includes(response.statusCode), url);
      const text = JSON.stringify(response.headers);
      assert.match(text, /^[ -~]+$/, url);
      if (response.headers.link)
        assert.match(text, /<https:\/\/xn--bro-hoa\.example\/%C3%A4nderungen\//, url);
    }
  });
});
