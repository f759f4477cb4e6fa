// The demo page on which the widget can be tried, in a browser.
import assert from 'node:assert/strict';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { ROOT } from '../../../src/root.ts';
import {
  changeLook,
  findAccessibilityProblems,
  findKeyboardProblems,
  findOverflow,
  LOOKS,
} from '../../../support/browser/accessibility.ts';
import { type Browser, type OpenedPage, startChromium } from '../../../support/browser/chromium.ts';
import { type Traffic, watchTraffic } from '../../../support/browser/traffic.ts';
import { findInvalidHtml } from '../../../support/browser/validity.ts';
import { listenApp } from '../../../support/program/app.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const QUIET = { console: [], errors: [], dialogs: [], outside: [] };

describe('/demo', () => {
  const suite = suiteWithWorld();
  let demo: Awaited<ReturnType<typeof listenApp>>;
  let chromium: Browser;
  let opened: OpenedPage;
  let traffic: Traffic;

  before(async () => {
    demo = await listenApp(suite.scope, suite.sandbox, {
      LISTING: 'all',
      CHANGELOG_DEMO_PAGE: path.join(ROOT, 'demo/widget.html'),
    });
    chromium = await startChromium(suite.scope);
    opened = await chromium.open({ origin: demo.address });
    traffic = await watchTraffic(opened.page);
    await opened.page.goto(`${demo.address}/demo`);
  });

  it('/demo exists only if asked for', async () => {
    const missing = await suite.app.inject('/nothing');
    for (const url of ['/demo']) {
      const { statusCode, body } = await suite.app.inject(url);
      assert.deepEqual([statusCode, body], [404, missing.body]);
      assert.equal((await demo.app.inject({ url, method: 'POST' })).statusCode, 405);
    }
  });

  it('/demo allows only scripts and requests of its own origin, and no Trusted Types', async () => {
    const { headers, body } = await demo.app.inject('/demo');
    assert.match(
      String(headers['content-security-policy']),
      /^default-src 'none'; script-src 'self' 'sha256-[^ ]+'; connect-src 'self'; style-src 'sha256-[^ ]+'; .*; require-trusted-types-for 'script'; trusted-types 'none'$/,
    );
    assert.deepEqual(await findInvalidHtml(body), []);
  });

  it('/demo lets people try the widget with each mode, with a new version, and as on a first visit', async () => {
    const { page, incidents } = opened;
    const news = page.getByRole('link', { name: "What's new, 1 unread" });
    await news.click();
    await page.getByText('A countdown').waitFor();
    // Two frames: smooth scrolling starts in the first.
    await page.evaluate('new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame)))');
    assert.equal(await page.evaluate('scrollY'), 0, 'opening does not scroll the page');
    await page.keyboard.press('Escape');
    assert.equal(await news.count(), 0);
    await page.locator('#heard li', { hasText: 'close' }).waitFor();
    assert.deepEqual(await page.locator('#heard li').allTextContents(), [
      'close',
      'unreadchange, count: 0',
      'open',
      'unreadchange, count: 1',
    ]);
    await page.locator('#publish').click();
    await news.waitFor();
    await page.locator('[name=mode]').selectOption('modal');
    await page.locator('[name=version]').selectOption('1.4.2');
    await page.locator('whats-new a').click();
    await page.getByText('Since 1.4.2').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[name=mode]').selectOption('inline');
    await page.getByText('Since 1.4.2').waitFor();
    assert.match(
      (await page.locator('#snippet').textContent()) ?? '',
      /\n\n<whats-new team="acme" product="rocket" version="1\.4\.2" mode="inline">\n {2}<a href="http:[^"]+\/changelog\/acme\/rocket">What's new<\/a>\n<\/whats-new>$/,
    );
    await page.locator('[name=mode]').selectOption('popover');
    await page.locator('#forget').click();
    await page.getByRole('link', { name: "What's new", exact: true }).waitFor();
    await page.locator('[name=lang]').selectOption('ar');
    await page.waitForURL(/\?lang=ar$/);
    await page.locator('whats-new a[aria-expanded]').click();
    await page.getByRole('dialog', { name: 'ما الجديد' }).getByText('إضافات').first().waitFor();
    assert.match((await page.locator('#snippet').textContent()) ?? '', /\/widget\.js\?lang=ar"/);
    await page.keyboard.press('Escape');
    await page.locator('[name=lang]').selectOption('');
    await page.waitForURL(/\/demo$/);
    await page.locator('whats-new a[aria-expanded]').waitFor();
    assert.deepEqual(incidents, QUIET);
    assert.deepEqual(await traffic.violations(), []);
  });

  it('/demo reserves space for its controls, unless scripts are off', async () => {
    const { page } = await chromium.open({ origin: demo.address });
    const held = Promise.withResolvers<void>();
    await page.route('**/demo.js', async (route) => {
      await held.promise;
      await route.continue();
    });
    const below = page.getByRole('heading', { name: 'Copy and paste' });
    await page.goto(`${demo.address}/demo`, { waitUntil: 'commit' });
    await page.locator('.corner').waitFor();
    const before = await below.boundingBox();
    held.resolve();
    await page.getByRole('group', { name: 'Settings of the widget' }).waitFor();
    assert.deepEqual(await below.boundingBox(), before);

    const plain = await chromium.open({ origin: demo.address, javaScriptEnabled: false });
    await plain.page.goto(`${demo.address}/demo`);
    const heading = await plain.page.getByRole('heading', { name: 'Copy and paste' }).boundingBox();
    assert.ok((heading?.y ?? 0) < (before?.y ?? 0) - 100);
  });

  it('/demo hides its controls until its script runs', async () => {
    const { page } = opened;
    assert.match((await demo.app.inject('/demo')).body, /<fieldset class="fields" hidden>/);
    const controls = page.getByRole('group', { name: 'Settings of the widget' });
    assert.equal(await controls.count(), 1);
    await page.evaluate(`document.querySelector('fieldset').hidden = true`);
    assert.equal(await controls.count(), 0);
    await page.evaluate(`document.querySelector('fieldset').hidden = false`);
  });

  it('/demo is accessible, even from right to left, and fits a phone', async () => {
    const { page } = opened;
    for (const [index, look] of LOOKS.entries()) {
      await changeLook(page, look);
      await page.locator('[name=dir]').selectOption(index % 2 === 0 ? 'ltr' : 'rtl');
      assert.deepEqual(await findAccessibilityProblems(page), [], JSON.stringify(look));
    }
    assert.deepEqual(await findKeyboardProblems(page), []);
    assert.deepEqual(await findOverflow(page), []);
  });
});
