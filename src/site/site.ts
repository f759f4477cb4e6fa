// All files of a static site.
import { NO_FILTER } from '../domain/feed-query.ts';
import { yieldToEventLoop } from '../event-loop.ts';
import { OUTPUTS } from '../http/app.ts';
import { readWidget } from '../http/reads/documents.ts';
import {
  TIMELINE_VERSIONS,
  type WriteTimeline,
  writeTimeline,
  writeTimelineMarkdown,
} from '../http/reads/list-pages.ts';
import { renderFirstChanges } from '../http/reads/writing.ts';
import { frameLlms, writeLlmsProduct } from '../present/crawlers/llms.ts';
import {
  listPage,
  newestPages,
  SITEMAP_URLS_MAX,
  type SitemapPage,
  sitemapPages,
  URL_SET,
  writePageUrl,
  writeRobots,
} from '../present/crawlers/sitemap.ts';
import { writeListMarkdown } from '../present/markdown-pages.ts';
import type { Site } from '../present/pages/document.ts';
import { writeErrorPage } from '../present/pages/error-page.ts';
import { NO_FORM } from '../present/pages/filters.ts';
import { type ListView, writeListPage } from '../present/pages/list-pages.ts';
import { addOrigin, policyFor } from '../present/pages/style.ts';
import { localeFor, sharedLanguage } from '../present/words/locale.ts';
import type { Reader } from '../store/engine/engine.ts';
import {
  findAllList,
  findTeamList,
  type ListedProduct,
  type ProductList,
} from '../store/read/lists/listing.ts';
import { findTimeline, type Timeline } from '../store/read/lists/timeline.ts';
import { withoutRelativeLinks } from '../text/links.ts';
import { type Render, withTree } from '../text/render.ts';
import {
  type ListedVersion,
  type Product,
  PUBLIC_ROWS,
  pagesOf,
  type Sources,
  type StaticFile,
  VERSIONS_AT_ONCE,
  WholeBody,
} from './body.ts';
import { fileNames, folderOf, INDEX, listFolder, pageFile, type SiteKind, staticLinks } from './layout.ts';
import { productFiles } from './product.ts';

/** One product, the products of a team, or all. */
export type Target = Readonly<{ team?: string | undefined; product?: string | undefined }>;

type SiteContent = Readonly<{
  kind: SiteKind;
  products: readonly (Product & Readonly<{ listed: ListedProduct; hasLinkBase: boolean }>)[];
  versionCount: number;
}>;

const PRODUCTS_AT_ONCE = 200;

/** What is public in the database. */
export async function findContent(db: Reader, { team, product }: Target): Promise<SiteContent> {
  const kind = product !== undefined ? 'product' : team !== undefined ? 'team' : 'all';
  const products: SiteContent['products'][number][] = [];
  for await (const listed of listProducts(db, team)) {
    if (product !== undefined && listed.productSlug !== product) continue;
    const at = { team: listed.teamSlug, product: listed.productSlug };
    const versions: ListedVersion[] = [];
    let hasLinkBase = false;
    for await (const page of pagesOf(db, at, { limit: VERSIONS_AT_ONCE })) {
      hasLinkBase = page.head.linkBase !== null;
      for (const { id, label, changeCount } of page.versions) versions.push({ id, label, changeCount });
    }
    products.push({
      listed,
      path: at,
      versions,
      nameOf: fileNames(versions),
      updatedAt: new Map(),
      hasLinkBase,
    });
  }
  return { kind, products, versionCount: products.reduce((sum, { versions }) => sum + versions.length, 0) };
}

async function* listProducts(db: Reader, team: string | undefined): AsyncGenerator<ListedProduct> {
  const find = async (after: ProductList['end']): Promise<ProductList | undefined> => {
    const asked = { after, limit: PRODUCTS_AT_ONCE };
    const { found } = await (team === undefined
      ? findAllList(db, { ...asked, withChanges: true })
      : findTeamList(db, { ...asked, team }));
    return found;
  };
  for (let list = await find(null); list !== undefined; ) {
    yield* list.products;
    list = list.end === null ? undefined : await find(list.end);
  }
}

type SiteOptions = Readonly<{
  db: Reader;
  render: Render;
  /** With a slash at its end; null if it is not known. */
  base: string | null;
  extraCss: string;
  onVersions: (count: number) => void;
}>;

export async function* siteFiles(content: SiteContent, options: SiteOptions): AsyncGenerator<StaticFile> {
  for await (const file of filesOf(content, options)) yield withPolicy(file);
}

async function* filesOf(
  { kind, products }: SiteContent,
  { db, render, base, extraCss, onVersions }: SiteOptions,
): AsyncGenerator<StaticFile> {
  const keyOf = ({ teamSlug, productSlug }: { teamSlug: string; productSlug: string }) =>
    `${teamSlug}/${productSlug}`;
  const names = new Map(products.map(({ listed, nameOf }) => [keyOf(listed), nameOf]));
  const site: Site = {
    baseUrl: base?.replace(/\/$/, '') ?? '',
    links: staticLinks({
      kind,
      base,
      nameOf: (product, version) => names.get(keyOf(product))?.(version) ?? version.id,
    }),
    isStatic: true,
    extraCss,
    hasTeamPages: kind !== 'product',
    hasHomePage: kind === 'all',
    outputs: OUTPUTS,
    hubsFor: () => [],
  };
  let versions = 0;
  for (const product of products) {
    const folder = folderOf(kind, product.listed);
    const sources = { db, site, render: product.hasLinkBase ? render : unlinked(render) };
    for await (const file of productFiles(sources, product)) {
      yield { ...file, path: folder + file.path };
      // Lets a signal arrive.
      await yieldToEventLoop();
      onVersions(versions + product.updatedAt.size);
    }
    versions += product.versions.length;
  }
  const listed = products.map(({ listed }) => listed);
  yield* listFiles({ db, render, site }, kind, listed);
  yield* crawlerFiles(site, { kind, products, base });
  const language = sharedLanguage(products.map(({ listed }) => listed));
  yield {
    path: 'widget.js',
    body: await readWidget(language, { isStatic: true }),
  };
  yield { path: '404.html', body: writeErrorPage(site, 'not_found', localeFor(language)) };
  // Without it, GitHub Pages would leave out names that begin with an underscore.
  yield { path: '.nojekyll', body: '' };
}

