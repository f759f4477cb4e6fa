// A version that became public, as the writers of messages need it.
import type { VersionDetail } from '../../store/read/reads.ts';
import type { Render } from '../../text/render.ts';
import { teamOutputs } from '../outputs/output.ts';
import type { Site } from '../pages/views.ts';
import type { Version } from '../records.ts';
import type { TextHead } from '../texts.ts';
import { presentVersion, renderTextsOf } from '../version.ts';

export type Announcement = Readonly<{
  /** The record of the public API. Very long versions have only their first changes; `changeCount` counts all. */
  record: Version;
  /** What its texts depend on; its language is that of the changelog (BCP 47). */
  head: TextHead;
  /** All absolute, on the product's own domain if it has one. */
  urls: Readonly<{
    /** The pages of the version and of the changelog. */
    page: string;
    changelog: string;
    /** The record in the public API, by its id, because a label may change. */
    record: string;
    /** The release notes as Markdown. */
    notes: string;
    /** The feeds that it is in: those of the product, and those of its team if teams have pages. */
    feeds: readonly string[];
  }>;
}>;

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
): Promise<Announcement> {
  const { head, version, changes } = found;
  const html = await renderTextsOf(head, version, changes, render);
  const urls = links.urlsOf(head);
  const record = `${urls.file('')}/versions/${version.id}`;
  const feeds = teamOutputs(outputs).map(({ file }) => file);
  const teamFeeds = feeds.flatMap((file) => links.teamFile(head.teamSlug, file) ?? []);
  return {
    record: { ...presentVersion(found, html), changeCount: version.changeCount },
    head,
    urls: {
      page: urls.version(version),
      changelog: urls.changelog,
      record,
      notes: `${record}/notes.md`,
      feeds: [...feeds.map(urls.file), ...(hasTeamPages ? teamFeeds : [])],
    },
  };
}
