// Apart from the other records: what renders Markdown takes longer to load than all the rest of a start.
import type { ChangeRow, VersionDetail } from '../store/reads.ts';
import { presentHead, presentSummary } from './changelog.ts';
import { renderMarkdown } from './markdown.ts';
import type { Change, VersionEnvelope } from './schemas.ts';

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
