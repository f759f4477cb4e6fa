// A version that became public, as the writers of messages need it.
import type { Version } from '../schemas.ts';

export type Announcement = Readonly<{
  /** The record of the public API. Very long versions have only their first changes; `changeCount` counts all. */
  record: Version;
  /** BCP 47; that of the changelog. */
  language: string;
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
