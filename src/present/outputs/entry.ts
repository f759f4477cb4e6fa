// A version as all feeds show it.
import type { FullVersion } from '../../store/read/pages.ts';
import { webImageOf } from '../images.ts';
import { plainLook, writeNotesHtml } from '../notes/html.ts';
import { localeOf } from '../words/locale.ts';
import { titleOf } from './entry-title.ts';
import { groupByType } from './groups.ts';
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
  /** Its https: URL. */
  image: string | null;
  html: string;
}>;

/** A feed of the newest versions, each written as an entry. */
export function entriesBy(
  write: (entry: Entry, version: FullVersion) => string,
): Pick<Output, 'description' | 'isWhole' | 'writeVersion'> {
  return {
    description:
      'The newest versions with their full content, dated by `publishedAt` and `updatedAt`. Entries keep their ids. With `type` or `breaking`, an entry has only the changes that match.',
    isWhole: false,
    writeVersion: async (feed, version, render) => {
      const locale = localeOf(feed);
      const notes = await writeNotesHtml(version, render, plainLook(locale));
      const html = locale.direction === 'rtl' && notes !== '' ? `<div dir="rtl">${notes}</div>` : notes;
      return write(presentEntry(feed, version, html), version);
    },
  };
}

export function presentEntry({ urls }: FeedInfo, version: FullVersion, html: string): Entry {
  return {
    id: feedUrn(version.id),
    url: urls.version(version),
    title: titleOf(version),
    // Feeds have only published versions.
    publishedAt: version.publishedAt as string,
    updatedAt: version.updatedAt,
    tags: presentTags(version),
    image: webImageOf(version.image),
    html,
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
