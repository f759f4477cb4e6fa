import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { ENGLISH, LANGUAGES, localeFor, type Words } from '../../../src/present/words/locale.ts';
import { startApp } from '../../../support/program/app.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const FILE = readFileSync(path.resolve(import.meta.dirname, '../../../client/widget.min.js'), 'utf8');
const BROTLI_BYTES_MAX = 6.5 * 1024;
const TRANSLATED_BROTLI_BYTES_MAX = 7_000;
const GATE = {
  PASSWORD_PROTECTION: 'true',
  PASSWORD_PROTECTION_USERNAME: 'u',
  PASSWORD_PROTECTION_PASSWORD: 'p',
};

describe('GET /widget.js', () => {
  const suite = suiteWithWorld();
  const ask = (method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST', headers = {}) =>
    suite.app.inject({
      url: '/widget.js',
      method,
      headers: { origin: 'https://elsewhere.example', ...headers },
    });

  it('/widget.js is the committed bundle, as a script that pages of any site may load', async () => {
    const { statusCode, headers, body } = await ask('GET');
    assert.equal(statusCode, 200);
    assert.equal(body, FILE);
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8');
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['cache-control'], 'public, max-age=30');
    assert.deepEqual([headers.ratelimit, headers['set-cookie']], [undefined, undefined]);
  });

  it(`/widget.js takes at most ${BROTLI_BYTES_MAX} bytes with Brotli, including everything it needs`, async () => {
    const { headers, rawPayload } = await ask('GET', { 'accept-encoding': 'br, gzip' });
    assert.equal(headers['content-encoding'], 'br');
    assert.equal(headers.vary, 'Accept-Encoding');
    assert.equal(brotliDecompressSync(rawPayload).toString(), FILE);
    assert.ok(rawPayload.length <= BROTLI_BYTES_MAX, `${rawPayload.length} bytes`);
    const zipped = await ask('GET', { 'accept-encoding': 'gzip' });
    assert.equal(gunzipSync(zipped.rawPayload).toString(), FILE);
    assert.notEqual(zipped.headers.etag, headers.etag);
  });

  it('/widget.js is a 304 for a browser that has it, even on another site', async () => {
    const { etag } = (await ask('GET')).headers;
    const { statusCode, headers, body } = await ask('GET', { 'if-none-match': etag });
    assert.deepEqual([statusCode, body, headers.etag], [304, '', etag]);
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
  });

  it('/widget.js supports HEAD and OPTIONS, is 405 for other methods, and has no other path (R18)', async () => {
    const head = await ask('HEAD');
    assert.deepEqual([head.statusCode, head.body], [200, '']);
    assert.equal(head.headers['content-length'], String(Buffer.byteLength(FILE)));
    const preflight = await ask('OPTIONS');
    assert.deepEqual([preflight.statusCode, preflight.headers.allow], [204, 'GET, HEAD, OPTIONS']);
    assert.equal(preflight.headers['access-control-allow-methods'], 'GET, HEAD, OPTIONS');
    assert.equal((await ask('POST')).statusCode, 405);
    for (const url of ['/widget.js/', '/widget', '/widget.min.js', '/Widget.js'])
      assert.equal((await suite.app.inject(url)).statusCode, 404, url);
  });

  const inLanguage = (query: string, headers = {}) =>
    suite.app.inject({ url: `/widget.js?${query}`, method: 'GET', headers });

  /** The words that the script has, as an element without attributes has them. */
  async function wordsIn(script: string): Promise<Record<string, string>> {
    const { WhatsNew } = await import(`data:text/javascript,${encodeURIComponent(script)}`);
    const property = Object.getOwnPropertyDescriptor(WhatsNew.prototype, 'texts');
    return property?.get?.call({ getAttribute: () => null });
  }

  it('/widget.js?lang=TAG has all words of that language (R59)', async () => {
    const english = await wordsIn(FILE);
    assert.deepEqual(english, { ...ENGLISH.words.types, ...ENGLISH.words.widget });
    for (const tag of LANGUAGES) {
      const { types, widget } = localeFor(tag).words;
      const words = await wordsIn((await inLanguage(`lang=${tag}`)).body);
      assert.deepEqual(words, { ...types, ...widget }, tag);
      assert.deepEqual(Object.keys(words).sort(), Object.keys(english).sort(), tag);
      // It writes a number of up to 9 with these digits in every language.
      assert.equal(new Intl.NumberFormat(tag).format(9), '9', tag);
    }
  });

  it(`/widget.js?lang=TAG takes at most ${TRANSLATED_BROTLI_BYTES_MAX} bytes with Brotli in the languages with the longest words`, async () => {
    const lengthOf = ({ types, widget }: Words) => Buffer.byteLength(JSON.stringify([types, widget]));
    const byLength = LANGUAGES.map((tag) => [tag, localeFor(tag).words] as const).sort(
      ([, one], [, other]) => lengthOf(other) - lengthOf(one),
    );
    for (const [tag] of byLength.slice(0, 3)) {
      const { headers, rawPayload } = await inLanguage(`lang=${tag}`, { 'accept-encoding': 'br' });
      assert.deepEqual([headers['content-encoding'], headers.vary], ['br', 'Accept-Encoding']);
      assert.ok(rawPayload.length <= TRANSLATED_BROTLI_BYTES_MAX, `${tag}: ${rawPayload.length} bytes`);
    }
  });

  it('/widget.js?lang=TAG is the nearest language with words, or else the same script as without', async () => {
    for (const [nearest, tags] of Object.entries({
      en: ['en', 'EN', 'en-GB', 'fi', 'tlh', 'de-Cyrl', 'fi&utm_source=x'],
      de: ['de', 'de-CH', 'DE-at', 'de&v=2', 'de-x-private'],
      'zh-Hant': ['zh-TW', 'zh-Hant-HK'],
      he: ['iw'],
      ar: ['ar-EG'],
    })) {
      const { body, headers } = await inLanguage(`lang=${nearest}`);
      assert.equal(body === FILE, nearest === 'en');
      for (const tag of tags) {
        const found = await inLanguage(`lang=${tag}`, { 'if-none-match': headers.etag });
        assert.deepEqual([found.statusCode, found.headers.etag], [304, headers.etag], tag);
      }
    }
  });

  it('/widget.js?lang=TAG is 400 for what is not a language tag (R21, R47)', async () => {
    const message = 'The query parameter lang must be a BCP 47 language tag, such as en, de-CH or zh-Hant';
    for (const [query, expected] of [
      ['lang=', `${message}.`],
      ['lang=german', `${message}.`],
      ['lang=de_CH', `${message}.`],
      ['lang=de-a', `${message}.`],
      [`lang=${encodeURIComponent('";alert(1)//')}`, `${message}.`],
      [`lang=${'de-'.repeat(1000)}de`, `${message}.`],
      ['lang=de&lang=fr', `${message}, and must be given only once.`],
      ['langs=de', 'The query has an unknown parameter. Did you mean lang?'],
    ]) {
      const { statusCode, headers, body } = await inLanguage(`${query}`);
      assert.equal(statusCode, 400, query);
      assert.equal(headers['content-type'], 'application/json; charset=utf-8');
      assert.equal(JSON.parse(body).error.message, expected);
    }
  });

  it('/widget.js has no content, so it never needs a database, nor a password with the gate on', async (t) => {
    const { app, queries } = await startApp(t, suite.sandbox, { ...GATE, PUBLIC_RATE_LIMIT: '1' });
    queries.length = 0;
    for (const _ of ['within the limit', 'over it', 'again']) {
      const { statusCode, headers } = await app.inject('/widget.js');
      assert.deepEqual(
        [statusCode, headers['access-control-allow-origin'], headers['cache-control']],
        [200, '*', 'public, max-age=30'],
      );
    }
    assert.deepEqual(queries, []);
  });
});
