// The demo as its own process, open in Chromium: what the checks of its pages look at.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { runProgram, startNode } from '../../cluster/nodes.ts';
import { type Scope, temporaryFolder } from '../../cluster/scope.ts';
import { changeLook, LOOKS } from '../../support/browser/accessibility.ts';
import { type Browser, type OpenedPage, startChromium } from '../../support/browser/chromium.ts';
import { EXTREMES } from './extremes.ts';
import { LANGUAGE_DOCUMENTS, LANGUAGE_TAGS, teamIn } from './languages.ts';

type Look = (typeof LOOKS)[number];
type View = Readonly<{ name: string; path: string; status: number }>;

export const TEAM = '/changelog/acme';
export const PRODUCT = `${TEAM}/rocket`;
/** Nothing is published in it. */
export const BLANK = '/changelog/extremes/blank';

const VIEWS: readonly View[] = [
  { name: 'list', path: PRODUCT, status: 200 },
  { name: 'older versions', path: `${PRODUCT}?limit=2&prerelease=false`, status: 200 },
  { name: 'empty result', path: `${PRODUCT}?q=nothing+has+these+words&type=added`, status: 200 },
  { name: 'no versions', path: BLANK, status: 200 },
  { name: 'version', path: `${PRODUCT}/versions/2.1.0`, status: 200 },
  { name: 'yanked version', path: `${PRODUCT}/versions/1.4.1`, status: 200 },
  { name: 'changes', path: `${PRODUCT}/changes?from=1.4.2&to=2.1.0`, status: 200 },
  { name: '400', path: `${PRODUCT}?q=a&since=yesterday&type=nothing`, status: 400 },
  { name: '400 of changes', path: `${PRODUCT}/changes?from=one&to=two`, status: 400 },
  { name: '404', path: '/changelog/acme/nothing', status: 404 },
  { name: 'team', path: TEAM, status: 200 },
  { name: 'search in a team', path: `${TEAM}?q=launch&type=added&since=2020-01-01`, status: 200 },
  { name: 'products of a team', path: `${TEAM}?products=all`, status: 200 },
  { name: '400 of a team', path: `${TEAM}?q=a&since=yesterday&type=nothing`, status: 400 },
  { name: 'team with long words', path: '/changelog/extremes', status: 200 },
  { name: 'home', path: '/', status: 200 },
  { name: 'long words and wide blocks', path: '/changelog/extremes/words', status: 200 },
  { name: 'right to left', path: '/changelog/extremes/rtl', status: 200 },
  { name: 'a hundred years', path: '/changelog/extremes/years', status: 200 },
];
/** The first is the page of the product. */
export function viewsIn(tag: string): readonly View[] {
  const team = `/changelog/${teamIn(tag)}`;
  const product = `${team}/product`;
  return [
    { name: `list in ${tag}`, path: product, status: 200 },
    { name: `version in ${tag}`, path: `${product}/versions/1.1.0`, status: 200 },
    { name: `changes in ${tag}`, path: `${product}/changes?from=1.0.0`, status: 200 },
    { name: `team in ${tag}`, path: team, status: 200 },
    { name: `404 in ${tag}`, path: `${product}/versions/9.0.0`, status: 404 },
    { name: `400 in ${tag}`, path: `${product}?q=a&since=yesterday&type=nothing`, status: 400 },
    { name: `400 of changes in ${tag}`, path: `${product}/changes?from=one&to=two`, status: 400 },
  ];
}

/** The only one with JavaScript. */
export const DOCS: View = { name: 'docs', path: '/docs', status: 200 };

