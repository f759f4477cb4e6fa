// The checks of pages notice what they are for.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import {
  findAccessibilityProblems,
  findKeyboardProblems,
  findOverflow,
} from '../../support/browser/accessibility.ts';
import type { OpenedPage } from '../../support/browser/chromium.ts';
import { watchTraffic } from '../../support/browser/traffic.ts';
import { findInvalidHtml } from '../../support/browser/validity.ts';
import { sharedChromium } from './browser.ts';

const ORIGIN = 'http://page.example';
const POLICY =
  "default-src 'none'; style-src 'sha256-x'; require-trusted-types-for 'script'; trusted-types 'none'";
const GOOD = pageOf(
  '<main><h1>Title</h1><p>Text with <a href="/other">a link</a> and <a href="/more">more</a>.</p></main>',
);

function pageOf(body: string, head = ''): string {
  return `<!DOCTYPE html>\n<html lang="en"><head><title>Test</title>${head}</head><body>${body}</body></html>\n`;
}

describe('the checks of pages', () => {
  let context: ReturnType<OpenedPage['page']['context']>;

  before(async () => {
    const { page } = await (await sharedChromium()).open({ origin: ORIGIN });
    context = page.context();
  });

  /** The page as a server would send it, with its traffic. */
  async function show(html: string, headers: Readonly<Record<string, string>> = {}) {
    const page = await context.newPage();
    await page.route(`${ORIGIN}/**`, (route) =>
      route.request().url().endsWith('.js')
        ? route.fulfill({ contentType: 'text/javascript', body: '1 + 1' })
        : route.fulfill({ contentType: 'text/html', headers, body: html }),
    );
    const traffic = await watchTraffic(page);
    await page.goto(ORIGIN);
    return { page, traffic };
  }

  it('report nothing about a good page, under a strict policy', async () => {
    const { page, traffic } = await show(GOOD, { 'content-security-policy': POLICY });
    assert.deepEqual(await traffic.violations(), []);
    assert.deepEqual(traffic.requests, [`GET ${ORIGIN}/`]);
    assert.equal(await traffic.scriptBytes(), 0);
    assert.deepEqual(await findAccessibilityProblems(page), []);
    assert.deepEqual(await findKeyboardProblems(page), []);
    await page.getByText('more').focus();
    assert.deepEqual(await findKeyboardProblems(page), []);
    assert.deepEqual(await findOverflow(page), []);
    assert.deepEqual(await findInvalidHtml(GOOD), []);
  });

  it('report weak contrast, images without text, skipped headings and small targets', async () => {
    const { page } = await show(
      pageOf(`<main><h1>Title</h1><h3>Skipped</h3><p style="color: #aaa">Pale</p><img src="/x.png">
        <button style="width: 10px; height: 10px; padding: 0">a</button><button style="width: 10px; height: 10px; padding: 0">b</button>
        </main>`),
    );
    const rules = (await findAccessibilityProblems(page)).map((line) => line.split(':')[0]);
    for (const rule of ['color-contrast', 'image-alt', 'heading-order', 'target-size'])
      assert.ok(rules.includes(rule), `${rule} in ${rules}`);
  });

  it('report what the keyboard does not reach, or where focus does not show', async () => {
    const { page } = await show(
      pageOf(
        '<a href="#1" id="bare">bare</a><div style="position: fixed; inset: 0 0 80% 0; background: #fff"></div>' +
          '<div style="margin-top: 60vh"><a href="#2">fine</a> <a href="#3">stolen</a></div>' +
          `<script>document.querySelector('[href="#3"]').addEventListener('focus', (event) => event.target.blur())</script>`,
        '<style>#bare:focus { outline: 0 }</style>',
      ),
    );
    const problems = await findKeyboardProblems(page);
    assert.match(
      problems.join('\n'),
      /^not reached with Tab: <a href="#3">.*\nfocus does not show: <a href="#1"/,
    );
  });

  it('accept fields with several stops, but no stops in another order, wherever focus was before', async () => {
    const { page } = await show(
      pageOf(
        '<a href="#1">one</a> <input type="date" aria-label="Day"> <a href="#2">two</a> <a href="#3">three</a>',
      ),
    );
    assert.deepEqual(await findKeyboardProblems(page), []);
    await page.locator('input').focus();
    assert.deepEqual(await findKeyboardProblems(page), []);
    await page.evaluate(`document.querySelector('[href="#3"]').tabIndex = 1`);
    assert.match(
      (await findKeyboardProblems(page)).join('\n'),
      /^not reached with Tab: <a href="#3" tabindex/,
    );
  });

  it('report what makes a narrow window scroll sideways', async () => {
    const { page } = await show(pageOf('<p style="width: 600px">wide</p>'));
    assert.match((await findOverflow(page)).join('\n'), /^scrolls sideways: 6\d\d in 320\nwider .*<p style/);
  });

  it('report invalid HTML with its place', async () => {
    assert.match((await findInvalidHtml(pageOf('<p><div>x</div></p>'))).join('\n'), /^2:\d+ [\w-]+: /);
  });

  it('report names that two fields share, unless all are checkboxes', async () => {
    const form = (...types: string[]) =>
      findInvalidHtml(
        pageOf(`<form>${types.map((type) => `<input type="${type}" name="x" aria-label="x">`).join('')}
<button type="submit">Send</button></form>`),
      );
    assert.deepEqual(await form('checkbox', 'checkbox'), []);
    for (const types of [
      ['text', 'text'],
      ['text', 'checkbox'],
    ])
      assert.match((await form(...types)).join(), /form-dup-name/);
  });

  it('count requests and bytes of scripts, without data blocks', async () => {
    const { traffic } = await show(
      pageOf(
        '<p onclick="four">x</p><script src="/a.js"></script><script type="application/ld+json">{}</script>',
      ),
    );
    assert.equal(await traffic.scriptBytes(), '1 + 1'.length + 'four'.length);
    assert.ok(traffic.requests.includes(`GET ${ORIGIN}/a.js`));
  });

  it('report what the content security policy blocks', async () => {
    const { traffic } = await show(pageOf('<p style="color: red">x</p><script>1</script>'), {
      'content-security-policy': POLICY,
    });
    const violations = (await traffic.violations()).join('\n');
    assert.match(violations, /style-src-attr/);
    assert.match(violations, /script-src-elem/);
  });
});
