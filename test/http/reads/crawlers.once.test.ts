// `/sitemap.xml`, `/llms.txt`, `/robots.txt` and `/favicon.ico` (R38, R40).
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HIDDEN } from '../../../support/content/world.ts';
import { execute } from '../../../support/databases/engine.ts';
import { startApp } from '../../../support/program/app.ts';
import { becomes } from '../../support/becomes.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const BASE_URL = 'https://changes.example.com';
const URLS = [
  '/',
  '/changelog/acme',
  '/changelog/acme/new',
  '/changelog/acme/rocket',
  '/changelog/acme/rocket/versions/2.1.0',
  '/changelog/acme/rocket/versions/1.0.0',
].map((path) => BASE_URL + path);

const locationsOf = (xml: string) => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url ?? '');

describe('crawlers', () => {
  const suite = suiteWithWorld({ LISTING: 'all', BASE_URL });
  const read = async (url: string) => {
    const response = await suite.app.inject(url);
    assert.equal(response.statusCode, 200, response.body);
    return response;
  };

  it('/sitemap.xml has the canonical URL of every public page, and all of them exist', async () => {
    const { headers, body } = await read('/sitemap.xml');
    assert.equal(headers['content-type'], 'application/xml; charset=utf-8');
    assert.equal(headers['cache-control'], 'public, max-age=30');
    assert.deepEqual(locationsOf(body), URLS);
    for (const url of locationsOf(body)) {
      const page = await read(url.slice(BASE_URL.length));
      assert.ok(page.body.includes(`<link rel="canonical" href="${url}"`), url);
    }
  });

  it('/llms.txt has every public product', async () => {
    const { headers, body } = await read('/llms.txt');
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
    assert.deepEqual(body.match(/^## .*$/gm), ['## New (Acme)', '## Rocket (Acme)', '## API']);
    assert.ok(!body.includes(HIDDEN));
    for (const [, url = ''] of body.matchAll(/\]\((https:[^)]*)\)/g))
      if (!url.includes('FROM')) await read(url.slice(BASE_URL.length));
  });

  it('/changelog/{team}/llms.txt has those of one team, unless LISTING is none', async (t) => {
    const { headers, body } = await read('/changelog/acme/llms.txt');
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
    assert.deepEqual(body.match(/^##? .*$/gm), ['# Acme', '## New (Acme)', '## Rocket (Acme)', '## API']);
    assert.ok(!body.includes(HIDDEN));
    for (const [, url = ''] of body.matchAll(/\]\((https:[^)]*)\)/g)) await read(url.slice(BASE_URL.length));
    const { body: missing } = await suite.app.inject('/changelog/nobody/llms.txt');
    assert.match(missing, /^<!DOCTYPE html>/);
    assert.equal((await suite.app.inject('/changelog/vault/llms.txt')).body, missing);
    for (const [LISTING, status] of Object.entries({ none: 404, team: 200 })) {
      const { app } = await startApp(t, suite.sandbox, { LISTING });
      assert.equal((await app.inject('/changelog/acme/llms.txt')).statusCode, status, LISTING);
    }
  });

  it('/sitemap.xml and /llms.txt immediately show what was published or hidden, but no edit of a draft', async () => {
    const etags = async () => [
      (await read('/sitemap.xml')).headers.etag,
      (await read('/llms.txt')).headers.etag,
    ];
    const locations = async () => locationsOf((await read('/sitemap.xml')).body).length;
    const names = async () => ((await read('/llms.txt')).body.match(/^## .*$/gm) ?? []).join();
    const unchanged = await etags();
    await execute(suite.sandbox, `update versions set title = '${HIDDEN} 2' where id = 'ver_300'`);
    assert.deepEqual(await etags(), unchanged);
    await execute(suite.sandbox, `update products set status = 'draft' where slug = 'new'`);
    // With one product, the home page is not a page of its own.
    await becomes(locations, URLS.length - 2);
    await becomes(names, '## Rocket (Acme),## API');
    await execute(suite.sandbox, `update teams set visibility = 'private' where slug = 'acme'`);
    await becomes(locations, 1);
    await becomes(names, '## API');
    await execute(suite.sandbox, `update teams set visibility = 'public' where slug = 'acme'`);
    await execute(suite.sandbox, `update products set status = 'published' where slug = 'new'`);
    await becomes(locations, URLS.length);
  });

  for (const listing of ['none', 'team'])
    it(`/sitemap.xml and /llms.txt are 404 if LISTING is ${listing}, and robots.txt names no sitemap`, async (t) => {
      const { app } = await startApp(t, suite.sandbox, { LISTING: listing });
      for (const url of ['/sitemap.xml', '/llms.txt']) {
        const { statusCode, body } = await app.inject(url);
        assert.equal(statusCode, 404);
        assert.equal(body, (await app.inject('/nothing.xml')).body);
      }
      assert.equal((await app.inject('/robots.txt')).body, 'User-agent: *\nAllow: /\n');
    });

  it('/robots.txt names the sitemap, and is plain text that needs no database', async () => {
    const { headers, body } = await read('/robots.txt');
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
    assert.equal(headers['cache-control'], 'public, max-age=30');
    assert.equal(body, `User-agent: *\nAllow: /\n\nSitemap: ${BASE_URL}/sitemap.xml\n`);
    const { headers: again, statusCode } = await suite.app.inject({
      url: '/robots.txt',
      headers: { 'if-none-match': String(headers.etag) },
    });
    assert.deepEqual([statusCode, again.etag], [304, headers.etag]);
  });

  it('/favicon.ico is empty and cacheable', async () => {
    const { statusCode, headers, body } = await suite.app.inject('/favicon.ico');
    assert.deepEqual([statusCode, body], [204, '']);
    assert.equal(headers['cache-control'], 'public, max-age=30');
    assert.equal(headers['content-length'], undefined);
    assert.equal((await suite.app.inject({ url: '/favicon.ico', method: 'POST' })).statusCode, 405);
  });

  it('with the gate on, /robots.txt and /favicon.ico stay open, and the lists require the password', async (t) => {
    const gate = {
      PASSWORD_PROTECTION: 'true',
      PASSWORD_PROTECTION_USERNAME: 'u',
      PASSWORD_PROTECTION_PASSWORD: 'p',
      LISTING: 'all',
    };
    const { app } = await startApp(t, suite.sandbox, gate);
    assert.equal((await app.inject('/robots.txt')).body, 'User-agent: *\nDisallow: /\n');
    assert.equal((await app.inject('/favicon.ico')).statusCode, 204);
    for (const url of ['/sitemap.xml', '/llms.txt']) {
      assert.equal((await app.inject(url)).statusCode, 401);
      const authorization = `Basic ${Buffer.from('u:p').toString('base64')}`;
      const { statusCode, headers } = await app.inject({ url, headers: { authorization } });
      assert.deepEqual([statusCode, headers['cache-control']], [200, 'private, no-cache']);
    }
  });
});
