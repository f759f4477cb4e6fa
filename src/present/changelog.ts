// Turns rows into API records; `version.ts` does so for those with changes.
import type { FeedText } from '../store/read/find-feed.ts';
import type { UpdateRow } from '../store/read/find-update.ts';
import type { HeadRow, LatestVersionRow, VersionRow } from '../store/read/reads.ts';
import type { ChangelogEnvelope, LatestVersion, UpdateEnvelope, VersionSummary } from './records.ts';

type Feed = Readonly<{ head: HeadRow; versions: readonly VersionRow[] }>;

export function presentChangelog({ head, versions }: Feed): ChangelogEnvelope {
  return { data: { object: 'changelog', ...presentHead(head), versions: versions.map(presentSummary) } };
}

const OPEN_LIST = '[]}}';
const CLOSE_LIST = '}}';

/** The same as JSON, from versions that are already JSON. */
export function formatChangelog({ head, versions }: Omit<FeedText, 'isWhole'>): string {
  const open = JSON.stringify(presentChangelog({ head, versions: [] })).slice(0, -OPEN_LIST.length);
  return open + formatSummaries(versions) + CLOSE_LIST;
}

/**
 * Turns a JSON array of rows into one of records. They have the same fields in the same order, except that `label`
 * becomes `object` and `version`. Quotes inside a text are escaped, so this never matches content.
 */
function formatSummaries(versions: string): string {
  return versions.replaceAll(',"label":', ',"object":"changelog.version","version":');
}

export function presentHead(head: HeadRow) {
  return {
    team: { slug: head.teamSlug, name: head.teamName },
    product: { slug: head.productSlug, name: head.productName },
    changelog: { id: head.changelogId, name: head.changelogName, status: head.changelogStatus },
  };
}

export function presentSummary(version: VersionRow): VersionSummary {
  return {
    id: version.id,
    object: 'changelog.version',
    version: version.label,
    title: version.title,
    status: version.status,
    publishedAt: version.publishedAt,
    changeCount: version.changeCount,
  };
}

export function presentLatest(version: LatestVersionRow): LatestVersion {
  return { ...presentSummary(version), yanked: version.yanked === 1 };
}

export function presentUpdate(
  { from, latest, versionCount, changeCount, hasSecurity, hasBreaking }: UpdateRow,
  url: string,
): UpdateEnvelope {
  return {
    data: {
      object: 'changelog.update',
      from: from && { version: from.version, known: from.known, yanked: from.yanked },
      updateAvailable: versionCount > 0,
      latest: latest && presentLatest(latest),
      versionCount,
      changeCount,
      security: hasSecurity,
      breaking: hasBreaking,
      url,
    },
  };
}
