// One version as all feeds show it. Loaded late: what renders Markdown takes longer than the rest of a start.

import type { FullVersion } from '../../store/pages.ts';
import type { ChangeRow } from '../../store/reads.ts';
import { renderMarkdown } from '../markdown.ts';
import { groupByType, headingOf } from './groups.ts';
import { type FeedPlace, feedUrn } from './place.ts';

export type Entry = Readonly<{
  id: string;
  url: string;
  title: string;
  publishedAt: string;
  /** The label, what is special about the version, and which types of changes it has. */
  tags: readonly string[];
  html: string;
}>;

export function presentEntry({ changelogUrl }: FeedPlace, version: FullVersion): Entry {
  return {
    id: feedUrn(version.id),
    url: `${changelogUrl}/versions/${version.id}`,
    title: (version.title || version.label).toWellFormed(),
    // What is public has been published.
    publishedAt: version.publishedAt as string,
    tags: presentTags(version),
    html: presentContent(version),
  };
}

function presentTags({ label, yanked, changes }: FullVersion): string[] {
  return [
    label.toWellFormed(),
    ...(yanked ? ['yanked'] : []),
    ...(changes.some(({ breaking }) => breaking) ? ['breaking'] : []),
    ...groupByType(changes).map(([type]) => type),
  ];
}

function presentContent({ description, yanked, changes }: FullVersion): string {
  const parts = [
    ...(yanked ? ['<p><strong>Yanked:</strong> withdrawn after its release.</p>'] : []),
    ...(description ? [renderMarkdown(description)] : []),
    ...groupByType(changes).map(
      ([type, group]) => `<h3>${headingOf(type)}</h3>\n<ul>\n${group.map(presentChange).join('\n')}\n</ul>`,
    ),
  ];
  return parts.join('\n').toWellFormed();
}

function presentChange({ text, breaking }: ChangeRow): string {
  const mark = breaking ? '<p><strong>Breaking:</strong></p>\n' : '';
  return `<li>${mark}${renderMarkdown(text)}</li>`;
}
