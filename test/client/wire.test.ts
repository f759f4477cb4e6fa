// What the client sends, and what it makes of answers that our own server does not give at will.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ChangelogClient, type ChangelogClientOptions, ChangelogError } from '../../client/index.js';
import { deadline } from '../../support/processes/busy.ts';
import { type StandInAnswer, startStandIn } from './stand-in.ts';

const FEED = '/api/v1/public/teams/acme/products/rocket/changelog';
const EMPTY: StandInAnswer = { body: { data: { versions: [] } } };

function open(baseUrl: string, options: Partial<ChangelogClientOptions> = {}): ChangelogClient {
  return new ChangelogClient({ baseUrl, team: 'acme', product: 'rocket', ...options });
}

describe('a request', () => {
  it('requests go to the routes of the surface, below the path of baseUrl', async (t) => {
    const { address, requests } = await startStandIn(t, () => EMPTY);
    for (const [suffix, path] of [
      ['', ''],
      ['/', ''],
      ['/some/where', '/some/where'],
      ['/some/where//?x=1#y', '/some/where'],
    ]) {
      await open(`${address}${suffix}`).feed();
      assert.equal(requests.at(-1)?.url, `${path}${FEED}`);
    }
    await open(address, { apiKey: 'k' }).feed();
    assert.equal(requests.at(-1)?.url, FEED.replace('/public', ''));
    await open(address).latest();
    assert.equal(requests.at(-1)?.url, `${FEED}/versions/latest`);
    await open(address).version('v2.1.0+build 7');
    assert.equal(requests.at(-1)?.url, `${FEED}/versions/v2.1.0%2Bbuild%207`);
  });

  it('the query string has a fixed order, repeated lists, full dates and no empty parameters', async (t) => {
    const { address, requests } = await startStandIn(t, () => EMPTY);
    const client = open(address);
    await client.feed({
      until: '2026-05-04',
      since: new Date('2026-01-01T00:00:00Z'),
      type: ['fixed', 'added'],
      prerelease: false,
      q: 'a & b',
      limit: 2,
      cursor: undefined,
    });
    assert.equal(
      requests.at(-1)?.url,
      `${FEED}?limit=2&prerelease=false&q=a+%26+b&since=2026-01-01T00%3A00%3A00.000Z&type=fixed&type=added&until=2026-05-04`,
    );
    await client.changesBetween('1.4.0', '2.1.0', { type: 'security' });
    assert.equal(requests.at(-1)?.url, `${FEED}/changes?from=1.4.0&to=2.1.0&type=security`);
    await client.changesBetween('1.4.0');
    assert.equal(requests.at(-1)?.url, `${FEED}/changes?from=1.4.0`);
    await client.changesBetween(null, '2.1.0', { prerelease: false });
    assert.equal(requests.at(-1)?.url, `${FEED}/changes?prerelease=false&to=2.1.0`);
    await client.checkForUpdate('1.4.0+7', { prerelease: true });
    assert.equal(requests.at(-1)?.url, `${FEED}/update?from=1.4.0%2B7&prerelease=true`);
    await client.checkForUpdate();
    assert.equal(requests.at(-1)?.url, `${FEED}/update`);
  });

  it('requests carry the given headers, and no key unless one is given', async (t) => {
    const { address, requests } = await startStandIn(t, () => EMPTY);
    await open(address, { headers: { 'x-request-id': '7' } }).feed();
    const { headers } = requests[0] ?? assert.fail('no request');
    assert.equal(headers['x-request-id'], '7');
    assert.equal(headers.accept, 'application/json');
    for (const name of ['authorization', 'x-api-key', 'if-none-match'])
      assert.equal(headers[name], undefined);
  });

  it('a request with a key or a password follows no redirect, so that another server never gets them', async (t) => {
    const elsewhere = await startStandIn(t, () => EMPTY);
    const { address } = await startStandIn(t, ({ url }) => ({
      status: 307,
      headers: { location: elsewhere.address + url },
    }));
    const basic = { username: 'me', password: 'pass' };
    for (const options of [{ apiKey: 'k' }, { basic }, { apiKey: 'k', basic }])
      await assert.rejects(open(address, options).feed(), { code: 'unexpected_response', status: 307 });
    assert.deepEqual(elsewhere.requests, []);
    assert.deepEqual((await open(address).feed()).versions, []);
  });

  it('invalid options are rejected immediately', () => {
    for (const baseUrl of [
      '',
      '/here',
      'changelog.example.com',
      'https://me:secret@example.com',
      'https://me@example.com',
    ])
      assert.throws(() => open(baseUrl), /^TypeError: baseUrl must be an absolute URL without a password/);
    for (const slug of [
      '',
      '..',
      '.',
      '../rocket',
      'a/b',
      'Rocket',
      'rocket?x',
      '%72ocket',
      'räket',
      '-a',
      '\ud800',
    ]) {
      const message = /^TypeError: team and product must be slugs: lower-case letters, digits and hyphens\.$/;
      assert.throws(() => open('https://example.com', { team: slug }), message);
      assert.throws(() => open('https://example.com', { product: slug }), message);
    }
    // @ts-expect-error: a team is required.
    assert.throws(() => open('https://example.com', { team: undefined }), TypeError);
  });

  it('without a product, only the team can be read', async (t) => {
    const { address, requests } = await startStandIn(t, () => EMPTY);
    const client = open(`${address}/notes/`, { product: undefined });
    const calls = [
      () => client.feed(),
      () => client.latest(),
      () => client.version('..'),
      () => client.changesBetween('1.0.0'),
      () => client.checkForUpdate(),
      () => client.pages().next(),
      () => client.versions().next(),
    ];
    for (const call of calls)
      await assert.rejects(call(), {
        name: 'TypeError',
        message: 'This method needs a client with a product.',
      });
    await client.teamFeed();
    await client.products({ limit: 5 });
    await open(address, { apiKey: 'k' }).teamFeed({ type: ['fixed', 'added'], include: 'changes' });
    await open(address, { apiKey: 'k' }).products();
    assert.deepEqual(
      requests.map(({ url }) => url),
      [
        '/notes/api/v1/public/teams/acme/versions',
        '/notes/api/v1/public/teams/acme/products?limit=5',
        '/api/v1/teams/acme/versions?include=changes&type=fixed&type=added',
        '/api/v1/teams/acme/products',
      ],
    );
    const site = new ChangelogClient({ baseUrl: address, static: true });
    await assert.rejects(site.teamFeed(), { code: 'needs_server' });
    await assert.rejects(site.products(), { code: 'needs_server' });
  });
});

