// Renders rows for pages: their texts as HTML that fits a page.

import { versionOrder } from '../../domain/version-order.ts';
import { yieldToEventLoop } from '../../event-loop.ts';
import { adaptForPage } from '../../present/html/page-html.ts';
import { withLinkBase } from '../../present/html/relative-links.ts';
import type { Render } from '../../present/html/render.ts';
import type { RenderedChange, RenderedVersion } from '../../present/pages/views.ts';
import { textsOf } from '../../present/version.ts';
import type { FullVersion, PageRow } from '../../store/read/pages.ts';
import type { ChangeRow, HeadRow } from '../../store/read/reads.ts';

/** A description's headings are one level below the version's, like those of the change types. */
export async function renderVersion(
  head: HeadRow,
  { id, label, title, publishedAt, updatedAt, yanked, description, changes }: FullVersion,
  render: Render,
  typeLevel: 2 | 3,
): Promise<RenderedVersion> {
  const [introduction = null] = await withLinkBase(render, head.linkBase)(description ? [description] : []);
  return {
    id,
    label,
    title,
    publishedAt,
    updatedAt,
    yanked: yanked === 1,
    description: introduction === null ? null : adaptForPage(introduction, typeLevel),
    changes: await renderChanges(head, changes, render, typeLevel),
  };
}

export async function renderChanges(
  head: HeadRow,
  changes: readonly ChangeRow[],
  render: Render,
  typeLevel: 2 | 3,
): Promise<RenderedChange[]> {
  const html = await withLinkBase(render, head.linkBase)(textsOf(changes));
  const rendered: RenderedChange[] = [];
  for (const [index, { id, type, breaking }] of changes.entries()) {
    await yieldToEventLoop();
    const adapted = adaptForPage(html[index] as string, typeLevel + 1);
    rendered.push({ id, type, breaking: breaking === 1, html: adapted });
  }
  return rendered;
}

/** Labels that can be compared, as suggestions for forms. */
export function comparableLabels(versions: readonly Pick<PageRow, 'label'>[]): string[] {
  return versions.map(({ label }) => label).filter((label) => versionOrder(label) !== null);
}
