// The guide on the reference page: everything it shows works.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Browser, startChromium } from '../../../support/browser/chromium.ts';
import { listenApp } from '../../../support/program/app.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const CLIENT = pathToFileURL(path.resolve(import.meta.dirname, '../../../client/index.js')).href;

describe('the guide at /docs', () => {
  const suite = suiteWithWorld();
  let browser: Browser;
  let origin: string;
  let page: Awaited<ReturnType<Browser['open']>>['page'];

  before(async () => {
    browser = await startChromium(suite.scope);
    origin = (await listenApp(suite.scope, suite.sandbox)).address;
    ({ page } = await browser.open({ origin }));
    await page.goto(`${origin}/docs`);
  });

  async function codeOf(caption: string): Promise<string> {
    const figure = page.locator('figure', { has: page.locator(`figcaption:text-matches("^${caption}")`) });
    return (await figure.locator('code').first().textContent()) ?? '';
  }

  it('the guide begins with a request, and shows a response of the same form', async () => {
    assert.equal(await page.locator('main h3').first().textContent(), 'Quick start');
    const [, url = ''] = /^curl (\S+)$/.exec(await codeOf('First request')) ?? [];
    const response = (await (await fetch(url)).json()) as { data: { versions: object[] } };
    const shown = JSON.parse(await codeOf('Response')) as typeof response;
    assert.deepEqual(Object.keys(shown.data), Object.keys(response.data));
    assert.deepEqual(Object.keys(shown.data.versions[0] ?? {}), Object.keys(response.data.versions[0] ?? {}));
  });

  it('every request of the guide returns 200', async () => {
    const shown = [
      await codeOf('Next requests'),
      await codeOf('First page'),
      await codeOf('In a web page'),
    ].join('\n');
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
    const [, url = ''] = /'(.*)'/.exec(await codeOf('First page')) ?? [];
    const link = (await fetch(url.replace('limit=2', 'limit=1'))).headers.get('link') ?? '';
    const form = /^<\S+\?limit=\d&cursor=[\w-]+>; rel="next"$/;
    assert.match(link, form);
    assert.match((await codeOf('Response header')).replace('link: ', ''), form);
  });

  it('the code for the client runs', async () => {
    const code = (await codeOf('JavaScript')).replace("'changelog-read-api/client'", JSON.stringify(CLIENT));
    const file = path.join(suite.sandbox.folder, 'guide.mjs');
    writeFileSync(file, `${code}\nexport default { latest, groups };`);
    const { default: found } = await import(pathToFileURL(file).href);
    assert.equal(found.latest.version, '2.1.0');
    assert.ok(found.groups.length > 0);
  });

  it('the guide names the pages of a product', async () => {
    const text = (await page.locator('main').textContent()) ?? '';
    assert.ok(text.includes('/changelog/{team}/{product}'));
  });

  it('authenticated operations name the differences from the public ones, and repeat nothing else', async () => {
    const operation = page.locator('#operation-getchangelog');
    assert.equal(await operation.locator('table').count(), 0);
    assert.equal(
      await operation.locator('p a').first().getAttribute('href'),
      '#operation-getpublicchangelog',
    );
    const text = (await operation.textContent()) ?? '';
    assert.match(text, /Further statuses: 403\. There is no RateLimit or RateLimit-Policy header\./);
    assert.match(text, /Authorization: Bearer \$KEY/);
  });

  it('the contents mark the section that is read', async () => {
    for (const id of ['guide-paging', 'operation-getversion', 'record-change', 'error-unavailable']) {
      await page.locator(`nav a[href="#${id}"]`).click();
      await page.locator(`nav a[href="#${id}"][aria-current]`).waitFor({ state: 'attached' });
      assert.equal(await page.locator('[aria-current]').count(), 1);
    }
    await page.setViewportSize({ width: 360, height: 740 });
    await page.locator('nav a[href="#operations-feeds"]').click();
    await page.locator('nav a[href="#operations-feeds"][aria-current]').waitFor();
  });
});
