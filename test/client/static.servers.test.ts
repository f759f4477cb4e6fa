// The client on a static site, against real hosts of files.
import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { ChangelogClient, type FeedQuery, type StaticSiteOptions } from '../../client/index.js';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import { listenApp } from '../../support/program/app.ts';
import { apply, runOk } from '../../support/program/command.ts';
import { startStandIn } from './stand-in.ts';
import { HOSTS, startHost } from './static-hosts.ts';

const NUMBERS = Array.from({ length: 22 }, (_, index) => `1.${index}.0`);
/** Some cannot be the name of a file, some only where files differ by case, and some mean something else in a URL. */
const ODD_LABELS = [
  ...[
    'v2.0.0',
    'RC1',
    'rc1',
    'latest',
    '2026+build.7',
    'a/b',
    '..',
    '.1',
    '-1',
    'changes',
    '100%',
    '🚀 1',
    'a?b.json',
  ],
  ...['ver_of_another', 'x'.repeat(101).slice(0, 100)],
];
const team = { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' };
const product = (slug: string, labels: string[]) => ({
  slug,
  name: slug,
  status: 'published',
  changelog: {
    status: 'published',
    versions: labels.map((version, index) => ({
      id: `ver_${slug}${index}`,
      version,
      title: `Title of ${version}`,
      status: 'published',
      publishedAt: new Date(Date.UTC(2026, 0, 1 + index)).toISOString(),
      changes: [{ type: 'fixed', text: `A *fault* of ${version}.` }],
    })),
  },
});
const DOCUMENT = {
  team,
  products: [product('rocket', NUMBERS), product('odd', ODD_LABELS), product('empty', [])],
};
const SLUGS = DOCUMENT.products.map(({ slug }) => slug);

for (const host of HOSTS)
  describe(`ChangelogClient on a static site of ${host}`, () => {
    const scope = sharedScope();
    let service: string;
    let site: string;
    let folder: string;
    const statuses: string[] = [];
    /** As a user who has only a server, and one who has only the site. */
    const open = (slug: string, options: Partial<StaticSiteOptions> = {}) => ({
      there: new ChangelogClient({ baseUrl: service, team: 'acme', product: slug }),
      here: new ChangelogClient({
        baseUrl: `${site}/acme/${slug}/`,
        static: true,
        fetch: async (url, init) => {
          const response = await fetch(url, init);
          statuses.push(`${response.status} ${url.slice(`${site}/acme/${slug}/`.length)}`);
          return response;
        },
        ...options,
      }),
    });

    before(async () => {
      const sandbox = { folder: temporaryFolder(scope) };
      await apply(sandbox, DOCUMENT);
      service = (await listenApp(scope, sandbox)).address;
      ({ address: site, folder } = await startHost(scope, host));
      await runOk(sandbox, ['build', '--all', '--out', folder]);
    });

    it(`${host}: the list, its pages and all versions are those of the server`, async () => {
      const { here, there } = open('rocket');
      assert.deepEqual(await here.feed(), await there.feed());
      assert.deepEqual(await Array.fromAsync(here.versions()), await Array.fromAsync(there.versions()));
      const pagesOf = async (client: ChangelogClient, query?: FeedQuery) =>
        (await Array.fromAsync(client.pages(query))).map(({ next, ...page }) => [page, next !== null]);
      for (const query of [{ limit: 5 }, { limit: 11 }, { limit: 22 }, { limit: 100 }])
        assert.deepEqual(await pagesOf(here, query), await pagesOf(there, query));
    });

    it(`${host}: the newest 20 versions have their changes in one file, and more of them need a server`, async () => {
      const { here, there } = open('rocket');
      for (const limit of [1, 10, 20]) {
        const query = { include: 'changes', limit } as const;
        const { next, ...page } = await here.feed(query);
        const { next: _, ...expected } = await there.feed(query);
        assert.deepEqual(page, expected);
        assert.deepEqual(next, { ...query, cursor: String(limit) });
      }
      const second = await here.feed({ include: 'changes', limit: 10, cursor: '10' });
      assert.deepEqual(second.versions, (await there.feed({ include: 'changes' })).versions.slice(10, 20));
      for (const query of [{}, { limit: 21 }, { limit: 10, cursor: '20' }])
        await assert.rejects(here.feed({ ...query, include: 'changes' }), {
          code: 'needs_server',
          status: 0,
        });
      // Fewer than 20 are all there are.
      const odd = open('odd');
      assert.deepEqual(
        await odd.here.feed({ include: 'changes' }),
        await odd.there.feed({ include: 'changes' }),
      );
    });

    it(`${host}: a version is found by label, by id, with and without v, and as the latest`, async () => {
      for (const slug of SLUGS) {
        const { here, there } = open(slug);
        const { versions } = await there.feed();
        for (const { id, version } of versions) {
          const expected = await there.version(id);
          assert.deepEqual(await here.version(id), expected, id);
          if (version !== 'latest') assert.deepEqual(await here.version(version), expected, version);
        }
      }
      for (const [slug, name] of [
        ['rocket', 'v1.7.0'],
        ['odd', '2.0.0'],
        ['rocket', 'latest'],
        ['odd', 'latest'],
      ] as const) {
        const { here, there } = open(slug);
        assert.deepEqual(await here.version(name), await there.version(name), name);
      }
      assert.equal((await open('rocket').here.latest()).version, '1.21.0');
    });

    it(`${host}: most labels cost one request`, async () => {
      statuses.length = 0;
      const { here } = open('rocket');
      await here.version('1.7.0');
      await here.latest();
      assert.deepEqual(statuses, ['200 versions/1.7.0.json', '200 versions/latest.json']);
    });

    it(`${host}: a version that does not exist is not_found, and never another file`, async () => {
      const { here } = open('rocket');
      for (const label of [
        '9.9.9',
        'RC1',
        '../changelog',
        '..',
        '',
        'undefined',
        'ver_none',
        '404',
        '1.7.0.json',
      ])
        await assert.rejects(
          here.version(label),
          { code: 'not_found', status: 404, message: `${site}/acme/rocket has no version "${label}".` },
          label,
        );
      await assert.rejects(open('empty').here.latest(), { code: 'not_found', status: 404 });
    });

    it(`${host}: the changes between two versions are those of the server`, async () => {
      const { here, there } = open('rocket');
      const ranges: Parameters<ChangelogClient['changesBetween']>[] = [
        ...[['1.20.0'], ['1.3.0', 'v1.5.0'], [null, '1.1'], ['1.0.0-rc.1', '1.0.0'], ['9.0.0']],
        ...[[], [null, null, { type: 'fixed' }], ['1.19.0', undefined, { type: ['added', 'security'] }]],
        ...[
          ['1.19.0', null, { breaking: true }],
          ['1.19.0', null, { prerelease: false }],
        ],
      ] as never;
      for (const range of ranges)
        assert.deepEqual(
          await here.changesBetween(...range),
          await there.changesBetween(...range),
          `${range}`,
        );
      const odd = open('odd');
      assert.deepEqual(await odd.here.changesBetween('1.0.0'), await odd.there.changesBetween('1.0.0'));
      assert.deepEqual(await odd.here.changesBetween(null), await odd.there.changesBetween(null));
      await assert.rejects(here.changesBetween('nightly'), { code: 'bad_request', status: 0 });
    });

    it(`${host}: an update check says what the server says, but for the page`, async () => {
      for (const slug of SLUGS) {
        const { here, there } = open(slug);
        const calls: Parameters<ChangelogClient['checkForUpdate']>[] = [
          ...[['1.0.0'], ['v1.19.0'], ['1.21.0'], ['9.0.0'], ['0.1'], [], [null as never]],
          ...[
            ['1.20.0', { prerelease: true }],
            [undefined as never, { prerelease: true }],
          ],
        ] as never;
        if (slug === 'odd') calls.push(['RC1'], ['🚀 1'], ['changes', { prerelease: true }]);
        for (const call of calls) {
          const { url: _, ...expected } = await there.checkForUpdate(...call);
          const { url, ...found } = await here.checkForUpdate(...call);
          assert.deepEqual(found, expected, `${slug} ${call}`);
          assert.equal(url, `${site}/acme/${slug}/index.html`);
        }
        await assert.rejects(here.checkForUpdate('nightly'), { code: 'bad_request', status: 0 });
      }
    });

    it(`${host}: what needs a server says so, without a request`, async () => {
      const { here } = open('rocket');
      statuses.length = 0;
      const isRefused = {
        name: 'ChangelogError',
        code: 'needs_server',
        status: 0,
        message: / needs a server: /,
      };
      for (const query of [
        { q: 'fault' },
        { q: '.json' },
        { type: 'fixed' },
        { breaking: false },
        { since: new Date() },
        { from: '1.0.0', limit: 2 },
      ] as const)
        await assert.rejects(here.feed(query), isRefused, JSON.stringify(query));
      await assert.rejects(Array.fromAsync(here.versions({ prerelease: false })), isRefused);
      assert.deepEqual(statuses, []);
    });

    it(`${host}: a folder without a changelog is an error with the host's status`, async () => {
      const { here } = open('missing');
      for (const call of [
        () => here.feed(),
        () => here.latest(),
        () => here.version('1.0.0'),
        () => here.version('a/b'),
      ])
        await assert.rejects(call, {
          code: 'unexpected_response',
          status: 404,
          url: `${site}/acme/missing/changelog.json`,
          message: /changelog\.json returned 404, .* check baseUrl/,
        });
    });

    it(`${host}: what is listed but has no file any more is not_found`, async () => {
      const copy = path.join(folder, 'acme/stale');
      cpSync(path.join(folder, 'acme/rocket'), copy, { recursive: true });
      rmSync(path.join(copy, 'versions/1.7.0.json'));
      await assert.rejects(open('stale').here.version('1.7.0'), { code: 'not_found', status: 404 });
    });
  });

describe('ChangelogClient on a static site', () => {
  const scope = sharedScope();

  it('an unchanged file of nginx is not sent again', async () => {
    const { address, folder } = await startHost(scope, 'nginx');
    const sandbox = { folder: temporaryFolder(scope) };
    await apply(sandbox, DOCUMENT);
    await runOk(sandbox, ['build', '--product', 'acme/rocket', '--out', folder]);
    const statuses: number[] = [];
    const client = new ChangelogClient({
      baseUrl: address,
      static: true,
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        statuses.push(response.status);
        return response;
      },
    });
    for (const _ of ['sent', 'confirmed']) {
      await client.feed();
      await client.version('1.7.0');
    }
    assert.deepEqual(statuses, [200, 200, 304, 304]);
  });

  it('a host that fails is not taken for one without the file', async (t) => {
    const { address, requests } = await startStandIn(t, ({ url }) =>
      url === '/changelog.json'
        ? { body: { data: { versions: [{ id: 'ver_1', version: '1.0.0' }] } } }
        : { status: 500, body: '<!doctype html>' },
    );
    const client = new ChangelogClient({ baseUrl: address, static: true });
    for (const name of ['1.0.0', 'latest'])
      await assert.rejects(client.version(name), { code: 'unexpected_response', status: 500 });
    assert.equal(requests.length, 2);
  });

  it('a bucket that denies what it does not have has no such version', async (t) => {
    const { address } = await startStandIn(t, ({ url }) =>
      url === '/changelog.json'
        ? { body: { data: { versions: [] } } }
        : { status: 403, body: '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>' },
    );
    const client = new ChangelogClient({ baseUrl: address, static: true });
    await assert.rejects(client.version('1.0.0'), { code: 'not_found', status: 404 });
  });

  it('a key is refused, for it would reach a host that has no use for it', () => {
    const options = { baseUrl: 'https://acme.github.io/rocket', static: true, apiKey: 'secret' } as const;
    assert.throws(() => new ChangelogClient(options as never), {
      name: 'TypeError',
      message: 'A static site takes no apiKey.',
    });
  });
});
