// All pages for search engines: one file, or an index of files if there are too many for one (R40).
import type { FeedPosition } from '../../domain/feed-query.ts';
import { yieldToEventLoop } from '../../event-loop.ts';
import {
  listPage,
  SITEMAP_INDEX,
  SITEMAP_TYPE,
  SITEMAP_URLS_MAX,
  type SitemapPage,
  sitemapPages,
  URL_SET,
  writeFileUrl,
  writePageUrl,
} from '../../present/crawlers/sitemap.ts';
import { ALL_TEAMS } from '../../store/engine/touches.ts';
import {
  findSitemapBatch,
  type SitemapBatch,
  type SitemapPosition,
  sitemapPosition,
} from '../../store/read/sitemap.ts';
import { type BodyWriter, ContentChanged, type ReadMore, type WriteBody } from '../cache/body.ts';
import { HOME_PATH, SITEMAP_PATH } from '../pipeline/path.ts';
import { formatCursor } from '../query/cursor.ts';
import { contextOf, requireOwnCursor } from './changelog-json.ts';
import type { PageRequest, PageResource } from './page-route.ts';

/** So few that other requests do not wait long for a database within this process. */
const BATCH_ENTRIES = 1_000;
const URLS_AT_ONCE = 500;

export const sitemap: PageResource = sitemapOf(SITEMAP_URLS_MAX);

export function sitemapOf(urlsMax: number): PageResource {
  return {
    pattern: SITEMAP_PATH,
    contentType: SITEMAP_TYPE,
    parameters: ['cursor'],
    form: null,
    isLong: true,
    find: async (db, request) => {
      const start = startOf(request);
      const { revision, found } = await findSitemapBatch(db, start, BATCH_ENTRIES);
      if (found === undefined) return { revision, found };
      requireOwnCursor(request, found);
      const text: WriteBody = async (out, read) => {
        const files = splitFiles(walk(found, read), start, urlsMax);
        const first = await nextFile(files);
        const second = request.query.cursor === null ? await nextFile(files) : null;
        if (second === null) return await writeFile(out, request, first?.pages ?? []);
        const addFile = async (file: SitemapFile | null) =>
          await out.add(writeFileUrl(fileUrl(request, found, file?.start ?? null)));
        await out.add(SITEMAP_INDEX.start);
        for (const file of [first, second]) await addFile(file);
        for await (const file of files) await addFile(file);
        await out.add(SITEMAP_INDEX.end);
      };
      return { revision, found: { text, origin: ALL_TEAMS } };
    },
  };
}

type SitemapFile = Readonly<{ start: SitemapPosition | null; pages: SitemapPage[] }>;

async function nextFile(files: AsyncGenerator<SitemapFile>): Promise<SitemapFile | null> {
  const { done, value } = await files.next();
  return done ? null : value;
}

/** All batches show one state: if anything public was written between two of them, the response starts again. */
async function* walk(first: SitemapBatch, read: ReadMore): AsyncGenerator<SitemapBatch> {
  yield first;
  for (let { next } = first; next !== null; ) {
    const after: SitemapPosition = next;
    const { found } = await read((db) => findSitemapBatch(db, after, BATCH_ENTRIES));
    if (found?.writtenAt !== first.writtenAt) throw new ContentChanged();
    yield found;
    next = found.next;
  }
}

/** At least one file, from a position on. The first of all begins with the home page. */
async function* splitFiles(
  batches: AsyncIterable<SitemapBatch>,
  start: SitemapPosition | null,
  urlsMax: number,
): AsyncGenerator<SitemapFile> {
  let file: SitemapFile = { start, pages: start === null ? [listPage(HOME_PATH)] : [] };
  let last = start;
  for await (const { entries } of batches) {
    for (const entry of entries) {
      const pages = sitemapPages(entry, last?.team ?? null);
      if (file.pages.length + pages.length > urlsMax) {
        yield file;
        file = { start: last, pages: [] };
      }
      file.pages.push(...pages);
      last = sitemapPosition(entry);
    }
    await yieldToEventLoop();
  }
  yield file;
}

async function writeFile(
  out: BodyWriter,
  { site }: PageRequest,
  pages: readonly SitemapPage[],
): Promise<void> {
  await out.add(URL_SET.start);
  for (let index = 0; index < pages.length; index += URLS_AT_ONCE) {
    const urls = pages
      .slice(index, index + URLS_AT_ONCE)
      .map(({ path, updatedAt }) => writePageUrl(site.baseUrl + path, updatedAt));
    await out.add(urls.join(''));
  }
  await out.add(URL_SET.end);
}

function fileUrl(
  { site, path, query }: PageRequest,
  { cursorKey }: SitemapBatch,
  start: SitemapPosition | null,
): string {
  const cursor = formatCursor(cursorKey, contextOf(path, query), toCursor(start));
  return `${site.baseUrl}${path}?cursor=${cursor}`;
}

/** A cursor has two parts, neither of them empty; slugs and dates contain no slash. */
const NO_VERSION = '-';

function toCursor(position: SitemapPosition | null): FeedPosition {
  const { team = '', product = '', version = null } = position ?? {};
  return { sortKey: [team, product, version?.sortKey ?? ''].join('/'), id: version?.id ?? NO_VERSION };
}

/** Of a cursor that was made up, anything: its signature is checked afterwards. */
function startOf({ query: { cursor } }: PageRequest): SitemapPosition | null {
  const [team = '', product = '', sortKey = ''] = cursor?.position.sortKey.split('/') ?? [];
  if (cursor === null || team === '') return null;
  const { id } = cursor.position;
  return { team, product, version: id === NO_VERSION ? null : { sortKey, id } };
}
