// What the widget makes of responses: of the service, and of what is not the service.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { writeText } from '../../../proofs/html/texts.ts';
import { diceOf } from '../../../proofs/imports/writers/dice.ts';
import { localeFor } from '../../../src/present/words/locale.ts';
import { findAccessibilityProblems } from '../../../support/browser/accessibility.ts';
import { renderMarkdown } from '../../../support/content/texts.ts';
import { PAYLOADS } from '../../../support/content/xss-payloads.ts';
import { document, FEED, setStage, version, watchRequests } from './stage.ts';

/** One more than a range may have. */
const MANY = Array.from({ length: 501 }, (_, day) =>
  version(`1.0.${day + 1}`, { publishedAt: new Date(Date.UTC(2025, 0, 1 + day)).toISOString() }),
);
const VERSIONS_OF_RANGE = ['1.10.0', '1.9.0-rc.1', '1.2.0'].map((version) => ({
  id: `ver_${version}`,
  version,
}));
const QUIET = { console: [], errors: [], dialogs: [], outside: [] };

/** What a response could hold if the service were not ours. */
const HOSTILE = `<p onclick="alert(1)" style="color:red">Safe <a href="javascript:alert(2)">one</a> <a href="https://example.com/x" onclick="alert(3)">two</a></p>
<img src="x" onerror="alert(4)"><script>alert(5)</script><svg><a href="javascript:alert(6)"><text>three</text></a></svg><iframe srcdoc="<script>alert(7)</script>"></iframe>
<style>* { display: none !important }</style><svg><style>@import url(https://example.com/x)</style></svg><whats-new></whats-new><form><input></form>`;

/** Compares what the widget makes of each HTML with what the parser makes of it. Returns those that differ. */
const COMPARE = `async (texts) => {
  const { authored } = await import('/widget/html.js');
  const KEPT = { href: /^(https?|mailto):/i, src: /^https:/i, alt: /^/, dir: /^/, start: /^/, open: /^/, width: /^/, height: /^/ };
  return texts.filter((html) => {
    const { content } = Object.assign(document.createElement('template'), { innerHTML: html });
    for (const node of content.querySelectorAll('*')) {
      for (const { name, value } of [...node.attributes])
        if (!KEPT[name]?.test(value)) node.removeAttribute(name);
      if (node.matches('a')) node.target = '_blank';
      if (node.matches('h1, h2, h3, h4, h5, h6')) node.ariaLevel = 5;
      if (node.matches('pre, table')) node.tabIndex = 0;
      if (node.matches('img[src]')) {
        const attributes = [...node.attributes];
        for (const { name } of attributes) node.removeAttribute(name);
        Object.assign(node, { loading: 'lazy', referrerPolicy: 'no-referrer', alt: '' });
        for (const { name, value } of attributes) node.setAttribute(name, value);
      } else if (node.matches('img')) node.replaceWith(node.alt);
    }
    const parsed = document.createElement('div');
    parsed.append(content);
    return authored(html, 5).innerHTML !== parsed.innerHTML;
  });
}`;

const changes = (page: Page) => page.locator('[part=change] > div').first();

