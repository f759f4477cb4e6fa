// What the widget makes of responses: of the service, and of what is not the service.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { writeText } from '../../../proofs/html/texts.ts';
import { diceOf } from '../../../proofs/imports/writers/dice.ts';
import { renderMarkdown } from '../../../src/present/html/markdown.ts';
import { PAYLOADS } from '../../../support/content/xss-payloads.ts';
import { document, FEED, setStage, version, watchRequests } from './stage.ts';

const QUIET = { console: [], errors: [], dialogs: [], outside: [] };

/** What a response could hold if the service were not ours. */
const HOSTILE = `<p onclick="alert(1)" style="color:red">Safe <a href="javascript:alert(2)">one</a> <a href="https://example.com/x" onclick="alert(3)">two</a></p>
<img src="x" onerror="alert(4)"><script>alert(5)</script><svg><a href="javascript:alert(6)"><text>three</text></a></svg><iframe srcdoc="<script>alert(7)</script>"></iframe>
<style>* { display: none !important }</style><svg><style>@import url(https://example.com/x)</style></svg><whats-new></whats-new><form><input></form>`;

/** Compares what the widget makes of each HTML with what the parser makes of it. Returns those that differ. */
const COMPARE = `async (texts) => {
  const { authored } = await import('/widget/html.js');
  return texts.filter((html) => {
    const { content } = Object.assign(document.createElement('template'), { innerHTML: html });
    for (const node of content.querySelectorAll('*')) {
      for (const { name, value } of [...node.attributes])
        if (name !== 'start' && !(name === 'href' && /^(https?|mailto):/i.test(value))) node.removeAttribute(name);
      if (node.matches('a')) Object.assign(node, { target: '_blank', rel: 'noopener' });
      if (node.matches('h1, h2, h3, h4, h5, h6')) node.ariaLevel = 5;
      if (node.matches('pre, table')) node.tabIndex = 0;
      if (node.matches('img')) node.remove();
    }
    const parsed = document.createElement('div');
    parsed.append(content);
    return authored(html, 5).innerHTML !== parsed.innerHTML;
  });
}`;

const changes = (page: Page) => page.locator('[part=change] > div').first();

describe('<whats-new>: responses', () => {
  const stage = setStage([version('1.0.0')]);
  const inline = () => document(stage.element('mode="inline"', ''));

  /** A page whose requests to the service get this. */
  async function openWith(html: string, data: () => unknown) {
    const opened = await stage.browser.open({ origin: [stage.api, stage.host] });
    await opened.page.route(`**${FEED}**`, (route) =>
      route.fulfill({ json: { data: data() }, headers: { 'access-control-allow-origin': '*' } }),
    );
    return { ...opened, url: stage.serve(html) };
  }

  it('it makes the same elements of HTML of the service as the parser of the browser, without images', async () => {
    const texts = ['3. third', ...PAYLOADS];
    fc.assert(fc.property(fc.gen(), (draw) => void texts.push(writeText(diceOf(draw)))));
    const { page } = await stage.open(document(''));
    // The parser also replaces these characters.
    const html = texts.map((text) => renderMarkdown(text).replaceAll(/[\r\0]/g, ''));
    assert.deepEqual(await page.evaluate(`(${COMPARE})(${JSON.stringify(html)})`), []);
    await page.context().close();
  });

  it('hostile HTML in a response neither runs nor leads anywhere', async () => {
    const { page, url, incidents } = await openWith(inline(), () => ({
      versions: [{ id: 'ver_1', version: '1.0.0', changes: [{ type: 'added', html: HOSTILE }] }],
    }));
    await page.goto(url);
    await page.locator('[part=more]').waitFor();
    const authored = changes(page);
    await authored.getByText('Safe').click();
    await authored.getByText('one', { exact: true }).click();
    const html = await authored.innerHTML();
    assert.doesNotMatch(
      html,
      /javascript:|\son\w+=|srcdoc|src=|style=|<(?:style|script|iframe|whats-new|form)/,
    );
    assert.match(html, /<a href="https:\/\/example.com\/x" target="_blank" rel="noopener">two<\/a>/);
    assert.deepEqual(incidents, QUIET);
    await page.context().close();
  });

  it('what is not a response of the service could not be loaded, and what it did not store is not read', async () => {
    let data: unknown;
    const { page, url, incidents } = await openWith(inline(), () => data);
    const asked = watchRequests(page, stage.api);
    for (data of ['text', { versions: null }, { versions: [null] }, { versions: [{ id: 'ver_1' }] }]) {
      await page.goto(url);
      await page.getByText('Could not be loaded.').waitFor();
      await page.evaluate(`dispatchEvent(new Event('focus')); localStorage.clear()`);
    }
    assert.equal(asked.length, 4, 'a wrong response is not asked for again at once');

    await page.unrouteAll();
    const now = Date.now();
    for (const stored of [
      { at: now, list: 5 },
      { at: now, list: [null], full: 5 },
      { at: now, waitUntil: now + 1e12 },
    ]) {
      await page.evaluate(
        `localStorage['whats-new:${stage.api}/acme/rocket?'] = ${JSON.stringify(JSON.stringify(stored))}`,
      );
      await page.reload();
      await changes(page).waitFor();
    }
    assert.deepEqual(incidents, QUIET);
    await page.context().close();
  });
});
