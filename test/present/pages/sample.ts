// The sample for the page tests: one small product, and every kind of page made from it.
import { NO_FILTER } from '../../../src/domain/feed-query.ts';
import { versionOrder } from '../../../src/domain/version-order.ts';
import { OUTPUTS } from '../../../src/http/app.ts';
import { type Depth, serverLinks } from '../../../src/present/links.ts';
import type { Out } from '../../../src/present/outputs/output.ts';
import type { Site } from '../../../src/present/pages/document.ts';
import { writeErrorPage, writeFormErrorPage } from '../../../src/present/pages/error-page.ts';
import type { FilterForm } from '../../../src/present/pages/filters.ts';
import {
  type ListView,
  type TimelinePage,
  writeList,
  writeTimeline,
} from '../../../src/present/pages/list-pages.ts';
import {
  type ChangelogView,
  frameChangelog,
  writeChanges,
  writeVersion,
} from '../../../src/present/pages/product-pages.ts';
import { type RenderedVersion, writeArticle } from '../../../src/present/pages/version-parts.ts';
import type { PageText } from '../../../src/present/texts.ts';
import { ENGLISH } from '../../../src/present/words/locale.ts';
import type { TimelineRow } from '../../../src/store/read/lists/timeline.ts';
import type { FullVersion } from '../../../src/store/read/pages.ts';
import type { HeadRow } from '../../../src/store/read/reads.ts';
import { renderAtOnce } from '../../../src/text/parse.ts';
import type { Render } from '../../../src/text/render.ts';
import { renderForPage } from '../../../support/content/texts.ts';

export const SITE: Site = {
  baseUrl: 'https://changes.example.com',
  links: serverLinks('https://changes.example.com'),
  isStatic: false,
  extraCss: '',
  hasTeamPages: true,
  hasHomePage: true,
  outputs: OUTPUTS,
  hubsFor: () => [],
};

export const HEAD: HeadRow = {
  teamId: 1,
  productId: 1,
  teamSlug: 'acme',
  teamName: 'Acme',
  productSlug: 'rocket',
  productName: 'Rocket',
  changelogId: 'cl_rocket',
  changelogName: 'Rocket changelog',
  changelogStatus: 'published',
  homeUrl: 'https://rocket.example.com/',
  linkBase: null,
  repositoryUrl: null,
  logo: null,
  image: null,
  accent: null,
  domain: null,
  language: 'en',
};

export const FORM: FilterForm = { values: {}, problems: {} };

export const rangeForm = (from: string, to: string): FilterForm => ({
  ...FORM,
  values: { ...(from && { from: [from] }), ...(to && { to: [to] }) },
});

export const VERSION: RenderedVersion = {
  id: 'ver_a',
  label: '2.1.0',
  title: 'Faster launches',
  publishedAt: '2026-05-04T09:00:00.000Z',
  updatedAt: '2026-05-04T09:00:00.000Z',
  yanked: false,
  compareUrl: null,
  image: null,
  description: renderForPage('Launches take *half* the time & less.'),
  changes: [
    { id: 'chg_a', type: 'changed', text: renderForPage('Uploads overlap.'), breaking: false },
    { id: 'chg_b', type: 'changed', text: renderForPage('Needs `--env`.'), breaking: true },
    { id: 'chg_c', type: 'added', text: renderForPage('Launches can be paused.'), breaking: false },
  ],
};

export const CHANGELOG: ChangelogView = {
  head: HEAD,
  depth: 'changelog',
  form: FORM,
  isFiltered: false,
  isContinued: false,
  versions: [VERSION],
  versionCount: 2,
  facets: [
    ...(['', 'added', 'changed', 'breaking'] as const).map((mark) => ({ year: '', mark, versions: 2 })),
    ...['2026', '2025'].flatMap((year) =>
      (['', 'added', 'changed', 'breaking'] as const).map((mark) => ({ year, mark, versions: 1 })),
    ),
  ],
  menu: [
    { id: VERSION.id, label: VERSION.label, major: '2' },
    { id: 'ver_b', label: '1.0.0+a', major: '1' },
  ],
  matches: null,
  olderUrl: null,
};

const ROW: TimelineRow = {
  ...VERSION,
  ...{
    head: HEAD,
    status: 'published',
    sortKey: '',
    yanked: 0,
    description: null,
    changes: [{ id: 'chg_a', type: 'changed', text: 'Uploads overlap.', breaking: 0 }],
    changeCount: 1,
  },
};

export const TIMELINE: TimelinePage = {
  ...{ form: FORM, isFiltered: false, isContinued: false, olderUrl: null },
  team: { slug: 'acme', name: 'Acme' },
  products: [],
  productsUrl: null,
  versions: [ROW],
};

/** All that is written, as one text. */
export async function collect(write: (out: Out) => Promise<unknown>): Promise<string> {
  let text = '';
  const add = (piece: string) => {
    text += piece;
    return null;
  };
  await write({ add, showImages: () => {} });
  return text;
}

type ArticleOptions = Partial<Parameters<typeof writeArticle>[1]> & { depth?: Depth };

