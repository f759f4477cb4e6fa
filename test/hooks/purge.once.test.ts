import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PURGE_KINDS, type PurgeHook } from '../../src/domain/hook.ts';
import { purgesFor } from '../../src/hooks/outgoing.ts';

const URL = 'https://cdn.example/purge';
const hook = (kind: PurgeHook['kind'], secret: string | null = 's3cret'): PurgeHook => ({
  name: 'cdn',
  kind,
  url: URL,
  secret,
});
const TAGS = Array.from({ length: 600 }, (_, index) => String(index).padStart(16, 'x'));

describe('purgesFor', () => {
  it('purge-varnish: the tags in xkey-purge, with the secret only if there is one', () => {
    assert.deepEqual(purgesFor(hook('purge-varnish'), ['a', 'b']), [
      {
        method: 'PURGE',
        url: URL,
        headers: { 'xkey-purge': 'a b', authorization: 'Bearer s3cret' },
        body: '',
      },
    ]);
    assert.deepEqual(purgesFor(hook('purge-varnish', null), ['a'])[0]?.headers, { 'xkey-purge': 'a' });
  });

  it('purge-fastly: the tags in Surrogate-Key, the secret in Fastly-Key', () => {
    assert.deepEqual(purgesFor(hook('purge-fastly'), ['a', 'b']), [
      {
        method: 'POST',
        url: URL,
        headers: { 'Surrogate-Key': 'a b', 'Fastly-Key': 's3cret' },
        body: '',
      },
    ]);
  });

  it('purge-cloudflare: the tags as JSON, the secret as a token', () => {
    assert.deepEqual(purgesFor(hook('purge-cloudflare'), ['a', 'b']), [
      {
        method: 'POST',
        url: URL,
        headers: { 'content-type': 'application/json', authorization: 'Bearer s3cret' },
        body: '{"tags":["a","b"]}',
      },
    ]);
  });

  it('purge-url: one request for everything, however much was touched', () => {
    const request = { method: 'PURGE', url: URL, headers: { authorization: 'Bearer s3cret' }, body: '' };
    assert.deepEqual(purgesFor(hook('purge-url'), ['a']), [request]);
    assert.deepEqual(purgesFor(hook('purge-url'), TAGS), [request]);
    assert.deepEqual(purgesFor(hook('purge-url', null), ['a'])[0]?.headers, {});
  });

  it('sends every tag once, in requests of the size that each API documents', () => {
    const sent = (kind: PurgeHook['kind']) =>
      purgesFor(hook(kind), TAGS).map(({ headers, body }): string[] =>
        kind === 'purge-cloudflare'
          ? JSON.parse(body).tags
          : (headers['xkey-purge'] ?? headers['Surrogate-Key'] ?? '').split(' '),
      );
    const sizes = {
      'purge-varnish': [256, 256, 88],
      'purge-fastly': [256, 256, 88],
      'purge-cloudflare': [100, 100, 100, 100, 100, 100],
    };
    for (const [kind, expected] of Object.entries(sizes)) {
      const batches = sent(kind as PurgeHook['kind']);
      assert.deepEqual(
        batches.map(({ length }) => length),
        expected,
        kind,
      );
      assert.deepEqual(batches.flat(), TAGS, kind);
    }
  });

  it('sends nothing if no response is out of date', () => {
    for (const kind of PURGE_KINDS) assert.deepEqual(purgesFor(hook(kind), []), [], kind);
  });
});
