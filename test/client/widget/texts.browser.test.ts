// Prose and pictures of the versions in the widget, and what it says about each version.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { localeFor } from '../../../src/present/words/locale.ts';
import { findAccessibilityProblems, findOverflow } from '../../../support/browser/accessibility.ts';
import { document, setStage, version } from './stage.ts';

const PICTURES = 'https://pictures.example';
const PIXELS = (width: number, height: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%"/></svg>`;

const LONG = `Launches with many targets finish in half the time.

<details><summary>How</summary>

Press <kbd>Ctrl</kbd> + <kbd>K</kbd>.

</details>

| left | right |
|---|---|
| 1 | 2 |

${'It goes on for a while. '.repeat(40)}

See [the end](https://example.com/end).`;

const VERSIONS = [
  version('4.0.0', {
    publishedAt: '2026-05-07T09:00:00Z',
    description: LONG,
    image: `${PICTURES}/cover.svg?a=1&b=2`,
    changes: [
      { type: 'added', text: 'Countdowns.' },
      { type: 'security', text: 'Tokens stay secret.' },
      { type: 'removed', text: 'The fuse.', breaking: true },
    ],
  }),
  version('3.0.0', {
    publishedAt: '2026-05-06T09:00:00Z',
    description: `Short. <img src="${PICTURES}/chart.svg" alt="A chart" width="40" height="30">`,
    image: `${PICTURES}/chart.svg`,
    yanked: true,
    changes: [{ type: 'fixed', text: `A crash.\n\n![Plain](http://pictures.example/plain.svg)` }],
  }),
  version('2026-05-04', { id: 'ver_day', publishedAt: '2026-05-04T09:00:00Z', title: 'A day' }),
  version('v2026.05.03', { id: 'ver_dots', publishedAt: '2026-05-03T09:00:00Z', title: '2026.05.03' }),
  version('2.0.0', {
    publishedAt: '2026-05-02T09:00:00Z',
    changes: [],
    image: 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==',
  }),
  version('1.0.0', { publishedAt: '2026-05-01T09:00:00Z' }),
];

const heightOf = (page: Page, selector: string): Promise<number> =>
  page.locator(selector).evaluate((each) => each.getBoundingClientRect().height);

describe('<whats-new>: prose and pictures', () => {
  const stage = setStage(VERSIONS);
  const inline = (attributes = '') => stage.element(`mode="inline" ${attributes}`, '');
  const first = (part: string) => `[part=version]:has(> [part=description]) [part=${part}] >> nth=0`;

  /** Opens it with a host of pictures. Returns the headers of the requests for them, too. */
  async function open(html: string, headers: Record<string, string> = {}, width = 420) {
    const opened = await stage.browser.open({ origin: [stage.api, stage.host, PICTURES], width });
    const wanted: Record<string, string>[] = [];
    await opened.page.route(`${PICTURES}/**`, (route) => {
      wanted.push({ ...route.request().headers(), url: route.request().url() });
      return route.fulfill({ contentType: 'image/svg+xml', body: PIXELS(1200, 2400) });
    });
    await opened.page.goto(stage.serve(html, headers));
    return { ...opened, wanted };
  }

  it('a long description is shortened, and leaves changes in the panel; a short one is shown as it is', async () => {
    const { page, incidents } = await open(document(stage.element('first')), {}, 360);
    await page.locator('whats-new > a').click();
    const button = page.getByRole('button', { name: 'Read more' });
    await button.waitFor();
    assert.equal(await button.count(), 1);
    assert.equal(await heightOf(page, first('description')), 9 * 16);
    const { panel, change } = await page.locator('whats-new').evaluate(({ shadowRoot }) => {
      const bottomOf = (part: string) =>
        shadowRoot?.querySelector(`[part~=${part}]`)?.getBoundingClientRect().bottom;
      return { panel: bottomOf('panel') ?? 0, change: bottomOf('breaking') ?? Infinity };
    });
    assert.ok(change < panel, `${change} < ${panel}`);

    // By keyboard: the focus stays in the panel, and gets back to where it was.
    await button.focus();
    await page.keyboard.press('Enter');
    await button.waitFor({ state: 'hidden' });
    assert.ok((await heightOf(page, first('description'))) > 200);
    const part = `document.querySelector('whats-new').shadowRoot.activeElement.getAttribute('part')`;
    assert.equal(await page.evaluate(part), 'description');
    await page.keyboard.press('Escape');
    assert.equal(await page.evaluate('document.activeElement.textContent'), "What's new");
    assert.deepEqual(incidents, { console: [], errors: [], dialogs: [], outside: [] });
    await page.context().close();
  });

  it('a host decides how much of a description is shown before it is unfolded', async () => {
    for (const [height, count] of [
      ['48px', 1],
      ['none', 0],
    ] as const) {
      const head = `<style>whats-new::part(description) { max-height: ${height} }</style>`;
      const { page } = await open(document(inline(), 'lang="en"', head));
      await page.locator('[part=more]').waitFor();
      const button = page.locator('[part=unfold]').first();
      await button.waitFor({ state: count === 1 ? 'visible' : 'hidden' });
      if (count === 1) {
        assert.equal(await heightOf(page, first('description')), 48);
        await button.click();
        await button.waitFor({ state: 'hidden' });
      }
      assert.ok((await heightOf(page, first('description'))) > 200);
      await page.context().close();
    }
  });

  it('a link in the part that is not shown unfolds it when it gets the focus', async () => {
    const { page } = await open(document(inline()));
    const button = page.getByRole('button', { name: 'Read more' });
    await button.waitFor();
    await page.getByText('the end').focus();
    await button.waitFor({ state: 'hidden' });
    assert.equal(await page.getByText('the end').evaluate((link) => link.matches(':focus')), true);
    await page.context().close();
  });

  it('pictures are shown whole, when they are seen, by a host that does not learn where; others leave their text', async () => {
    const { page, wanted, incidents } = await open(document(`<div style="height: 9000px"></div>${inline()}`));
    await page.locator('whats-new').scrollIntoViewIfNeeded();
    await page.locator('[part=more]').waitFor();
    await page.locator('[part=more]').scrollIntoViewIfNeeded();
    await page.locator('[part=version] img').first().scrollIntoViewIfNeeded();
    await page.waitForFunction(
      `[...document.querySelector('whats-new').shadowRoot.querySelectorAll('img')].every((each) => each.complete && each.naturalWidth)`,
    );
    assert.deepEqual(wanted.map(({ url }) => url).sort(), [
      `${PICTURES}/chart.svg`,
      `${PICTURES}/cover.svg?a=1&b=2`,
    ]);
    for (const { referer } of wanted) assert.equal(referer, undefined);
    const pictures = page.locator('[part=version] img');
    assert.deepEqual(
      await pictures.evaluateAll((all) =>
        all.map((each) => [
          each.getAttribute('part'),
          each.getAttribute('alt'),
          each.getAttribute('loading'),
        ]),
      ),
      [
        ['image', '', 'lazy'],
        // The image of that version is the same.
        [null, 'A chart', 'lazy'],
        ['image', '', 'lazy'],
      ],
    );
    const { width, height } = await pictures.first().evaluate((each) => each.getBoundingClientRect());
    assert.deepEqual([width, height], [112, 224], 'neither cropped nor as high as the panel');
    assert.equal(
      await page.locator('[part=change]', { hasText: 'A crash.' }).innerText(),
      'A crash.\n\nPlain',
    );
    assert.deepEqual(incidents, { console: [], errors: [], dialogs: [], outside: [] });
    await page.context().close();
  });

  it('a policy without the host of a picture leaves its text, and all else', async () => {
    const policy = `default-src 'none'; script-src ${stage.host}; connect-src ${stage.api}; require-trusted-types-for 'script'; trusted-types 'none'`;
    const { page, wanted, incidents } = await open(document(inline()), { 'content-security-policy': policy });
    await page.locator('[part=description]', { hasText: 'Short. A chart' }).waitFor();
    await page.locator('[part=version] img').first().waitFor({ state: 'detached' });
    assert.equal(await page.locator('[part=version]').count(), VERSIONS.length);
    assert.deepEqual([wanted, incidents.errors, incidents.outside], [[], [], []]);
    await page.context().close();
  });

  it('withdrawn versions are marked, and a label that is the date stands once', async () => {
    const { page } = await open(document(inline()));
    await page.locator('[part=more]').waitFor();
    assert.deepEqual(await page.locator('[part=meta]').allTextContents(), [
      '4.0.0May 7, 2026',
      '3.0.0May 6, 2026Yanked',
      '2026-05-04',
      '',
      '2.0.0May 2, 2026',
      '1.0.0May 1, 2026',
    ]);
    await page.context().close();
  });

  it('since a version: withdrawn ones are marked, and descriptions and versions without changes come after the changes', async () => {
    const { page } = await open(document(inline('version="1.0.0"')));
    await page.locator('[part=more]').waitFor();
    assert.deepEqual(await page.locator('[part=version] :is(h3, h4)').allTextContents(), [
      ...['Breaking', '4.0.0', 'Security', '4.0.0', 'Added', '4.0.0', 'v2026.05.03', 'Fixed', '3.0.0Yanked'],
      ...['Release 4.0.0', 'Release 3.0.0', 'Release 2.0.0'],
    ]);
    assert.deepEqual(
      (await page.locator('[part=description]').allInnerTexts()).map((text) => text.slice(0, 8)),
      ['Launches', 'Short. '],
    );
    await page.context().close();
  });

  it('in every direction and script it is accessible, and nothing scrolls sideways', async () => {
    for (const [tag, direction, colorScheme] of [
      ['en', 'ltr', 'light'],
      ['de', 'ltr', 'dark'],
      ['ar', 'rtl', 'light'],
      ['ja', 'ltr', 'dark'],
    ] as const) {
      const html = document(inline(), `lang="${tag}"`, '<style>:root { color-scheme: light dark }</style>');
      const { page } = await open(html.replace('/widget.js', `${stage.api}/widget.js?lang=${tag}`), {}, 360);
      await page.emulateMedia({ colorScheme });
      const { readMore } = localeFor(tag).words.widget;
      const button = page.getByRole('button', { name: readMore });
      await button.waitFor();
      assert.equal(await button.evaluate((each) => each.matches(':dir(rtl)')), direction === 'rtl');
      const problems = await findAccessibilityProblems(page);
      await button.click();
      await button.waitFor({ state: 'hidden' });
      problems.push(...(await findAccessibilityProblems(page)), ...(await findOverflow(page, 360)));
      assert.deepEqual(problems, [], tag);
      await page.context().close();
    }
  });

  it('the comment in the source lists all parts', async () => {
    const source = readFileSync(new URL('../../../client/widget.js', import.meta.url), 'utf8');
    const listed = [...source.matchAll(/::part\(([\w-]+)\)/g)].map(([, name]) => name);
    const { page } = await open(document(`${stage.element()} ${inline('version="1.0.0"')}`));
    await page.locator('whats-new > a').click();
    await page.locator('[part=more]').nth(1).waitFor();
    const used: string[] = await page.evaluate(
      `[...new Set([...document.querySelectorAll('whats-new')].flatMap(({ shadowRoot }) => [...shadowRoot.querySelectorAll('[part]')]).flatMap((node) => [...node.part]))]`,
    );
    const types = ['changed', 'deprecated', 'removed', 'fixed', 'security', 'other'];
    assert.deepEqual(used.filter((part) => !types.includes(part)).sort(), listed.sort());
    await page.context().close();
  });
});
