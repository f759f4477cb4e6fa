// The client, against the service on a real socket.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { ChangelogClient, type ChangelogClientOptions, ChangelogError } from '../../client/index.js';
import { ACME, HIDDEN, PUBLIC_FEED, TEAM_FEED } from '../../support/content/world.ts';
import { listenApp } from '../../support/program/app.ts';
import { apply } from '../../support/program/command.ts';
import { becomes } from '../support/becomes.ts';
import { suiteWithWorld } from '../support/suite.ts';

const GATE = {
  PASSWORD_PROTECTION: 'true',
  PASSWORD_PROTECTION_USERNAME: 'ünser',
  PASSWORD_PROTECTION_PASSWORD: 'pä:ß€',
};
const BASIC = { username: 'ünser', password: 'pä:ß€' };

describe('ChangelogClient', () => {
  const suite = suiteWithWorld();
  let baseUrl: string;
  const open = (options: Partial<ChangelogClientOptions> = {}) =>
    new ChangelogClient({ baseUrl, team: 'acme', product: 'rocket', ...options });
  const data = async (url: string, headers = {}) => (await suite.app.inject({ url, headers })).json().data;

  before(async () => {
    ({ address: baseUrl } = await listenApp(suite.scope, suite.sandbox));
  });

  it('the client reads public content without a key', async () => {
    const feed = await open().feed();
    assert.deepEqual(feed, { ...(await data(PUBLIC_FEED)), next: null });
    assert.equal(feed.versions.length, 2);
    assert.doesNotMatch(JSON.stringify(feed), new RegExp(HIDDEN));
  });

  it('the client reads drafts with a key', async () => {
    const authorization = `Bearer ${suite.world.full}`;
    const client = open({ apiKey: suite.world.full });
    const feed = await client.feed();
    assert.deepEqual(feed, { ...(await data(TEAM_FEED, { authorization })), next: null });
    assert.equal(feed.versions[0]?.status, 'draft');
    assert.equal((await client.version('ver_300')).title, HIDDEN);
  });

  it('the client reads a version by its id', async () => {
    assert.deepEqual(await open().version('ver_210'), await data(`${PUBLIC_FEED}/versions/ver_210`));
  });

  it('the client reads the versions and products of a team', async () => {
    const team = (apiKey?: string) => open({ product: undefined, apiKey });
    const route = '/api/v1/public/teams/acme';
    const feed = await team().teamFeed({ limit: 1 });
    assert.deepEqual({ ...feed, next: null }, { ...(await data(`${route}/versions?limit=1`)), next: null });
    const versions = await Array.fromAsync(team().teamVersions({ limit: 1, include: 'changes' }));
    assert.deepEqual(versions, (await data(`${route}/versions?include=changes`)).versions);
    assert.deepEqual(
      versions.map(({ id, product }) => [id, product.slug]),
      [
        ['ver_210', 'rocket'],
        ['ver_100', 'rocket'],
      ],
    );
    const list = await team().products();
    const response = await fetch(`${baseUrl}${route}/products`);
    const { data: record } = (await response.json()) as { data: object };
    assert.deepEqual(list, { ...record, next: null });
    assert.deepEqual(
      list.products.map(({ slug }) => slug),
      ['new', 'rocket'],
    );
    assert.doesNotMatch(JSON.stringify([versions, list]), new RegExp(HIDDEN));

    const select = team(suite.world.select);
    assert.deepEqual(
      (await select.products()).products.map(({ slug }) => slug),
      ['rocket'],
    );
    assert.equal((await Array.fromAsync(select.teamVersions())).length, 3);
    await assert.rejects(team(suite.world.vault).teamFeed(), isError('forbidden', 403));
    await assert.rejects(open({ team: 'vault' }).products(), isError('not_found', 404));
  });

  it('the client reads a server below a path', async (t) => {
    const { address } = await listenApp(t, suite.sandbox, { BASE_URL: 'https://acme.example/notes' });
    const client = open({ baseUrl: `${address}/notes` });
    assert.equal((await Array.fromAsync(client.versions({ limit: 1 }))).length, 2);
    assert.equal((await Array.fromAsync(client.teamVersions({ limit: 1 }))).length, 2);
    assert.equal(
      (await client.products()).products[1]?.url,
      'https://acme.example/notes/changelog/acme/rocket',
    );
    const { url } = await client.checkForUpdate('1.0.0');
    assert.match(url, /^https:\/\/acme\.example\/notes\/changelog\/acme\/rocket\/changes\?from=1\.0\.0&/);
  });

  it('the client sends the site password, with and without a key', async (t) => {
    const { address } = await listenApp(t, suite.sandbox, GATE);
    const gated = { baseUrl: address, basic: BASIC };
    assert.equal((await open(gated).feed()).versions.length, 2);
    assert.equal((await open({ ...gated, apiKey: suite.world.full }).feed()).versions.length, 3);
    await assert.rejects(
      open({ ...gated, basic: { ...BASIC, password: 'no' } }).feed(),
      isError('unauthorized'),
    );
    await assert.rejects(open({ ...gated, apiKey: suite.world.disabled }).feed(), isError('unauthorized'));
  });

  it('errors have the code, status and message of the server', async () => {
    await assert.rejects(open().version('ver_300'), (error) => {
      assert.ok(error instanceof ChangelogError && error instanceof Error);
      assert.ok(error.is('not_found') && error.is('forbidden', 'not_found'));
      assert.equal(error.is('forbidden', 'network_error'), false);
      assert.equal(error.name, 'ChangelogError');
      assert.equal(error.status, 404);
      assert.equal(error.retryAfterSeconds, null);
      assert.match(error.message, /^Nothing was found here\./);
      return true;
    });
    await assert.rejects(open({ apiKey: 'no-key' }).feed(), isError('unauthorized', 401));
    await assert.rejects(open({ apiKey: '' }).feed(), isError('unauthorized', 401));
    await assert.rejects(open({ apiKey: suite.world.vault }).feed(), isError('forbidden', 403));
    await assert.rejects(open({ team: 'vault' }).feed(), isError('not_found', 404));
  });

  it('the request id of an error is in the log of the server', async (t) => {
    const { address, logLines } = await listenApp(t, suite.sandbox);
    const { requestId } = await open({ baseUrl: address })
      .version('9.9.9')
      .catch((error) => error);
    assert.match(requestId, /^[\w-]{1,64}$/);
    await becomes(async () => logLines.some((line) => line.includes(`"${requestId}"`)), true);
  });

  it('a rate limit error tells how long to wait', async (t) => {
    const { address } = await listenApp(t, suite.sandbox, { PUBLIC_RATE_LIMIT: '1' });
    const client = open({ baseUrl: address });
    await client.feed();
    await assert.rejects(client.feed(), (error) => {
      assert.ok(error instanceof ChangelogError && error.is('rate_limited'));
      assert.ok(Number(error.retryAfterSeconds) > 0 && Number(error.retryAfterSeconds) <= 60);
      return true;
    });
  });

  it('any label is sent as a single path segment', async () => {
    for (const name of ['rocket?x', 'rocket#x', '%72ocket', 'räket'])
      await assert.rejects(open().version(name), isError('not_found'), name);
  });

  it('a second read sends the ETag, and a 304 returns the cached value', async () => {
    const statuses: number[] = [];
    const client = open({ fetch: counting(statuses) });
    const first = await client.feed();
    const second = await client.feed();
    assert.deepEqual(statuses, [200, 304]);
    assert.deepEqual(second, first);
    assert.deepEqual(await client.version('ver_210'), await client.version('ver_210'));
    assert.deepEqual(statuses, [200, 304, 200, 304]);
  });

  it('each call returns a separate value', async () => {
    const client = open();
    const first = await client.feed();
    first.versions.length = 0;
    first.team.name = 'changed';
    const second = await client.feed();
    assert.equal(second.versions.length, 2);
    assert.equal(second.team.name, 'Acme');
  });

  it('the client returns the new value after a change', async () => {
    const statuses: number[] = [];
    const client = open({ product: 'new', fetch: counting(statuses) });
    assert.deepEqual((await client.feed()).versions, []);
    const versions = [{ id: 'ver_new', version: '1.0.0', title: 'First', status: 'published' }];
    const product = {
      slug: 'new',
      name: 'New',
      status: 'published',
      changelog: { status: 'published', versions },
    };
    await apply(suite.sandbox, { team: ACME.team, products: [product] });
    await becomes(async () => (await client.feed()).versions[0]?.title, 'First');
    assert.equal(statuses.at(-1), 200);
  });
});

function isError(code: string, status?: number) {
  return (error: unknown) =>
    error instanceof ChangelogError && error.code === code && (status ?? error.status) === error.status;
}

/** The global `fetch`, which also writes down what was answered. */
function counting(statuses: number[]) {
  return async (url: string, init: RequestInit) => {
    const response = await fetch(url, init);
    statuses.push(response.status);
    return response;
  };
}
