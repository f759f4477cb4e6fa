// Rows → the records that the API answers with.
import type { ChangeRow, Feed, HeadRow, VersionDetail, VersionRow } from '../store/reads.ts';
import { renderMarkdown } from './markdown.ts';
import type { Change, ChangelogEnvelope, VersionEnvelope, VersionSummary } from './schemas.ts';

export function presentChangelog({ head, versions }: Feed): ChangelogEnvelope {
  return { data: { object: 'changelog', ...presentHead(head), versions: versions.map(presentSummary) } };
}

export function presentVersion({ head, version, changes }: VersionDetail): VersionEnvelope {
  return {
    data: {
      ...presentSummary({ ...version, changeCount: changes.length }),
      description: version.description,
      yanked: version.yanked === 1,
      ...presentHead(head),
      changes: changes.map(presentChange),
    },
  };
}

function presentHead(head: HeadRow) {
  return {
    team: { slug: head.teamSlug, name: head.teamName },
    product: { slug: head.productSlug, name: head.productName },
    changelog: { id: head.changelogId, name: head.changelogName, status: head.changelogStatus },
  };
}

function presentSummary(version: VersionRow): VersionSummary {
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

function presentChange(change: ChangeRow): Change {
  return {
    id: change.id,
    object: 'changelog.change',
    type: change.type,
    text: change.text,
    html: renderMarkdown(change.text),
    breaking: change.breaking === 1,
  };
}
