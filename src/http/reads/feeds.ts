// Published changelogs for feed readers, and as one Markdown file (R34).
import { NO_FILTER } from '../../domain/feed-query.ts';
import { frameAtom, writeAtomEntry } from '../../present/feeds/atom.ts';
import { type Entry, presentEntry } from '../../present/feeds/entry.ts';
import {
  describeFeed,
  FEED_TYPES,
  type FeedInfo,
  type FeedName,
  formatAlternates,
} from '../../present/feeds/feed-info.ts';
import type { Frame } from '../../present/feeds/frame.ts';
import { frameJsonFeed, JsonFeed, writeJsonItem } from '../../present/feeds/json-feed.ts';
import { frameMarkdown, writeGroupedVersion } from '../../present/feeds/markdown.ts';
import { frameRss, writeRssItem } from '../../present/feeds/rss.ts';
import { withLinkBase } from '../../present/html/relative-links.ts';
import type { Render } from '../../present/html/render.ts';
import { textsOf } from '../../present/version.ts';
import { type FullVersion, findPage } from '../../store/read/pages.ts';
import type { WriteBody } from '../cache/body.ts';
import { CHANGELOG_PATTERN, type Resource } from './read.ts';
import { remainingVersions } from './walk.ts';

/** Feed readers want what is new; the changelog and CHANGELOG.md have all versions. */
const FEED_ENTRIES_MAX = 250;

const FEED_DESCRIPTION =
  'The newest 250 versions with their full content, dated by `publishedAt` and `updatedAt`. Entries keep their ids.';

type FeedFormat = Pick<Resource, 'name' | 'summary' | 'description' | 'bodies'> &
  Readonly<{
    file: FeedName;
    /** All versions, or the newest ones? */
    isWhole: boolean;
    frame: (info: FeedInfo) => Frame;
    writeVersion: (info: FeedInfo, version: FullVersion, render: Render) => string | Promise<string>;
  }>;

export const FEED_RESOURCES: readonly Resource[] = [
  feedResource({
    ...entriesBy(writeAtomEntry),
    file: 'feed.atom',
    name: 'AtomFeed',
    summary: 'The changelog as an Atom feed.',
    bodies: [],
    frame: frameAtom,
  }),
  feedResource({
    ...entriesBy(writeRssItem),
    file: 'feed.rss',
    name: 'RssFeed',
    summary: 'The changelog as an RSS 2.0 feed.',
    bodies: [],
    frame: frameRss,
  }),
  feedResource({
    ...entriesBy(writeJsonItem),
    file: 'feed.json',
    name: 'JsonFeed',
    summary: 'The changelog as a JSON Feed 1.1.',
    bodies: [JsonFeed],
    frame: frameJsonFeed,
  }),
  feedResource({
    file: 'CHANGELOG.md',
    name: 'MarkdownChangelog',
    summary: 'The whole changelog as one Markdown file.',
    description: 'All versions, in the form of Keep a Changelog.',
    isWhole: true,
    bodies: [],
    frame: frameMarkdown,
    writeVersion: (_info, version) => writeGroupedVersion(version),
  }),
];

function entriesBy(
  write: (entry: Entry) => string,
): Pick<FeedFormat, 'description' | 'isWhole' | 'writeVersion'> {
  return {
    description: FEED_DESCRIPTION,
    isWhole: false,
    writeVersion: async (info, version, render) => {
      const [description = ''] = await render(version.description ? [version.description] : []);
      const changes = await render(textsOf(version.changes));
      return write(presentEntry(info, version, { description, changes }));
    },
  };
}

function feedResource({ file, isWhole, frame, writeVersion, ...described }: FeedFormat): Resource {
  const query = { ...NO_FILTER, limit: FEED_ENTRIES_MAX, withChanges: true };
  return {
    ...described,
    tag: 'Feeds',
    pattern: `${CHANGELOG_PATTERN}/${file}`,
    surfaces: ['public'],
    parameters: [],
    contentType: `${FEED_TYPES[file]}; charset=utf-8`,
    isLong: () => true,
    find: async (db, { params, baseUrl, render }, visible) => {
      const { revision, found } = await findPage(db, params, visible, query);
      if (found === undefined) return { revision, found };
      const { head, versions } = found;
      const info = describeFeed(head, { name: file, baseUrl, updatedAt: lastUpdateOf(versions) });
      const renderResolved = withLinkBase(render, head.linkBase);
      const text: WriteBody = async (out, read) => {
        const { start, between, end } = frame(info);
        await out.add(start);
        const all = isWhole ? remainingVersions(found, { path: params, visible, query, read }) : versions;
        await out.addList<FullVersion>(
          all,
          (version) => writeVersion(info, version, renderResolved),
          between,
        );
        await out.add(end);
      };
      return { revision, found: { text, link: formatAlternates(info), origin: head } };
    },
  };
}

function lastUpdateOf(versions: readonly FullVersion[]): string | null {
  return versions.reduce<string | null>(
    (last, { updatedAt }) => (last !== null && last > updatedAt ? last : updatedAt),
    null,
  );
}
