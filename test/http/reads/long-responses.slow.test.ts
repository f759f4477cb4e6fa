// R51: long responses are paged, or are 400 with advice to narrow them.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { startApp, type TestApp } from '../../../support/program/app.ts';
import { apply, createKey } from '../../../support/program/command.ts';

const TOO_LONG =
  /^\{"error":\{"code":"bad_request","message":"The range has more than 500 versions, 5000 changes or 2 MB of text\. Narrow it with from, to or type\."\}\}$/;

const scope = sharedScope();
let app: TestApp;
let queries: unknown[];
let holder: Record<string, string>;

const change = (text: string, type = 'added') => ({ type, text });
const version = (number: number, changes: object[]) => ({
  id: `ver_${number}`,
  version: `1.${number}.0`,
  title: '',
  status: 'published',
  publishedAt: new Date(Date.UTC(2020, 0, 1 + number)).toISOString(),
  changes,
});
const product = (slug: string, versions: object[]) => ({
  slug,
  name: slug,
  status: 'published',
  changelog: { id: `cl_${slug}`, status: 'published', versions },
});
const withPrefix = (prefix: string, versions: ReturnType<typeof version>[]) =>
  versions.map((one) => ({ ...one, id: `${one.id}_${prefix}` }));
const many = (count: number, text: (number: number) => string) =>
  Array.from({ length: count }, (_, number) => change(text(number)));

before(async () => {
  const sandbox = { folder: temporaryFolder(scope) };
  const long = Array.from({ length: 501 }, (_, number) =>
    version(number, [change(`*Change* ${number}`), ...(number % 250 === 0 ? [change('x', 'security')] : [])]),
  );
  const wide = [
    version(
      3,
      many(1, () => 'small'),
    ),
    version(
      2,
      many(3_000, (number) => `c${number}`),
    ),
    version(
      1,
      many(2_000, (number) => `b${number}`),
    ),
    version(
      0,
      many(5_001, (number) => `a${number}`),
    ),
  ];
  const heavy = Array.from({ length: 4 }, (_, number) =>
    version(number, [
      ...many(5, (place) => `${number} ${place}${'word '.repeat(19_999)}`),
      ...many(3, (place) => `${place}${'é'.repeat(83_333)}`),
    ]),
  );
  await apply(sandbox, {
    team: { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' },
    products: [
      product('long', withPrefix('long', long)),
      product('wide', withPrefix('wide', wide)),
      product('heavy', withPrefix('heavy', heavy)),
    ],
  });
  const { key } = await createKey(sandbox, 'acme', '--kind', 'FULL');
  holder = { authorization: `Bearer ${key}` };
  ({ app, queries } = await startApp(scope, sandbox));
});

const SURFACES = [
  ['public', '/public'],
  ['team', ''],
] as const;

async function get(path: string, surface = '/public') {
  const headers = surface === '' ? holder : {};
  return await app.inject({
    url: path.startsWith('/api') ? path : `/api/v1${surface}/teams/acme/products/${path}`,
    headers,
  });
}

const nextOf = (link: unknown) => /^<http:\/\/[^/]+(\/[^>]+)>; rel="next"$/.exec(String(link))?.[1];

/** All pages, found by their links. */
async function pages(first: string, surface?: string): Promise<{ version: string; changes: unknown[] }[][]> {
  const found = [];
  for (let path: string | undefined = first; path !== undefined; ) {
    const response = await get(path, surface);
    assert.equal(response.statusCode, 200, response.body.slice(0, 300));
    found.push(response.json().data.versions);
    path = nextOf(response.headers.link);
  }
  return found;
}

for (const [name, surface] of SURFACES) {
  describe(`include=changes on the ${name} surface`, () => {
    it(`include=changes without limit returns pages of 100 versions, linked up to the last (${name})`, async () => {
      const found = await pages('long/changelog?include=changes', surface);
      assert.deepEqual(
        found.map((page) => page.length),
        [100, 100, 100, 100, 100, 1],
      );
      assert.deepEqual(
        found.flat().map(({ version }) => version),
        Array.from({ length: 501 }, (_, index) => `1.${500 - index}.0`),
      );
    });

    it(`include=changes returns each version as the version route does (${name})`, async () => {
      const [first] = (await get('long/changelog?include=changes&limit=1', surface)).json().data.versions;
      const { data } = (await get('long/changelog/versions/1.500.0', surface)).json();
      assert.deepEqual(first, data);
    });

    it(`a page ends before the version that would exceed 5,000 changes (${name})`, async () => {
      const found = await pages('wide/changelog?include=changes', surface);
      assert.deepEqual(
        found.map((page) => page.map(({ version, changes }) => [version, changes.length])),
        [
          [
            ['1.3.0', 1],
            ['1.2.0', 3_000],
          ],
          [['1.1.0', 2_000]],
          // It exceeds the limit by itself, but is shown nevertheless.
          [['1.0.0', 5_001]],
        ],
      );
    });

    it(`a page ends before the version that would exceed 2 MB of text (${name})`, async () => {
      const found = await pages('heavy/changelog?include=changes', surface);
      assert.deepEqual(
        found.map((page) => page.length),
        [2, 2],
      );
    });
  });

  describe(`a range on the ${name} surface`, () => {
    it(`a range may have 500 versions, and one more is 400 with advice to narrow it (${name})`, async () => {
      const whole = await get('long/changelog/changes?from=1.0.0', surface);
      assert.equal(whole.json().data.changeCount, 500 + 2);
      const { statusCode, body } = await get('long/changelog/changes', surface);
      assert.equal(statusCode, 400);
      assert.match(body, TOO_LONG);
    });

    it(`a range counts only the versions that match its parameters (${name})`, async () => {
      const { data } = (await get('long/changelog/changes?type=security', surface)).json();
      assert.deepEqual(
        data.groups.map((group: { type: string; changes: unknown[] }) => [group.type, group.changes.length]),
        [['security', 3]],
      );
    });

    it(`a range may have 5,000 changes, and one more is 400 (${name})`, async () => {
      const { data } = (await get('wide/changelog/changes?from=1.0.0&to=1.2.0', surface)).json();
      assert.equal(data.changeCount, 5_000);
      assert.deepEqual([data.groups[0].changes[0].text, data.groups[0].changes.at(-1).text], ['c0', 'b1999']);
      for (const query of ['?from=1.0.0', '?to=1.0.0', '']) {
        const { statusCode, body } = await get(`wide/changelog/changes${query}`, surface);
        assert.equal(statusCode, 400, query);
        assert.match(body, TOO_LONG);
      }
    });

    it(`a range with more than 2 MB of text is 400 (${name})`, async () => {
      assert.equal((await get('heavy/changelog/changes?from=1.1.0', surface)).statusCode, 200);
      assert.match((await get('heavy/changelog/changes?from=0.9.0', surface)).body, TOO_LONG);
    });
  });
}

describe('pages', () => {
  const page = async (path: string) => await app.inject(`/changelog/acme/${path}`);
  const idsIn = (body: string, kind: string) =>
    [...body.matchAll(new RegExp(` id="(${kind}_[^"]+)"`, 'g'))].map(([, id]) => id);

  it('a changelog page has 20 versions, and its links lead to all others', async () => {
    const counts: number[] = [];
    const labels = new Set<string>();
    for (let query: string | undefined = ''; query !== undefined; ) {
      const { statusCode, body }: { statusCode: number; body: string } = await page(`long${query}`);
      assert.equal(statusCode, 200);
      const found = [...body.matchAll(/<h2><a [^>]*href="long\/versions\/(1\.\d+\.0)"/g)].map(
        ([, label]) => label as string,
      );
      counts.push(new Set(found).size);
      for (const label of found) labels.add(label);
      query = /<a rel="next" href="([^"]+)"/.exec(body)?.[1]?.replaceAll('&amp;', '&');
    }
    assert.deepEqual(counts, [...Array(25).fill(20), 1]);
    assert.equal(labels.size, 501);
  });

  it('a page ends before the version that would exceed 5,000 changes or 2 MB of text', async () => {
    const { body } = await page('wide');
    assert.equal(idsIn(body, 'chg').length, 3_001);
    assert.match(body, /<a rel="next" href="\?cursor=/);
    assert.equal((await page('heavy')).statusCode, 200);
  });

  it('a range that is too long is a 400 that explains it, both as a page with its form and for Markdown', async () => {
    assert.equal((await page('long/changes?from=1.0.0')).statusCode, 200);
    for (const path of [
      'long/changes',
      'long/changes.md',
      'wide/changes?from=1.0.0',
      'heavy/changes?from=0.9.0',
    ]) {
      const { statusCode, headers, body } = await page(path);
      assert.deepEqual([statusCode, headers['content-type']], [400, 'text/html; charset=utf-8'], path);
      assert.match(body, /<li>The range has too many versions or changes\. Choose a shorter one\.<\/li>/);
      assert.equal(headers['cache-control'], 'no-store');
    }
  });

  it('a version that is read in parts has all its changes', async () => {
    assert.equal(idsIn((await page('wide/versions/1.0.0')).body, 'chg').length, 5_001);
  });
});

