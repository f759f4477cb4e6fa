// JSON Feed 1.1.
import { constant, list, record, type Static, text } from '../../domain/schema.ts';
import { recordWriter } from '../write.ts';
import type { Entry } from './entry.ts';
import type { FeedPlace } from './place.ts';

const Author = record({ name: text() });

const Item = record({
  id: text(),
  url: text(),
  title: text(),
  date_published: text(),
  tags: list(text()),
  content_html: text(),
});

const feedFields = {
  version: constant('https://jsonfeed.org/version/1.1'),
  title: text(),
  description: text(),
  home_page_url: text(),
  feed_url: text(),
  authors: list(Author),
};

export const JsonFeed = record({ ...feedFields, items: list(Item) });

const writeItem = recordWriter(Item);
const writeFields = recordWriter(record(feedFields));

export function writeJsonItem({ id, url, title, publishedAt, tags, html }: Entry): string {
  const item: Static<typeof Item> = {
    id,
    url,
    title,
    date_published: publishedAt,
    tags: [...tags],
    content_html: html,
  };
  return writeItem(item);
}

/** The items come as finished texts, so that nobody has to write thousands of them in one go. */
export function writeJsonFeed(place: FeedPlace, items: readonly string[]): string {
  const fields: Omit<Static<typeof JsonFeed>, 'items'> = {
    version: 'https://jsonfeed.org/version/1.1',
    title: place.title,
    description: place.description,
    home_page_url: place.changelogUrl,
    feed_url: place.url,
    authors: [{ name: place.author }],
  };
  return `${writeFields(fields).slice(0, -1)},"items":[${items.join(',')}]}`;
}
