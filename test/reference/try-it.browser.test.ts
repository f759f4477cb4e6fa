// The forms on the reference page that send requests.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Browser, OpenedPage } from '../../support/browser/chromium.ts';
import { HIDDEN } from '../../support/content/world.ts';
import { listenApp } from '../../support/program/app.ts';
import { sharedChromium } from '../support/browser.ts';
import { suiteWithWorld } from '../support/suite.ts';

const GATE = { username: 'site', password: 'secret' };

describe('Try it at /docs', () => {
  const suite = suiteWithWorld();
  let browser: Browser;
  let origin: string;
  let opened: OpenedPage;
  let sent: string[];

  before(async () => {
    browser = await sharedChromium();
    origin = (await listenApp(suite.scope, suite.sandbox)).address;
    opened = await open(origin);
    sent = watch(opened.page);
  });

  async function open(at: string, httpCredentials?: typeof GATE) {
    const result = await browser.open({ origin: at, ...(httpCredentials && { httpCredentials }) });
    // As in browsers older than 2023.
    await result.page.addInitScript('delete URLSearchParams.prototype.size');
    await result.page.goto(`${at}/docs`);
    return result;
  }

  function watch(page: OpenedPage['page']): string[] {
    const urls: string[] = [];
    page.on('request', (request) => urls.push(request.url()));
    return urls;
  }

  /** An operation's form, opened. */
  async function formOf(operationId: string, page = opened.page) {
    const operation = page.locator(`#operation-${operationId}`);
    if (!(await operation.locator('form').isVisible())) await operation.getByText('Try it here').click();
    const [headers, body] = [
      operation.locator('.result pre').first(),
      operation.locator('.result pre').nth(1),
    ];
    return {
      operation,
      headers,
      body,
      send: async (status: string | RegExp) => {
        await operation.getByRole('button', { name: 'Send' }).click();
        await operation.locator('output').filter({ hasText: status }).waitFor();
      },
    };
  }

  it('a response is shown with its status and headers', async () => {
    const { send, headers, body } = await formOf('getpublicchangelog');
    await send(/^200 OK in \d+ ms$/);
    assert.match(String(await headers.textContent()), /^etag: "[\w-]+"$/m);
    assert.match(String(await headers.textContent()), /^ratelimit: "public";r=\d+;t=\d+$/m);
    assert.match(String(await body.textContent()), /^\{\n {2}"data": \{\n {4}"object": "changelog"/);
  });

  it('every filled-in parameter is sent, including several types', async () => {
    const { operation, send } = await formOf('getpublicchangelog');
    await operation.getByLabel('added').check();
    await operation.getByLabel('removed').check();
    await operation.getByLabel('include').selectOption('changes');
    await send('200');
    assert.equal(new URL(String(sent.at(-1))).search, '?type=added&type=removed&include=changes');
    for (const label of ['added', 'removed']) await operation.getByLabel(label).uncheck();
    await operation.getByLabel('include').selectOption('');
  });

  it('a button requests the next page, until there is none', async () => {
    const { operation, send, body } = await formOf('getpublicchangelog');
    const next = operation.getByRole('button', { name: 'Next page' });
    await operation.getByLabel('limit').fill('1');
    await send('200');
    assert.match(String(await body.textContent()), /"2\.1\.0"/);
    await next.focus();
    for (const seen = new Set(['2.1.0']); await next.isVisible(); ) {
      const before = await body.textContent();
      await next.press('Enter');
      await operation
        .locator('.result pre')
        .nth(1)
        .filter({ hasNotText: String(before) })
        .waitFor();
      const [, version = ''] = /"version": "([^"]+)"/.exec(String(await body.textContent())) ?? [];
      assert.ok(version !== '' && !seen.has(version), version);
      seen.add(version);
    }
    assert.match(String(sent.at(-1)), /\?limit=1&cursor=[\w-]+$/);
    assert.equal(await opened.page.evaluate('document.activeElement.textContent'), 'Send');
  });

  it('a key is sent as Authorization, and never stored, shown or put into a URL', async () => {
    const { page } = opened;
    const { operation, send, body } = await formOf('getchangelog');
    await operation.getByLabel('API key').fill(suite.world.full);
    const [request] = await Promise.all([page.waitForRequest(/\/api\/v1\/teams\//), send('200')]);
    assert.equal(await request.headerValue('authorization'), `Bearer ${suite.world.full}`);
    assert.ok((await body.textContent())?.includes(HIDDEN));
    const traces: string[] = await page.evaluate(`[
      document.body.textContent, document.cookie, location.href,
      JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), JSON.stringify(history.state),
    ]`);
    for (const trace of [...traces, ...sent]) assert.ok(!trace.includes(suite.world.full), trace);
    assert.equal(await operation.getByLabel('API key').getAttribute('type'), 'password');
    await page.reload();
    assert.equal(await page.locator('#operation-getchangelog-key').inputValue(), '');
  });

  it('all forms share one key, and a wrong one is 401', async () => {
    const first = await formOf('getchangelog');
    await first.operation.getByLabel('API key').fill(`${suite.world.full} `);
    const { operation, send, body } = await formOf('getversion');
    await operation.getByLabel('versionId').fill('3.0.0');
    await send('200');
    assert.ok((await body.textContent())?.includes(HIDDEN));
    await operation.getByLabel('API key').fill('no key, but ünusual ✓');
    await send('No response');
    await operation.getByLabel('API key').fill('wrong');
    await send('401');
    assert.match(String(await body.textContent()), /"unauthorized"/);
  });

  it('behind the gate, the key is sent together with the password that the browser asks for', async (t) => {
    const { address } = await listenApp(t, suite.sandbox, {
      PASSWORD_PROTECTION: 'true',
      PASSWORD_PROTECTION_USERNAME: GATE.username,
      PASSWORD_PROTECTION_PASSWORD: GATE.password,
    });
    const { page } = await open(address, GATE);
    const { operation, send, body } = await formOf('getchangelog', page);
    await operation.getByLabel('API key').fill(suite.world.full);
    await send('200');
    assert.ok((await body.textContent())?.includes(HIDDEN));
  });

  it('odd values keep their place in the URL', async () => {
    const { operation, send } = await formOf('getpublicversion');
    for (const value of ['a/b', '$&', '{teamSlug}', '?x=1#y', '%2e']) {
      await operation.getByLabel('versionId').fill(value);
      await send('404');
      assert.equal(new URL(String(sent.at(-1))).search, '');
      assert.ok(String(sent.at(-1)).endsWith(`/versions/${encodeURIComponent(value)}`), sent.at(-1));
    }
  });
});
