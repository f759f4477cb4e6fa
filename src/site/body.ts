// What the writers of files share: rows, and bodies that a server would respond with.
import { visibleRows } from '../domain/access/visibility.ts';
import { type FeedQuery, NO_FILTER } from '../domain/feed-query.ts';
import { BufferedBody } from '../http/cache/body.ts';
import { parsePageQuery } from '../http/query/page-query.ts';
import { fileOf, type Read } from '../http/read.ts';
import type { NamedVersion } from '../present/links.ts';
import type { Site } from '../present/pages/document.ts';
import type { Reader } from '../store/engine/engine.ts';
import { findPage, type Page, type PageRow } from '../store/read/pages.ts';
import type { ProductPath } from '../store/read/reads.ts';
import type { Render } from '../text/render.ts';
import type { Body } from './output-folder.ts';

export type StaticFile = Readonly<{
  path: string;
  body: Body;
  /** URLs of the images that a page shows. */
  images?: Iterable<string | null>;
}>;

export type Sources = Readonly<{ db: Reader; render: Render; site: Site }>;

/** A version in short. */
export type ListedVersion = Pick<PageRow, 'id' | 'label' | 'changeCount'>;

export type Product = Readonly<{
  path: ProductPath;
  /** In the order of the changelog. */
  versions: readonly ListedVersion[];
  nameOf: (version: NamedVersion) => string;
  /** By id, of the versions written so far. */
  updatedAt: Map<string, string>;
}>;

/** Without their changes. */
export const VERSIONS_AT_ONCE = 500;

export const PUBLIC_ROWS = visibleRows('public');

/** All pages that match. */
export async function* pagesOf(
  db: Reader,
  path: ProductPath,
  query: Partial<FeedQuery>,
): AsyncGenerator<Page> {
  let after: FeedQuery['after'] = null;
  do {
    const { found } = await findPage(db, path, PUBLIC_ROWS, { ...NO_FILTER, ...query, after });
    if (found === undefined) return;
    yield found;
    after = found.end;
  } while (after !== null);
}

type Asked = Readonly<{ file: string; query?: string; versionId?: string }>;

/** Null for a 404. */
export async function bodyOf(
  { db, render, site }: Sources,
  product: Product,
  read: Read,
  { file: path, query = '', versionId = '' }: Asked,
): Promise<Buffer | null> {
  const asked = parsePageQuery(query, read.parameters ?? {});
  const request = {
    ...asked,
    params: { ...product.path, versionId },
    path,
    file: fileOf(path),
    products: null,
    render,
    site,
  };
  const { found } = await read.find(db, request, PUBLIC_ROWS);
  if (found === undefined) return null;
  const out = new WholeBody();
  if (typeof found.text === 'string') await out.add(found.text);
  else await found.text(out, (next) => next(db));
  return out.finish();
}

export class WholeBody extends BufferedBody {
  readonly #buffers: Buffer[] = [];
  readonly images: (string | null)[] = [];

  override showImages(urls: Iterable<string | null | undefined>): void {
    for (const url of urls) this.images.push(url ?? null);
  }

  finish(): Buffer {
    this.take(Buffer.from(this.rest()));
    return Buffer.concat(this.#buffers);
  }

  protected take(buffer: Buffer): null {
    this.#buffers.push(buffer);
    return null;
  }
}
