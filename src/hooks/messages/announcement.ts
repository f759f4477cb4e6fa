// A version that became public, as the writers of messages need it.

import { presentVersion } from '../../present/changelog.ts';
import { teamOutputs } from '../../present/outputs/output.ts';
import type { Site } from '../../present/pages/document.ts';
import type { TextHead } from '../../present/texts.ts';
import type { VersionDetail } from '../../store/read/reads.ts';
import type { Render } from '../../text/render.ts';

export type Announcement = Readonly<Awaited<ReturnType<typeof presentAnnouncement>>>;

/** A message on its way to a hook. It keeps its id when it is sent again. */
export type Message = Readonly<{
  id: string;
  /** When it is sent, which may be the second time. */
  sentAt: Date;
}>;

export type AnnouncementPlace = Pick<Site, 'links' | 'outputs' | 'hasTeamPages'>;

/** From what the public API finds. */
export async function presentAnnouncement(
  found: VersionDetail,
  render: Render,
  { links, outputs, hasTeamPages }: AnnouncementPlace,
) {
  const { version, changes } = found;
  /** What its texts depend on; its language is that of the changelog (BCP 47). */
  const head: TextHead = found.head;
  /** The record of the public API. Very long versions have only their first changes; `changeCount` counts all. */
  const record = await presentVersion(found.head, { ...version, changes }, render);
  const urls = links.urlsOf(found.head);
  // By its id, because a label may change.
  const recordUrl = `${urls.file('')}/versions/${version.id}`;
  const feeds = teamOutputs(outputs).map(({ file }) => file);
  const teamFeeds = feeds.flatMap((file) => links.teamFile(found.head.teamSlug, file) ?? []);
  return {
    record,
    head,
    /** All absolute, on the product's own domain if it has one. */
    urls: {
      page: urls.version(version),
      changelog: urls.changelog,
      record: recordUrl,
      notes: `${recordUrl}/notes.md`,
      /** Those of the product, and those of its team if teams have pages. */
      feeds: [...feeds.map(urls.file), ...(hasTeamPages ? teamFeeds : [])],
    },
  };
}