describe('paging', () => {
  /** Three pages, linked as a server does that knows itself by another address. */
  const pageOf = ({ url }: { url: string }): StandInAnswer => {
    const { searchParams } = new URL(url, 'http://any');
    const page = Number(searchParams.get('cursor') ?? 1);
    const next = `<https://elsewhere.invalid/api?cursor=${page + 1}&limit=1>; rel="next"`;
    const feeds =
      '<https://elsewhere.invalid/feed.atom?cursor=9>; rel="alternate"; type="application/atom+xml"';
    return {
      headers: { link: page < 3 ? `${feeds}, ${next}` : feeds, etag: `"${page}"` },
      body: { data: { versions: [{ version: `${page}.0.0` }, { version: `${page}.0.1` }] } },
    };
  };
  const ALL = ['1.0.0', '1.0.1', '2.0.0', '2.0.1', '3.0.0', '3.0.1'];

  it('paging follows the cursor of the Link header at the base URL of the client', async (t) => {
    const { address } = await startStandIn(t, pageOf);
    const client = open(address);
    const first = await client.feed({ limit: 1, q: 'word' });
    assert.deepEqual(first.next, { limit: 1, q: 'word', cursor: '2' });
    const second = await client.feed(first.next ?? {});
    assert.deepEqual(second.next, { limit: 1, q: 'word', cursor: '3' });
    assert.equal((await client.feed(second.next ?? {})).next, null);
  });

  it('iterators fetch all pages and versions, one page at a time', async (t) => {
    const { address, requests } = await startStandIn(t, pageOf);
    const client = open(address);
    const pages = await Array.fromAsync(client.pages({ type: 'fixed' }));
    assert.equal(pages.length, 3);
    assert.ok(requests.every(({ url }) => url.includes('limit=100&type=fixed')));
    const versions = await Array.fromAsync(client.versions({ limit: 1 }));
    assert.deepEqual(
      versions.map(({ version }) => version),
      ALL,
    );
  });

  it('the versions of a team and its products have pages too', async (t) => {
    const { address, requests } = await startStandIn(t, pageOf);
    const client = open(address, { product: undefined });
    const versions = await Array.fromAsync(client.teamVersions({ prerelease: false }));
    assert.deepEqual(
      versions.map(({ version }) => version),
      ALL,
    );
    assert.deepEqual(
      requests.map(({ url }) => url.split('?')[1]),
      ['prerelease=false', 'cursor=2&prerelease=false', 'cursor=3&prerelease=false'],
    );
    assert.deepEqual((await client.products({ limit: 1 })).next, { limit: 1, cursor: '2' });
    assert.equal((await client.products({ limit: 1, cursor: '3' })).next, null);
  });

  it('iterators do not fetch pages ahead', async (t) => {
    const { address, requests } = await startStandIn(t, pageOf);
    for await (const { version } of open(address).versions()) if (version === '1.0.1') break;
    assert.equal(requests.length, 1);
  });

  it('the next page is known after a 304', async (t) => {
    const { address } = await startStandIn(t, (request) =>
      request.headers['if-none-match'] === undefined ? pageOf(request) : { status: 304 },
    );
    const client = open(address);
    for (const round of ['fetched', 'confirmed']) {
      const versions = await Array.fromAsync(client.versions());
      assert.equal(versions.length, 6, round);
    }
  });
});

