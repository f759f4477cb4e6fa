// All files of a static site.
import path from 'node:path';
import { LRUCache } from 'lru-cache';
import { PRODUCT_RULES } from '../domain/content/appearance.ts';
import { byPosition } from '../domain/feed-query.ts';
import {
  frameLlms,
  listPage,
  newestPages,
  SITEMAP_URLS_MAX,
  sitemapPages,
  URL_SET,
  writeLlmsProduct,
  writePageUrl,
  writeRobots,
} from '../present/crawlers.ts';
import { writeListMarkdown, writeTimelineMarkdown } from '../present/markdown-pages.ts';
import { notesSheetFor } from '../present/notes/html.ts';
import { addFramed, type Out } from '../present/outputs/output.ts';
import type { Site } from '../present/pages/document.ts';
import { writeErrorPage } from '../present/pages/error-page.ts';
import { NO_FORM } from '../present/pages/filters.ts';
import { writeList, writeTimeline } from '../present/pages/list-pages.ts';
import { addOrigin, policyFor, sheetFor } from '../present/pages/style.ts';
import { readWidget } from '../present/widget.ts';
import { localeFor, sharedLanguage } from '../present/words/locale.ts';
import type { TimelineRow } from '../store/read/lists/timeline.ts';
import type { HeadRow } from '../store/read/reads.ts';
import { withoutRelativeLinks } from '../text/links.ts';
import { parseText, renderAtOnce } from '../text/parse.ts';
import { openRenderer, type Render } from '../text/render.ts';
import type { Tree } from '../text/tree.ts';
import { listedOf, newestOf, type SiteContent, type SiteProduct } from './content.ts';
import type { SiteFile } from './folder.ts';
import { folderOf, INDEX, listFolder, pagesOf, staticLinks, withNames } from './layout.ts';
import { OUTPUTS, type PageFile, productFiles } from './product.ts';

/** `base` has a slash at its end, and is null if it is not known. */
export function siteFiles(
  content: SiteContent,
  { base, extraCss }: Readonly<{ base: string | null; extraCss: string }>,
): SiteFile[] {
  const { kind } = content;
  const products = content.products.map(withNames);
  const site: Site = {
    baseUrl: base?.replace(/\/$/, '') ?? '',
    links: staticLinks(kind, base, products),
    isStatic: true,
    extraCss,
    hasTeamPages: kind !== 'product',
    hasHomePage: kind === 'all',
    outputs: OUTPUTS,
    hubsFor: () => [],
  };
  const [linked, unlinked] = [rendererOf((tree) => tree), rendererOf(withoutRelativeLinks)];
  // Without a server for relative links, they lead nowhere.
  const renderOf = ({ linkBase }: HeadRow) => (linkBase === null ? unlinked : linked);
  const ofProducts = products.flatMap((product) => {
    const { head } = product;
    const own = productFiles({ site, render: renderOf(head) }, product);
    return own.map(([file, write]): PageFile => [folderOf(kind, head) + file, write, head]);
  });
  const lists = kind === 'product' ? [] : listFiles({ site, renderOf }, content);
  const all = [...ofProducts, ...lists, ...commonFiles(site, content, base)];
  const sheets = new Map<string, string>();
  const files = all.map(([file, write, head]): SiteFile => {
    if (!file.endsWith('.html')) return [file, async () => (await collect(write)).text];
    const accent = PRODUCT_RULES.accent.read(head?.accent ?? '');
    const isNotes = file.endsWith('/notes.html');
    // Pages of one accent colour share the file of their style sheet.
    const sheet = `${isNotes ? 'notes' : 'style'}${accent === null ? '' : `-${accent.slice(1)}`}.css`;
    const css = sheets.get(sheet) ?? (isNotes ? notesSheetFor(accent) : sheetFor(site, accent));
    const href = file === ANYWHERE ? null : path.posix.relative(path.posix.dirname(file), sheet);
    if (href !== null) sheets.set(sheet, css);
    return [file, () => writePage(write, { css, href })];
  });
  return [...files, ...[...sheets].map(([sheet, css]): SiteFile => [sheet, () => css])];
}

/** Each text is in many files: those of its version, lists, comparisons and feeds. */
const PARSED_CHARACTERS_MAX = 16 * 1024 * 1024;
const TREE_CHARACTERS = 200;
/** A sixteenth of it is for texts as they are written. */
const CACHE_MB = 512;

/** Parses a text once for all that is written of it, and writes it once in each form. */
function rendererOf(change: (tree: Tree) => Tree): Render {
  const trees = new LRUCache<string, Tree>({
    maxSize: PARSED_CHARACTERS_MAX,
    sizeCalculation: (_, text) => TREE_CHARACTERS + text.length,
    memoMethod: (text) => change(parseText(text)),
  });
  return openRenderer(CACHE_MB, (text) => trees.memo(text));
}

