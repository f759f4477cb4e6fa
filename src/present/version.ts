// Apart from the other records: what renders Markdown takes longer to load than all the rest of a start.
import { CHANGE_TYPES, type ChangeType } from '../domain/model.ts';
import type { PageRow } from '../store/pages.ts';
import type { ChangeRow, HeadRow, VersionDetail } from '../store/reads.ts';
import { presentHead, presentSummary } from './changelog.ts';
import { renderMarkdown } from './markdown.ts';
import type {
  Change,
  FullChangelogEnvelope,
  RangeChange,
  RangeEnvelope,
  Version,
  VersionEnvelope,
} from './schemas.ts';
import { mapInSlices } from './slices.ts';

export function presentVersion({ head, version, changes }: VersionDetail): VersionEnvelope {
  return { data: presentFull(head, { ...version, changeCount: changes.length, changes }) };
}

type FullRow = Omit<PageRow, 'sortKey'>;

function presentFull(head: HeadRow, version: FullRow): Version {
  return {
    ...presentSummary(version),
    description: version.description,
    yanked: version.yanked === 1,
    ...presentHead(head),
    changes: version.changes.map(presentChange),
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

/** The changelog with each version as its full record. */
export async function presentFullChangelog(
  head: HeadRow,
  versions: readonly PageRow[],
): Promise<FullChangelogEnvelope> {
  const full = await mapInSlices(versions, (version) => presentFull(head, version));
  return { data: { object: 'changelog', ...presentHead(head), versions: full } };
}

export type Range = Readonly<{
  head: HeadRow;
  versions: readonly PageRow[];
  /** Labels as they were given. */
  from: string | null;
  to: string | null;
  /** Only these; none: all. */
  types: readonly ChangeType[];
}>;

/** All changes by type; among those of a type the breaking ones first, each part with the newest version on top (R33). */
export async function presentRange({ head, versions, from, to, types }: Range): Promise<RangeEnvelope> {
  const rows = versions.flatMap((version) => version.changes.map((change) => ({ version, change })));
  const wanted = rows.filter(({ change }) => types.length === 0 || types.includes(change.type));
  const changes: RangeChange[] = await mapInSlices(wanted, ({ version, change }) => ({
    ...presentChange(change),
    version: version.label,
    versionId: version.id,
  }));
  const groups = CHANGE_TYPES.map((type) => ({ type, changes: breakingFirst(changes, type) }));
  return {
    data: {
      object: 'changelog.range',
      ...presentHead(head),
      from,
      to,
      changeCount: changes.length,
      groups: groups.filter((group) => group.changes.length > 0),
    },
  };
}

function breakingFirst(changes: readonly RangeChange[], type: ChangeType): RangeChange[] {
  const ofType = changes.filter((change) => change.type === type);
  return [...ofType.filter(({ breaking }) => breaking), ...ofType.filter(({ breaking }) => !breaking)];
}
