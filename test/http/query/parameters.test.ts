import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { FEED_PARAMETERS, type Parameters, RANGE_PARAMETERS } from '../../../src/http/query.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { startApp, type TestApp } from '../../../support/program/app.ts';
import { apply, createKey } from '../../../support/program/command.ts';

const BASE_URL = 'https://changes.example/site/';
const PUBLIC = '/api/v1/public/teams/acme/products/rocket/changelog';
const TEAM = '/api/v1/teams/acme/products/rocket/changelog';

const scope = sharedScope();
let app: TestApp;
let queries: unknown[];
let key: string;
before(async () => {
  const sandbox = { folder: temporaryFolder(scope) };
  const version = (label: string, day: number, type: string, title = '', status = 'published') => ({
    version: label,
    title,
    status,
    publishedAt: `2026-05-0${day}T09:00:00.000Z`,
    changes: [{ type, text: `About ${label}.` }],
  });
  await apply(sandbox, {
    team: { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' },
    products: [
      {
        slug: 'rocket',
        name: 'Rocket',
        status: 'published',
        changelog: {
          status: 'published',
          versions: [
            version('3.0.0', 6, 'added', 'Hidden', 'draft'),
            version('1.4.1', 5, 'security', 'A fix for those who stay'),
            version('2.1.0', 4, 'added', 'Faster launches'),
            version('2.0.0', 3, 'removed', 'Two'),
            version('2.0.0-rc.1', 2, 'changed', 'Nearly two'),
            version('v1.4.0', 1, 'fixed', 'One'),
          ],
        },
      },
      { slug: 'secret', name: 'Secret', status: 'draft', changelog: { status: 'published' } },
    ],
  });
  ({ key } = await createKey(sandbox, 'acme', '--kind', 'FULL'));
  const started = await startApp(scope, sandbox, { BASE_URL });
  ({ app, queries } = started);
});

const ask = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });
const labels = async (query: string) =>
  (await ask(PUBLIC + query)).json().data.versions.map(({ version }: { version: string }) => version);
const ALL = ['1.4.1', '2.1.0', '2.0.0', '2.0.0-rc.1', 'v1.4.0'];

/** Invalid values of each parameter. */
const WRONG: Record<keyof typeof FEED_PARAMETERS, readonly string[]> = {
  limit: ['', '0', '-1', '101', '1.5', '1e1', '01', ' 1', 'ten', '999999999999999999999', '%31%00'],
  cursor: ['', '!', 'x', 'AAAAAAAAAAAAAAAAAAAAAA', 'eyJhIjoxfQ', 'a'.repeat(401), '%00'],
  since: [
    '',
    'yesterday',
    '2026',
    '2026-13-01',
    '2026-02-30',
    '2026-05-04T25:00:00Z',
    '2026-05-04T09:00',
    '1',
  ],
  until: ['', 'tomorrow', '2026-5-4', '2026-00-10', '2026-05-04T09:00:00', '20260504', '٢٠٢٦-٠٥-٠٤'],
  from: ['', 'spring', '1.2.3.4', '1..2', '2026-05-04', '1.0.0-', 'v', '1.0.0 beta', '9'.repeat(129)],
  to: ['', 'latest', 'ver_1', '1.x', '%00'],
  type: ['', 'ADDED', 'new', 'added,', ',fixed', 'added, fixed', 'added;fixed', 'added,new', 'breaking'],
  breaking: ['', '00', '2', 'TRUE', 'yes', 'null', 'true,false', 'constructor'],
  prerelease: ['', '00', '2', 'FALSE', 'no', 'null', 'true,false', 'constructor'],
  q: ['', '%20', '%20%09', 'a'.repeat(501)],
  include: ['', 'change', 'versions', 'changes,team', 'CHANGES'],
};

const namesOf = <T extends Parameters>(parameters: T) => Object.keys(parameters) as (keyof T)[];

