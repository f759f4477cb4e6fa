// Follows every link of a static site, in pages, feeds, lists, Markdown and JSON, as a host sees it that knows nothing.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import MarkdownIt from 'markdown-it';

/** A file by its path below the root, as in a URL, or what is wrong with it. */
export type ReadFile = (file: string) => Promise<Readonly<{ body: string } | { problem: string }>>;

export type Crawl = Readonly<{
  /** Files by their paths in the folder. */
  visited: readonly string[];
  /** Where a link is, what it says, and what is wrong. */
  broken: readonly string[];
  /** Links to other places, which are not followed. */
  outside: readonly string[];
}>;

type Options = Readonly<{
  /** `--base` of the site: links that start with it must lead to a file, too. */
  base?: string;
  /** Files that need no link to be found. */
  starts?: readonly string[];
}>;

/** The site is read as if it were below this, so that a link from the root of the host leads outside. */
const ROOT = 'http://site.test/some/path/';
const WELL_KNOWN = ['', '404.html', 'llms.txt', 'robots.txt'];
const markdown = new MarkdownIt({ html: true });

/** As any host serves it: `index.html` for a folder, whose URL ends with a slash. */
export function folderReader(folder: string): ReadFile {
  return async (file) => {
    const place = path.join(folder, decodeURIComponent(indexed(file)));
    const stat = statSync(place, { throwIfNoEntry: false });
    if (stat === undefined) return { problem: 'is missing' };
    if (stat.isDirectory()) return { problem: 'is a folder without a slash at the end' };
    return { body: readFileSync(place, 'utf8') };
  };
}

/** The root ends with a slash. */
export function serverReader(root: string): ReadFile {
  return async (file) => {
    const response = await fetch(root + file, { redirect: 'manual' });
    const body = await response.text();
    return response.status === 200 ? { body } : { problem: `is ${response.status}` };
  };
}

export async function crawl(
  read: ReadFile,
  { base = ROOT, starts = WELL_KNOWN }: Options = {},
): Promise<Crawl> {
  const idsByFile = new Map<string, Promise<ReadonlySet<string> | string>>();
  const [queue, broken, outside] = [[] as [file: string, body: string][], [] as string[], new Set<string>()];
  /** The ids of a file, which is read once, or what is wrong with it. */
  const visit = (file: string) => {
    const found = idsByFile.get(file) ?? readOnce(file);
    idsByFile.set(file, found);
    return found;
  };
  const readOnce = async (file: string) => {
    const result = await read(file);
    if ('problem' in result) return result.problem;
    queue.push([file, result.body]);
    return /(?:\.html|^|\/)$/.test(file) ? idsIn(result.body) : new Set<string>();
  };
  const problemOf = async (link: string, file: string): Promise<string | null> => {
    if (!URL.canParse(link, ROOT + file)) return 'is not a URL';
    const { href } = new URL(link, ROOT + file);
    const site = [ROOT, base].find((start) => href.startsWith(start));
    if (site === undefined) {
      if (href.startsWith(new URL(ROOT).origin)) return 'leads out of the folder';
      if (!href.startsWith('data:')) outside.add(href);
      return null;
    }
    const [target = '', fragment = ''] = href.slice(site.length).split('#', 2);
    if (target.includes('?')) return 'has a query, which needs a server';
    const ids = await visit(target);
    if (typeof ids === 'string') return ids;
    return fragment === '' || ids.has(decodeURIComponent(fragment)) ? null : `has no #${fragment}`;
  };

  for (const start of starts) {
    const ids = await visit(start);
    if (typeof ids === 'string') broken.push(`/${start} ${ids}`);
  }
  // Grows while it is read.
  for (const [file, body] of queue)
    for (const link of new Set(linksIn(indexed(file), body))) {
      const problem = await problemOf(link, file);
      if (problem !== null) broken.push(`/${file} links to ${link}, which ${problem}`);
    }
  const visited = new Set(queue.map(([file]) => decodeURIComponent(indexed(file))));
  return { visited: [...visited].sort(), broken, outside: [...outside].sort() };
}

