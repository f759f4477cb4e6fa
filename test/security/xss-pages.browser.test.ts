// Pages whose every authored text is a payload, and forms filled in with payloads, in a real browser: none may run, and
// the content security policy has nothing to block.
import assert from 'node:assert/strict';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import type { Browser } from '../../support/browser/chromium.ts';
import { watchTraffic } from '../../support/browser/traffic.ts';
import { findInvalidHtml } from '../../support/browser/validity.ts';
import { PAYLOADS } from '../../support/content/xss-payloads.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import { listenApp } from '../../support/program/app.ts';
import { apply } from '../../support/program/command.ts';
import { sharedChromium } from '../support/browser.ts';
import { hostileDocument } from './hostile-world.ts';

const IN_PAGE = path.join(import.meta.dirname, 'touch-all.js');
const PRODUCT = '/changelog/acme/rocket';
/** All would be slow; these include every kind of payload. */
const TYPED = PAYLOADS.filter((_, index) => index % 900 === 0);

/** The validator counts `&lt;` as four characters of a title. Trailing spaces in code are the author's. */
const BESIDE_THE_POINT = / (long-title|no-trailing-whitespace): /;

type Touched = { seen: string[]; tags: string[]; elements: number };

describe('pages with hostile texts', () => {
  const scope = sharedScope();
  const document = hostileDocument();
  let browser: Browser;
  let origin: string;

  before(async () => {
    const sandbox = { folder: temporaryFolder(scope) };
    await apply(sandbox, document);
    origin = (await listenApp(scope, sandbox, { LISTING: 'all' })).address;
    browser = await sharedChromium();
  });

  /** Opens the pages, triggers every event, and returns what happened. `alter` changes the HTML on its way. */
  async function open(paths: readonly string[], alter?: (html: string) => string) {
    const { page, incidents } = await browser.open({ origin });
    if (alter !== undefined)
      await page.route(`${origin}/**`, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: alter(await response.text()) });
      });
    await page.addInitScript({ path: IN_PAGE });
    const traffic = await watchTraffic(page);
    const left: string[] = [];
    page.on('popup', (popup) => left.push(`opened ${popup.url()}`));
    const seen: string[] = [];
    let elements = 0;
    for (const target of paths) {
      const before = traffic.requests.length;
      await page.goto(origin + target, { waitUntil: 'domcontentloaded' });
      const touched: Touched = await page.evaluate('touchPage()');
      elements += touched.elements;
      seen.push(...touched.seen.map((line) => `${target}: ${line}`));
      const own = traffic.requests.slice(before).filter((request) => request.includes(origin));
      if (own.length !== 1) seen.push(`${target}: ${own.join(', ')}`);
      if (new URL(page.url()).origin !== origin) seen.push(`${target}: left for ${page.url()}`);
    }
    const { dialogs, errors, outside, console } = incidents;
    // What a browser logs about error pages, and about images that it may not load here.
    const logged = console.filter((line) => !line.startsWith('Failed to load resource'));
    const loaded = outside.filter((request) => !/^image https:/.test(request));
    const blocked = await traffic.violations();
    await page.context().close();
    return { seen: [...seen, ...dialogs, ...errors, ...logged, ...loaded, ...left, ...blocked], elements };
  }

  // All payloads would take a minute; those that the API renders are all opened in `xss.test.ts`.
  const pages = [`${PRODUCT}?limit=4`, `${PRODUCT}/changes?from=1.15.0`, '/', `${PRODUCT}/versions/ver_0`];

  it('no payload runs, restyles or loads anything on a list, a version, changes and home', async () => {
    const { seen, elements } = await open(pages);
    assert.deepEqual(seen, []);
    assert.ok(elements > 1_000, `${elements} elements`);
  });

  it('nothing runs on a page whose form has hostile values, valid or not', async () => {
    const queries = TYPED.flatMap((text) => [
      new URLSearchParams({ q: text, type: 'added', limit: '1' }),
      new URLSearchParams({
        q: text,
        since: text,
        until: text,
        from: text,
        to: text,
        type: text,
        cursor: text,
      }),
    ]);
    const targets = [
      ...queries.map((query) => `${PRODUCT}?${query}`),
      ...queries.slice(0, 2).map((query) => `${PRODUCT}/changes?${query}`),
    ];
    assert.deepEqual((await open(targets)).seen, []);
  });

  it('the test detects what the policy blocks, and what runs without it', async () => {
    const { seen } = await open(['/'], (html) =>
      html.replace('</main>', '<p onclick=alert(1) style="x:y">x</p></main>'),
    );
    assert.match(seen.join('\n'), /^\/: onclick: <p .*\n\/: style: <p .*\n/);
    assert.match(seen.join('\n'), /^style-src-attr /m);
  });

  it('all pages are valid HTML', async () => {
    for (const target of pages) {
      const html = await (await fetch(origin + target)).text();
      const problems = await findInvalidHtml(html);
      assert.deepEqual(
        problems.filter((line) => !BESIDE_THE_POINT.test(line)),
        [],
        target,
      );
    }
  });

  it('browsers treat changes.md as Markdown, whatever it contains', async () => {
    const response = await fetch(`${origin}${PRODUCT}/changes.md`);
    assert.equal(response.status, 200);
    assert.match(String(response.headers.get('content-type')), /^text\/(markdown|plain); charset=utf-8$/);
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  });
});