describe('an invalid value of a parameter', () => {
  for (const name of namesOf(FEED_PARAMETERS)) {
    it(`an invalid value of ${name} is 400, with a message that names the parameter`, async () => {
      for (const value of WRONG[name]) {
        const response = await ask(`${PUBLIC}?${name}=${value}`);
        assert.equal(response.statusCode, 400, value);
        assert.deepEqual(Object.keys(response.json().error), ['code', 'message']);
        assert.equal(response.json().error.code, 'bad_request');
        assert.match(response.json().error.message, new RegExp(`^The query parameter ${name} must be `));
        assert.equal(response.headers['cache-control'], 'no-store');
      }
    });
  }

  it('an invalid value is 400 on the range route too, for its own parameters', async () => {
    for (const name of namesOf(RANGE_PARAMETERS))
      for (const value of WRONG[name])
        assert.equal((await ask(`${PUBLIC}/changes?${name}=${value}`)).statusCode, 400, `${name}=${value}`);
    assert.equal((await ask(`${PUBLIC}/changes?limit=0&q=&cursor=!`)).statusCode, 200);
  });

  it('a second value is 400, except for a parameter that may be repeated', async () => {
    for (const [name, parameter] of Object.entries(FEED_PARAMETERS)) {
      const { example, repeatable } = parameter as { example: string; repeatable?: true };
      const { statusCode } = await ask(`${PUBLIC}?${name}=${example}&${name}=${example}`);
      assert.equal(statusCode, repeatable ? 200 : 400, name);
    }
  });

  it('type[] and type[n] filter like type, on both surfaces and on the range route, and share its response', async () => {
    const authorization = `Bearer ${key}`;
    for (const url of [PUBLIC, TEAM, `${PUBLIC}/changes`, `${TEAM}/changes`]) {
      const plain = await ask(`${url}?type=fixed&type=removed`, { authorization });
      queries.length = 0;
      for (const query of ['type[]=fixed&type[]=removed', 'type[0]=removed&type%5B1%5D=fixed'])
        assert.deepEqual((await ask(`${url}?${query}`, { authorization })).headers.etag, plain.headers.etag);
      assert.equal(queries.length, 0, 'it is cached');
    }
    assert.deepEqual(await labels('?type[]=fixed&type[]=removed'), ['2.0.0', 'v1.4.0']);
  });

  it('comma-separated lists, and booleans as numbers or as in Python, share the response of the plain form, and its links', async () => {
    const authorization = `Bearer ${key}`;
    for (const url of [PUBLIC, TEAM, `${PUBLIC}/changes`, `${TEAM}/changes`])
      for (const [plain, ...others] of [
        [
          'type=fixed&type=removed',
          'type=fixed,removed',
          'type=removed%2Cfixed',
          'type[]=removed,fixed&type=fixed',
        ],
        ['prerelease=false&limit=1', 'limit=1&prerelease=0', 'prerelease=False&limit=1'],
        ['limit=1', 'limit=1&prerelease=1', 'limit=1&prerelease=True', 'limit=1&prerelease=true'],
      ]) {
        const { headers } = await ask(`${url}?${plain}`, { authorization });
        queries.length = 0;
        for (const query of others) {
          const same = await ask(`${url}?${query}`, { authorization });
          assert.deepEqual([same.headers.etag, same.headers.link], [headers.etag, headers.link], query);
        }
        assert.equal(queries.length, 0, 'it is cached');
      }
    assert.deepEqual(await labels('?type=fixed,removed'), ['2.0.0', 'v1.4.0']);
    assert.deepEqual(await labels('?prerelease=0'), ['1.4.1', '2.1.0', '2.0.0', 'v1.4.0']);
  });

  it('a near miss of a parameter name is 400 and names the parameter, before anything is looked up (R47)', async () => {
    queries.length = 0;
    for (const url of [PUBLIC, `${PUBLIC}/changes`, PUBLIC.replace('rocket', 'secret')])
      for (const query of ['tpye=fixed', 'types=fixed', 'Type=fixed', 'typ=', 'types[]=fixed']) {
        const { statusCode, body } = await ask(`${url}?${query}`);
        assert.equal(statusCode, 400, query);
        assert.equal(
          JSON.parse(body).error.message,
          'The query has an unknown parameter. Did you mean type?',
        );
      }
    assert.equal(queries.length, 0);
    assert.equal((await ask(`${PUBLIC}/changes?limt=1`)).statusCode, 200, 'limit is not one of this route');
    assert.equal((await ask(`${PUBLIC}/versions/latest?tpye=1`)).statusCode, 200);
    assert.equal((await ask(`${TEAM}?tpye=1`)).statusCode, 401, 'the key comes first');
  });

  it('an invalid value is reported after the key is checked and before anything is looked up', async () => {
    assert.equal((await ask(`${TEAM}?limit=0`)).statusCode, 401);
    const holder = { authorization: `Bearer ${key}` };
    assert.equal((await ask(`${TEAM.replace('acme', 'others')}?limit=0`, holder)).statusCode, 403);
    assert.equal((await ask(`${TEAM}?limit=0`, holder)).statusCode, 400);
    assert.equal((await ask(`${PUBLIC.replace('rocket', 'Not-a-slug')}?limit=0`)).statusCode, 404);
    const [hidden, missing] = [PUBLIC.replace('rocket', 'secret'), PUBLIC.replace('rocket', 'none')];
    for (const url of [hidden, missing]) assert.equal((await ask(`${url}?limit=0`)).statusCode, 400);
    for (const url of [hidden, missing]) assert.equal((await ask(`${url}?limit=1`)).statusCode, 404);
  });
});