/** As a list shows it. */
export function articleIn(
  head: HeadRow,
  version: RenderedVersion,
  { depth = 'changelog', ...options }: ArticleOptions = {},
): string {
  const url = SITE.links.fromProduct(depth, head).version(version);
  return [...writeArticle(version, { head, url, ...options })].join('');
}

export function changelogPage(
  { description = null, ...changes }: Partial<ChangelogView & { description: PageText | null }> = {},
  version = VERSION,
): string {
  const view = { ...CHANGELOG, ...changes };
  const { start, end } = frameChangelog(SITE, view, description);
  return (
    start + (view.versions.length === 0 ? '' : articleIn(view.head, version, { depth: view.depth })) + end
  );
}

export function versionPage(
  version: Partial<FullVersion> = {},
  head: Partial<HeadRow> = {},
  highest = '3.0.0',
): Promise<string> {
  const description = 'Launches take *half* the time & less.';
  const found = { head: { ...HEAD, ...head }, version: { ...ROW, description, ...version } };
  const compared = { ...found, previous: undefined, highest: versionOrder(highest) };
  return collect((out) => writeVersion(out, { site: SITE, render: renderAtOnce }, compared));
}

export function changesPage(
  form: FilterForm = FORM,
  head = HEAD,
  { id, label }: Pick<RenderedVersion, 'id' | 'label'> = VERSION,
  view: Partial<Parameters<typeof writeChanges>[2]> = {},
): Promise<string> {
  const { isBreaking, types } = NO_FILTER;
  const own = { head, form, isFiltered: form !== FORM, menu: [], filter: { isBreaking, types } };
  const range = { ...own, versions: [{ ...ROW, id, label }], ...view };
  return collect((out) => writeChanges(out, { site: SITE, render: renderAtOnce }, range));
}

export function listPage(team: { slug: string; name: string } | null, text = 'Rocket'): Promise<string> {
  const newest = {
    ...VERSION,
    label: text,
    title: text,
    status: 'published',
    changeCount: 1,
    yanked: 0,
  } as const;
  const slugs = { teamSlug: 'acme', productSlug: 'rocket' };
  const names = { teamName: text, productName: text, changelogName: text };
  const look = { logo: null, accent: text, domain: null, language: 'en' };
  const product = { ...slugs, ...names, ...look, newest, newestChanges: [{ type: 'added', text }] } as const;
  const products = [product, { ...product, productSlug: 'lander', newest: null }];
  return writtenList({ team, products, isContinued: false, moreUrl: null });
}

const asWritten: Render = <T>(texts: readonly string[]) => texts as readonly unknown[] as readonly T[];

export const writtenList = (view: ListView): Promise<string> =>
  collect((out) => writeList(out, { site: SITE, render: asWritten }, view));

/** Of two products that share a change. */
export async function timelinePage(
  view: Partial<TimelinePage> = {},
  head = HEAD,
  { yanked, description, changes, ...version } = VERSION,
): Promise<string> {
  const shared = { ...ROW, ...version, yanked: yanked ? (1 as const) : (0 as const), head };
  const other = { id: 'chg_d', type: 'added', text: 'Lands softly.', breaking: 0 } as const;
  const lander = { ...head, productId: 2, productSlug: 'lander', productName: 'Lander' };
  const versions = [shared, { ...shared, head: lander, changes: [...ROW.changes, other] }];
  const page = { ...TIMELINE, versions, ...view };
  return await collect((out) => writeTimeline(out, { site: SITE, renderOf: () => renderAtOnce }, page));
}

/** Every kind of page, with the same text wherever a page shows one. */
export async function allPages(text: string): Promise<Record<string, string>> {
  const names = { teamName: text, productName: text, changelogName: text };
  const head = { ...HEAD, ...names, homeUrl: text, logo: text, image: text };
  const texts = { q: text, since: text, until: text, from: text, to: text };
  const problem = () => text;
  const problems = { q: problem, since: problem, type: problem, prerelease: problem, cursor: problem };
  const form = { ...FORM, texts, problems };
  const version = { ...VERSION, label: text, title: text, image: text, yanked: true };
  const menu = ['2', null].map((major) => ({ id: text, label: text, major }));
  return {
    list: changelogPage({ head, form, isFiltered: true, menu: [...menu, ...menu] }, version),
    'empty list': changelogPage({ head, versionCount: 0, versions: [] }),
    version: await versionPage({ label: text, title: text, image: text, yanked: 1 }, head),
    changes: await changesPage(form, head, version),
    team: await timelinePage({ team: { slug: 'acme', name: text }, form, isFiltered: true }, head, version),
    'team without versions': await timelinePage(
      { team: { slug: 'acme', name: text }, versions: [] },
      head,
      version,
    ),
    'products of a team': await listPage({ slug: 'acme', name: text }, text),
    home: await listPage(null, text),
    error: writeErrorPage(SITE, 'not_found'),
    'changelog form': writeFormErrorPage(SITE, ENGLISH, 'changelog', form),
    'changes form': writeFormErrorPage(SITE, ENGLISH, 'changes', form),
  };
}

/** A page's JSON-LD. */
export function dataOf(page: string) {
  return JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(page)?.[1] as string);
}