describe('<whats-new>: responses', () => {
  const stage = setStage(MANY);
  const inline = () => document(stage.element('mode="inline"', ''));

  /** A page whose requests to the service get this. */
  async function openWith(html: string, data: () => unknown) {
    const opened = await stage.browser.open({ origin: [stage.api, stage.host] });
    await opened.page.route(`**${FEED}**`, (route) =>
      route.fulfill({ json: { data: data() }, headers: { 'access-control-allow-origin': '*' } }),
    );
    return { ...opened, url: stage.serve(html) };
  }

  it('a visitor with too many versions to catch up on sees the newest ten, and a link to all of them', async () => {
    const html = document(stage.element('version="1.0.0" to="1.0.501"'));
    const { page, asked, incidents } = await stage.open(html);
    await page.getByRole('link').click();
    await page.locator('[part=more]').waitFor();
    assert.equal(await page.locator('[part=version]').count(), 10);
    assert.equal(await page.locator('[part=status]').textContent(), '');
    assert.match((await page.locator('[part=title]').first().textContent()) ?? '', /1\.0\.501/);
    assert.deepEqual(asked, [
      `${FEED}?limit=10`,
      `${FEED}/changes?from=1.0.0&to=1.0.501`,
      `${FEED}?limit=10&include=changes&to=1.0.501`,
    ]);
    const more = (await page.locator('[part=more]').getAttribute('href')) ?? '';
    assert.equal(more, `${stage.api}/changelog/acme/rocket?from=1.0.0&to=1.0.501`);
    assert.equal((await fetch(more)).status, 200);

    // It does not ask again, nor keep others from asking.
    await page.keyboard.press('Escape');
    await page.getByRole('link').click();
    assert.equal(asked.length, 3);
    await page.evaluate(`document.querySelector('whats-new').version = '1.0.500'`);
    await page.getByText('Since 1.0.500').waitFor();
    assert.deepEqual(
      incidents.console.filter((line) => !line.includes('400')),
      [],
    );
    await page.context().close();
  });

  it('changes since a version have what must not be missed first, each version on a line of its own', async () => {
    const reference = (text: string) =>
      `<a href="https://code.example/x" rel="noopener" dir="ltr">${text}</a>`;
    const change = (type: string, label: string, text: string, breaking = false) => ({
      ...{ id: label + type, type, breaking, version: label, versionId: `ver_${label}` },
      html: `<p>${text}</p>`,
    });
    const groups = [
      {
        type: 'added',
        changes: [change('added', '1.2.0', 'Old fuse.', true), change('added', '1.10.0', 'A')],
      },
      {
        type: 'removed',
        changes: [change('removed', '1.10.0', `${reference('@name')} הסיר את הפתיל`, true)],
      },
      { type: 'security', changes: [change('security', '1.9.0-rc.1', `${reference('#412')} إصلاح`)] },
    ];
    for (const [tag, direction] of [
      ['ar', 'rtl'],
      ['he', 'rtl'],
      ['en', 'ltr'],
    ] as const) {
      const html = document(
        stage.element('mode="inline" version="1.0.0"', ''),
        `lang="${tag}" dir="${direction}"`,
      );
      const { page, url, incidents } = await openWith(
        html.replace('/widget.js', `${stage.api}/widget.js?lang=${tag}`),
        () => ({ groups, versions: VERSIONS_OF_RANGE }),
      );
      await page.goto(url);
      await page.locator('[part=more]').waitFor();
      const { types, widget } = localeFor(tag).words;
      const lines = await page.locator('[part=version] :is(h3, h4, [part=change])').allInnerTexts();
      assert.deepEqual(
        lines.map((line) => line.replaceAll(/\s+/g, ' ')),
        [
          ...[widget.breaking, '1.10.0', '@name הסיר את הפתיל', '1.2.0', 'Old fuse.'],
          ...[types.security, '1.9.0-rc.1', '#412 إصلاح'],
          ...[types.added, '1.10.0', 'A'],
        ],
      );
      // What has one direction in any text.
      assert.deepEqual(
        await page.evaluate(
          `[...document.querySelector('whats-new').shadowRoot.querySelectorAll('h4 [part=label], [part=change] a')].map((each) =>
            getComputedStyle(each).direction + ' ' + getComputedStyle(each).unicodeBidi)`,
        ),
        Array(6).fill('ltr isolate'),
      );
      const boxes = (selector: string) =>
        page.locator(selector).evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()));
      const [labels, items] = [await boxes('h4 [part=label]'), await boxes('[part=change]')];
      for (const label of labels)
        assert.ok(items.every(({ top, bottom }) => label.bottom <= top || label.top >= bottom));
      const hebrew = page.locator('[part=change]', { hasText: 'הפתיל' });
      assert.equal(await hebrew.evaluate((each) => each.matches(':dir(rtl)')), true, 'decided by its words');
      assert.deepEqual(await findAccessibilityProblems(page), [], tag);
      assert.deepEqual(incidents, QUIET);
      await page.context().close();
    }
  });

  it('it draws no more than 100 versions, and 100 changes of a version or a type', async () => {
    const items = Array.from({ length: 20_000 }, (_, number) => ({
      id: `ver_${number}`,
      version: `1.0.${number}`,
      type: 'added',
      html: '<p>New</p>',
      changes: [{ type: 'added', html: '<p>New</p>' }],
    }));
    let data: object = { versions: items };
    const { page, url, incidents } = await openWith(inline(), () => data);
    await page.goto(url);
    await page.locator('[part=more]').waitFor();
    assert.equal(await page.locator('[part=version]').count(), 100);
    for (data of [
      { versions: [{ id: 'ver_1', version: '1', changes: items.slice(0, 200) }] },
      {
        versions: [{ id: 'ver_1', version: '1' }],
        groups: [
          { type: 'added', changes: items.slice(0, 200).map((item) => ({ ...item, versionId: 'ver_1' })) },
        ],
      },
    ]) {
      await page.evaluate('localStorage.clear()');
      await page.goto(url);
      await page.locator('[part=more]').waitFor();
      assert.equal(await page.locator('[part=change]').count(), 100);
    }
    assert.deepEqual(incidents, QUIET);
    await page.context().close();
  });

  it('without a team it says so in the console, not while a script is setting it', async () => {
    const { page, incidents } = await stage.open(document(''));
    const add = (attributes: object) =>
      page.evaluate(`import('/widget.js').then(() => {
        const element = document.createElement('whats-new');
        document.body.append(element);
        Object.assign(element, ${JSON.stringify({ ...attributes, baseUrl: stage.api })});
      })`);
    await add({ team: 'acme', product: 'rocket' });
    assert.deepEqual(incidents, QUIET);
    await add({});
    await add({ product: 'rocket', mode: 'inline' });
    const message = 'whats-new: team is required.';
    assert.deepEqual(incidents, { ...QUIET, console: [message, message] });
    await page.context().close();
  });

  it('it makes the same elements of HTML of the service as the parser of the browser', async () => {
    const texts = ['3. third', '[~~<a@b.example>~~](/x)', ...PAYLOADS];
    fc.assert(fc.property(fc.gen(), (draw) => void texts.push(writeText(diceOf(draw)))));
    const { page } = await stage.open(document(''));
    // The parser also replaces these characters, and a response in UTF-8 has no lone surrogates.
    const html = texts.map((text) => renderMarkdown(text.toWellFormed()).replaceAll(/[\r\0]/g, ''));
    assert.deepEqual(await page.evaluate(`(${COMPARE})(${JSON.stringify(html)})`), []);
    await page.context().close();
  });

  it('of an element of a text, only known attributes remain', async () => {
    const { page } = await stage.open(document(''));
    const html = `<p class="x" id="y" style="color:red" onclick="alert(1)">One</p><img src="https://a.example/x.png" srcset="https://a.example/y.png 2x" onerror="alert(2)" usemap="#z" alt="Two"><img src="http://a.example/x.png" alt="Three"><details open ontoggle="alert(3)"><summary slot="z">Four</summary></details><slot name="z"></slot><kbd title=" open dir=">Five</kbd>`;
    const made = `import('/widget/html.js').then(({ authored }) => authored(${JSON.stringify(html)}, 5).innerHTML)`;
    assert.equal(
      await page.evaluate(made),
      '<p>One</p><img loading="lazy" referrerpolicy="no-referrer" alt="Two" src="https://a.example/x.png">Three<details open=""><summary>Four</summary></details><kbd>Five</kbd>',
    );
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
    assert.match(html, /<a href="https:\/\/example.com\/x" target="_blank">two<\/a>/);
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
