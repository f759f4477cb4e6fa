import type { VersionDetail } from '../../store/read/reads.ts';
import type { Render } from '../../text/render.ts';
import { teamOutputs } from '../outputs/output.ts';
import type { Site } from '../pages/views.ts';
import { presentVersion, renderTextsOf } from '../version.ts';
import type { Announcement, AnnouncementUrls } from './announcement.ts';

export type AnnouncementPlace = Pick<Site, 'links' | 'outputs' | 'hasTeamPages'>;

/** From what the public API finds. */
export async function presentAnnouncement(
  found: VersionDetail,
  render: Render,
  place: AnnouncementPlace,
): Promise<Announcement> {
  const { head, version, changes } = found;
  const html = await renderTextsOf(head, version, changes, render);
  const { changeCount } = version;
  return {
    record: { ...presentVersion(found, html), changeCount },
    head,
    urls: urlsOf(found, place),
  };
}

/** The record is named by its id, because a label may change. */
function urlsOf(
  { head, version }: VersionDetail,
  { links, outputs, hasTeamPages }: AnnouncementPlace,
): AnnouncementUrls {
  const urls = links.urlsOf(head);
  const record = `${urls.file('')}/versions/${version.id}`;
  const feeds = teamOutputs(outputs).map(({ file }) => file);
  return {
    page: urls.version(version),
    changelog: urls.changelog,
    record,
    notes: `${record}/notes.md`,
    feeds: [
      ...feeds.map(urls.file),
      ...(hasTeamPages ? feeds.flatMap((file) => links.teamFile(head.teamSlug, file) ?? []) : []),
    ],
  };
}
