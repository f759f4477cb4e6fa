// The pages of several products: all of them, and those of a team with the versions of all.
import { SharedChanges } from '../domain/content/shared-changes.ts';
import {
  frameTimelineMarkdown,
  versionUrl,
  writeListMarkdown,
  writeTeamVersion,
} from '../present/markdown-pages.ts';
import type { Site } from '../present/pages/document.ts';
import { NO_FORM } from '../present/pages/filters.ts';
import {
  frameTimeline,
  renderFirstChanges,
  writeListPage,
  writeTimelineArticle,
} from '../present/pages/list-pages.ts';
import { renderVersion } from '../present/pages/version-parts.ts';
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
    timelineFiles(site, renderOf, some).map(
      ([file, write]): SiteFile => [listFolder(kind, slug) + file, write],
    ),
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
function timelineFiles(site: Site, renderOf: RenderOf, products: readonly SiteProduct[]): SiteFile[] {
  const all = products
    .flatMap(({ head, versions }) => versions.map((version): TimelineRow => ({ ...version, head })))
    .sort(byPosition);
  const { teamSlug: slug = '', teamName: name = '' } = products[0]?.head ?? {};

  const viewOf = (page: number) => {
    const rows = all.slice(page * PAGE_VERSIONS, (page + 1) * PAGE_VERSIONS);
    const listed = page === 0 ? products.map(listedOf) : [];
    const shared = new SharedChanges<TimelineRow>();
    return {
      shown: [...rows.flatMap((version) => shared.add(version)), ...shared.finish()],
      view: {
        team: { slug, name },
        language: sharedLanguage([...listed, ...rows.map(({ head }) => head)]),
        products: listed,
        productsUrl: null,
        form: NO_FORM,
        isFiltered: false,
        isContinued: page > 0,
        versionIds: rows.map(({ id }) => id),
        matches: null,
        olderUrl: (page + 1) * PAGE_VERSIONS < all.length ? pageFile({}, page + 2) : null,
      },
    };
  };

  const writePage = async (page: number) => {
    const { shown, view } = viewOf(page);
    const { start, end } = frameTimeline(site, view);
    const links = site.links.fromList(false);
    const parts = [start];
    for (const { version, ...own } of shown) {
      const { head } = version;
      const whole = { ...version, changes: own.changes };
      const rendered = await renderVersion(head, whole, renderOf(head), { level: 3 });
      const shared = linkShared(own, (other) => links.version(other.head, other));
      const options = { links, page: view.language, shared, searched: null };
      parts.push(...writeTimelineArticle(head, rendered, options));
    }
    return [...parts, end].join('');
  };

  const writeMarkdown = async () => {
    const { shown, view } = viewOf(0);
    const { start, end } = frameTimelineMarkdown(site, view);
    const parts = shown.map(({ version, ...own }) =>
      writeTeamVersion(
        site,
        version,
        linkShared(own, (other) => versionUrl(site, other)),
      ),
    );
    return [start, ...(await Promise.all(parts)), end].join('');
  };

  const count = Math.max(1, Math.ceil(all.length / PAGE_VERSIONS));
  return [
    ...Array.from({ length: count }, (_, page): SiteFile => [pageFile({}, page + 1), () => writePage(page)]),
    ['index.md', writeMarkdown],
  ];
}