type ListPages = Readonly<{ site: Site; renderOf: (head: HeadRow) => Render }>;

/** The pages of several products: all of them, and those of a team with the versions of all. */
function listFiles(pages: ListPages, { kind, products }: SiteContent): PageFile[] {
  const teams = [...Map.groupBy(products, ({ head }) => head.teamSlug)].flatMap(([slug, some]) =>
    timelineFiles(pages, some).map(([file, write]): PageFile => [listFolder(kind, slug) + file, write]),
  );
  if (kind !== 'all') return teams;
  const view = { team: null, products: products.map(withFirstChanges), isContinued: false, moreUrl: null };
  return [
    [INDEX, (out) => writeList(out, { site: pages.site, render: renderAtOnce }, view)],
    ['index.md', (out) => out.add(writeListMarkdown(pages.site, view))],
    ...teams,
  ];
}

/** As a card shows them. */
const FIRST_CHANGES = 3;
const FIRST_CHARACTERS = 300;

function withFirstChanges(product: SiteProduct) {
  const changes = newestOf(product)?.changes.slice(0, FIRST_CHANGES) ?? [];
  const newestChanges = changes.map(({ type, text }) => ({ type, text: text.slice(0, FIRST_CHARACTERS) }));
  return { ...listedOf(product), newestChanges };
}

/** The products of a team, and the versions of all of them, newest first. */
function timelineFiles(pages: ListPages, products: readonly SiteProduct[]): PageFile[] {
  const versions = products
    .flatMap(({ head, versions }) => versions.map((version): TimelineRow => ({ ...version, head })))
    .sort(byPosition);
  const { teamSlug: slug = '', teamName: name = '' } = products[0]?.head ?? {};
  return pagesOf('', versions).flatMap(({ file, ...shown }): PageFile[] => {
    const listed = shown.isContinued ? [] : products.map(listedOf);
    const own = { team: { slug, name }, products: listed, productsUrl: null, form: NO_FORM };
    const page = { ...own, ...shown, isFiltered: false };
    const html: PageFile = [file, (out) => writeTimeline(out, pages, page)];
    if (shown.isContinued) return [html];
    return [html, ['index.md', (out) => writeTimelineMarkdown(out, pages.site, page)]];
  });
}

function commonFiles(site: Site, content: SiteContent, base: string | null): PageFile[] {
  const products = content.products.map(listedOf);
  const language = sharedLanguage(products);
  const sitemapUrl = base === null ? null : `${base}sitemap.xml`;
  const sitemap = () => newestPages(sitemapOf(site, content), SITEMAP_URLS_MAX);
  return [
    ['robots.txt', (out) => out.add(writeRobots({ isGated: false, sitemapUrl }))],
    ['llms.txt', (out) => addFramed(out, frameLlms(site), products, (each) => writeLlmsProduct(site, each))],
    ...(sitemapUrl === null
      ? []
      : [['sitemap.xml', (out: Out) => addFramed(out, URL_SET, sitemap(), writePageUrl)] as const]),
    ['widget.js', async (out) => out.add(await readWidget(language, { isStatic: true }))],
    [ANYWHERE, (out) => out.add(writeErrorPage(site, 'not_found', localeFor(language)))],
    // Without it, GitHub Pages would leave out names that begin with an underscore.
    ['.nojekyll', () => {}],
  ];
}

function sitemapOf({ links }: Site, { kind, products }: SiteContent) {
  const pages = products.flatMap(({ head, versions }, index) => {
    // A product at the root has no page of its team.
    const before = kind === 'product' ? head : products[index - 1]?.head;
    return sitemapPages(links, head, versions, before?.teamSlug ?? null);
  });
  return kind === 'all' ? [listPage(links.listUrl()), ...pages] : pages;
}

/** A host shows it at any depth, so that its style sheet is in it. */
const ANYWHERE = '404.html';

async function collect(write: PageFile[1]) {
  const written: string[] = [];
  const origins = new Set<string>();
  await write({
    add: (text) => {
      written.push(text);
      return null;
    },
    showImages: (urls) => {
      for (const url of urls) addOrigin(url ?? '', origins);
    },
  });
  return { text: written.join(''), origins };
}

/** Hosts of files send no policy, so that each page has that of a server itself (R63), as far as an element may. */
async function writePage(
  write: PageFile[1],
  { css, href }: Readonly<{ css: string; href: string | null }>,
): Promise<string> {
  const { text, origins } = await collect(write);
  const policy = policyFor(css, origins)
    .replace(/ frame-ancestors [^;]*;/, '')
    .replace(/style-src [^;]*/, href === null ? '$&' : "style-src 'self'");
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">\n`;
  const page = text.replace('<meta charset="utf-8">\n', (charset) => charset + meta);
  if (href === null) return page;
  return page.replace(`<style>${css}</style>`, `<link rel="stylesheet" href="${href}">`);
}
