// The guide on the reference page: everything it shows works.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { unescapeHtml } from '../../src/text/escape.ts';
import { listenApp } from '../../support/program/app.ts';
import { suiteWithWorld } from '../support/suite.ts';

const CLIENT = pathToFileURL(path.resolve(import.meta.dirname, '../../client/index.js')).href;

describe('the guide at /docs', () => {
  const suite = suiteWithWorld();
  let page: string;

  before(async () => {
    const { address } = await listenApp(suite.scope, suite.sandbox);
    page = await (await fetch(`${address}/docs`)).text();
  });

  /** The text of the first element after a marker. */
  function textOf(element: string, from: string): string {
    const [, html = ''] =
      new RegExp(`${from}.*?<${element}\\b[^>]*>(.*?)</${element}>`, 's').exec(page) ?? [];
    return unescapeHtml(html.replaceAll(/<[^>]*>/g, ''));
  }
  const codeOf = (caption: string) => textOf('code', `<figcaption>${caption}`);

  it('the guide starts with a request, and shows a response of the same form', async () => {
    assert.equal(textOf('h3', '<main'), 'Quick start');
    const [, url = ''] = /^curl (\S+)$/.exec(codeOf('First request')) ?? [];
    const response = (await (await fetch(url)).json()) as { data: { versions: object[] } };
    const shown = JSON.parse(codeOf('Response')) as typeof response;
    assert.deepEqual(Object.keys(shown.data), Object.keys(response.data));
    assert.deepEqual(Object.keys(shown.data.versions[0] ?? {}), Object.keys(response.data.versions[0] ?? {}));
  });

  it('every request in the guide returns 200', async () => {
    const shown = [codeOf('Next requests'), codeOf('First page'), codeOf('In a web page')].join('\n');
    const urls = shown.match(/http:[^\s']+/g) ?? [];
    assert.equal(urls.length, 6);
    for (const url of urls) {
      const headers: Record<string, string> = url.includes('/public/')
        ? {}
        : { authorization: `Bearer ${suite.world.full}` };
      assert.equal((await fetch(url, { headers })).status, 200, url);
    }
  });

  it('the guide shows the Link header as servers send it', async () => {
    const [, url = ''] = /'(.*)'/.exec(codeOf('First page')) ?? [];
    const link = (await fetch(url.replace('limit=2', 'limit=1'))).headers.get('link') ?? '';
    const form = /^<\S+\?limit=\d&cursor=[\w-]+>; rel="next"$/;
    assert.match(link, form);
    assert.match(codeOf('Response header').replace('link: ', ''), form);
  });

  it('the client code runs', async () => {
    const code = codeOf('JavaScript').replace("'changelog-read-client'", JSON.stringify(CLIENT));
    const file = path.join(suite.sandbox.folder, 'guide.mjs');
    writeFileSync(file, `${code}\nexport default { latest, groups };`);
    const { default: found } = await import(pathToFileURL(file).href);
    assert.equal(found.latest.version, '2.1.0');
    assert.ok(found.groups.length > 0);
  });

  it('the guide names the pages of a product', () => {
    assert.ok(textOf('main', '<body').includes('/changelog/{team}/{product}'));
  });

  it('authenticated operations list their differences from the public ones, and repeat nothing else', () => {
    const [operation = ''] = /<article[^>]* id="operation-getchangelog".*?<\/article>/s.exec(page) ?? [];
    assert.doesNotMatch(operation, /<table/);
    assert.equal(/<p>[^<]*<a href="([^"]*)"/.exec(operation)?.[1], '#operation-getpublicchangelog');
    const text = textOf('article', '(?=<article[^>]* id="operation-getchangelog")');
    assert.match(text, /Further statuses: 401, 403\. There is no RateLimit or RateLimit-Policy header\./);
    assert.match(text, /Authorization: Bearer \$KEY/);
  });
});