/** By the name of the file, as on hosts that know no media types of feeds. */
export function linksIn(file: string, body: string): string[] {
  switch (path.extname(file)) {
    case '.html':
      return linksInHtml(body);
    case '.atom':
    case '.rss':
    case '.xml':
    case '.svg':
      return linksInXml(body);
    case '.json':
      return linksInJson(JSON.parse(body));
    case '.md':
      return linksInHtml(markdown.render(body));
    case '.txt':
      return path.basename(file) === 'llms.txt'
        ? linksInHtml(markdown.render(body))
        : (body.match(/\bhttps?:\/\/[^\s<>()[\]"'`]*[^\s<>()[\]"'`.,;:!?]/g) ?? []);
    default:
      return [];
  }
}

const LINKING = ['href', 'src', 'action', 'formaction', 'poster', 'cite', 'xlink:href', 'url'];

function linksInHtml(html: string): string[] {
  return attributesIn(html)
    .flatMap((attributes) => [
      ...LINKING.flatMap((name) => attributes[name] ?? []),
      ...(attributes.srcset ?? '').split(',').flatMap((candidate) => candidate.trim().split(/\s/, 1)),
      ...(isUrl(attributes.content) ? [attributes.content] : []),
    ])
    .filter((link) => link !== '');
}

export function idsIn(html: string): Set<string> {
  return new Set(attributesIn(html).flatMap(({ id }) => id ?? []));
}

/** In attributes, in elements that contain nothing but a link, and in HTML that is written as text. */
function linksInXml(xml: string): string[] {
  const texts = [...xml.matchAll(/<([\w:]+)([^<>]*)>([^<>]+)<\/\1>/g)].map(
    ([, name = '', attributes = '', text = '']) => ({
      isLink:
        ['loc', 'link', 'url', 'icon', 'logo', 'guid', 'docs', 'uri'].includes(name) &&
        !attributes.includes('isPermaLink="false"'),
      text: decode(text),
    }),
  );
  return [
    ...attributesIn(xml).flatMap((attributes) => LINKING.flatMap((name) => attributes[name] ?? [])),
    ...texts.flatMap(({ isLink, text }) => (isLink ? [text.trim()] : linksInHtml(text))),
    ...[...xml.matchAll(/<!\[CDATA\[(.*?)\]\]>/gs)].flatMap(([, html = '']) => linksInHtml(html)),
  ];
}

/** Any value that is a URL, relative ones by the name of their field, and HTML. */
function linksInJson(value: unknown, name = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => linksInJson(item, name));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, item]) => linksInJson(item, key));
  if (typeof value !== 'string') return [];
  if (/html$/i.test(name)) return linksInHtml(value);
  return isUrl(value) || /(?:^|_)(?:url|href|link)$/i.test(name) ? [value] : [];
}

function isUrl(text: string | undefined): text is string {
  return text !== undefined && /^https?:\/\/\S+$/.test(text);
}

const NO_MARKUP = /<!--.*?-->|<!\[CDATA\[.*?\]\]>|(<(script|style)\b[^>]*>).*?(?=<\/\2>)/gs;
const TAG = /<[a-z][^\s/>]*((?:"[^"]*"|'[^']*'|[^"'>])*)>/gi;
const ATTRIBUTE = /([^\s=/]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;

/** Of each element. A parser would take most of the time of a crawl. */
function attributesIn(markup: string): Record<string, string | undefined>[] {
  return [...markup.replaceAll(NO_MARKUP, '$1').matchAll(TAG)].map(([, attributes = '']) =>
    Object.fromEntries(
      [...attributes.matchAll(ATTRIBUTE)].map(([, name = '', ...values]) => [
        name.toLowerCase(),
        decode(values.find((value) => value !== undefined) ?? ''),
      ]),
    ),
  );
}

const ENTITIES = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function decode(text: string): string {
  return text.replaceAll(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) =>
    name === undefined
      ? String.fromCodePoint(Number.parseInt(decimal ?? hex, decimal === undefined ? 16 : 10))
      : (ENTITIES[name as keyof typeof ENTITIES] ?? whole),
  );
}

function indexed(file: string): string {
  return file === '' || file.endsWith('/') ? `${file}index.html` : file;
}
