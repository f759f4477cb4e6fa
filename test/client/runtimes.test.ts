// What the client needs of where it runs, and how large it is.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { transform } from 'esbuild';
import type * as client from '../../client/index.js';
import { startStandIn } from './stand-in.ts';

const SOURCE = readFileSync(new URL('../../client/index.js', import.meta.url), 'utf8');
const BROTLI_BYTES_MAX = 4 * 1024;
const GZIP_BYTES_MAX = 4.4 * 1024;

/** All that there is in browsers, Node.js, Deno, Bun and on the edge, and that the client makes use of. */
const WEB = { fetch, URL, Headers, TextEncoder, btoa, AbortController, setTimeout, clearTimeout };

describe('client/index.js', () => {
  it('client/index.js imports nothing', () => {
    assert.doesNotMatch(SOURCE, /\b(?:import|require)\b/);
    assert.doesNotMatch(SOURCE, /\bnode:/);
  });

  it('client/index.js needs only a few web APIs', async (t) => {
    const { ChangelogClient, ChangelogError } = runWith(WEB);
    const { address, requests } = await startStandIn(t, ({ url, headers }, count) => {
      if (count === 1) return { status: 429, headers: { 'retry-after': '0' } };
      if (headers['if-none-match'] !== undefined) return { status: 304 };
      if (url.endsWith('/versions/none')) return { status: 404, body: '' };
      const link = url.includes('cursor') ? '' : '<https://x.invalid/?cursor=b>; rel="next"';
      return { headers: { etag: '"x"', link }, body: { data: { versions: [{ version: '1.0.0' }] } } };
    });
    const basic = { username: 'user', password: 'pässword' };
    const options = { baseUrl: address, team: 'acme', product: 'rocket' };
    const reader = new ChangelogClient({ ...options, basic, apiKey: 'key', retry: true });
    const { signal } = new AbortController();
    for (const _ of ['fetched', 'confirmed'])
      assert.equal((await Array.fromAsync(reader.versions({ since: new Date() }, { signal }))).length, 2);
    await reader.latest({ signal });
    await reader.changesBetween('1.0.0', '2.0.0', { type: ['added'], signal });
    await reader.checkForUpdate('1.0.0', { signal });
    await assert.rejects(reader.version('none'), ChangelogError);
    assert.equal(
      requests.at(-1)?.headers.authorization,
      `Basic ${Buffer.from('user:pässword').toString('base64')}`,
    );
    await assert.rejects(reader.feed({}, { signal: AbortSignal.abort() }), { name: 'AbortError' });
    assert.throws(() => new ChangelogClient({ ...options, baseUrl: 'no address' }), { name: 'TypeError' });
  });

  it('on a page of another origin the client leaves ETags to the browser', async (t) => {
    const { address, requests } = await startStandIn(t, () => ({
      headers: { etag: '"x"' },
      body: { data: { versions: [] } },
    }));
    for (const [origin, sent] of [
      ['https://page.invalid', undefined],
      ['null', undefined],
      [address, '"x"'],
    ]) {
      const { ChangelogClient } = runWith({ ...WEB, location: { origin } });
      const reader = new ChangelogClient({ baseUrl: address, team: 'acme', product: 'rocket' });
      await reader.feed();
      await reader.feed();
      assert.equal(requests.at(-1)?.headers['if-none-match'], sent, origin);
    }
  });

  it('client/index.js uses each of these web APIs', () => {
    for (const name of Object.keys(WEB)) assert.match(SOURCE, new RegExp(`\\b${name}\\b`), name);
  });

  it('client/index.js has at most 4 KB with Brotli and 4.4 KB with gzip, minified', async (t) => {
    const { code } = await transform(SOURCE, { minify: true, format: 'esm' });
    const gzip = gzipSync(code, { level: 9 }).length;
    const brotli = brotliCompressSync(code).length;
    t.diagnostic(`client: ${code.length} bytes minified, ${gzip} with gzip, ${brotli} with brotli`);
    assert.ok(code.length > 1_000);
    assert.ok(brotli <= BROTLI_BYTES_MAX, `${brotli} bytes`);
    assert.ok(gzip <= GZIP_BYTES_MAX, `${gzip} bytes`);
  });
});

/** The client in a realm of its own, which has the language and these globals, and nothing of Node.js. Retries at once. */
function runWith(globals: object): typeof client {
  const script = SOURCE.replaceAll(/^export /gm, '');
  return runInContext(
    `'use strict';Math.random = () => 0;${script};({ ChangelogClient, ChangelogError })`,
    createContext({ ...globals }),
  );
}
