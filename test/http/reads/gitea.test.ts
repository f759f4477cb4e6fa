import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { releaseNumber } from '../../../src/domain/release-number.ts';
import type { GiteaRelease, GiteaTag } from '../../../src/present/gitea/records.ts';
import { ACME, HIDDEN } from '../../../support/content/world.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { startApp, type TestApp } from '../../../support/program/app.ts';
import { apply, createKey, type Sandbox } from '../../../support/program/command.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const REPO = '/api/v1/repos/acme/rocket';
const BASE_URL = 'https://changes.example.com';

describe('releases and tags of Gitea (R57)', () => {
  const suite = suiteWithWorld({ BASE_URL });
  const read = async (url: string, key?: string) => {
    const headers = key === undefined ? {} : { authorization: `token ${key}` };
    return await suite.app.inject({ url, headers });
  };
  const labels = (releases: readonly GiteaRelease[]) => releases.map(({ tag_name }) => tag_name);

  it('a release has the fields of Gitea, and its body is the notes', async () => {
    const [release] = (await read(`${REPO}/releases`)).json();
    const id = releaseNumber('ver_210');
    assert.deepEqual(release, {
      id,
      tag_name: '2.1.0',
      target_commitish: '2.1.0',
      name: 'Faster launches',
      body: 'Optional *Markdown*.\n\n### Breaking changes\n\n- **Removed:** The fuse. <script>alert(1)</script>\n\n### Added\n\n- A countdown, in *Markdown*.\n',
      url: `${BASE_URL}${REPO}/releases/${id}`,
      html_url: `${BASE_URL}/changelog/acme/rocket/versions/2.1.0`,
      tarball_url: '',
      zipball_url: '',
      upload_url: '',
      draft: false,
      prerelease: false,
      created_at: '2026-05-04T09:00:00.000Z',
      published_at: '2026-05-04T09:00:00.000Z',
      author: { id: 0, login: 'acme', full_name: 'Acme', email: '', avatar_url: '', username: 'acme' },
      assets: [],
    });
    for (const name of ['latest', 'tags/2.1.0', 'tags/v2.1.0', id])
      assert.deepEqual((await read(`${REPO}/releases/${name}`)).json(), release, String(name));
  });

  it('a product is a repository that has releases', async () => {
    const record = {
      id: releaseNumber('cl_rocket'),
      owner: { id: 0, login: 'acme', full_name: 'Acme', email: '', avatar_url: '', username: 'acme' },
      name: 'rocket',
      full_name: 'acme/rocket',
      description: 'Rocket',
      url: `${BASE_URL}${REPO}`,
      html_url: `${BASE_URL}/changelog/acme/rocket`,
      website: '',
      default_branch: '',
      private: false,
      archived: false,
      has_releases: true,
      release_counter: 2,
      updated_at: '2026-05-04T09:00:00.000Z',
      permissions: { admin: false, push: false, pull: true },
    };
    const { id, ...shown } = (await read(REPO)).json();
    assert.deepEqual({ ...shown, id: record.id }, record);
    assert.ok(Number.isSafeInteger(id) && id > 2 ** 52);
    for (const key of [suite.world.full, suite.world.select])
      assert.deepEqual((await read(REPO, key)).json(), { id, ...shown });
  });

  it('a repository says whether it is private and locked, which only a key can read', async () => {
    for (const [url, key, expected] of [
      ['/api/v1/repos/acme/secret', suite.world.full, [true, false]],
      ['/api/v1/repos/acme/frozen', suite.world.full, [true, true]],
      ['/api/v1/repos/acme/quiet', suite.world.full, [true, false]],
      ['/api/v1/repos/acme/still', suite.world.full, [true, true]],
      ['/api/v1/repos/vault/rocket', suite.world.vault, [true, false]],
      ['/api/v1/repos/acme/new', undefined, [false, false]],
    ] as const) {
      const { private: isPrivate, archived, ...others } = (await read(url, key)).json();
      assert.deepEqual([isPrivate, archived], expected, url);
      assert.equal(others.release_counter === 0, others.updated_at === '0001-01-01T00:00:00.000Z', url);
      if (key !== undefined) assert.equal((await read(url)).statusCode, 404, url);
    }
  });

  it('a tag has a name and something like a commit', async () => {
    const [tag, other] = (await read(`${REPO}/tags`)).json() as GiteaTag[];
    assert.match(String(tag?.commit.sha), /^[0-9a-f]{40}$/);
    assert.notEqual(tag?.id, other?.id);
    assert.deepEqual(tag, {
      name: '2.1.0',
      message: 'Faster launches',
      id: tag?.commit.sha,
      commit: {
        sha: tag?.commit.sha,
        created: '2026-05-04T09:00:00.000Z',
        url: `${BASE_URL}/changelog/acme/rocket/versions/2.1.0`,
      },
      tarball_url: '',
      zipball_url: '',
    });
    assert.deepEqual((await read(`${REPO}/tags/2.1.0`)).json(), tag);
  });

  it('only published versions are listed, with a key too', async () => {
    for (const key of [undefined, suite.world.full, suite.world.select]) {
      const response = await read(`${REPO}/releases`, key);
      assert.deepEqual(labels(response.json()), ['2.1.0', '1.0.0']);
      assert.equal(response.headers['x-total-count'], '2');
      assert.ok(!response.body.includes(HIDDEN));
      for (const name of ['releases/tags/3.0.0', 'tags/3.0.0', `releases/${releaseNumber('ver_300')}`])
        assert.equal((await read(`${REPO}/${name}`, key)).statusCode, 404, name);
    }
  });

  it('with a key, hidden products are shown; without one, they look as if they did not exist', async () => {
    const below = [
      ...['', 'releases', 'tags', 'releases/latest', 'releases/tags/1.0.0', 'tags/1.0.0'],
      ...['secret', 'frozen', 'quiet', 'still'].map((slug) => `releases/${releaseNumber(`ver_${slug}`)}`),
    ];
    const missing = (await read('/api/v1/repos/nobody/nothing/releases')).body;
    for (const slug of ['secret', 'frozen', 'quiet', 'still']) {
      const own = below.filter(
        (name) => !/\/\d+$/.test(name) || name.endsWith(`/${releaseNumber(`ver_${slug}`)}`),
      );
      for (const name of own) {
        const url = `/api/v1/repos/acme/${slug}${name && `/${name}`}`;
        const hidden = await read(url);
        assert.deepEqual([hidden.statusCode, hidden.body], [404, missing], url);
        assert.equal((await read(url, suite.world.full)).statusCode, 200, url);
        assert.equal((await read(url)).statusCode, 404, 'the cache must not mix the surfaces');
        const foreign = await read(url, suite.world.select);
        assert.deepEqual([foreign.statusCode, foreign.body], [404, missing], url);
      }
    }
    assert.equal((await read('/api/v1/repos/vault/rocket/releases', suite.world.full)).statusCode, 404);
    assert.equal((await read('/api/v1/repos/vault/rocket/releases', suite.world.vault)).statusCode, 200);
    assert.equal((await read('/api/v1/repos/nobody/rocket/releases', suite.world.full)).statusCode, 404);
    assert.equal((await read('/api/v1/repos/acme/nothing/releases', suite.world.full)).statusCode, 404);
    assert.equal((await read('/api/v1/repos/acme/bare/releases', suite.world.full)).statusCode, 404);
    assert.equal((await read(`${REPO}/releases`, suite.world.disabled)).statusCode, 401);
  });

  it('a key of another team reads what is public as anyone does: the same bytes, counted, cacheable', async (t) => {
    const { app } = await startApp(t, suite.sandbox, { BASE_URL, PUBLIC_RATE_LIMIT: '3' });
    const url = `${REPO}/releases`;
    const ask = async (key: string) =>
      await app.inject({ url, headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'br' } });
    const anyone = await app.inject({ url, headers: { 'accept-encoding': 'br' } });
    const foreign = await ask(suite.world.vault);
    assert.deepEqual([anyone.headers.ratelimit, foreign.headers.ratelimit].map(left), ['2', '1']);
    assert.deepEqual(comparable(foreign), comparable(anyone));
    assert.equal(foreign.headers['cache-control'], 'public, max-age=30');
    assert.equal((await ask(suite.world.full)).headers.ratelimit, undefined);
    await ask(suite.world.vault);
    const refused = await ask(suite.world.vault);
    assert.deepEqual([refused.statusCode, refused.json().error.code], [429, 'rate_limited']);
    assert.equal((await ask(suite.world.full)).statusCode, 200);
    assert.equal((await ask(suite.world.disabled)).statusCode, 401);
  });

  it('a changelog without versions has empty lists and no latest release', async () => {
    for (const list of ['releases', 'tags']) {
      const { statusCode, body, headers } = await read(`/api/v1/repos/acme/new/${list}`);
      assert.deepEqual(
        [statusCode, body, headers['x-total-count'], headers.link],
        [200, '[]', '0', undefined],
      );
    }
    assert.equal((await read('/api/v1/repos/acme/new/releases/latest')).statusCode, 404);
  });

  it('names that cannot exist are 404, without a query for numbers', async () => {
    for (const name of [
      'releases/x',
      'releases/-1',
      'releases/1.5',
      'releases/12345678901234567',
      'releases/0',
    ])
      assert.equal((await read(`${REPO}/${name}`)).statusCode, 404, name);
    for (const name of [
      'releases/tags/ver_210',
      'tags/latest',
      'tags/%00',
      'tags/%ff',
      'tags//x',
      'tags/',
      'releases/',
    ])
      assert.equal((await read(`${REPO}/${name}`)).statusCode, 404, name);
    assert.equal((await read('/api/v1/repos/ACME/rocket/releases')).statusCode, 404);
  });

  it('a list has ETag, 304, HEAD, OPTIONS and compression, like everything else', async () => {
    const url = `${REPO}/releases?draft=false`;
    const { headers } = await read(url);
    const again = await suite.app.inject({ url, headers: { 'if-none-match': String(headers.etag) } });
    assert.equal(again.statusCode, 304);
    assert.equal(again.headers['x-total-count'], '2');
    const head = await suite.app.inject({ url, method: 'HEAD' });
    assert.deepEqual([head.statusCode, head.headers['content-length']], [200, headers['content-length']]);
    assert.equal((await suite.app.inject({ url, method: 'OPTIONS' })).statusCode, 204);
    const compressed = await suite.app.inject({ url, headers: { 'accept-encoding': 'br' } });
    assert.equal(compressed.headers['content-encoding'], 'br');
    assert.deepEqual(headers.vary, ['Authorization', 'Accept-Encoding']);
  });
});

