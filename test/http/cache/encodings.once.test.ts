import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { chooseEncoding, ENCODINGS, type Encoding } from '../../../src/http/cache/encodings.ts';
import { CachedResponse, type EncodedResponse } from '../../../src/http/cache/response.ts';
import { LISTS, PAGES } from '../../../support/content/pages.ts';
import { PUBLIC_FEED, TEAM_FEED } from '../../../support/content/world.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const DECOMPRESS = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync };

describe('Accept-Encoding', () => {
  const table: [string | undefined, Encoding | null][] = [
    [undefined, null],
    ['', null],
    ['identity', null],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZip', 'gzip'],
    ['zstd', 'zstd'],
    ['gzip, deflate', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, zstd', 'zstd'],
    ['*', 'br'],
    ['br;q=0, *', 'zstd'],
    ['*;q=0', null],
    ['gzip;q=0', null],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['gzip; q=0.5 , br ; q=0.8', 'br'],
    ['identity;q=1, gzip;q=0.5', null],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['gzip;q=x', null],
    ['deflate, compress', null],
    [',,;q=1', null],
  ];
  for (const [header, encoding] of table) {
    it(`${header === undefined ? 'no header' : `"${header}"`} gets ${encoding ?? 'no encoding'}`, () => {
      for (let round = 0; round < 2; round++) assert.equal(chooseEncoding(header), encoding);
    });
  }

  it('a new header is parsed correctly after many others', () => {
    for (let index = 0; index < 300; index++) chooseEncoding(`x-${index}, gzip`);
    assert.equal(chooseEncoding('x-new, zstd'), 'zstd');
  });
});

describe('a response', () => {
  const KIND = { cacheControl: 'private', contentType: 'text/plain' };
  const words = Buffer.from(`{"text":"${'some words, ünd möre; '.repeat(100)}"}`);
  const bytesOf = ({ body }: EncodedResponse) =>
    typeof body === 'string' ? Buffer.from(body, 'latin1') : Buffer.concat(body as readonly Buffer[]);
  const grown = () => {};

  it('a response that cannot be compressed is sent plain, and the next request tries again', async () => {
    for (const bytes of [words, Buffer.alloc(1_048_577, 'words ')]) {
      // gzip has no such level.
      const levels = { br: 6, zstd: 10, gzip: 99 };
      const response = new CachedResponse([bytes], { ...KIND, levels });
      assert.equal(await response.in('gzip', assert.fail), response.plain);
      // Nobody waits for a large response that fails: an unhandled rejection would end the process.
      await setImmediate();
      assert.equal(response.bytes, bytes.length);
      levels.gzip = 8;
      await new Promise<void>((resolve) => void response.in('gzip', resolve));
      const encoded = await response.in('gzip', assert.fail);
      assert.deepEqual(gunzipSync(bytesOf(encoded)), bytes);
    }
  });

  it('a response is compressed once in each encoding, with the same content and its own ETag', async () => {
    const response = new CachedResponse([words], KIND);
    let made = 0;
    const encoded = await Promise.all(
      ENCODINGS.flatMap((encoding) => [
        response.in(encoding, () => made++),
        response.in(encoding, () => made++),
      ]),
    );
    assert.equal(made, ENCODINGS.length);
    for (const [index, encoding] of ENCODINGS.entries()) {
      const one = encoded[index * 2] as EncodedResponse;
      assert.equal(encoded[index * 2 + 1], one);
      assert.equal(response.ready(encoding), one);
      assert.deepEqual(DECOMPRESS[encoding](bytesOf(one)), words);
      assert.ok(one.head.join(' ').includes(`content-encoding ${encoding}`));
    }
    const etags = new Set([response.plain.etag, ...encoded.map(({ etag }) => etag)]);
    assert.equal(etags.size, 1 + ENCODINGS.length);
    const compressed = encoded.filter((_, index) => index % 2 === 0).map((one) => bytesOf(one).length);
    assert.ok(response.bytes > compressed.reduce((sum, bytes) => sum + bytes, words.length));
  });

  it('a response is sent uncompressed if that is smaller, or if it is tiny', async () => {
    const noise = Buffer.from(Array.from({ length: 3_000 }, (_, index) => (index * index * 7_919) % 251));
    for (const bytes of [Buffer.from('{"data":1}'), Buffer.alloc(255, 'x')]) {
      const response = new CachedResponse([bytes], KIND);
      assert.equal(await response.in('gzip', grown), response.plain);
    }
    const random = new CachedResponse([crypto.getRandomValues(noise)], KIND);
    assert.equal(await random.in('gzip', grown), random.plain);
    assert.equal(random.bytes, 3_000);
  });

  it('a very large response is sent uncompressed until its compressed form is ready', async () => {
    const response = new CachedResponse([Buffer.alloc(1_048_577, 'words ')], KIND);
    const made = Promise.withResolvers<void>();
    assert.equal(await response.in('gzip', made.resolve), response.plain);
    await made.promise;
    const one = response.ready('gzip') as EncodedResponse;
    assert.equal(gunzipSync(bytesOf(one)).length, 1_048_577);
  });
});

describe('encodings on both surfaces and on pages', () => {
  const suite = suiteWithWorld({ LISTING: 'all' });
  const ask = (url: string, headers: Record<string, string>) => suite.app.inject({ url, headers });

  it('each encoding has the same content and its own ETag, and only that ETag is 304', async () => {
    const key = { authorization: `Bearer ${suite.world.full}` };
    for (const [url, headers] of [
      [PUBLIC_FEED, {}],
      [TEAM_FEED, key],
      ...[...PAGES, ...LISTS].filter((page) => !page.endsWith('.md')).map((page) => [page, {}] as const),
    ] as const) {
      const plain = await ask(url, headers);
      assert.equal(plain.headers['content-encoding'], undefined);
      const etags = new Set([plain.headers.etag]);
      for (const encoding of ENCODINGS) {
        const accepting = { ...headers, 'accept-encoding': encoding };
        const response = await ask(url, accepting);
        assert.equal(response.headers['content-encoding'], encoding);
        assert.equal(Number(response.headers['content-length']), response.rawPayload.length);
        assert.deepEqual(DECOMPRESS[encoding](response.rawPayload), plain.rawPayload);
        assert.match(String(response.headers.vary), /Accept-Encoding/);
        const etag = String(response.headers.etag);
        etags.add(etag);
        const again = await ask(url, { ...accepting, 'if-none-match': etag });
        assert.deepEqual([again.statusCode, again.headers.etag, again.body], [304, etag, '']);
        assert.equal((await ask(url, { ...headers, 'if-none-match': etag })).statusCode, 200);
      }
      assert.equal(etags.size, 1 + ENCODINGS.length);
    }
  });

  it('errors are sent uncompressed', async () => {
    const response = await ask(PUBLIC_FEED.replace('rocket', 'nothing'), { 'accept-encoding': 'gzip' });
    assert.equal(response.headers['content-encoding'], undefined);
    assert.equal(response.json().error.code, 'not_found');
    for (const url of ['/changelog/nobody', '/changelog/acme/rocket?from=x']) {
      const page = await ask(url, { 'accept-encoding': 'br' });
      assert.equal(page.headers['content-encoding'], undefined);
      assert.match(page.body, /^<!doctype html>/i);
    }
  });
});
