// A version that became public, as the writers of messages need it.
import type { Version } from '../schemas.ts';
import type { TextHead } from '../texts.ts';

export type Announcement = Readonly<{
  /** The record of the public API. Very long versions have only their first changes; `changeCount` counts all. */
  record: Version;
  /** What its texts depend on; its language is that of the changelog (BCP 47). */
  head: TextHead;
  urls: AnnouncementUrls;
}>;

/** All absolute, on the product's own domain if it has one. */
export type AnnouncementUrls = Readonly<{
  /** The page of the version. */
  page: string;
  /** The page of the changelog. */
  changelog: string;
  /** The record in the public API. */
  record: string;
  /** The release notes as Markdown. */
  notes: string;
  /** The feeds that it is in: those of the product, and those of its team if teams have pages. */
  feeds: readonly string[];
}>;

/** A message on its way to a hook. It keeps its id when it is sent again. */
export type Message = Readonly<{
  id: string;
  /** When it is sent, which may be the second time. */
  sentAt: Date;
}>;