const left = (ratelimit: unknown) => /r=(\d+)/.exec(String(ratelimit))?.[1];

function comparable({ statusCode, body, headers }: Awaited<ReturnType<TestApp['inject']>>) {
  const { date, ratelimit, 'x-request-id': id, ...others } = headers;
  return { statusCode, body, headers: others };
}

describe('pages of releases', () => {
  const scope = sharedScope();
  const sandbox: Sandbox = { folder: temporaryFolder(scope) };
  const LABELS = ['6.0.0-rc.1', '5.0.0', '4.0.0', '3.0.0-beta', 'release/2', 'spring release', '1.0.0'];
  let app: TestApp;
  let key: string;

  before(async () => {
    const [product] = ACME.products;
    const versions = LABELS.map((version, index) => ({
      version,
      title: '',
      status: 'published',
      publishedAt: `2026-01-${20 - index}`,
    }));
    const many = Array.from({ length: 61 }, (_, index) => ({
      version: `1.${60 - index}.0`,
      title: '',
      status: 'published',
      publishedAt: new Date(Date.UTC(2026, 0, 61 - index)).toISOString(),
    }));
    await apply(sandbox, {
      ...ACME,
      products: [
        { ...product, changelog: { status: 'published', versions } },
        {
          slug: 'many',
          name: 'Many',
          status: 'published',
          changelog: { status: 'published', versions: many },
        },
      ],
    });
    key = (await createKey(sandbox, 'acme', '--kind', 'FULL')).key;
    ({ app } = await startApp(scope, sandbox, { BASE_URL }));
  });

  const list = async (query: string, of = 'releases') => {
    const { statusCode, headers, ...response } = await app.inject(`${REPO}/${of}${query}`);
    assert.equal(statusCode, 200, query);
    const names = response.json().map((item: GiteaRelease & GiteaTag) => item.tag_name ?? item.name);
    return { names, total: headers['x-total-count'], link: headers.link };
  };
  const linkTo = (relation: string, query: string) =>
    `<${BASE_URL}${REPO}/releases?${query}>; rel="${relation}"`;

  it('pages are numbered, and link to each other as those of Gitea do', async () => {
    assert.deepEqual(await list(''), { names: LABELS, total: '7', link: undefined });
    assert.deepEqual(await list('', 'tags'), { names: LABELS, total: '7', link: undefined });
    assert.deepEqual(await list('?limit=3'), {
      names: LABELS.slice(0, 3),
      total: '7',
      link: [linkTo('next', 'limit=3&page=2'), linkTo('last', 'limit=3&page=3')].join(', '),
    });
    assert.deepEqual(await list('?page=2&limit=3&draft=false'), {
      names: LABELS.slice(3, 6),
      total: '7',
      link: [
        linkTo('next', 'page=3&limit=3&draft=false'),
        linkTo('last', 'page=3&limit=3&draft=false'),
        linkTo('first', 'page=1&limit=3&draft=false'),
        linkTo('prev', 'page=1&limit=3&draft=false'),
      ].join(', '),
    });
    assert.deepEqual((await list('?page=3&limit=3')).names, LABELS.slice(6));
    assert.deepEqual(await list('?page=10000&limit=3'), {
      names: [],
      total: '7',
      link: [linkTo('first', 'page=1&limit=3'), linkTo('prev', 'page=3&limit=3')].join(', '),
    });
    assert.deepEqual((await list('?page=2&limit=5', 'tags')).names, LABELS.slice(5));
  });

  it('page 0, with which updatecli begins, and less are the first page', async () => {
    for (const page of ['0', '-1', '00', '-99'])
      assert.deepEqual(await list(`?limit=3&page=${page}`), await list('?limit=3&page=1'), page);
  });

  it('limit is read as in Gitea: 0 or less is 30, and more than 50 is 50', async () => {
    for (const [given, length] of [
      ['', 30],
      ['limit=0', 30],
      ['limit=-1', 30],
      ['limit=50', 50],
      ['limit=51', 50],
      ['limit=1000', 50],
    ] as const)
      for (const kind of ['releases', 'tags']) {
        const url = `/api/v1/repos/acme/many/${kind}`;
        const { statusCode, headers, ...response } = await app.inject(`${url}?${given}`);
        assert.deepEqual([statusCode, headers['x-total-count']], [200, '61'], given);
        assert.equal(response.json().length, length, given);
        const [next] = String(headers.link).match(/(?<=<)[^>]+/) ?? [];
        const second = (await app.inject(String(next).slice(BASE_URL.length))).json();
        assert.equal(second[0].tag_name ?? second[0].name, `1.${60 - length}.0`, given);
      }
  });

  it('pre-release and draft filter', async () => {
    const prereleases = ['6.0.0-rc.1', '3.0.0-beta'];
    const others = LABELS.filter((label) => !prereleases.includes(label));
    assert.deepEqual(await list('?pre-release=true'), { names: prereleases, total: '2', link: undefined });
    assert.deepEqual(await list('?pre-release=false'), { names: others, total: '5', link: undefined });
    assert.deepEqual((await list('?pre-release=false&limit=2&page=3')).names, others.slice(4));
    assert.deepEqual(await list('?draft=true'), { names: [], total: '0', link: undefined });
    assert.deepEqual((await list('?draft=false')).names, LABELS);
  });

  it('a value out of range is 400 and names the parameter', async () => {
    for (const [query, name] of [
      ['page=10001', 'page'],
      ['page=x', 'page'],
      ['page=1.5', 'page'],
      ['page=--1', 'page'],
      ['limit=', 'limit'],
      ['limit=x', 'limit'],
      ['limit=1e1', 'limit'],
      ['draft=maybe', 'draft'],
      ['pre-release=2', 'pre-release'],
      ['prerelease=true', 'pre-release'],
    ] as const) {
      const response = await app.inject(`${REPO}/releases?${query}`);
      assert.equal(response.statusCode, 400, query);
      assert.match(response.json().error.message, new RegExp(`\\b${name}\\b`), query);
    }
    assert.equal((await app.inject(`${REPO}/tags?pre-release=2&q=x&state=all`)).statusCode, 200);
  });

  it('labels with slashes and spaces are found, encoded or not, with and without a key', async () => {
    for (const name of ['release/2', 'release%2F2', 'release%2f2', 'spring%20release'])
      for (const headers of [{}, { authorization: `token ${key}` }])
        for (const kind of ['releases/tags', 'tags']) {
          const response = await app.inject({ url: `${REPO}/${kind}/${name}`, headers });
          assert.equal(response.statusCode, 200, name);
          const { tag_name, name: tag } = response.json();
          assert.equal(tag_name ?? tag, decodeURIComponent(name));
        }
    const [untitled] = (await app.inject(`${REPO}/releases`)).json();
    assert.deepEqual([untitled.name, untitled.body], ['6.0.0-rc.1', '']);
    assert.equal((await app.inject(`${REPO}/releases/latest`)).json().tag_name, '5.0.0');
  });

  it('another number of releases gives a page another ETag', async () => {
    const before = await app.inject(`${REPO}/releases?limit=1`);
    const versions = [{ version: '0.1.0', title: '', status: 'published', publishedAt: '2020-01-01' }];
    const [product] = ACME.products;
    await apply(sandbox, {
      ...ACME,
      products: [{ ...product, changelog: { status: 'published', versions } }],
    });
    let after = await app.inject(`${REPO}/releases?limit=1`);
    for (; after.headers['x-total-count'] === '7'; after = await app.inject(`${REPO}/releases?limit=1`));
    assert.equal(after.body, before.body);
    assert.notEqual(after.headers.etag, before.headers.etag);
  });
});
