// Known XSS vectors, through the API and into a real browser: none may run.
import assert from 'node:assert/strict';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import type { Browser } from '../../support/browser/chromium.ts';
import { PUBLIC_FEED } from '../../support/content/world.ts';
import { PAYLOADS } from '../../support/content/xss-payloads.ts';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import { startApp } from '../../support/program/app.ts';
import { apply } from '../../support/program/command.ts';
import { sharedChromium } from '../support/browser.ts';

const IN_PAGE = path.join(import.meta.dirname, 'touch-all.js');
const ORIGIN = 'http://page.example';
const REL = 'noopener nofollow';
/** HTML that does run, load or navigate, and what the page must report for each. */
const LIVE: readonly (readonly [html: string, noticed: RegExp])[] = [
  ['<img src=x onerror=alert(1)>', /^ran: <img/],
  ['<a href="javascript:alert(1)" rel="noopener nofollow">x</a>', /^ran: one of all/],
  ['<button onclick=alert(1)>x</button>', /^ran: <button/],
  ['<input onfocus=alert(1)>', /^ran: <input/],
  ['<p onmouseover=alert(1)>x</p>', /^ran: <p/],
  ['<iframe srcdoc="<script>parent.alert(2)</script>"></iframe>', /^navigated to about:srcdoc/],
  ['<link rel=stylesheet href="https://example.com/x.css">', /^stylesheet https:/],
  ['<a href="https://example.com">x</a>', /^without rel: <a href="https/],
  ['<svg onload=alert(1)>', /^ran: <svg/],
];

describe('the HTML of a change', () => {
  const scope = sharedScope();
  let browser: Browser;
  let rendered: string[];

  before(async () => {
    const sandbox = { folder: temporaryFolder(scope) };
    await apply(sandbox, documentOf(PAYLOADS));
    const { app } = await startApp(scope, sandbox);
    const response = await app.inject(`${PUBLIC_FEED}/versions/ver_xss`);
    rendered = response.json().data.changes.map(({ html }: { html: string }) => html);
    browser = await sharedChromium();
  });

  it('there are at least 500 different payloads', () => {
    assert.ok(PAYLOADS.length >= 500, String(PAYLOADS.length));
    assert.equal(new Set(PAYLOADS).size, PAYLOADS.length);
    assert.equal(rendered.length, PAYLOADS.length);
  });

  it('no payload runs a script, loads anything but images, or navigates', async () => {
    const { seen, links, kinds } = await put(browser, rendered);
    assert.deepEqual(seen, []);
    assert.ok(links > 50, `${links} links`);
    assert.deepEqual(
      kinds.filter((kind) => !/^(https?|mailto)?:$/.test(kind)),
      [],
    );
  });

  it('the test page reports fragments that run, load or navigate', async () => {
    const { seen } = await put(
      browser,
      LIVE.map(([html]) => html),
    );
    for (const [html, noticed] of LIVE) {
      assert.ok(
        seen.some((line) => noticed.test(line)),
        `${html}\n${seen.join('\n')}`,
      );
    }
  });
});

type Touched = { seen: string[]; links: number; kinds: string[] };

/** Inserts HTML fragments into a page, twice, and triggers every event on them. */
async function put(browser: Browser, pieces: readonly string[]) {
  const { page, incidents } = await browser.open({ origin: ORIGIN });
  await page.route(`${ORIGIN}/**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>x</title><main></main>' }),
  );
  await page.addInitScript({ path: IN_PAGE });
  await page.goto(ORIGIN);
  const left: string[] = [];
  page.on('framenavigated', (frame) => left.push(`navigated to ${frame.url()}`));
  page.on('popup', (popup) => left.push(`opened ${popup.url()}`));
  const found: Touched = await page.evaluate(`touchAll(${JSON.stringify({ pieces, rel: REL })})`);
  const { dialogs, errors, outside } = incidents;
  const loaded = outside.filter((request) => !/^image https?:/.test(request));
  await page.context().close();
  return { ...found, seen: [...found.seen, ...dialogs, ...errors, ...loaded, ...left] };
}

function documentOf(texts: readonly string[]) {
  const changes = texts.map((text) => ({ type: 'added', text }));
  const version = { id: 'ver_xss', version: '1.0.0', title: 'x', status: 'published', changes };
  const changelog = { status: 'published', versions: [version] };
  return {
    team: { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' },
    products: [{ slug: 'rocket', name: 'Rocket', status: 'published', changelog }],
  };
}
