// R66: which responses a CDN may keep until it is purged, in every state of the cache and the database.
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { MaybePromise } from '../../../src/domain/maybe-promise.ts';
import { createTagger, tagTextsOf } from '../../../src/hooks/cache-tags.ts';
import type { WriteBody } from '../../../src/http/cache/body.ts';
import type { Representation } from '../../../src/http/cache/make-response.ts';
import { type Cdn, createCdn } from '../../../src/http/cache/make-response.ts';
import { createResponses } from '../../../src/http/cache/respond.ts';
import { forHost } from '../../../src/http/cache/response.ts';
import { createResponseCache } from '../../../src/http/cache/response-cache.ts';
import { createCounts } from '../../../src/http/telemetry/counts.ts';
import type { Reader } from '../../../src/store/engine/engine.ts';
import { DatabaseUnreachable } from '../../../src/store/engine/failures.ts';
import { EVERYTHING } from '../../../src/store/engine/touches.ts';
import { fakeSource, productTouch } from '../../support/source.ts';
import { fakeClient } from './fake-response.ts';

const ORIGIN = { teamId: 1, productId: 2 };
const LIFETIME = 'cdn-cache-control: public, max-age=86400';
const headed = (head: readonly string[]) =>
  head.flatMap((line, index) => (index % 2 === 0 ? [`${line}: ${head[index + 1]}`] : []));

describe('headers for a CDN', () => {
  const headOf = (cdn: Cdn, isCurrent = true) => headed(cdn.headOf(ORIGIN, isCurrent));
  const tagsWith = (key: string) => tagTextsOf(ORIGIN).map(createTagger(key));

  it('a response has a lifetime and all of its tags, separated as each CDN expects', async () => {
    const cdn = createCdn(fakeSource(async () => 'key' as never).source, 86_400);
    await cdn.load();
    const tags = tagsWith('key');
    const tagLines = [`surrogate-key: ${tags.join(' ')}`, `cache-tag: ${tags.join(',')}`];
    assert.deepEqual(headOf(cdn), [LIFETIME, ...tagLines]);
    assert.deepEqual(headOf(cdn, false), tagLines);
  });

  it('a host has a lifetime only for the product that still has it, by the same rows', () => {
    const head = ['cdn-cache-control', 'public, max-age=86400', 'cache-tag', 'one'];
    const response = { status: 200, body: '', etag: '"1"', head, unchangedHead: head } as const;
    const keptFor = (host: string | null, domain: string | null) =>
      headed(forHost(host, { ...response, domain }).unchangedHead).includes(LIFETIME);
    assert.equal(keptFor(null, null), true);
    assert.equal(keptFor(null, 'news.example.com'), true);
    assert.equal(keptFor('news.example.com', 'news.example.com'), true);
    assert.equal(keptFor('news.example.com', 'other.example.com'), false);
    assert.equal(keptFor('news.example.com', null), false);
  });

  it('the key of the tags is read once, and again when the database may be another one; meanwhile there are none', async () => {
    const keys = ['first', 'second', 'third'];
    let read = 0;
    const { source, touch } = fakeSource(async () => keys[read++] as never);
    const cdn = createCdn(source, 86_400);
    assert.deepEqual(headOf(cdn), []);
    await cdn.load();
    await cdn.load();
    touch([productTouch(1, 2)]);
    await cdn.load();
    assert.equal(read, 1);
    touch([EVERYTHING]);
    assert.deepEqual(headOf(cdn), []);
    const reading = cdn.load();
    touch([EVERYTHING]);
    await reading;
    assert.deepEqual(headOf(cdn), [], 'read from the database before');
    await cdn.load();
    assert.ok(headOf(cdn)[1]?.endsWith(tagsWith('third').join(' ')));
  });

  it('there are no headers while the key cannot be read', async () => {
    const cdn = createCdn(fakeSource(() => Promise.reject(new DatabaseUnreachable('down'))).source, 86_400);
    await cdn.load();
    assert.deepEqual(headOf(cdn), []);
  });
});

describe('a CDN keeps a response', () => {
  const TAG = 'cache-tag: t';
  const cdn: Cdn = {
    load: async () => {},
    headOf: (_origin, isCurrent) => [...(isCurrent ? LIFETIME.split(': ') : []), ...TAG.split(': ')],
  };

  /** The clock stands still: otherwise a busy machine could take too long. */
  function responding(t: TestContext) {
    const now = performance.now();
    t.mock.method(performance, 'now', () => now);
    const { state, source, touch } = fakeSource((query) => query({} as Reader));
    const responses = createResponses(source, createResponseCache(1_000_000), createCounts().responses);
    const ask = async (find: () => MaybePromise<Representation['text']>, revision = 1) => {
      const response = await responses.respond(fakeClient(), {
        key: '/a',
        surface: 'public',
        kind: { cacheControl: 'public, max-age=30', contentType: 'text/plain', cdn },
        isLong: false,
        encoding: null,
        find: async () => ({ revision, found: { text: await find(), origin: ORIGIN } }),
      });
      assert.ok(response !== null);
      const heads = [response.head, response.unchangedHead].map(headed);
      for (const head of heads) assert.ok(head.includes(TAG), 'it is purged in any case');
      const [isKept, isKeptUnchanged] = heads.map((head) => head.includes(LIFETIME));
      assert.equal(isKept, isKeptUnchanged);
      return { isKept, body: response.body.toString() };
    };
    return { ask, state, touch };
  }

  it('read from the database or from memory, if it is current', async (t) => {
    const { ask } = responding(t);
    for (let round = 0; round < 2; round++)
      assert.deepEqual(await ask(() => 'new'), { isKept: true, body: 'new' });
  });

  it('not if it was read before a known write', async (t) => {
    const { ask, state } = responding(t);
    state.revision = 2;
    assert.deepEqual(await ask(() => 'old', 1), { isKept: false, body: 'old' });
    assert.deepEqual(await ask(() => 'new', 2), { isKept: true, body: 'new' });
  });

  it('not if it was touched while it was written', async (t) => {
    const { ask, touch } = responding(t);
    const write: WriteBody = async (out) => {
      touch([productTouch(1, 2)]);
      await out.add('old');
    };
    assert.deepEqual(await ask(() => write), { isKept: false, body: 'old' });
    assert.deepEqual(await ask(() => 'new'), { isKept: true, body: 'new' });
  });

  it('not while the database is down', async (t) => {
    const { ask, state } = responding(t);
    await ask(() => 'old');
    state.isConfirmed = false;
    const find = () => Promise.reject(new DatabaseUnreachable('down'));
    assert.deepEqual(await ask(find), { isKept: false, body: 'old' });
  });

  it('not if it is too large to be kept in memory: sending it takes long', async (t) => {
    const { ask } = responding(t);
    const write: WriteBody = async (out) => {
      for (let part = 0; part < 17; part++) await out.add('x'.repeat(1024 * 1024));
    };
    assert.equal((await ask(() => write)).isKept, false);
  });
});
