// The reference page, opened in a real browser.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { API_ERRORS } from '../../../src/errors.ts';
import { NO_SCRIPT } from '../../../src/present/pages/style.ts';
import type { OpenApiDocument } from '../../../src/reference/openapi/types.ts';
import { findAccessibilityProblems, findOverflow } from '../../../support/browser/accessibility.ts';
import type { Browser, OpenedPage } from '../../../support/browser/chromium.ts';
import { findInvalidHtml } from '../../../support/browser/validity.ts';
import { until } from '../../../support/processes/poll.ts';
import { listenApp, startApp } from '../../../support/program/app.ts';
import { sharedChromium } from '../../support/browser.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const GATE = {
  PASSWORD_PROTECTION: 'true',
  PASSWORD_PROTECTION_USERNAME: 'site',
  PASSWORD_PROTECTION_PASSWORD: 'secret',
};
const QUIET = { console: [], errors: [], dialogs: [], outside: [] };
const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 360, height: 740 };
/** More are "excessive". */
const NODES_MAX = 1_400;

describe('GET /docs', () => {
  const suite = suiteWithWorld();

  it('the docs page is cacheable, compressed, and 304 for a client that has it', async () => {
    const { statusCode, headers, body } = await suite.app.inject('/docs');
    assert.equal(statusCode, 200);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(headers['cache-control'], 'public, max-age=30');
    const etag = String(headers.etag);
    const again = await suite.app.inject({ url: '/docs', headers: { 'if-none-match': etag } });
    assert.equal(again.statusCode, 304);
    const small = await suite.app.inject({ url: '/docs', headers: { 'accept-encoding': 'br' } });
    assert.equal(brotliDecompressSync(small.rawPayload).toString(), body);
    assert.ok(small.rawPayload.length < 18_000, `${small.rawPayload.length} bytes`);
  });

  it('the docs page forbids browsers to load anything else', async () => {
    const { headers, body } = await suite.app.inject('/docs');
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /^default-src 'none'; /);
    assert.match(policy, /; script-src 'sha256-[^' ]+'; /);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/);
    for (const part of ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", NO_SCRIPT])
      assert.ok(policy.includes(part), part);
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.doesNotMatch(body, / style="| on\w+="/);
  });

  it('the docs page is valid HTML, with a description', async () => {
    const { body } = await suite.app.inject('/docs');
    assert.deepEqual(await findInvalidHtml(body), []);
    assert.match(body, /<meta name="description" content="[^"<>]{50,}">/);
    assert.match(body, /<link rel="icon" href="data:[^"<>]+">/);
  });

  it('the docs page groups operations by what they are for, and shows examples without their style sheets', async () => {
    const { body } = await suite.app.inject('/docs');
    const groups = [...body.matchAll(/<h2[^>]* id="operations-[^>]*>([^<]*)/g)].map(([, name]) => name);
    const expected = ['Public', 'Notes', 'Feeds', 'Latest version', 'Gitea', 'Description'];
    assert.deepEqual(groups, expected);
    assert.equal(body.match(/&lt;style&gt;…&lt;\/style&gt;/g)?.length, 2);
    assert.equal(body.match(/&lt;style&gt;/g)?.length, 2);
  });

  it('the docs page needs no password with the gate on: only paths under /api do', async (t) => {
    const { app } = await startApp(t, suite.sandbox, GATE);
    const { statusCode, headers, body } = await app.inject('/docs');
    assert.equal(statusCode, 200);
    assert.equal(headers['cache-control'], 'public, max-age=30');
    assert.match(body, /curl -u USER:PASSWORD http/);
    assert.match(body, /curl -u USER:PASSWORD -H &quot;X-API-Key: \$KEY&quot;/);
    assert.doesNotMatch(body, /curl -H &quot;Authorization/);
    const open = (await suite.app.inject('/docs')).body;
    assert.doesNotMatch(open, /USER:PASSWORD|password of the gate/);
  });

  it('the docs page supports HEAD and OPTIONS, is 405 for other methods, and has no other path', async () => {
    assert.equal((await suite.app.inject({ url: '/docs', method: 'HEAD' })).statusCode, 200);
    assert.equal((await suite.app.inject({ url: '/docs', method: 'OPTIONS' })).statusCode, 204);
    assert.equal((await suite.app.inject({ url: '/docs', method: 'POST' })).statusCode, 405);
    assert.equal((await suite.app.inject('/docs/')).statusCode, 404);
  });
});

describe('the page at /docs, in a browser', () => {
  const suite = suiteWithWorld();
  let browser: Browser;
  let origin: string;
  let page: OpenedPage['page'];
  let incidents: OpenedPage['incidents'];

  before(async () => {
    browser = await sharedChromium();
    origin = (await listenApp(suite.scope, suite.sandbox)).address;
    ({ page, incidents } = await browser.open({ origin }));
    await page.goto(`${origin}/docs`);
  });

  async function assertQuiet(opened: OpenedPage): Promise<void> {
    assert.equal(await opened.page.title(), 'Changelog Read API');
    const [wide, window] = await opened.page.evaluate<[number, number]>(
      '[document.documentElement.scrollWidth, innerWidth]',
    );
    assert.ok(wide <= window, `${wide} in ${window}`);
    assert.deepEqual(opened.incidents, QUIET);
  }

  for (const [where, viewport] of Object.entries({ 'on a desktop': DESKTOP, 'on a phone': PHONE })) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`the docs page loads nothing else, logs no errors and fits the window: ${where}, ${colorScheme}`, async () => {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(viewport);
        await page.reload();
        await assertQuiet({ page, incidents });
      });
    }
  }

  it('the docs page is readable without JavaScript', async () => {
    const opened = await browser.open({ origin, javaScriptEnabled: false });
    await opened.page.goto(`${origin}/docs`);
    await assertQuiet(opened);
    assert.ok((await opened.page.locator('details').count()) > 20);
    assert.equal(await opened.page.locator('button').count(), 0);
  });

  it('the docs page follows the color scheme, with enough contrast in both', async () => {
    const light = await look('light');
    const dark = await look('dark');
    assert.ok(light.page > 0.9 && dark.page < 0.05, JSON.stringify({ light, dark }));
    for (const { page, inks } of [light, dark]) {
      for (const ink of inks) {
        const contrast = (Math.max(page, ink) + 0.05) / (Math.min(page, ink) + 0.05);
        assert.ok(contrast >= 4.5, String(contrast));
      }
    }
  });

  async function look(colorScheme: 'light' | 'dark') {
    await page.emulateMedia({ colorScheme });
    const colours: string[] = await page.evaluate(`
      [['body', 'backgroundColor'], ['p', 'color'], ['.also', 'color'], ['main a', 'color'], ['h2', 'color'],
       ['dt', 'color'], ['main button', 'color']]
        .map(([selector, name]) => getComputedStyle(document.querySelector(selector))[name])`);
    const [background = 0, ...inks] = colours.map(luminance);
    return { page: background, inks };
  }

  it('the docs page has every operation, record and error of the OpenAPI document', async () => {
    const { paths, components }: OpenApiDocument = await page.evaluate(
      `fetch('api/openapi.json').then((response) => response.json())`,
    );
    const shown = await page.locator('li > code').allTextContents();
    assert.deepEqual(shown.sort(), Object.keys(paths).sort());
    for (const { get } of Object.values(paths))
      assert.equal(await page.locator(`#operation-${get.operationId.toLowerCase()}`).count(), 1);
    for (const name of Object.keys(components.schemas))
      assert.equal(await page.locator(`#record-${name.toLowerCase()}`).count(), 1, name);
    for (const name of Object.keys(components.parameters))
      assert.equal(await page.locator(`#parameter-${name.toLowerCase()}`).count(), 1, name);
    const errors = await page.locator('dt[id^=error-]').allTextContents();
    assert.deepEqual(
      errors,
      Object.entries(API_ERRORS).map(([code, { status }]) => `${status} ${code}`),
    );
  });

  it('operations that differ only in form or surface are one, with a line for each', async () => {
    const group = page.locator('details', { hasText: 'The release notes between two versions' });
    const base = '/products/{productSlug}/changelog/changes';
    assert.deepEqual(
      await group.locator('li').allTextContents(),
      ['public/teams', 'teams'].flatMap((surface) =>
        [
          ['md', 'markdown'],
          ['txt', 'plain'],
          ['html', 'html'],
        ].map(
          ([extension, type]) =>
            `/api/v1/${surface}/{teamSlug}${base}.${extension} text/${type}${surface === 'teams' ? ', with an API key' : ''}`,
        ),
      ),
    );
    assert.equal(await group.locator('summary', { hasText: 'Example' }).count(), 3);
  });

  it('a record that extends another one has only its own fields', async () => {
    const text = (await page.locator('#record-latestversion').textContent()) ?? '';
    assert.match(text, /It has the fields of VersionSummary, and these:/);
    assert.deepEqual(await page.locator('#record-latestversion dt').allTextContents(), ['yanked: boolean']);
  });

  it(`the docs page has fewer than ${NODES_MAX} elements, as Lighthouse asks for`, async () => {
    const count = Number(await page.evaluate(`document.querySelectorAll('*').length`));
    assert.ok(count < NODES_MAX, String(count));
  });

  it('every link on the docs page leads to a heading on it or to the OpenAPI document', async () => {
    const links: string[] = await page.evaluate(
      `[...document.querySelectorAll('a')].map((link) => link.getAttribute('href'))`,
    );
    const ids: string[] = await page.evaluate(`[...document.querySelectorAll('[id]')].map(({ id }) => id)`);
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(links.length > 40);
    assert.deepEqual(
      links.filter((href) => !(href.startsWith('#') && ids.includes(href.slice(1)))),
      ['api/openapi.json'],
    );
  });

  it('the docs page has a language, one of each landmark, headings in order and names for all focusable elements', async () => {
    assert.equal(await page.evaluate('document.documentElement.lang'), 'en');
    for (const landmark of ['header', 'nav', 'main', 'h1'])
      assert.equal(await page.locator(landmark).count(), 1);
    const levels: number[] = await page.evaluate(
      `[...document.querySelectorAll('h1, h2, h3, h4')].map(({ tagName }) => Number(tagName[1]))`,
    );
    for (const [index, level] of levels.entries())
      assert.ok(level <= (levels[index - 1] ?? 0) + 1, `heading ${index}`);
    const unnamed: string[] = await page.evaluate(`
      [...document.querySelectorAll('[tabindex], button, input')]
        .filter((element) => !(element.ariaLabel || element.textContent || element.labels?.length))
        .map((element) => element.outerHTML)`);
    assert.deepEqual(unnamed, []);
  });

  it('a button copies its command, and covers no code on a phone', async () => {
    const { page } = await browser.open({ origin, ...PHONE });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${origin}/docs`);
    const [commands, covering]: [number, string[]] = await page.evaluate(`(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
      const buttons = [...document.querySelectorAll('main button')];
      const covers = (button) => {
        const code = button.nextElementSibling.getBoundingClientRect();
        const { right, height } = button.getBoundingClientRect();
        return height < 24 || (right > code.left && button.getBoundingClientRect().left < code.right);
      };
      return [buttons.length, buttons.filter(covers).map((button) => button.nextElementSibling.textContent)];
    })()`);
    const shown = await page.locator('pre', { hasText: /^curl / }).count();
    assert.ok(shown > 20);
    assert.equal(commands, shown);
    assert.deepEqual(covering, []);
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    assert.equal(
      await page.evaluate('navigator.clipboard.readText()'),
      `curl ${origin}/api/v1/public/teams/acme/products/rocket/changelog`,
    );
  });

  it('the docs page has no accessibility problems with every section open', async () => {
    const { page } = await browser.open({ origin, ...PHONE, colorScheme: 'dark' });
    await page.goto(`${origin}/docs`);
    await page.evaluate(`for (const details of document.querySelectorAll('details')) details.open = true`);
    // `npm run prove pages` covers the other variants.
    assert.deepEqual(await findAccessibilityProblems(page), []);
    assert.deepEqual(await findOverflow(page), []);
  });

  it('the test detects a page that loads or styles anything from elsewhere', async () => {
    const before = incidents.console.length;
    await page.evaluate(`document.body.setAttribute('style', 'color: red')`);
    await page.evaluate(`fetch('https://example.com/').catch(() => {})`);
    for (const caught of [
      /inline style violates the following Content Security Policy/,
      /Connecting to 'https:.* violates the following Content Security Policy/,
    ])
      await until(String(caught), () => incidents.console.slice(before).some((text) => caught.test(text)));
  });
});

/** WCAG's relative luminance, for a color as browsers write it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map((part) => {
    const value = Number(part) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