describe('the Link header of a hostile server', () => {
  const CHARACTERS = 100_000;
  const PROCESSOR_MS_MAX = 500;
  const half = CHARACTERS / 2;
  for (const [what, link] of Object.entries({
    'many cursors': `<${'?cursor=a'.repeat(CHARACTERS / 9)}`,
    'a long cursor': `<?cursor=${'a'.repeat(half)}>${';'.repeat(half)}`,
    'many links': '<?cursor=a>;'.repeat(CHARACTERS / 12),
    'many relations': `<?cursor=a>${'; rel='.repeat(CHARACTERS / 6)}`,
  }))
    it(`linear time: ${what}`, async () => {
      const client = open('https://example.com', {
        fetch: async () => new Response('{"data":{"versions":[]}}', { headers: { link } }),
      });
      const before = process.cpuUsage();
      assert.equal((await client.feed()).next, null);
      const { user, system } = process.cpuUsage(before);
      assert.ok(
        (user + system) / 1000 < deadline(PROCESSOR_MS_MAX),
        `${(user + system) / 1000} ms of processor time`,
      );
    });
});

describe('cached responses', () => {
  it('the client caches the last 100 responses and evicts the least recently used', async (t) => {
    const { address, requests } = await startStandIn(t, ({ headers }) =>
      headers['if-none-match'] === undefined ? { ...EMPTY, headers: { etag: '"x"' } } : { status: 304 },
    );
    const client = open(address);
    const wasCached = async (q: string) => {
      await client.feed({ q });
      return requests.at(-1)?.headers['if-none-match'] === '"x"';
    };
    for (let index = 0; index < 100; index++) assert.equal(await wasCached(`${index}`), false);
    assert.equal(await wasCached('0'), true);
    assert.equal(await wasCached('100'), false);
    assert.equal(await wasCached('0'), true);
    assert.equal(await wasCached('2'), true);
    assert.equal(await wasCached('1'), false);
  });

  it('only responses with an ETag are cached', async (t) => {
    const { address, requests } = await startStandIn(t, () => EMPTY);
    const client = open(address);
    await client.feed();
    await client.feed();
    assert.deepEqual(
      requests.map(({ headers }) => headers['if-none-match']),
      [undefined, undefined],
    );
  });

  it('equal queries share a cached response, whatever the order of their options', async (t) => {
    const { address, requests } = await startStandIn(t, () => ({ ...EMPTY, headers: { etag: '"x"' } }));
    const client = open(address);
    await client.feed({ q: 'word', limit: 1 });
    await client.feed({ limit: 1, q: 'word' });
    assert.deepEqual(
      requests.map(({ headers }) => headers['if-none-match']),
      [undefined, '"x"'],
    );
  });
});

describe('an error', () => {
  it('an error has the URL and the request id, and no credentials', async (t) => {
    const { address } = await startStandIn(t, (_, count) => ({
      status: 404,
      headers: count === 1 ? { 'x-request-id': 'req-7' } : {},
      body: { error: { code: 'not_found', message: 'Nothing was found here.' } },
    }));
    const client = open(`${address}/base?x=1`, {
      apiKey: 'the-key',
      basic: { username: 'me', password: 'pass' },
    });
    const url = `${address}/base${FEED.replace('/public', '')}?q=a`;
    const error = await client.feed({ q: 'a' }).catch((thrown) => thrown);
    assert.deepEqual(
      { ...error },
      {
        name: 'ChangelogError',
        code: 'not_found',
        status: 404,
        url,
        requestId: 'req-7',
        retryAfterSeconds: null,
      },
    );
    await assert.rejects(client.feed({ q: 'a' }), { url, requestId: null });
    const made = new ChangelogError('not_found', 'No.');
    assert.deepEqual([made.url, made.requestId, made.status], [null, null, 0]);
  });
});

describe('a response that is not from the API', () => {
  for (const [what, answer] of Object.entries<StandInAnswer>({
    'HTML with 502': { status: 502, body: '<h1>Bad Gateway</h1>' },
    'HTML with 200': { body: '<h1>Welcome</h1>' },
    'broken JSON': { body: '{"data":' },
    'JSON without data': { body: { hello: 1 } },
    null: { body: 'null' },
    'JSON of another API': { status: 404, body: { error: 'no' } },
    'a 304 that nobody asked for': { status: 304 },
  })) {
    it(`the client throws unexpected_response with the status: ${what}`, async (t) => {
      const { address } = await startStandIn(t, () => answer);
      await assert.rejects(open(address).feed(), (error) => {
        assert.ok(error instanceof ChangelogError && error.is('unexpected_response'), String(error));
        assert.equal(error.status, answer.status ?? 200);
        assert.equal(error.url, address + FEED);
        assert.match(
          error.message,
          /^http:.*changelog returned \d+, but not a response of this API; check baseUrl/,
        );
        return true;
      });
    });
  }

  it('the client throws network_error with the cause if there is no response', async (t) => {
    const { address } = await startStandIn(t, () => null);
    await assert.rejects(open(address).feed(), (error) => {
      assert.ok(error instanceof ChangelogError && error.is('network_error'));
      assert.equal(error.status, 0);
      assert.equal(error.url, address + FEED);
      assert.equal(error.requestId, null);
      assert.ok(error.cause instanceof TypeError);
      return true;
    });
  });
});
