// Rows → what pages show: texts rendered, and their HTML made fit for a page.
import { adaptForPage } from '../../present/html/page-html.ts';
import { withLinkBase } from '../../present/html/relative-links.ts';
import type { Render } from '../../present/html/render.ts';
import type { RenderedChange, RenderedVersion } from '../../present/pages/views.ts';
import { textsOf } from '../../present/version.ts';
import type { FullVersion } from '../../store/read/pages.ts';
import type { ChangeRow, HeadRow } from '../../store/read/reads.ts';

/** Headings in texts start below those of the page. */
const HEADING_LEVEL = 4;

export async function renderVersion(
  head: HeadRow,
  { id, label, title, publishedAt, yanked, description, changes }: FullVersion,
  render: Render,
): Promise<RenderedVersion> {
  const [introduction = null] = await withLinkBase(render, head.linkBase)(description ? [description] : []);
  return {
    id,
    label,
    title,
    publishedAt,
    yanked: yanked === 1,
    description: introduction === null ? null : adaptForPage(introduction, HEADING_LEVEL),
    changes: await renderChanges(head, changes, render),
  };
}

export async function renderChanges(
  head: HeadRow,
  changes: readonly ChangeRow[],
  render: Render,
): Promise<RenderedChange[]> {
  const html = await withLinkBase(render, head.linkBase)(textsOf(changes));
  return changes.map(({ id, type, breaking }, index) => ({
    id,
    type,
    breaking: breaking === 1,
    html: adaptForPage(html[index] as string, HEADING_LEVEL),
  }));
}
