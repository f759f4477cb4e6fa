// JSON Feed 1.1.
import {
  array,
  constant,
  object,
  record,
  type Static,
  text,
  timestamp,
  withOptional,
} from '../../domain/schema.ts';
import { type Entry, entriesBy } from './entry.ts';
import type { FeedInfo, Frame, Output } from './output.ts';

const EXAMPLE_PAGE = 'https://changes.example.com/changelog/acme/rocket';
const EXAMPLE_FEED =
  'https://changes.example.com/api/v1/public/teams/acme/products/rocket/changelog/feed.json';

const EXAMPLE_IMAGE = 'https://rocket.example/images/2.1.0.png';

const Author = object({ name: text('The name of the team.', 'Acme') });
const ItemAuthor = object({ name: text('The name of the product.', 'Rocket') });

const Hub = object({
  type: constant('WebSub', 'The protocol.'),
  url: text('The hub.', 'https://hub.example/'),
});

const FullItem = record('A version in a JSON Feed.', {
  id: text(
    'Identifier of the version. It does not depend on the URL.',
    'urn:changelog:ver_01a1dcf6ff237691a9ced31f0cd2217a',
  ),
  url: text('The page of the version.', `${EXAMPLE_PAGE}/versions/2.1.0`),
  title: text(
    'The label, a colon and the title; or only one of them if the title is empty or has the label.',
    '2.1.0: Faster launches',
  ),
  date_published: timestamp('`publishedAt` of the version.', '2026-05-04T09:00:00.000Z'),
  date_modified: timestamp('`updatedAt` of the version.', '2026-05-04T09:00:00.000Z'),
  tags: array(
    text({ examples: ['2.1.0'] }),
    'The product, in the feed of a team; the label, `yanked`, `breaking` and the types of the changes.',
  ),
  content_html: text(
    'Description and changes as HTML that is safe to embed in a page.',
    '<h3>Added</h3>\n<ul>\n<li><p>Launches can be <em>paused</em> between stages.</p></li>\n</ul>',
  ),
  authors: array(ItemAuthor, 'The product, in the feed of a team.'),
  language: text('The language of the changelog (BCP 47), in the feed of a team.', 'en'),
  image: text('The image of the version, if it has an https: URL.', EXAMPLE_IMAGE),
  banner_image: text('The same image, for readers that show it above the content.', EXAMPLE_IMAGE),
});

export const JsonFeedItem = withOptional(FullItem, 'authors', 'language', 'image', 'banner_image');

const FullFeed = record('A JSON Feed 1.1.', {
  version: constant('https://jsonfeed.org/version/1.1', 'The version of JSON Feed.'),
  title: text('The name of the changelog, or of all changelogs of the team.', 'Rocket changelog'),
  description: text('What the feed is about.', "What's new in Rocket, newest first."),
  home_page_url: text('The page of the changelog or the team.', EXAMPLE_PAGE),
  feed_url: text('The feed itself.', EXAMPLE_FEED),
  icon: text('The logo of the product, if it has an https: URL.', 'https://rocket.example/logo.png'),
  authors: array(Author, 'The team.'),
  language: text('The language of the changelog, or of all changelogs of the team (BCP 47).', 'en'),
  hubs: array(Hub, 'Where to subscribe to the feed, if a hub is told of new versions.'),
  items: array(JsonFeedItem, 'Newest first.'),
});

export const JsonFeed = withOptional(FullFeed, 'icon', 'hubs');

export const jsonFeed: Output = {
  ...entriesBy(writeItem),
  name: 'JsonFeed',
  summary: 'The changelog as a JSON Feed 1.1.',
  bodies: [JsonFeed],
  mediaType: 'application/feed+json',
  label: 'JSON Feed',
  about: 'the newest versions as a JSON Feed',
  frame,
};

export function writeItem({
  id,
  url,
  title,
  publishedAt,
  updatedAt,
  tags,
  html,
  image,
  product,
}: Entry): string {
  const item: Static<typeof JsonFeedItem> = {
    id,
    url,
    title,
    date_published: publishedAt,
    date_modified: updatedAt,
    tags: [...tags],
    content_html: html,
    ...(product !== null && { authors: [{ name: product.name }], language: product.language }),
    ...(image !== null && { image, banner_image: image }),
  };
  return JSON.stringify(item);
}

function frame(feed: FeedInfo): Frame {
  const fields: Omit<Static<typeof JsonFeed>, 'items'> = {
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    description: feed.description,
    home_page_url: feed.pageUrl,
    feed_url: feed.url,
    ...(feed.logo !== null && { icon: feed.logo }),
    authors: [{ name: feed.author }],
    language: feed.language,
    ...(feed.hubs.length > 0 && { hubs: feed.hubs.map((url) => ({ type: 'WebSub', url }) as const) }),
  };
  return { start: `${JSON.stringify(fields).slice(0, -1)},"items":[`, between: ',', end: ']}' };
}
