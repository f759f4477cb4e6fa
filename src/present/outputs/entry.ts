// A version as all feeds show it.
import type { FullVersion } from '../../store/read/pages.ts';
import type { ChangeRow } from '../../store/read/reads.ts';
import { versionPath } from '../page-paths.ts';
import { textsOf } from '../version.ts';
import { titleOf } from './entry-title.ts';
import { groupByType, headingOf } from './groups.ts';
import { type FeedInfo, feedUrn, type Output } from './output.ts';

export type Entry = Readonly<{
  id: string;
  /** The version's page. */
  url: string;
  title: string;
  publishedAt: string;
  updatedAt: string;
  /** The label, `yanked`, `breaking` and the change types. */
  tags: readonly string[];
  html: string;
}>;

/** A feed of the newest versions, each written as an entry. */
export function entriesBy(
  write: (entry: Entry) => string,
): Pick<Output, 'description' | 'isWhole' | 'writeVersion'> {
  return {
    description:
      'The newest versions with their full content, dated by `publishedAt` and `updatedAt`. Entries keep their ids. With `type` or `breaking`, an entry has only the changes that match.',
    isWhole: false,
    writeVersion: async (feed, version, render) => {
      const [description = ''] = await render(version.description ? [version.description] : []);
      const changes = await render(textsOf(version.changes));
      return write(presentEntry(feed, version, { description, changes }));
    },
  };
}

/** A version's rendered texts, its changes in order. */
type VersionHtml = Readonly<{ description: string; changes: readonly string[] }>;

export function presentEntry({ baseUrl, product }: FeedInfo, version: FullVersion, html: VersionHtml): Entry {
  return {
    id: feedUrn(version.id),
    url: baseUrl + versionPath(product, version),
    title: titleOf(version),
    // Feeds have only published versions.
    publishedAt: version.publishedAt as string,
    updatedAt: version.updatedAt,
    tags: presentTags(version),
    html: presentContent(version, html),
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

function presentContent({ description, yanked, changes }: FullVersion, html: VersionHtml): string {
  const rendered = changes.map((change, index) => ({ ...change, html: html.changes[index] as string }));
  const parts = [
    ...(yanked ? ['<p><strong>Yanked:</strong> withdrawn after its release.</p>'] : []),
    ...(description ? [html.description] : []),
    ...groupByType(rendered).map(
      ([type, group]) => `<h3>${headingOf(type)}</h3>\n<ul>\n${group.map(presentChange).join('\n')}\n</ul>`,
    ),
  ];
  return parts.join('\n').toWellFormed();
}

function presentChange({ breaking, html }: Pick<ChangeRow, 'breaking'> & Readonly<{ html: string }>): string {
  const mark = breaking ? '<p><strong>Breaking:</strong></p>\n' : '';
  return `<li>${mark}${html}</li>`;
}
