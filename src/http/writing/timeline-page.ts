// The page of a team, as HTML and as Markdown, written from rows; a static site writes it, too.
import { frameTimelineMarkdown, versionUrl, writeTeamVersion } from '../../present/markdown-pages.ts';
import type { Site } from '../../present/pages/document.ts';
import { frameTimeline, type TimelineView, writeTimelineArticle } from '../../present/pages/list-pages.ts';
import { imagesOf } from '../../present/pages/version-parts.ts';
import { linkShared } from '../../present/team.ts';
import { sharedLanguage } from '../../present/words/locale.ts';
import type { Timeline, TimelineRow } from '../../store/read/lists/timeline.ts';
import type { HeadRow } from '../../store/read/reads.ts';
import type { Render } from '../../text/render.ts';
import type { BodyWriter } from '../cache/body.ts';
import { renderVersion } from './rendered.ts';
import { sharedVersions, type Walk } from './timeline.ts';

export const TIMELINE_VERSIONS = 20;

/** All of the view that its rows do not say. */
type OwnView = Omit<TimelineView, 'team' | 'language' | 'versionIds' | 'matches'>;

type TimelinePage = Readonly<{
  site: Site;
  walk: Walk;
  /** Of the texts of a product. */
  renderOf: (head: HeadRow) => Render;
}>;

export type WriteTimeline = (
  out: BodyWriter,
  found: Timeline,
  own: OwnView,
  page: TimelinePage,
) => Promise<void>;

export const writeTimeline: WriteTimeline = async (out, found, own, { site, walk, renderOf }) => {
  const view = viewOf(found, own);
  const links = site.links.fromList(false);
  const urlOf = (version: TimelineRow) => links.version(version.head, version);
  const { start, end } = frameTimeline(site, view);
  out.showImages(own.products.map(({ logo }) => logo));
  await out.add(start);
  // As on the page of a product, a filter finds whole versions.
  for await (const { version, ...own } of sharedVersions(found, { ...walk, isWhole: true })) {
    const { head } = version;
    const searched = walk.query.words;
    const shown = { ...version, changes: own.changes };
    const rendered = await renderVersion(head, shown, renderOf(head), { level: 3, searched });
    out.showImages([head.logo, ...imagesOf(rendered)]);
    const shared = linkShared(own, urlOf);
    const options = { links, page: view.language, shared, searched };
    for (const piece of writeTimelineArticle(head, rendered, options)) await out.add(piece);
  }
  await out.add(end);
};

export const writeTimelineMarkdown: WriteTimeline = async (out, found, own, { site, walk }) => {
  const { start, end } = frameTimelineMarkdown(site, viewOf(found, own));
  const urlOf = (version: TimelineRow) => versionUrl(site, version);
  await out.add(start);
  for await (const { version, ...own } of sharedVersions(found, { ...walk, isWhole: true }))
    await out.add(await writeTeamVersion(site, version, linkShared(own, urlOf)));
  await out.add(end);
};

function viewOf({ team, versions }: Timeline, own: OwnView): TimelineView {
  return {
    ...own,
    team,
    language: sharedLanguage([...own.products, ...versions.map(({ head }) => head)]),
    versionIds: versions.map(({ id }) => id),
    // Not counted, because a team may have very many products.
    matches: own.isContinued ? null : { count: versions.length, isMore: own.olderUrl !== null },
  };
}
