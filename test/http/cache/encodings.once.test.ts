import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { chooseEncoding, ENCODINGS, type Encoding } from '../../../src/http/cache/encodings.ts';
import { CachedResponse, type EncodedResponse } from '../../../src/http/cache/response.ts';
import { PUBLIC_FEED, TEAM_FEED } from '../../../support/content/world.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const DECOMPRESS = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync };

describe('the encoding that is chosen', () => {
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
    it(`of ${header === undefined ? 'no header' : `"${header}"`} is ${encoding ?? 'none'}`, () => {
      for (let round = 0; round < 2; round++) assert.equal(chooseEncoding(header), encoding);
    });
  }

  it('is as right for a list that nobody sent before, after any number of others', () => {
    for (let index = 0; index < 300; index++) chooseEncoding(`x-${index}, gzip`);
    assert.equal(chooseEncoding('x-new, zstd'), 'zstd');
  });
});

describe('an answer', () => {
  const words = Buffer.from(`{"text":"${'some words, ünd möre; '.repeat(100)}"}`);
  const bytesOf = ({ body }: EncodedResponse) =>
    typeof body === 'string' ? Buffer.from(body, 'latin1') : Buffer.concat(body);
  const grown = () => {};

  it('is made once in each form, which holds the same bytes, under an ETag of its own', async () => {
    const answer = new CachedResponse(words, { cacheControl: 'private', contentType: 'text/plain' });
    let made = 0;
    const forms = await Promise.all(
      ENCODINGS.flatMap((encoding) => [answer.in(encoding, () => made++), answer.in(encoding, () => made++)]),
    );
    assert.equal(made, ENCODINGS.length);
    for (const [index, encoding] of ENCODINGS.entries()) {
      const form = forms[index * 2] as EncodedResponse;
      assert.equal(forms[index * 2 + 1], form);
      assert.equal(answer.in(encoding, grown), form);
      assert.deepEqual(DECOMPRESS[encoding](bytesOf(form)), words);
      assert.ok(form.head.join(' ').includes(`content-encoding ${encoding}`));
    }
    const etags = new Set([answer.plain.etag, ...forms.map(({ etag }) => etag)]);
    assert.equal(etags.size, 1 + ENCODINGS.length);
    const compressed = forms.filter((_, index) => index % 2 === 0).map((form) => bytesOf(form).length);
    assert.equal(
      answer.bytes,
      compressed.reduce((sum, bytes) => sum + bytes, words.length),
    );
  });

  it('is sent as it is where that is smaller, or so small that it makes no difference', async () => {
    const noise = Buffer.from(Array.from({ length: 3_000 }, (_, index) => (index * index * 7_919) % 251));
    for (const bytes of [Buffer.from('{"data":1}'), Buffer.alloc(255, 'x')]) {
      const answer = new CachedResponse(bytes, { cacheControl: 'private', contentType: 'text/plain' });
      assert.equal(answer.in('gzip', grown), answer.plain);
    }
    const random = new CachedResponse(crypto.getRandomValues(noise), {
      cacheControl: 'private',
      contentType: 'text/plain',
    });
    assert.equal(await random.in('gzip', grown), random.plain);
    assert.equal(random.bytes, 3_000);
  });

  it('that is very large does not wait for its form: it is sent as it is until the form is there', async () => {
    const answer = new CachedResponse(Buffer.alloc(1_048_577, 'words '), {
      cacheControl: 'private',
      contentType: 'text/plain',
    });
    const made = Promise.withResolvers<void>();
    assert.equal(answer.in('gzip', made.resolve), answer.plain);
    await made.promise;
    const form = answer.in('gzip', grown) as EncodedResponse;
    assert.equal(gunzipSync(bytesOf(form)).length, 1_048_577);
  });
});

describe('both surfaces', () => {
  const suite = suiteWithWorld();
  const ask = (url: string, headers: Record<string, string>) => suite.app.inject({ url, headers });

  it('send each encoding with the same content, its own ETag, and 304 for that one only', async () => {
    const key = { authorization: `Bearer ${suite.world.full}` };
    for (const [url, headers] of [
      [PUBLIC_FEED, {}],
      [TEAM_FEED, key],
    ] as const) {
      const plain = await ask(url, headers);
      assert.equal(plain.headers['content-encoding'], undefined);
      const etags = new Set([plain.headers.etag]);
      for (const encoding of ENCODINGS) {
        const accepting = { ...headers, 'accept-encoding': encoding };
        const answer = await ask(url, accepting);
        assert.equal(answer.headers['content-encoding'], encoding);
        assert.equal(Number(answer.headers['content-length']), answer.rawPayload.length);
        assert.deepEqual(DECOMPRESS[encoding](answer.rawPayload), plain.rawPayload);
        assert.match(String(answer.headers.vary), /Accept-Encoding/);
        const etag = String(answer.headers.etag);
        etags.add(etag);
        const again = await ask(url, { ...accepting, 'if-none-match': etag });
        assert.deepEqual([again.statusCode, again.headers.etag, again.body], [304, etag, '']);
        assert.equal((await ask(url, { ...headers, 'if-none-match': etag })).statusCode, 200);
      }
      assert.equal(etags.size, 1 + ENCODINGS.length);
    }
  });

  it('send errors as they are', async () => {
    const answer = await ask(PUBLIC_FEED.replace('rocket', 'nothing'), { 'accept-encoding': 'gzip' });
    assert.equal(answer.headers['content-encoding'], undefined);
    assert.equal(answer.json().error.code, 'not_found');
  });
});