describe('a version', () => {
  it('a version that is read in parts has all its changes in order', async () => {
    const before = queries.length;
    const { data } = (await get('wide/changelog/versions/1.0.0')).json();
    // The first 20 changes, then 1,000 at a time.
    assert.equal(queries.length - before, 6);
    assert.equal(data.changeCount, 5_001);
    assert.deepEqual(
      data.changes.map(({ text }: { text: string }) => text),
      Array.from({ length: 5_001 }, (_, number) => `a${number}`),
    );
  });
});

describe('a response without a limit', () => {
  it('a list without a limit that is read in parts has all versions', async () => {
    const before = queries.length;
    const { data } = (await get('long/changelog?since=2000-01-01')).json();
    assert.deepEqual(data, (await get('long/changelog')).json().data);
    assert.equal(queries.length - before, 3);
  });

  it('CHANGELOG.md that is read in parts has all versions', async () => {
    const before = queries.length;
    const { body } = await get('long/changelog/CHANGELOG.md');
    assert.equal(queries.length - before, 3);
    assert.deepEqual(
      [...body.matchAll(/^## \[([^\]]+)\]/gm)].map(([, label]) => label),
      Array.from({ length: 501 }, (_, index) => `1.${500 - index}.0`),
    );
    assert.match(
      body,
      /\n\n## \[1\.0\.0\] - 2020-01-01\n\n### Security\n\n- x\n\n### Added\n\n- \*Change\* 0\n$/,
    );
  });
});
