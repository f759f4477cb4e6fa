import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createKey, runOk } from '../../../../support/program/command.ts';
import { becomes } from '../../../support/becomes.ts';
import { suiteWithWorld } from '../../../support/suite.ts';
import { applyFamily, KEY_TEAM, PUBLIC_TEAM } from './family.ts';

const BASE_URL = 'https://changes.example.com';

type Listed = { slug: string; url?: string; latest: { version: string } | null };

describe('the products of a team as JSON (R64)', () => {
  const suite = suiteWithWorld({ BASE_URL });
  const keys = { full: '', select: '', selectId: '' };

  before(async () => {
    await applyFamily(suite.sandbox);
    keys.full = (await createKey(suite.sandbox, 'family', '--kind', 'FULL')).key;
    const select = await createKey(suite.sandbox, 'family', '--kind', 'SELECT', '--product', 'hidden');
    Object.assign(keys, { select: select.key, selectId: select.id });
  });

  const read = (url: string, key?: string) =>
    suite.app.inject({ url, headers: key === undefined ? {} : { authorization: `Bearer ${key}` } });

  const walk = async (url: string, key?: string): Promise<Listed[]> => {
    const { statusCode, headers, body } = await read(url, key);
    assert.equal(statusCode, 200, url);
    const { products } = JSON.parse(body).data;
    const next = /^<(.*)>; rel="next"$/.exec(String(headers.link ?? ''))?.[1];
    return next === undefined ? products : [...products, ...(await walk(next.slice(BASE_URL.length), key))];
  };

  it('lists the public products by slug, each with its page and its newest version', async () => {
    const { data } = (await read(`${PUBLIC_TEAM}/products`)).json();
    assert.deepEqual(
      { ...data, products: data.products.map(({ slug }: Listed) => slug) },
      {
        object: 'team.products',
        team: { slug: 'family', name: 'Family' },
        products: ['lander', 'probe', 'rocket'],
      },
    );
    const feed = (await read(`${PUBLIC_TEAM}/products/lander/changelog`)).json().data;
    assert.deepEqual(data.products[0], {
      object: 'product',
      ...feed.product,
      url: `${BASE_URL}/changelog/family/lander`,
      language: 'en',
      latest: { ...feed.versions[0], yanked: false },
    });
    const acme: Listed[] = await walk('/api/v1/public/teams/acme/products');
    assert.deepEqual(
      acme.map(({ slug, latest }) => [slug, latest?.version]),
      [
        ['new', undefined],
        ['rocket', '2.1.0'],
      ],
    );
  });

  it('lists what a key may read, in any state; the newest version is never a draft', async () => {
    const listed = async (key: string) =>
      (await walk(`${KEY_TEAM}/products`, key)).map(({ slug, url, latest }) => [slug, url, latest?.version]);
    assert.deepEqual(await listed(keys.full), [
      ['hidden', undefined, '9.0.0'],
      ['lander', undefined, '1.2.0'],
      ['probe', undefined, '0.9.0'],
      ['rocket', undefined, '2.0.0'],
    ]);
    assert.deepEqual(await listed(keys.select), [['hidden', undefined, '9.0.0']]);
    await runOk(suite.sandbox, ['key', 'detach', keys.selectId, 'hidden']);
    await becomes(() => listed(keys.select), []);
    await runOk(suite.sandbox, ['key', 'attach', keys.selectId, 'hidden']);
    await becomes(async () => (await listed(keys.select)).length, 1);
  });

  it('a product with its own domain is linked there', async () => {
    const urls = async () => (await walk(`${PUBLIC_TEAM}/products`)).map(({ url }) => url);
    await runOk(suite.sandbox, ['product', 'set', 'family/probe', '--domain', 'changes.probe.example']);
    const [lander, rocket] = ['lander', 'rocket'].map((slug) => `${BASE_URL}/changelog/family/${slug}`);
    await becomes(urls, [lander, 'https://changes.probe.example/', rocket]);
  });

  it('pages of any length list the same', async () => {
    for (const [url, key] of [[`${PUBLIC_TEAM}/products`], [`${KEY_TEAM}/products`, keys.full]] as const)
      for (const limit of [1, 2, 3, 100])
        assert.deepEqual(await walk(`${url}?limit=${limit}`, key), await walk(url, key), `${url} ${limit}`);
    for (const query of ['limit=0', 'limit=101', 'cursor=x', 'limti=1', 'limit=1&limit=2'])
      assert.equal((await read(`${PUBLIC_TEAM}/products?${query}`)).statusCode, 400, query);
    assert.equal((await read(`${PUBLIC_TEAM}/products?type=nonsense`)).statusCode, 200);
  });

  it('a cursor is valid only for the list that it was issued for', async () => {
    const { headers } = await read(`${PUBLIC_TEAM}/products?limit=1`);
    const cursor = /cursor=([\w-]+)/.exec(String(headers.link))?.[1];
    assert.equal((await read(`${PUBLIC_TEAM}/products?cursor=${cursor}`)).statusCode, 200);
    for (const url of ['/api/v1/public/teams/acme/products', '/changelog/family', `${PUBLIC_TEAM}/versions`])
      assert.equal((await read(`${url}?cursor=${cursor}`)).statusCode, 400, url);
    assert.equal((await read(`${KEY_TEAM}/products?cursor=${cursor}`, keys.full)).statusCode, 400);
  });
});