describe('a parameter', () => {
  const finds: Record<string, readonly string[]> = {
    '?limit=2': ['1.4.1', '2.1.0'],
    '?limit=100': ALL,
    '?since=2026-05-03': ['1.4.1', '2.1.0', '2.0.0'],
    '?since=2026-05-03T09:00:00Z': ['1.4.1', '2.1.0', '2.0.0'],
    '?since=2026-05-03T09:00:00.001Z': ['1.4.1', '2.1.0'],
    '?since=2026-05-03T11:00:00%2B02:00': ['1.4.1', '2.1.0', '2.0.0'],
    '?since=2026-05-03T11:00:00+02:00': ['1.4.1', '2.1.0', '2.0.0'],
    '?until=2026-05-02': ['2.0.0-rc.1', 'v1.4.0'],
    '?until=2026-05-02T09:00:00.000Z': ['2.0.0-rc.1', 'v1.4.0'],
    '?until=2026-05-02T08:59:59.999Z': ['v1.4.0'],
    '?from=1.4.0': ['1.4.1', '2.1.0', '2.0.0', '2.0.0-rc.1'],
    '?from=v1.4': ['1.4.1', '2.1.0', '2.0.0', '2.0.0-rc.1'],
    '?from=1.4.1&to=2.0.0': ['2.0.0', '2.0.0-rc.1'],
    '?from=1.4.1&to=2.0.0&prerelease=false': ['2.0.0'],
    '?to=2.0.0-rc.1': ['1.4.1', '2.0.0-rc.1', 'v1.4.0'],
    '?from=9.9.9': [],
    '?from=2.0.0&to=1.0.0': [],
    '?type=security': ['1.4.1'],
    '?type=added&type=removed': ['2.1.0', '2.0.0'],
    '?type=deprecated': [],
    '?prerelease=true': ALL,
    '?prerelease=false': ['1.4.1', '2.1.0', '2.0.0', 'v1.4.0'],
    '?q=faster': ['2.1.0'],
    '?q=FASTER+Launches': ['2.1.0'],
    '?q=launch': ['2.1.0'],
    '?q=aunches': [],
    '?q=2.1.0': ['2.1.0'],
    '?q=about+two': ['2.0.0', '2.0.0-rc.1'],
    '?q=hidden': [],
    '?q=!!!': [],
    '?q=%22': [],
    '?q=faster%22+OR+%22two': [],
  };
  for (const [query, found] of Object.entries(finds)) {
    it(`${decodeURIComponent(query)} finds ${found.join(', ') || 'nothing'}`, async () => {
      assert.deepEqual(await labels(query), found);
    });
  }

  it('an unknown parameter is ignored, and causes no query', async () => {
    const { body, headers } = await ask(PUBLIC);
    const asked = queries.length;
    for (const query of [
      '?',
      '?x=1',
      '?limit[]=0',
      '?utm_source=%FF&&=&',
      '?prerelease=true',
      '?api_key=k',
    ]) {
      const response = await ask(PUBLIC + query);
      assert.equal(response.body, body, query);
      assert.equal(response.headers.etag, headers.etag, query);
    }
    assert.equal(queries.length, asked);
  });

  it('equal queries share one response and ETag, whatever the order of their parameters', async () => {
    const same = [
      '?limit=2&type=added&type=security&q=about%20a&since=2026-05-01',
      '?since=2026-05-01&q=about+a&type=security&type=added&limit=2',
      '?q=%61bout%20a&x=y&since=2026-05-01&limit=%32&type=added&type=security&type=added',
      '?prerelease=true&breaking=0&q=about+a&type[]=security,%61dded&limit=2&since=2026-05-01',
    ];
    const first = await ask(PUBLIC + same[0]);
    assert.equal(first.json().data.versions.length, 2);
    const asked = queries.length;
    for (const query of same.slice(1)) {
      const { body, headers } = await ask(PUBLIC + query);
      assert.equal(body, first.body);
      assert.equal(headers.etag, first.headers.etag);
    }
    assert.equal(queries.length, asked);
  });
});

