// What is published of a changelog, as feed readers and people take it (R34).
import { WHOLE_FEED } from '../../domain/feed-query.ts';
import type { Schema } from '../../domain/schema.ts';
import { writeAtom, writeAtomEntry } from '../../present/feeds/atom.ts';
import type { Entry } from '../../present/feeds/entry.ts';
import { JsonFeed, writeJsonFeed, writeJsonItem } from '../../present/feeds/json-feed.ts';
import { writeGroupedVersion, writeMarkdown } from '../../present/feeds/markdown.ts';
import {
  FEED_TYPES,
  type FeedName,
  type FeedPlace,
  placeFeed,
  writeAlternates,
} from '../../present/feeds/place.ts';
import { writeRss, writeRssItem } from '../../present/feeds/rss.ts';
import { mapInSlices } from '../../present/slices.ts';
import { type FullVersion, findPage } from '../../store/pages.ts';
import type { Read } from './read-route.ts';

/** Readers want what is new; the changelog route and CHANGELOG.md have all of it. */
const FEED_ENTRIES_MAX = 250;

/** A document that is made of versions, one after the other. */
type Format = Readonly<{
  name: FeedName;
  versionsMax: number | null;
  answers: readonly Schema<unknown>[];
  loadVersionWriter: () => Promise<(place: FeedPlace, version: FullVersion) => string>;
  write: (place: FeedPlace, versions: readonly string[]) => string;
}>;

export const FEED_READS: readonly Read[] = [
  feedRead({ ...entriesBy(writeAtomEntry), name: 'feed.atom', answers: [], write: writeAtom }),
  feedRead({ ...entriesBy(writeRssItem), name: 'feed.rss', answers: [], write: writeRss }),
  feedRead({ ...entriesBy(writeJsonItem), name: 'feed.json', answers: [JsonFeed], write: writeJsonFeed }),
  feedRead({
    name: 'CHANGELOG.md',
    versionsMax: null,
    answers: [],
    loadVersionWriter: async () => (_place, version) => writeGroupedVersion(version),
    write: writeMarkdown,
  }),
];

function entriesBy(write: (entry: Entry) => string): Pick<Format, 'versionsMax' | 'loadVersionWriter'> {
  return {
    versionsMax: FEED_ENTRIES_MAX,
    loadVersionWriter: async () => {
      const { presentEntry } = await import('../../present/feeds/entry.ts');
      return (place, version) => write(presentEntry(place, version));
    },
  };
}

function feedRead({ name, versionsMax, answers, loadVersionWriter, write }: Format): Read {
  return {
    pattern: `/teams/:team/products/:product/changelog/${name}`,
    surfaces: ['public'],
    parameters: [],
    contentType: `${FEED_TYPES[name]}; charset=utf-8`,
    answers,
    find: async (db, { params, path, baseUrl }, visible) => {
      const { revision, found } = await findPage(db, params, visible, {
        ...WHOLE_FEED,
        limit: versionsMax,
        withChanges: true,
      });
      if (found === undefined) return { revision, found };
      const { head, versions } = found;
      const changelogUrl = baseUrl + path.slice(0, -name.length - 1);
      const place = placeFeed(head, { name, changelogUrl, updatedAt: versions[0]?.publishedAt ?? null });
      const text = async () => {
        const writeVersion = await loadVersionWriter();
        return write(place, await mapInSlices(versions, (version) => writeVersion(place, version)));
      };
      return { revision, found: { text, link: writeAlternates(place), origin: head } };
    },
  };
}
