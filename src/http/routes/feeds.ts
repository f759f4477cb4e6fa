// What is published of a changelog, as feed readers and people take it (R34).
import { NO_FILTER } from '../../domain/feed-query.ts';
import type { Schema } from '../../domain/schema.ts';
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
import type { Render } from '../../present/html/render.ts';
import { textsOf } from '../../present/version.ts';
import { type FullVersion, findPage } from '../../store/read/pages.ts';
import type { Resource, WriteBody } from './read-route.ts';
import { remainingVersions } from './walk.ts';

/** Readers want what is new; the changelog route and CHANGELOG.md have all of it. */
const FEED_ENTRIES_MAX = 250;

type WriteVersion = (place: FeedInfo, version: FullVersion, render: Render) => string | Promise<string>;

/** A document that is made of versions, one after the other. */
type FeedFormat = Readonly<{
  name: FeedName;
  /** All versions, or the newest ones. */
  isWhole: boolean;
  answers: readonly Schema<unknown>[];
  frame: (place: FeedInfo) => Frame;
  writeVersion: WriteVersion;
}>;

export const FEED_RESOURCES: readonly Resource[] = [
  feedRead({ ...entriesBy(writeAtomEntry), name: 'feed.atom', answers: [], frame: frameAtom }),
  feedRead({ ...entriesBy(writeRssItem), name: 'feed.rss', answers: [], frame: frameRss }),
  feedRead({ ...entriesBy(writeJsonItem), name: 'feed.json', answers: [JsonFeed], frame: frameJsonFeed }),
  feedRead({
    name: 'CHANGELOG.md',
    isWhole: true,
    answers: [],
    frame: frameMarkdown,
    writeVersion: (_place, version) => writeGroupedVersion(version),
  }),
];

function entriesBy(write: (entry: Entry) => string): Pick<FeedFormat, 'isWhole' | 'writeVersion'> {
  return {
    isWhole: false,
    writeVersion: async (place, version, render) => {
      const [description = ''] = await render(version.description ? [version.description] : []);
      const changes = await render(textsOf(version.changes));
      return write(presentEntry(place, version, { description, changes }));
    },
  };
}

function feedRead({ name, isWhole, answers, frame, writeVersion }: FeedFormat): Resource {
  const query = { ...NO_FILTER, limit: FEED_ENTRIES_MAX, withChanges: true };
  return {
    pattern: `/teams/:team/products/:product/changelog/${name}`,
    surfaces: ['public'],
    parameters: [],
    contentType: `${FEED_TYPES[name]}; charset=utf-8`,
    answers,
    isLong: () => true,
    find: async (db, { params, path, baseUrl, render }, visible) => {
      const { revision, found } = await findPage(db, params, visible, query);
      if (found === undefined) return { revision, found };
      const { head, versions } = found;
      const changelogUrl = baseUrl + path.slice(0, -name.length - 1);
      const place = describeFeed(head, { name, changelogUrl, updatedAt: versions[0]?.publishedAt ?? null });
      const text: WriteBody = async (out, read) => {
        const { start, between, end } = frame(place);
        await out.add(start);
        let separator = '';
        const all = isWhole ? remainingVersions(found, { path: params, visible, query, read }) : versions;
        for await (const version of all) {
          await out.add(separator + (await writeVersion(place, version, render)));
          separator = between;
        }
        await out.add(end);
      };
      return { revision, found: { text, link: formatAlternates(place), origin: head } };
    },
  };
}
