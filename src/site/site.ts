// All files of a static site.
import path from 'node:path';
import { LRUCache } from 'lru-cache';
import { PRODUCT_RULES } from '../domain/content/appearance.ts';
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
import type { ProductSlugs } from '../present/links.ts';
import type { Site } from '../present/pages/document.ts';
import { writeErrorPage } from '../present/pages/error-page.ts';
import { addOrigin, policyFor } from '../present/pages/style.ts';
import { readWidget } from '../present/widget.ts';
import { localeFor, sharedLanguage } from '../present/words/locale.ts';
import type { HeadRow } from '../store/read/reads.ts';
import { withoutRelativeLinks } from '../text/links.ts';
import { parseText } from '../text/parse.ts';
import type { Render } from '../text/render.ts';
import type { Tree } from '../text/tree.ts';
import { listedOf, type SiteContent } from './content.ts';
import type { SiteFile } from './folder.ts';
import { fileNames, folderOf, staticLinks } from './layout.ts';
import { OUTPUTS, productFiles } from './product.ts';

type SiteOptions = Readonly<{
  /** With a slash at its end; null if it is not known. */
  base: string | null;
  extraCss: string;
}>;

export async function siteFiles(content: SiteContent, { base, extraCss }: SiteOptions): Promise<SiteFile[]> {
  const { kind, products } = content;
  const keyOf = ({ teamSlug, productSlug }: Omit<ProductSlugs, 'domain'>) => `${teamSlug}/${productSlug}`;
  const names = new Map(products.map(({ head, versions }) => [keyOf(head), fileNames(versions)]));
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
  const [linked, unlinked] = [openRenderer((tree) => tree), openRenderer(withoutRelativeLinks)];
  // Without a server for relative links, they lead nowhere.
  const renderOf = ({ linkBase }: HeadRow) => (linkBase === null ? unlinked : linked);
  const pages: SitePage[] = products.flatMap((product) => {
    const { head } = product;
    const nameOf = names.get(keyOf(head)) ?? (({ id }) => id);
    return productFiles(site, renderOf(head), product, nameOf).map(([file, write]) => {
      return { head, path: folderOf(kind, head) + file, write };
    });
  });
  const lists = kind === 'product' ? [] : (await import('./lists.ts')).listFiles(site, renderOf, content);
  for (const [file, write] of [...lists, ...commonFiles(site, content, base)])
    pages.push({ head: null, path: file, write });
  const sheets = new Map(pages.map((page) => [sheetOf(page), page]));
  return [
    ...pages.map((page): SiteFile => [page.path, () => writePage(page)]),
    ...[...sheets].flatMap(([file, { write }]): SiteFile[] =>
      file === null ? [] : [[file, async () => splitAtSheet(await write())[1]]],
    ),
  ];
}

/** The head is that of its product, if it is of one. */
type SitePage = Readonly<{ head: HeadRow | null; path: string; write: SiteFile[1] }>;

/** Of the texts that are read again and again, such as those of a version that has six files. */
const PARSED_CHARACTERS_MAX = 4 * 1024 * 1024;
const TREE_CHARACTERS = 200;

/** Parses a text once for all that is written of it. */
function openRenderer(change: (tree: Tree) => Tree): Render {
  const trees = new LRUCache<string, Tree>({
    maxSize: PARSED_CHARACTERS_MAX,
    sizeCalculation: (_, text) => TREE_CHARACTERS + text.length,
    memoMethod: (text) => change(parseText(text)),
  });
  return (texts, { write }) => texts.map((text) => write(trees.memo(text)));
}

function commonFiles(site: Site, content: SiteContent, base: string | null): SiteFile[] {
  const { products } = content;
  const language = sharedLanguage(products.map(({ head }) => head));
  const sitemapUrl = base === null ? null : `${base}sitemap.xml`;
  const llms = frameLlms(site);
  const writeLlms = () => products.map((product) => writeLlmsProduct(site, listedOf(product)));
  const writeSitemap = () => newestPages(pagesOf(site, content), SITEMAP_URLS_MAX).map(writePageUrl);
  const sitemap: SiteFile = ['sitemap.xml', () => URL_SET.start + writeSitemap().join('') + URL_SET.end];
  return [
    ['robots.txt', () => writeRobots({ isGated: false, sitemapUrl })],
    ['llms.txt', () => llms.start + writeLlms().join('') + llms.end],
    ...(sitemapUrl === null ? [] : [sitemap]),
    ['widget.js', () => readWidget(language, { isStatic: true })],
    [ANYWHERE, () => writeErrorPage(site, 'not_found', localeFor(language))],
    // Without it, GitHub Pages would leave out names that begin with an underscore.
    ['.nojekyll', () => ''],
  ];
}

function pagesOf({ links }: Site, { kind, products }: SiteContent): SitemapPage[] {
  const pages = products.flatMap(({ head, versions }, index) => {
    // A product at the root has no page of its team.
    const before = kind === 'product' ? head : products[index - 1]?.head;
    return sitemapPages(links, head, versions, before?.teamSlug ?? null);
  });
  return kind === 'all' ? [listPage(links.listUrl()), ...pages] : pages;
}

const BEFORE = '<meta charset="utf-8">\n';
/** What is before the style sheet of a page, the sheet, and what is after it. */
function splitAtSheet(text: string): readonly [string, string, string] {
  const [start, end] = [text.indexOf('<style>'), text.indexOf('</style>')];
  return [
    text.slice(0, start),
    text.slice(start + '<style>'.length, end),
    text.slice(end + '</style>'.length),
  ];
}

/** A host shows it at any depth, so that its style sheet is in it. */
const ANYWHERE = '404.html';

/** The file of a page's style sheet, which it shares with others: one for each accent colour. */
function sheetOf({ path: page, head }: SitePage): string | null {
  if (!page.endsWith('.html') || page === ANYWHERE) return null;
  const accent = PRODUCT_RULES.accent.read(head?.accent ?? '');
  return `${page.endsWith('/notes.html') ? 'notes' : 'style'}${accent === null ? '' : `-${accent.slice(1)}`}.css`;
}

const IMAGE = /<img [^>]*?src="(https:[^"]*)"/g;

/** Hosts of files send no policy, so that each page has that of a server itself (R63), as far as an element may. */
async function writePage(page: SitePage): Promise<string> {
  const text = await page.write();
  if (!page.path.endsWith('.html')) return text;
  const sheet = sheetOf(page);
  const [before, css, after] = splitAtSheet(text);
  const origins = new Set<string>();
  for (const [, url = ''] of after.matchAll(IMAGE)) addOrigin(url, origins);
  const policy = policyFor(css, origins)
    .split('; ')
    .filter((directive) => !directive.startsWith('frame-ancestors '))
    .map((directive) =>
      sheet !== null && directive.startsWith('style-src ') ? "style-src 'self'" : directive,
    )
    .join('; ');
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">\n`;
  const href = sheet && path.posix.relative(path.posix.dirname(page.path), sheet);
  const style = href === null ? `<style>${css}</style>` : `<link rel="stylesheet" href="${href}">`;
  return before.replace(BEFORE, BEFORE + meta) + style + after;
}
