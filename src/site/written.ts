// What several pages show of a version, written once: its article, and its changes as comparisons list them.
import type { ChangeType } from '../domain/model.ts';
import { allChanges, renderVersion } from '../http/reads/writing.ts';
import { isTold, writeRangeChange, writeTold } from '../present/pages/product-pages.ts';
import { type Before, imagesOf, type RenderedVersion, writeArticle } from '../present/pages/version-parts.ts';
import type { PageText } from '../present/texts.ts';
import { findVersion } from '../store/read/find-version.ts';
import type { FullVersion } from '../store/read/pages.ts';
import type { HeadRow } from '../store/read/reads.ts';
import type { Render } from '../text/render.ts';
import { type Product, PUBLIC_ROWS, type Sources } from './body.ts';

/** Bytes are copied to a page in a fraction of the time that characters take. */
export type WrittenVersion = Readonly<{
  head: HeadRow;
  article: Buffer;
  blocks: readonly Block[];
  /** The version in comparisons, besides its changes; empty if there is nothing to tell. */
  told: Buffer;
  images: readonly (string | null)[];
}>;

/** The changes of a version that are next to each other in every comparison. */
type Block = Readonly<{ type: ChangeType; breaking: boolean; count: number; bytes: Buffer }>;

/** What limits the length of a page. */
type VersionSize = Readonly<{ changes: number; textBytes: number }>;

const KEPT_BYTES_MAX = 32 * 1024 * 1024;

export class WrittenVersions {
  readonly #sources: Sources;
  readonly #product: Product;
  readonly #beforeOf: (versionId: string) => Before | null;
  readonly #kept = new Map<string, WrittenVersion>();
  readonly #sizes = new Map<string, VersionSize>();
  #bytes = 0;

  constructor(sources: Sources, product: Product, beforeOf: (versionId: string) => Before | null) {
    this.#sources = sources;
    this.#product = product;
    this.#beforeOf = beforeOf;
  }

  /** Keeps it as far as memory allows. `rendered` is the version for its own page. */
  async add(head: HeadRow, version: FullVersion, rendered: RenderedVersion, render: Render): Promise<void> {
    const { id, description, changes } = version;
    const texts = [description ?? '', ...changes.map(({ text }) => text)];
    this.#sizes.set(id, {
      changes: changes.length,
      textBytes: sum(texts.map((text) => Buffer.byteLength(text))),
    });
    if (this.#bytes > KEPT_BYTES_MAX) return;
    const written = await this.#write(head, version, rendered, render);
    this.#bytes += written.article.length + sum(written.blocks.map(({ bytes }) => bytes.length));
    this.#kept.set(id, written);
  }

  /** Of a version that was added. */
  sizeOf(id: string): VersionSize {
    return this.#sizes.get(id) ?? { changes: 0, textBytes: 0 };
  }

  async of(id: string): Promise<WrittenVersion> {
    const known = this.#kept.get(id);
    if (known !== undefined) return known;
    const { db, render } = this.#sources;
    const { path } = this.#product;
    const { found } = await findVersion(db, path, id, PUBLIC_ROWS);
    if (found === undefined) throw new Error(`the version ${id} is gone`);
    const { head } = found;
    const changes = await allChanges(found, { path, visible: PUBLIC_ROWS, read: (next) => next(db) });
    const version = { ...found.version, changes };
    return await this.#write(head, version, await renderVersion(head, version, render, { level: 2 }), render);
  }

  async #write(
    head: HeadRow,
    version: FullVersion,
    rendered: RenderedVersion,
    render: Render,
  ): Promise<WrittenVersion> {
    const { site } = this.#sources;
    // Only headings have another level in a list.
    const texts = [rendered.description, ...rendered.changes.map((change) => change.text)];
    const listed = texts.some(hasHeading)
      ? await renderVersion(head, version, render, { level: 3 })
      : rendered;
    const alike = Map.groupBy(rendered.changes, ({ type, breaking }) => (breaking ? 'breaking' : type));
    const blocks = [...alike.values()].flatMap((some) => {
      const [first] = some;
      if (first === undefined) return [];
      const written = some.map((change) => writeRangeChange(site, head, { ...change, version }));
      const bytes = Buffer.from(written.join(''));
      return [{ type: first.type, breaking: first.breaking, count: some.length, bytes }];
    });
    const url = site.links.fromProduct('changelog', head).version(version);
    const article = [...writeArticle(listed, { head, url, before: this.#beforeOf(version.id) })];
    const told = isTold(version) ? writeTold(site, head, listed) : '';
    return {
      head,
      article: Buffer.from(article.join('')),
      blocks,
      told: Buffer.from(told),
      images: imagesOf(rendered),
    };
  }
}

const hasHeading = (text: PageText | null) => text !== null && /<h[1-6]>/.test(text.html);

export const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