/** The lists of products. A product at the root needs none. */
async function* listFiles(
  sources: Sources,
  kind: SiteKind,
  products: readonly ListedProduct[],
): AsyncGenerator<StaticFile> {
  const { site, render } = sources;
  const viewOf = (team: ListView['team'], listed: readonly ListedProduct[]): ListView => ({
    team,
    products: listed,
    isContinued: false,
    moreUrl: null,
  });
  if (kind === 'product') return;
  if (kind === 'all') {
    const view = viewOf(null, await renderFirstChanges(products, render));
    yield { path: INDEX, body: writeListPage(site, view), images: products.map(({ logo }) => logo) };
    yield { path: 'index.md', body: writeListMarkdown(site, view) };
  }
  const ofTeams = products.map(({ newestChanges, ...product }) => product);
  for (const [slug, listed] of Map.groupBy(ofTeams, ({ teamSlug }) => teamSlug)) {
    const folder = listFolder(kind, slug);
    for await (const file of timelinePages(sources, slug, listed))
      yield { ...file, path: folder + file.path };
  }
}

/** The products of a team, and the versions of all of them. */
async function* timelinePages(
  { db, render, site }: Sources,
  team: string,
  products: readonly ListedProduct[],
): AsyncGenerator<StaticFile> {
  let after: Timeline['end'] = null;
  for (let number = 1; number === 1 || after !== null; number += 1) {
    const query = { ...NO_FILTER, limit: TIMELINE_VERSIONS, withChanges: true, after };
    const { found } = await findTimeline(db, team, PUBLIC_ROWS, query, null);
    if (found === undefined) return;
    const view = {
      products: number === 1 ? products : [],
      productsUrl: null,
      form: NO_FORM,
      isFiltered: false,
      isContinued: number > 1,
      olderUrl: found.end && pageFile({}, number + 1),
    };
    const write = async (as: WriteTimeline) => {
      const out = new WholeBody();
      await as(out, found, view, {
        site,
        searched: null,
        renderOf: ({ linkBase }) => (linkBase === null ? unlinked(render) : render),
      });
      return { body: out.finish(), images: out.images };
    };
    yield { path: pageFile({}, number), ...(await write(writeTimeline)) };
    if (number === 1) yield { path: 'index.md', ...(await write(writeTimelineMarkdown)) };
    after = found.end;
  }
}

function* crawlerFiles(
  site: Site,
  { kind, products, base }: Pick<SiteContent, 'kind' | 'products'> & Readonly<{ base: string | null }>,
): Generator<StaticFile> {
  const sitemapUrl = base === null ? null : `${base}sitemap.xml`;
  yield { path: 'robots.txt', body: writeRobots({ isGated: false, sitemapUrl }) };
  const { start, end } = frameLlms(site);
  yield {
    path: 'llms.txt',
    body: start + products.map(({ listed }) => writeLlmsProduct(site, listed)).join('') + end,
  };
  if (sitemapUrl === null) return;
  const pages = newestPages(pagesFor(site, kind, products), SITEMAP_URLS_MAX);
  yield { path: 'sitemap.xml', body: URL_SET.start + pages.map(writePageUrl).join('') + URL_SET.end };
}

function pagesFor({ links }: Site, kind: SiteKind, products: SiteContent['products']): SitemapPage[] {
  const pages = products.flatMap(({ listed, versions, updatedAt }, index) => {
    const dated = versions.map((version) => ({ ...version, updatedAt: updatedAt.get(version.id) ?? null }));
    // A product at the root has no page of its team.
    const before = kind === 'product' ? listed : products[index - 1]?.listed;
    return sitemapPages(links, listed, dated, before?.teamSlug ?? null);
  });
  return kind === 'all' ? [listPage(links.listUrl()), ...pages] : pages;
}

/** Where there is no server for relative links, they lead nowhere. */
const unlinked = (render: Render): Render => withTree(render, 'unlinked', withoutRelativeLinks);

const BEFORE = '<meta charset="utf-8">\n';
const STYLE = /<style>(.*?)<\/style>/s;

/** Hosts of files send no policy, so that each page has that of a server itself (R63), as far as an element may. */
function withPolicy(file: StaticFile): StaticFile {
  if (!file.path.endsWith('.html')) return file;
  const [first = '', ...rest] = [file.body].flat();
  const start = first.toString();
  const origins = new Set<string>();
  for (const url of file.images ?? []) addOrigin(url ?? '', origins);
  const directives = policyFor(STYLE.exec(start)?.[1] ?? '', origins).split('; ');
  const policy = directives.filter((directive) => !directive.startsWith('frame-ancestors ')).join('; ');
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">\n`;
  return { ...file, body: [start.replace(BEFORE, `${BEFORE}${meta}`), ...rest] };
}
