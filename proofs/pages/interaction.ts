// Checks that use the pages: with the keyboard alone, and with JavaScript switched off.
import type { Page } from 'playwright-core';
import { type Check, PRODUCT, type Site, withPage } from './site.ts';

type Step = Readonly<{ name: string; take: (page: Page) => Promise<unknown>; expected: unknown }>;

async function takeSteps(site: Site, javaScriptEnabled: boolean, path: string, steps: readonly Step[]) {
  const problems: string[] = [];
  await withPage(
    site,
    async ({ page }) => {
      for (const { name, take, expected } of steps) {
        await page.goto(site.origin + path);
        const found = await take(page).catch((error: Error) => error.message);
        if (JSON.stringify(found) !== JSON.stringify(expected))
          problems.push(`${name}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
      }
    },
    { javaScriptEnabled },
  );
  return { figure: steps.map(({ name }) => name).join(', '), problems };
}

const labels = (page: Page) => page.locator('article .label').allTextContents();
const queryOf = (page: Page) =>
  [...new URL(page.url()).searchParams].filter(([, value]) => value !== '').map((pair) => pair.join('='));

const FILTERS = '.tools summary:has(+ div)';
const openFilters = (page: Page) => page.locator(FILTERS).click();
const submit = async (page: Page, from: string) => {
  const loaded = page.waitForEvent('load');
  await page.locator(from).press('Enter');
  await loaded;
};
const follow = async (page: Page, link: string) => {
  const loaded = page.waitForEvent('load');
  await page.locator(link).first().click();
  await loaded;
};

export const checkKeys: Check = (site) => takeSteps(site, true, PRODUCT, KEY_STEPS);

const KEY_STEPS: readonly Step[] = [
  {
    name: 'skip link',
    take: async (page) => {
      for (const key of ['Tab', 'Enter', 'Tab']) await page.keyboard.press(key);
      return await page.evaluate(`[location.hash, document.activeElement.closest('main') !== null]`);
    },
    expected: ['#main', true],
  },
  {
    name: 'filters open and close',
    take: async (page) => {
      const isOpen = () => page.evaluate(`document.querySelector('.tools details').open`);
      await page.locator(FILTERS).focus();
      const states = [await isOpen()];
      for (const key of ['Enter', 'Space', 'Enter']) {
        await page.keyboard.press(key);
        states.push(await isOpen());
      }
      await page.keyboard.press('Tab');
      return [...states, await page.evaluate(`document.activeElement.closest('details') !== null`)];
    },
    expected: [false, true, false, true, true],
  },
  {
    name: 'search with Enter',
    take: async (page) => {
      await page.locator('[name=q]').focus();
      await page.keyboard.type('approval');
      await submit(page, '[name=q]');
      return [queryOf(page), await page.locator('[name=q]').inputValue()];
    },
    expected: [['q=approval'], 'approval'],
  },
  {
    name: 'a type chosen with Enter, and removed again',
    take: async (page) => {
      await submit(page, '.dot.security');
      const chosen = [queryOf(page), await labels(page)];
      await submit(page, '.dot.security');
      return [...chosen, queryOf(page)];
    },
    expected: [['type=security'], ['1.4.2', '2.0.1'], []],
  },
];

export const checkForms: Check = (site) => takeSteps(site, false, PRODUCT, FORM_STEPS);

const FORM_STEPS: readonly Step[] = [
  {
    name: 'search',
    take: async (page) => {
      await page.locator('[name=q]').fill('environments');
      await submit(page, '[name=q]');
      return [queryOf(page), await labels(page)];
    },
    expected: [['q=environments'], ['2.0.0']],
  },
  {
    name: 'search in a type',
    take: async (page) => {
      await follow(page, '.dot.deprecated');
      await page.locator('[name=q]').fill('launch');
      await submit(page, '[name=q]');
      return [queryOf(page), await page.locator('.dot.deprecated[aria-current]').count()];
    },
    expected: [['q=launch', 'type=deprecated'], 1],
  },
  {
    name: 'dates',
    take: async (page) => {
      await openFilters(page);
      await page.locator('[name=since]').fill('2026-03-01');
      await page.locator('[name=until]').fill('2026-03-19');
      await follow(page, '[form=find][type=submit]');
      return [queryOf(page), await labels(page)];
    },
    expected: [
      ['since=2026-03-01', 'until=2026-03-19'],
      ['2.0.1', '2.0.0'],
    ],
  },
  {
    name: 'versions',
    take: async (page) => {
      await openFilters(page);
      await page.locator('#from').fill('2.0.0');
      await page.locator('#to').fill('2.1.0');
      await follow(page, '[form=find][type=submit]');
      return [queryOf(page), await labels(page)];
    },
    expected: [
      ['from=2.0.0', 'to=2.1.0'],
      ['2.1.0', '2.0.1'],
    ],
  },
  {
    name: 'prereleases',
    take: async (page) => {
      await openFilters(page);
      await page.locator('[name=prerelease]').check();
      await follow(page, '[form=find][type=submit]');
      return [queryOf(page), (await labels(page)).some((label) => label.includes('-'))];
    },
    expected: [['prerelease=false'], false],
  },
  {
    name: 'comparison',
    take: async (page) => {
      await page.locator('.tools summary:has(+ form)').click();
      await page.locator('#compare-from').selectOption('1.4.2');
      await follow(page, '.tools form button');
      await page.locator('[name=to]').selectOption('2.0.0');
      await follow(page, 'form button');
      const versions = await page.locator('.change .in').allTextContents();
      return [queryOf(page), [...new Set(versions)].sort()];
    },
    expected: [
      ['from=1.4.2', 'to=2.0.0'],
      ['1.5.0-beta.1', '2.0.0'],
    ],
  },
  {
    name: 'a mistake corrected',
    take: async (page) => {
      await page.goto(`${page.url()}?q=environments&from=two`);
      const message = await page.locator('#from-problem').textContent();
      await page.locator('[name=from]').fill('1.0.0');
      await submit(page, '[name=from]');
      return [message !== '', queryOf(page), await labels(page)];
    },
    expected: [true, ['q=environments', 'from=1.0.0'], ['2.0.0']],
  },
];

export const checkLinks: Check = (site) => takeSteps(site, false, PRODUCT, LINK_STEPS);

const LINK_STEPS: readonly Step[] = [
  {
    name: 'type',
    take: async (page) => {
      await follow(page, 'main a[href="?type=security"]');
      return await labels(page);
    },
    expected: ['1.4.2', '2.0.1'],
  },
  {
    name: 'year',
    take: async (page) => {
      await follow(page, 'main a[href^="?since=2025-01-01"]');
      const years = await page
        .locator('article time')
        .evaluateAll((times) => times.map((time) => time.getAttribute('datetime')?.slice(0, 4)));
      return [...new Set(years)];
    },
    expected: ['2025'],
  },
  {
    name: 'menu of versions',
    take: async (page) => {
      await page.locator('.tools summary:has(+ nav)').click();
      await page.locator('.majors a', { hasText: '1.4.2' }).click();
      const id = new URL(page.url()).hash.slice(1);
      return await page.locator(`article[id="${id}"] .label`).textContent();
    },
    expected: '1.4.2',
  },
  {
    name: 'older and newest versions',
    take: async (page) => {
      await page.goto(`${page.url()}?limit=2`);
      const first = await labels(page);
      await follow(page, 'a[rel=next]');
      const second = await labels(page);
      return [first, second];
    },
    expected: [
      ['2.1.0', '1.4.2'],
      ['2.0.1', '2.0.0'],
    ],
  },
  {
    name: 'version',
    take: async (page) => {
      await follow(page, 'article h2 a');
      return [new URL(page.url()).pathname, await page.locator('h1 .label').textContent()];
    },
    expected: [`${PRODUCT}/versions/2.1.0`, '2.1.0'],
  },
  {
    name: 'one change, marked',
    take: async (page) => {
      const anchor = page.locator('.change .anchor').nth(2);
      const id = await page.locator('.change').nth(2).getAttribute('id');
      const link = new URL((await anchor.getAttribute('href')) ?? '', page.url());
      await page.goto(link.href);
      const marked: string[] = await page.evaluate(MARKED_CHANGES);
      return [link.hash === `#${id}`, marked.length === 1 && marked[0] === id];
    },
    expected: [true, true],
  },
];

/** The changes whose background differs from most others'. */
const MARKED_CHANGES = `(() => {
  const changes = [...document.querySelectorAll('.change')];
  const colorOf = (element) => getComputedStyle(element).backgroundColor;
  const plain = changes.map(colorOf).sort((a, b) => changes.filter((each) => colorOf(each) === b).length - changes.filter((each) => colorOf(each) === a).length)[0];
  return changes.filter((element) => colorOf(element) !== plain).map(({ id }) => id);
})()`;