/** How much a run looks at. */
export type Extent = Readonly<{
  views: readonly View[];
  /** Fewer than there are differ from view to view, so that together the views have all of them. */
  looksPerView: number;
  pagesPerLanguage: number;
  /** Walked through with Tab, which takes longest. */
  walked: readonly View[];
}>;
/** All pages in one language of each direction. */
const WHOLE = ['de', 'ar'];
const IN_LANGUAGES = LANGUAGE_TAGS.flatMap((tag) =>
  viewsIn(tag).slice(0, WHOLE.includes(tag) ? undefined : 1),
);
export const FULL: Extent = {
  views: [...VIEWS, ...IN_LANGUAGES, DOCS],
  looksPerView: LOOKS.length,
  pagesPerLanguage: Number.POSITIVE_INFINITY,
  walked: [...VIEWS, DOCS],
};
const FREQUENT = ['list', 'version', 'changes', '400', 'team', 'list in ar'];
/** `/docs` has tests of its own. */
export const SHORT: Extent = {
  views: [...VIEWS, ...IN_LANGUAGES].filter(({ name }) => FREQUENT.includes(name)),
  looksPerView: 1,
  pagesPerLanguage: 1,
  walked: VIEWS.filter(({ name }) => name === 'list'),
};

type LooksAt = (index: number) => readonly Look[];

/** The looks of each view, by its number. */
export function looksOf({ looksPerView }: Extent): LooksAt {
  return (index) => [...LOOKS.slice(index % LOOKS.length), ...LOOKS].slice(0, looksPerView);
}

/** One look of each width, for what does not depend on colors. */
export function widthsOf(extent: Extent): LooksAt {
  return (index) => [...new Map(looksOf(extent)(index).map((look) => [look.width, look])).values()];
}

export type Site = Readonly<{ origin: string; browser: Browser }>;

export type Finding = Readonly<{
  /** What was measured, with its figures. */
  figure: string;
  /** One line each; none if the promise holds. */
  problems: readonly string[];
}>;

export type Check = (site: Site, extent: Extent) => Promise<Finding>;

export async function openSite(scope: Scope): Promise<Site> {
  return { origin: await startDemo(scope), browser: await startChromium(scope) };
}

/** With odd content, and changelogs in all languages, in addition to its own. Returns its origin. */
export async function startDemo(scope: Scope): Promise<string> {
  const folder = temporaryFolder(scope);
  const environment = { LISTING: 'all', LOG_LEVEL: 'silent', PUBLIC_RATE_LIMIT: '1000000' };
  const { address: origin } = await startNode(scope, { command: 'demo', environment, folder });
  const documents = [EXTREMES, ...LANGUAGE_DOCUMENTS].map((document) => {
    const file = path.join(folder, `${document.team.slug}.json`);
    writeFileSync(file, JSON.stringify(document));
    return file;
  });
  const database = { DATABASE_URL: `sqlite:${path.join(folder, 'data/demo.db')}` };
  await runProgram(scope, ['apply', ...documents], { folder, environment: database });
  return origin;
}

/** Opens a page for as long as `use` takes. */
export async function withPage<T>(
  { browser, origin }: Site,
  use: (opened: OpenedPage) => Promise<T>,
  options: Readonly<{ javaScriptEnabled?: boolean }> = {},
): Promise<T> {
  const opened = await browser.open({ origin, ...options });
  try {
    return await use(opened);
  } finally {
    await opened.page.context().close();
  }
}

/** What `find` reports about each view, with its name. Everything that can be opened is open. */
export async function inEveryView(
  site: Site,
  views: readonly View[],
  find: (page: Page) => Promise<readonly string[]>,
  looksAt: (index: number) => readonly (Look | null)[] = () => [null],
): Promise<string[]> {
  const problems: string[] = [];
  await withPage(site, async ({ page }) => {
    for (const [index, { name, path }] of views.entries()) {
      await page.goto(site.origin + path);
      await page.evaluate(`for (const details of document.querySelectorAll('details')) details.open = true`);
      for (const look of looksAt(index)) {
        if (look !== null) await changeLook(page, look);
        const where = look === null ? name : `${name}, ${look.width} px, ${look.colorScheme}`;
        problems.push(...(await find(page)).map((problem) => `${where}: ${problem}`));
      }
    }
  });
  return problems;
}

export async function readPage(
  { origin }: Site,
  path: string,
): Promise<Readonly<{ status: number; headers: Headers; html: string }>> {
  const response = await fetch(path.startsWith('/') ? origin + path : path);
  return { status: response.status, headers: response.headers, html: await response.text() };
}
