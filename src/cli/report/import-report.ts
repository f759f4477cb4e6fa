// What an import did, as text and as JSON.
import { COMMAND } from '../../command-name.ts';
import { FORMAT_NAMES, type ReadableFormat } from '../../import/changelog.ts';
import type { ImportOutcome, ImportSummary } from '../../store/import/import.ts';
import type { ProductPath } from '../../store/read/reads.ts';
import type { Outcome } from '../../store/write/versions.ts';
import type { NamedChangelog } from '../files/read-changelog.ts';
import { count, escapeName, type Paint } from '../terminal/text.ts';
import { nameSome } from './dates.ts';
import { formatDifference } from './difference.ts';
import { firstLines, formatOutcome, formatVerdict } from './outcomes.ts';

export const NO_VERSIONS = { created: 0, changed: 0, deleted: 0, unchanged: 0, kept: 0 };
export type Counts = typeof NO_VERSIONS;

export type Imported = Readonly<{
  product: ProductPath;
  changelog: NamedChangelog;
  isDryRun: boolean;
  summary: ImportSummary;
  /** The team, the product and the changelog, if they were written. */
  targets: readonly Outcome[];
  counts: Readonly<Counts>;
  /** Of the versions that did not stay as they were. */
  outcomes: readonly ImportOutcome[];
  warnings: readonly string[];
}>;

const pathOf = ({ product: { team, product } }: Imported) => `${team}/${product}`;

/** How much was or would be written. */
export function touchedBy({ counts, summary: { description }, targets }: Imported): number {
  const { created, changed, deleted } = counts;
  const isDescribed = description === 'created' || description === 'changed';
  return created + changed + deleted + targets.length + Number(isDescribed);
}

/** Empty if nothing would be deleted. */
export function describeDeleted(imported: Imported): string {
  const deleted = imported.outcomes.filter(({ action }) => action === 'deleted');
  const names = nameSome(deleted.map(({ version }) => version));
  return names === '' ? '' : `${count(deleted.length, 'version')} of ${pathOf(imported)} (${names})`;
}

export function importJson({ changelog, isDryRun, counts, summary, warnings, outcomes }: Imported) {
  const { description } = summary;
  const { fileName, isModified } = changelog;
  return {
    format: formatOf(changelog),
    source: fileName,
    ...(isModified !== undefined && { isModified }),
    dryRun: isDryRun,
    ...counts,
    ...(description !== 'unchanged' && { description }),
    warnings,
    versions: outcomes,
  };
}

export function formatTargets({ targets }: Imported, paint: Paint): string[] {
  return targets.map(({ action, kind, name }) =>
    formatOutcome(paint, action, `${kind} ${name}${action === 'changed' ? ': published' : ''}`),
  );
}

export function formatImport(imported: Imported, paint: Paint): string {
  const { counts, isDryRun, outcomes } = imported;
  const { description } = imported.summary;
  const path = pathOf(imported);
  const kept = description === 'kept' ? KEPT.edited : '';
  const lines = [
    formatSource(imported),
    ...formatTargets(imported, paint),
    ...(description === 'unchanged'
      ? []
      : [formatOutcome(paint, description, `description of ${path}${kept}`)]),
    ...outcomes.flatMap(({ action, version, reason, label = '', difference }) => {
      const name = `version ${path} ${escapeName(version)}`;
      if (reason !== undefined)
        return `${paint('yellow', reason === 'gone' ? '?' : '!')} ${name}${KEPT[reason]}${escapeName(label)}`;
      const changed = isDryRun && difference ? formatDifference(difference) : [];
      return [formatOutcome(paint, action, name), ...changed];
    }),
  ];
  const hidden = isDryRun ? [] : hiddenBy(imported);
  return [
    ...firstLines(lines),
    formatVerdict(touchedBy(imported), counts, isDryRun),
    ...(hidden.length > 0 ? [NOT_PUBLIC, ...hidden.map((command) => `  ${command}`)] : []),
  ].join('\n');
}

const NOT_PUBLIC =
  'The changelog is not public yet. To publish it (`--create --publish` does so for a new team):';

/** The commands that would make the changelog public. */
export function hiddenBy(imported: Imported): string[] {
  const { team, product, changelog } = imported.summary.target;
  const path = pathOf(imported);
  return [
    team.visibility === 'private' && `${COMMAND} team set ${team.slug} --visibility public`,
    product.status === 'draft' && `${COMMAND} product set ${path} --status published`,
    changelog.status === 'draft' && `${COMMAND} changelog set ${path} --status published`,
  ].filter((command) => command !== false);
}

function formatSource({ changelog }: Imported): string {
  const { fileName, versions, isModified = true } = changelog;
  return `${escapeName(fileName)}: ${FORMAT_NAMES[formatOf(changelog)]}, ${count(versions.length, 'version')}${isModified ? '' : ', not modified'}`;
}

/** For a file that is not Markdown, its markup, which says more than the format of its sections. */
function formatOf({ format, markup = 'markdown' }: NamedChangelog): ReadableFormat {
  return markup === 'markdown' ? format : markup;
}

export function warnOfUndated(
  { fileName }: NamedChangelog,
  { undatedDrafts }: ImportSummary,
  datesFromGit: string | undefined,
): string[] {
  if (undatedDrafts === 0) return [];
  const what = `${count(undatedDrafts, 'version')} without a date${datesFromGit ? ' and without a tag' : ''}`;
  const ways = `${datesFromGit ? '' : '`--dates-from-git REPO` or '}\`--published-at TIME\``;
  return [
    `${fileName}: ${what} ${undatedDrafts === 1 ? 'is a draft' : 'are drafts'} and not public; use ${ways}, or publish with \`${COMMAND} version publish\``,
  ];
}

const KEPT = {
  edited: ': edited by hand since the last import; kept (--force overwrites it)',
  foreign: ': differs, and was not written by an import; kept (--force overwrites it)',
  renamed: ': the draft was renamed, so rename it in the source, too: ',
  gone: ' is no longer in the source; kept (--prune deletes it)',
  'gone-edited':
    ': no longer in the source, but edited by hand since the last import; kept (--prune --force deletes it)',
} as const;
