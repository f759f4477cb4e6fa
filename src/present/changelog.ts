// Rows → records of the API; those with changes are in `version.ts`.
import type { Feed, HeadRow, VersionRow } from '../store/read/reads.ts';
import type { ChangelogEnvelope, VersionSummary } from './schemas.ts';

export function presentChangelog({ head, versions }: Feed): ChangelogEnvelope {
  return { data: { object: 'changelog', ...presentHead(head), versions: versions.map(presentSummary) } };
}

/** The team, product and changelog of a record. */
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
