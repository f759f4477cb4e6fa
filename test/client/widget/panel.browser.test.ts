// What the widget looks like and how it is used, on pages that make it hard.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { localeFor } from '../../../src/present/words/locale.ts';
import {
  changeLook,
  findAccessibilityProblems,
  findOverflow,
} from '../../../support/browser/accessibility.ts';
import { document, type Opened, setStage, version } from './stage.ts';

const RICH = `See **the** [guide](https://example.com/guide), [relative](/guide), [mail](mailto:a@example.com) and \`code\`.

- one
- two

# Why

~~~
rocket launch --everything --at-once --without-looking --at-the-weather-or-the-clock
~~~

| left | right |
|---|--:|
| 1 | 2 |`;

const VERSIONS = [
  version('2.1.0', {
    title: 'Faster launches',
    publishedAt: '2026-05-04T09:00:00Z',
    changes: [
      { type: 'added', text: RICH },
      { type: 'removed', text: 'הפתיל.', breaking: true },
      ...['changed', 'deprecated', 'fixed', 'security', 'other'].map((type) => ({
        type,
        text: `${type} thing`,
      })),
    ],
  }),
  version('2.0.0', { title: 'v2.0.0', yanked: true }),
  version('1.0.0'),
];

const NOTE_VIOLATIONS = `window.violations = [];
addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => violations.push(violatedDirective + ' ' + blockedURI));`;