describe('include=changes', () => {
  it('include=changes returns each version as the version route does, on both surfaces', async () => {
    for (const [url, headers] of [
      [PUBLIC, {}],
      [TEAM, { authorization: `Bearer ${key}` }],
    ] as const) {
      const { versions } = (await ask(`${url}?include=changes`, headers)).json().data;
      assert.equal(versions.length, url === PUBLIC ? 5 : 6);
      for (const version of versions)
        assert.deepEqual((await ask(`${url}/versions/${version.id}`, headers)).json().data, version);
    }
  });
});

describe('the Link of a page', () => {
  it('the Link of a page begins with BASE_URL, keeps all parameters, and leads through all pages', async () => {
    const seen: string[] = [];
    let url = `${PUBLIC}?x=1&q=about&limit=2`;
    for (let page = 1; ; page++) {
      const response = await ask(url);
      seen.push(...response.json().data.versions.map(({ version }: { version: string }) => version));
      const { link } = response.headers;
      assert.equal(link === undefined, page === 3);
      if (link === undefined) break;
      const [, next = ''] =
        /^<https:\/\/changes\.example\/site(\/api\/.+)>; rel="next"$/.exec(String(link)) ?? [];
      assert.match(next, /\?q=about&limit=2&cursor=[\w-]+$/);
      url = next;
    }
    assert.deepEqual(seen, ALL);
  });

  it('the Link of a page is absent on the last page, and part of the ETag', async () => {
    const [page, all] = [await ask(`${PUBLIC}?limit=4&to=2.1.0`), await ask(`${PUBLIC}?to=2.1.0`)];
    assert.ok(page.headers.link);
    assert.equal(all.headers.link, undefined);
    const unchanged = await ask(`${PUBLIC}?limit=4&to=2.1.0`, { 'if-none-match': String(page.headers.etag) });
    assert.equal(unchanged.statusCode, 304);
    assert.equal(unchanged.headers.link, page.headers.link);
  });

  it('the cursor in a Link is valid for its own URL and filter only, with any limit', async () => {
    const { link } = (await ask(`${PUBLIC}?limit=1&type=added&type=removed`)).headers;
    const cursor = /cursor=([\w-]+)/.exec(String(link))?.[1];
    assert.deepEqual(await labels(`?limit=9&type=removed&type=added&cursor=${cursor}`), ['2.0.0']);
    assert.deepEqual(await labels(`?type=removed&type=added&cursor=${cursor}`), ['2.0.0']);
    for (const query of [
      `?cursor=${cursor}`,
      `?type=added&cursor=${cursor}`,
      `?type=added&type=removed&q=a&cursor=${cursor}`,
    ])
      assert.equal((await ask(PUBLIC + query)).statusCode, 400, query);
    const holder = { authorization: `Bearer ${key}` };
    assert.equal((await ask(`${TEAM}?type=removed&type=added&cursor=${cursor}`, holder)).statusCode, 400);
  });
});
