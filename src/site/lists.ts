// The pages of several products: all of them, and those of a team with the versions of all.
import { SharedChanges } from '../domain/content/shared-changes.ts';
import { renderFirstChanges, renderVersion } from '../http/reads/writing.ts';
import {
  frameTimelineMarkdown,
  versionUrl,
  writeListMarkdown,
  writeTeamVersion,
} from '../present/markdown-pages.ts';
import type { Site } from '../present/pages/document.ts';
import { NO_FORM } from '../present/pages/filters.ts';
import { frameTimeline, writeListPage, writeTimelineArticle } from '../present/pages/list-pages.ts';
import { linkShared } from '../present/team.ts';
import { sharedLanguage } from '../present/words/locale.ts';
import type { ListedProduct } from '../store/read/lists/listing.ts';
import type { TimelineRow } from '../store/read/lists/timeline.ts';
import type { HeadRow } from '../store/read/reads.ts';
import type { Render } from '../text/render.ts';
import { byPosition, listedOf, newestOf, type SiteContent, type SiteProduct } from './content.ts';
import type { SiteFile } from './folder.ts';
import { INDEX, listFolder, pageFile } from './layout.ts';

export type RenderOf = (head: HeadRow) => Render;

const PAGE_VERSIONS = 20;
/** As a card shows them. */
const FIRST_CHANGES = 3;
const FIRST_CHARACTERS = 300;

export function listFiles(site: Site, renderOf: RenderOf, { kind, products }: SiteContent): SiteFile[] {
  const teams = [...Map.groupBy(products, ({ head }) => head.teamSlug)].flatMap(([slug, some]) =>
    new TimelineWriter(site, renderOf, some)
      .files()
      .map(([file, write]): SiteFile => [listFolder(kind, slug) + file, write]),
  );
  if (kind !== 'all') return teams;
  const viewOf = async () => ({
    team: null,
    products: (await Promise.all(products.map((product) => withFirstChanges(product, renderOf)))).flat(),
    isContinued: false,
    moreUrl: null,
  });
  return [
    [INDEX, async () => writeListPage(site, await viewOf())],
    ['index.md', async () => writeListMarkdown(site, await viewOf())],
    ...teams,
  ];
}

function withFirstChanges(product: SiteProduct, renderOf: RenderOf): Promise<ListedProduct[]> {
  const changes = newestOf(product)?.changes.slice(0, FIRST_CHANGES) ?? [];
  const newestChanges = changes.map(({ type, text }) => ({ type, text: text.slice(0, FIRST_CHARACTERS) }));
  return renderFirstChanges([{ ...listedOf(product), newestChanges }], renderOf(product.head));
}

/** The products of a team, and the versions of all of them, newest first. */
class TimelineWriter {
  readonly #site: Site;
  readonly #renderOf: RenderOf;
  readonly #products: readonly SiteProduct[];
  readonly #rows: readonly TimelineRow[];

  constructor(site: Site, renderOf: RenderOf, products: readonly SiteProduct[]) {
    this.#site = site;
    this.#renderOf = renderOf;
    this.#products = products;
    this.#rows = products
      .flatMap(({ head, versions }) => versions.map((version) => ({ ...version, head })))
      .sort(byPosition);
  }

  files(): SiteFile[] {
    const count = Math.max(1, Math.ceil(this.#rows.length / PAGE_VERSIONS));
    const pages = Array.from({ length: count }, (_, page): SiteFile => {
      return [pageFile({}, page + 1), () => this.#writePage(page)];
    });
    return [...pages, ['index.md', () => this.#writeMarkdown()]];
  }

  async #writePage(page: number): Promise<string> {
    const { shown, view } = this.#viewOf(page);
    const { start, end } = frameTimeline(this.#site, view);
    const links = this.#site.links.fromList(false);
    const parts = [start];
    for (const { version, ...own } of shown) {
      const { head } = version;
      const whole = { ...version, changes: own.changes };
      const rendered = await renderVersion(head, whole, this.#renderOf(head), { level: 3 });
      const shared = linkShared(own, (other) => links.version(other.head, other));
      const options = { links, page: view.language, shared, searched: null };
      parts.push(...writeTimelineArticle(head, rendered, options));
    }
    return [...parts, end].join('');
  }

  async #writeMarkdown(): Promise<string> {
    const { shown, view } = this.#viewOf(0);
    const { start, end } = frameTimelineMarkdown(this.#site, view);
    const urlOf = (version: TimelineRow) => versionUrl(this.#site, version);
    const parts = shown.map(({ version, ...own }) =>
      writeTeamVersion(this.#site, version, linkShared(own, urlOf)),
    );
    return [start, ...(await Promise.all(parts)), end].join('');
  }

  #viewOf(page: number) {
    const rows = this.#rows.slice(page * PAGE_VERSIONS, (page + 1) * PAGE_VERSIONS);
    const products = page === 0 ? this.#products.map(listedOf) : [];
    const { teamSlug: slug = '', teamName: name = '' } = this.#products[0]?.head ?? {};
    const shared = new SharedChanges<TimelineRow>();
    return {
      shown: [...rows.flatMap((version) => shared.add(version)), ...shared.finish()],
      view: {
        team: { slug, name },
        language: sharedLanguage([...products, ...rows.map(({ head }) => head)]),
        products,
        productsUrl: null,
        form: NO_FORM,
        isFiltered: false,
        isContinued: page > 0,
        versionIds: rows.map(({ id }) => id),
        matches: null,
        olderUrl: (page + 1) * PAGE_VERSIONS < this.#rows.length ? pageFile({}, page + 2) : null,
      },
    };
  }
}
