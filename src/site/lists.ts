// The pages of several products: all of them, and those of a team with the versions of all.
import { byPosition } from '../domain/feed-query.ts';
import { writeListMarkdown, writeTimelineMarkdown } from '../present/markdown-pages.ts';
import type { Site } from '../present/pages/document.ts';
import { NO_FORM } from '../present/pages/filters.ts';
import { writeList, writeTimeline } from '../present/pages/list-pages.ts';
import type { TimelineRow } from '../store/read/lists/timeline.ts';
import type { HeadRow } from '../store/read/reads.ts';
import type { Render } from '../text/render.ts';
import { listedOf, newestOf, type SiteContent, type SiteProduct } from './content.ts';
import { INDEX, listFolder, pagesOf } from './layout.ts';
import type { PageFile } from './product.ts';

type Pages = Readonly<{
  site: Site;
  renderOf: (head: HeadRow) => Render;
  /** For texts whose links do not show. */
  render: Render;
}>;

/** As a card shows them. */
const FIRST_CHANGES = 3;
const FIRST_CHARACTERS = 300;

export function listFiles(pages: Pages, { kind, products }: SiteContent): PageFile[] {
  const teams = [...Map.groupBy(products, ({ head }) => head.teamSlug)].flatMap(([slug, some]) =>
    timelineFiles(pages, some).map(([file, write]): PageFile => [listFolder(kind, slug) + file, write]),
  );
  if (kind !== 'all') return teams;
  const view = { team: null, products: products.map(withFirstChanges), isContinued: false, moreUrl: null };
  return [
    [INDEX, (out) => writeList(out, pages, view)],
    ['index.md', (out) => out.add(writeListMarkdown(pages.site, view))],
    ...teams,
  ];
}

function withFirstChanges(product: SiteProduct) {
  const changes = newestOf(product)?.changes.slice(0, FIRST_CHANGES) ?? [];
  const newestChanges = changes.map(({ type, text }) => ({ type, text: text.slice(0, FIRST_CHARACTERS) }));
  return { ...listedOf(product), newestChanges };
}

/** The products of a team, and the versions of all of them, newest first. */
function timelineFiles(pages: Pages, products: readonly SiteProduct[]): PageFile[] {
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
