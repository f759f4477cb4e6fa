// Examples of the feeds, written by the code that writes feeds, with the same version as all other examples.
import { frameAtom, writeAtomEntry } from '../feeds/atom.ts';
import { presentEntry } from '../feeds/entry.ts';
import { describeFeed, type FeedName } from '../feeds/feed-info.ts';
import { inFrame } from '../feeds/frame.ts';
import { frameMarkdown, writeGroupedVersion } from '../feeds/markdown.ts';
import { frameRss, writeRssItem } from '../feeds/rss.ts';
import { renderMarkdown } from '../html/markdown.ts';
import { VersionEnvelope } from '../schemas.ts';
import { exampleOf } from './schemas.ts';

/** Only the formats that are not JSON. */
export function feedExamples(baseUrl: string): Partial<Record<string, string>> {
  const { data } = exampleOf(VersionEnvelope) as VersionEnvelope;
  const {
    team,
    product,
    changelog,
    id,
    version: label,
    title,
    status,
    publishedAt,
    updatedAt,
    description,
  } = data;
  const head = {
    teamId: 0,
    teamSlug: team.slug,
    teamName: team.name,
    productId: 0,
    productSlug: product.slug,
    productName: product.name,
    changelogId: changelog.id,
    changelogName: changelog.name,
    changelogStatus: changelog.status,
    homeUrl: null,
    linkBase: null,
    logo: null,
    accent: null,
    language: 'en',
  };
  const changes = data.changes.map(({ id, type, text }) => ({ id, type, text, breaking: 0 as const }));
  const version = {
    id,
    label,
    title,
    status,
    publishedAt,
    updatedAt,
    description,
    yanked: 0 as const,
    changes,
  };
  const feed = (name: FeedName) => describeFeed(head, { name, baseUrl, updatedAt });
  const html = {
    description: renderMarkdown(description ?? ''),
    changes: data.changes.map(({ html }) => html),
  };
  const entry = presentEntry(feed('feed.atom'), version, html);
  return {
    'feed.atom': inFrame(frameAtom(feed('feed.atom')), [writeAtomEntry(entry)]),
    'feed.rss': inFrame(frameRss(feed('feed.rss')), [writeRssItem(entry)]),
    'CHANGELOG.md': inFrame(frameMarkdown(feed('CHANGELOG.md')), [writeGroupedVersion(version)]),
  };
}