const focused = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    let element = document.activeElement;
    while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element.getAttribute('part') ?? element.textContent;
  })()`);

/** Of the heading of a version without a title, of its label there, and of the label of one with a title. */
const directions = (page: Page): Promise<string[]> =>
  page.evaluate(`['section:nth-of-type(2) [part=title]', '[part=title] bdi', '[part=meta] [part=label]'].map((selector) =>
    getComputedStyle(document.getElementById('inline').shadowRoot.querySelector(selector)).direction)`);

const changes = (page: Page) => page.locator('[part=change] > div', { hasText: 'guide' }).first();

describe('<whats-new>: the panel', () => {
  const stage = setStage(VERSIONS);

  const policy = () => ({
    'content-security-policy': `default-src 'none'; script-src ${stage.host}; connect-src ${stage.api}; require-trusted-types-for 'script'; trusted-types 'none'`,
  });

  /** All three modes on one page. */
  const three = (more = '') =>
    [
      stage.element(`first id="popover" ${more}`),
      stage.element('first id="modal" mode="modal"', ''),
      stage.element('id="inline" mode="inline"', ''),
    ].join(' ');

  describe('on a page with a strict content security policy and Trusted Types', () => {
    let opened: Opened;
    let page: Page;

    before(async () => {
      opened = await stage.open(document(three()), { headers: policy(), init: NOTE_VIOLATIONS });
      page = opened.page;
      await page.locator('#inline [part=more]').waitFor();
    });

    it('keyboard: Enter opens, focus moves in and back, Escape closes; a modal keeps the focus', async () => {
      await page.keyboard.press('Tab');
      assert.equal(await focused(page), "What's new");
      for (const [trigger, isModal] of [
        ["What's new", false],
        ['trigger', true],
      ] as const) {
        const selector = isModal ? '#modal [part=trigger]' : '#popover > a';
        const link = page.locator(selector);
        await link.focus();
        assert.equal(await focused(page), trigger);
        assert.equal(await link.getAttribute('aria-expanded'), 'false');
        await page.keyboard.press('Enter');
        assert.equal(await focused(page), 'panel');
        assert.equal(await link.getAttribute('aria-expanded'), 'true');
        assert.equal(await page.getByRole('dialog', { name: 'What’s new' }).count(), 1);
        await page.keyboard.press('Tab');
        assert.equal(await focused(page), 'close');
        await page.getByRole('dialog').getByText('See all changes').waitFor();
        assert.equal(await focused(page), 'close', 'also after loading');
        if (isModal) {
          await page.locator('#inline [part=more]').evaluate((element) => element.focus());
          assert.equal(await focused(page), 'close', 'the rest of the page is inert');
          await page.keyboard.press('Enter');
        } else await page.keyboard.press('Escape');
        assert.equal(await focused(page), trigger);
        assert.equal(await page.getByRole('dialog').count(), 0);
        // Escape closes a popover before its events are dispatched.
        await page.locator(`${selector}[aria-expanded=false]`).waitFor();
      }
    });

    it('a click opens and closes, as does one outside; with Ctrl the link opens in a tab', async () => {
      const link = page.getByRole('link', { name: "What's new" });
      const dialog = page.getByRole('dialog');
      await link.click();
      assert.equal(await dialog.count(), 1);
      await link.click();
      assert.equal(await dialog.count(), 0);
      await link.click();
      await page.mouse.click(1200, 10);
      assert.equal(await dialog.count(), 0);
      const popup = page.context().waitForEvent('page');
      await link.click({ modifiers: ['Control'] });
      await (await popup).close();
      assert.equal(await dialog.count(), 0);
      await page.locator('#modal [part=trigger]').click();
      await page.mouse.click(1200, 10);
      assert.equal(await dialog.count(), 0);
    });

    it('HTML of changes keeps links to whole URLs, code, lists and tables', async () => {
      const html = await changes(page).innerHTML();
      assert.match(html, /<strong>the<\/strong> <a href="https:\/\/example.com\/guide" [^>]*target="_blank"/);
      assert.match(html, /<a (?!href)[^>]*>relative<\/a>/);
      assert.match(html, /<code>code<\/code>/);
      assert.match(html, /<li>one<\/li>/);
      assert.match(html, /<td>1<\/td>/);
      assert.match(html, /<h1 aria-level="5">Why<\/h1>/, 'below the headings of the widget');
      assert.match(html, /<pre tabindex="0">.*<table tabindex="0">/s, 'can be scrolled with the keyboard');
      assert.doesNotMatch(html, /style=/);
      const inline = page.locator('#inline');
      assert.equal(await inline.locator('[part=version]').count(), 3);
      assert.deepEqual(await inline.locator('[part=version]').first().locator('h4').allTextContents(), [
        'Breaking',
        'Security',
        'Added',
        'Changed',
        'Deprecated',
        'Fixed',
        'Other',
      ]);
      assert.equal(await inline.locator('[part=change] [part~=tag]').count(), 0, 'a tag each section');
      assert.deepEqual(await inline.locator('[part~=breaking], [part~=yanked]').allTextContents(), [
        'Breaking',
        'Yanked',
      ]);
      const hebrew = inline.locator('[part=change]', { hasText: 'הפתיל' });
      assert.equal(await hebrew.evaluate((each) => each.matches(':dir(rtl)')), true);
      assert.deepEqual(
        await inline
          .locator('[part=meta]')
          .allTextContents()
          .then((all) => all.slice(0, 2)),
        ['2.1.0May 4, 2026', 'Mar 4, 2020Yanked'],
      );
      assert.equal(
        await inline.locator('[part=title] a').first().getAttribute('href'),
        `${stage.api}/changelog/acme/rocket/versions/ver_210`,
      );
    });

    it('nothing of it was against the policy', async () => {
      assert.deepEqual(await page.evaluate('violations'), []);
      assert.deepEqual(opened.incidents, { console: [], errors: [], dialogs: [], outside: [] });
      await page.context().close();
    });
  });

  it('axe finds nothing, closed and open, light, dark and right-to-left, and nothing scrolls sideways', async () => {
    const head =
      '<style>:root { color-scheme: light dark; } body { font: 1rem system-ui; background: Canvas; }</style>';
    for (const [attributes, width, colorScheme] of [
      ['lang="en"', 1280, 'light'],
      ['lang="en"', 360, 'dark'],
      ['lang="ar" dir="rtl"', 360, 'light'],
    ] as const) {
      const range = colorScheme === 'dark' ? 'version="1.0.0"' : '';
      const { page } = await stage.open(document(three(range), attributes, head), { width, colorScheme });
      await changeLook(page, { width, colorScheme });
      await page.locator('#inline [part=more]').waitFor();
      if (attributes.includes('rtl')) assert.deepEqual(await directions(page), ['rtl', 'ltr', 'ltr']);
      const problems = await findAccessibilityProblems(page);
      await page.evaluate(`document.getElementById('inline').remove()`);
      for (const id of ['popover', 'modal']) {
        await page.evaluate(`document.getElementById('${id}').open()`);
        await page.locator(`#${id} [part=more]`).waitFor();
        const { x, y, right, bottom } = await page
          .locator(`#${id} [part=panel]`)
          .evaluate((panel) => panel.getBoundingClientRect());
        assert.ok(
          x >= 0 && y >= 0 && right <= width && bottom <= 900,
          JSON.stringify({ id, width, x, y, right, bottom }),
        );
        problems.push(...(await findAccessibilityProblems(page)));
        await page.evaluate(`document.getElementById('${id}').close()`);
      }
      assert.deepEqual([...problems, ...(await findOverflow(page, 360))], [], attributes);
      await page.context().close();
    }
  });

  it('in another language it has its words, dates and direction, and axe finds nothing, closed and open', async () => {
    for (const [tag, direction] of [
      ['de', 'ltr'],
      ['ar', 'rtl'],
    ] as const) {
      const { page } = await stage.open(
        document(stage.element('first')).replace('/widget.js', `${stage.api}/widget.js?lang=${tag}`),
      );
      const { heading, unread, more, breaking } = localeFor(tag).words.widget;
      const link = page.getByRole('link', { name: `What's new, ${unread.replace('{}', '1')}` });
      await link.waitFor();
      assert.deepEqual(await findAccessibilityProblems(page), [], `${tag}, closed`);
      await link.click();
      const panel = page.getByRole('dialog', { name: heading });
      await panel.getByText(more).waitFor();
      assert.deepEqual(await findAccessibilityProblems(page), [], `${tag}, open`);
      assert.deepEqual(await findOverflow(page), [], tag);
      assert.equal(await panel.getAttribute('lang'), tag);
      assert.equal(await panel.locator('[part~=breaking]').textContent(), breaking);
      assert.equal(
        await panel.locator('time').first().textContent(),
        new Date('2026-05-04').toLocaleDateString(tag, { dateStyle: 'medium', timeZone: 'UTC' }),
      );
      assert.deepEqual(
        await page.evaluate(
          `['[part=header]', '[part=title]', 'h4:has([part~=security]) + ul li', 'h4:has([part~=breaking]) + ul li'].map((selector) =>
            getComputedStyle(document.querySelector('whats-new').shadowRoot.querySelector(selector)).direction)`,
        ),
        // Texts of the changelog have their own.
        [direction, 'ltr', 'ltr', 'rtl'],
      );
      const [title, button] = [panel.locator('[part=heading]'), panel.locator('[part=close]')];
      const [start, end] = [await title.boundingBox(), await button.boundingBox()];
      assert.equal((start?.x ?? 0) < (end?.x ?? 0), direction === 'ltr');
      await page.context().close();
    }
  });

  it('neither the element nor its badge moves anything on the page', async () => {
    const content = `<nav><a id="a" href="#">One</a> ${stage.element('first')} <a id="b" href="#">Two</a></nav><p id="c">Text</p>
      <p style="text-align: right">${stage.element('first')}</p>
      <aside style="width: 9rem; overflow: auto">${stage.element('first', '<a style="display: block" href="#">New</a>')}</aside>
      ${stage.element('first id="tall"', '<button style="padding: 2rem">New</button>')}<div style="height: 200vh"></div>`;
    const head = '<style>html { scroll-padding-bottom: 50rem; }</style>';
    const html = document(content, 'lang="en"', head).replace(/<script.*?<\/script>/, '');
    const { page } = await stage.open(html);
    const rects = () =>
      page.evaluate(
        `JSON.stringify([...document.querySelectorAll('a, p, nav, aside, html, #tall > button')].map((each) => [each.scrollWidth, each.getBoundingClientRect()]))`,
      );
    const before = await rects();
    await page.evaluate(`import('/widget.js')`);
    await page.locator('[part=badge]').last().waitFor();
    assert.equal(await rects(), before);
    const edges = (selector: string) =>
      page.locator(selector).evaluate((each) => each.getBoundingClientRect().toJSON());
    const [trigger, badge] = [await edges('#tall > button'), await edges('#tall [part=badge]')];
    assert.ok(badge.top < trigger.top && badge.bottom > trigger.top, 'the badge is at the upper corner');
    assert.ok(badge.left < trigger.right && badge.right > trigger.right, 'the badge is at the end');
    await page.evaluate(`document.getElementById('tall').open()`);
    await page.locator('#tall [part=more]').waitFor();
    assert.ok(
      (await edges('#tall [part=panel]')).top > trigger.bottom,
      'the popover does not cover the trigger',
    );
    assert.equal(await rects(), before);
    await page.keyboard.press('Escape');
    assert.equal(await rects(), before);
    const shifts =
      await page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
      const observer = new PerformanceObserver(() => {});
      observer.observe({ type: 'layout-shift', buffered: true });
      resolve(observer.takeRecords().map(({ value }) => value));
    })))`);
    assert.deepEqual(shifts, []);
    await page.context().close();
  });

  it('a host with `* { all: unset !important }` or 62.5 % as its font size does it no harm', async () => {
    const seen: unknown[] = [];
    for (const head of [
      '',
      '<style>* { all: unset !important; } html { font-size: 62.5% !important; } style, script, title, head { display: none !important; }</style>',
    ]) {
      const { page } = await stage.open(document(stage.element('first'), 'lang="en"', head));
      await page.locator('[part=badge]').waitFor();
      await page.getByText("What's new").first().click();
      await page.locator('[part=more]').waitFor();
      seen.push(
        await page.evaluate(`[...document.querySelector('whats-new').shadowRoot.querySelectorAll('[part]:not([part=anchor], [part=trigger], [part=""])')].map((node) => {
          const { display, position, color, backgroundColor, fontSize, fontFamily, padding, margin, borderRadius, cursor, textAlign } = getComputedStyle(node);
          const { width, height } = node.getBoundingClientRect();
          return [node.part.value, width, height, display, position, color, backgroundColor, fontSize, fontFamily, padding, margin, borderRadius, cursor, textAlign];
        })`),
      );
      await page.keyboard.press('Escape');
      assert.equal(await page.getByRole('dialog').count(), 0);
      await page.context().close();
    }
    assert.deepEqual(seen[1], seen[0]);
  });

  it('attributes and properties: before the upgrade, after it, and back to what the link was', async () => {
    const { page } = await stage.open(
      document(stage.element('first', '<a href="#x" aria-label="News">What</a>')).replace(
        /<script.*?<\/script>/,
        '',
      ),
    );
    const result = await page.evaluate(`(async () => {
      const given = document.querySelector('whats-new');
      given.texts = { unread: '{} ungelesen', heading: 'Neues', added: 'Neu' };
      const early = document.createElement('whats-new');
      early.append('Just a text');
      Object.assign(early, { team: 'acme', product: 'rocket', baseUrl: '${stage.api}', mode: 'modal' });
      const { define, WhatsNew } = await import('/widget.js');
      define();
      define('other-name');
      define('other-name');
      document.body.append(early);
      const link = given.querySelector('a');
      while (!link.ariaLabel.includes(',')) await new Promise((next) => setTimeout(next, 5));
      const names = [link.ariaLabel];
      link.ariaLabel = 'Later';
      given.remove();
      const after = link.outerHTML;
      document.body.append(given);
      await null;
      given.mode = 'modal';
      await null;
      given.open();
      early.open();
      return {
        own: early.shadowRoot.querySelector('[part=trigger]').textContent,
        names, after,
        upgraded: early.getAttribute('base-url') === '${stage.api}' && !Object.hasOwn(early, 'team'),
        reflected: given.getAttribute('mode'),
        first: [given.first, given.toggleAttribute('first'), given.first],
        absent: [given.version, given.to, early.first],
        heading: given.shadowRoot.querySelector('h2').textContent,
        other: document.createElement('other-name') instanceof WhatsNew && new WhatsNew() instanceof HTMLElement,
        nowhere: await (async () => {
          for (const url of ['javascript:alert(1)', 'file:///x', 'https://[']) {
            const lost = document.createElement('whats-new');
            Object.assign(lost, { team: 'acme', product: 'rocket', baseUrl: url });
            document.body.append(lost);
            lost.open();
            if (lost.shadowRoot.querySelector('dialog').matches(':popover-open')) return url;
          }
          return 'none';
        })(),
        modal: given.shadowRoot.querySelector('dialog').matches(':modal'),
        unread: given.unread,
      };
    })()`);
    assert.deepEqual(result, {
      own: 'Just a text',
      names: ['News, 1 ungelesen'],
      after: '<a href="#x" aria-label="News">What</a>',
      upgraded: true,
      reflected: 'modal',
      first: [true, false, false],
      absent: ['', '', false],
      heading: 'Neues',
      other: true,
      nowhere: 'none',
      modal: true,
      unread: 1,
    });
    await page.locator('[part~=added]', { hasText: 'Neu' }).first().waitFor();
    await page.context().close();
  });

  for (const [what, init] of Object.entries({
    popovers: 'delete HTMLElement.prototype.popover',
    'light-dark()': 'CSS.supports = () => false',
  }))
    it(`in a browser without ${what} the link stays a link`, async () => {
      const html = document(stage.element('', '<a href="#news">News</a>'));
      const { page, url, incidents } = await stage.open(html, { init });
      await page.getByRole('link', { name: 'News', exact: true }).click();
      assert.equal(page.url(), `${url}#news`);
      assert.deepEqual(incidents, { console: [], errors: [], dialogs: [], outside: [] });
      await page.context().close();
    });
});
