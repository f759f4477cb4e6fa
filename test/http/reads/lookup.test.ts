import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { startApp, type TestApp } from '../../../support/program/app.ts';
import { apply, createKey } from '../../../support/program/command.ts';

type Labelled = Readonly<{ id?: string; version: string; day?: number; status?: string; changes?: object[] }>;

const scope = sharedScope();
let app: TestApp;
let holder: Record<string, string>;

/** Products with labels of different kinds. */
const PRODUCTS: Record<string, readonly Labelled[]> = {
  // 1.9.5 was published last, and 3.0.0 is not published yet.
  backport: [
    { version: '3.0.0', status: 'draft', day: 6 },
    { version: '1.9.5', day: 5 },
    { version: '2.0.0-rc.1', day: 2 },
    { version: '2.0.0', day: 3 },
    { version: '10.0.0-beta', day: 4 },
  ],
  dated: [
    { version: 'spring', day: 3 },
    { version: 'summer', day: 4 },
    { version: 'autumn', day: 1 },
  ],
  prerelease: [
    { version: '1.0.0-beta.1', day: 1 },
    { version: '1.0.0-beta.2', day: 2 },
  ],
  short: [
    { version: '13.0.8', day: 5 },
    { version: '14.1', day: 4 },
  ],
  prefixed: [
    { version: 'v2.1.0', day: 2 },
    { version: '2.0.0', day: 1 },
    { version: 'v2.0.0', day: 3 },
    { version: 'latest', day: 1 },
  ],
  odd: [
    { id: 'ver_1', version: 'one', day: 1 },
    { id: 'ver_2', version: 'ver_1', day: 2 },
    { id: 'ver_3', version: 'ver_label', day: 3 },
    { id: 'ver_4', version: '1.0.0+build 5 ü%/x', day: 4 },
    { id: 'ver_5', version: '2.0.0+a', day: 5 },
  ],
  drafts: [{ version: '1.0.0', status: 'draft', day: 1 }],
};

before(async () => {
  const sandbox = { folder: temporaryFolder(scope) };
  const products = Object.entries(PRODUCTS).map(([slug, versions]) => ({
    slug,
    name: slug,
    status: 'published',
    changelog: {
      status: 'published',
      versions: versions.map(({ day = 1, ...version }) => ({
        title: version.version,
        status: 'published',
        publishedAt: `2026-05-0${day}`,
        ...version,
      })),
    },
  }));
  await apply(sandbox, {
    team: { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' },
    products,
  });
  const { key } = await createKey(sandbox, 'acme', '--kind', 'FULL');
  holder = { authorization: `Bearer ${key}` };
  ({ app } = await startApp(scope, sandbox));
});

async function find(product: string, name: string, surface = '/public'): Promise<string | number> {
  const url = `/api/v1${surface}/teams/acme/products/${product}/changelog/versions/${name}`;
  const response = await app.inject({ url, headers: surface === '' ? holder : {} });
  return response.statusCode === 200 ? response.json().data.version : response.statusCode;
}

describe('latest', () => {
  for (const [product, latest] of Object.entries({
    backport: '2.0.0',
    dated: 'summer',
    prerelease: '1.0.0-beta.2',
    short: '14.1',
    prefixed: 'v2.1.0',
    odd: '2.0.0+a',
    drafts: 404,
  })) {
    it(`latest is ${latest} for the product ${product}, on both surfaces`, async () => {
      assert.equal(await find(product, 'latest'), latest);
      assert.equal(await find(product, 'latest', ''), latest);
    });
  }

  it('latest is never read as a label', async () => {
    assert.equal(await find('prefixed', 'latest'), 'v2.1.0');
    assert.equal(await find('prefixed', 'Latest'), 404);
  });
});

describe('a label where an id is expected', () => {
  it('a label finds its version with or without a leading v, an exact match first', async () => {
    assert.equal(await find('backport', '1.9.5'), '1.9.5');
    assert.equal(await find('backport', 'v1.9.5'), '1.9.5');
    assert.equal(await find('prefixed', 'v2.1.0'), 'v2.1.0');
    assert.equal(await find('prefixed', '2.1.0'), 'v2.1.0');
    assert.equal(await find('prefixed', '2.0.0'), '2.0.0');
    assert.equal(await find('prefixed', 'v2.0.0'), 'v2.0.0');
    assert.equal(await find('dated', 'spring'), 'spring');
  });

  it('a label must match exactly: another spelling of the same version is another label', async () => {
    for (const name of ['1.9', '01.9.5', 'V1.9.5', 'vv1.9.5', '1.9.5+x', '1.9.5%20', 'SPRING'])
      assert.equal(await find('backport', name), 404, name);
  });

  it('an id takes precedence over a label', async () => {
    assert.equal(await find('odd', 'ver_1'), 'one');
    assert.equal(await find('odd', 'ver_2'), 'ver_1');
    assert.equal(await find('odd', 'ver_label'), 'ver_label');
  });

  it('a label may contain anything that a path can contain', async () => {
    assert.equal(await find('odd', '2.0.0+a'), '2.0.0+a');
    assert.equal(await find('odd', '2.0.0%2Ba'), '2.0.0+a');
    assert.equal(await find('odd', encodeURIComponent('1.0.0+build 5 ü%/x')), '1.0.0+build 5 ü%/x');
    assert.equal(await find('odd', encodeURIComponent('1.0.0+build 5 ü%/x').replace('%2F', '/')), 404);
  });

  it('the label of a draft is found only on the authenticated surface', async () => {
    assert.equal(await find('backport', '3.0.0'), 404);
    assert.equal(await find('backport', '3.0.0', ''), '3.0.0');
    assert.equal(await find('drafts', '1.0.0', ''), '1.0.0');
  });

  it('a label and an id return the same bytes', async () => {
    const urls = ['latest', '2.0.0', 'v2.0.0'].map(
      (name) => `/api/v1/public/teams/acme/products/backport/changelog/versions/${name}`,
    );
    const responses = await Promise.all(urls.map((url) => app.inject(url)));
    assert.equal(new Set(responses.map(({ body }) => body)).size, 1);
    assert.equal(new Set(responses.map(({ headers }) => headers.etag)).size, 1);
  });
});
