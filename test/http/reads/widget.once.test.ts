import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { startApp } from '../../../support/program/app.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const FILE = readFileSync(path.resolve(import.meta.dirname, '../../../client/widget.min.js'), 'utf8');
const BROTLI_BYTES_MAX = 6 * 1024;
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
