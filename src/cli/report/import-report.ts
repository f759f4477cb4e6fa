// The outcomes of an import, which are printed when its transaction has committed.
import { COMMAND } from '../../command-name.ts';
import type { DescriptionAction } from '../../domain/content/import-decision.ts';
import { FORMAT_NAMES, type ReadableFormat } from '../../import/changelog.ts';
import type { ImportOutcome, ImportSummary } from '../../store/import/import.ts';
import type { ProductPath } from '../../store/read/reads.ts';
import type { Outcome } from '../../store/write/versions.ts';
import type { NamedChangelog } from '../files/read-changelog.ts';
import type { Paint } from '../terminal/colours.ts';
import { count, escapeName, formatNumber } from '../terminal/plain.ts';
import { DateWarnings } from './dates.ts';
import { formatDifference, shorten } from './difference.ts';
import { firstLines, formatOutcome, formatVerdict } from './outcomes.ts';

const NAMED_IN_QUESTION = 5;
const NOT_PUBLIC =
  'The changelog is not public yet. To publish it (`--create --publish` does so for a new team):';
export const RERUN_TITLE = 'After each release, here or in CI:';

type Flags = Readonly<{
  dryRun?: boolean;
  publishedAt?: string;
  datesFromGit?: string;
  /** The command to run after each release. */
  rerun?: string;
}>;

export const NO_VERSIONS = { created: 0, changed: 0, deleted: 0, unchanged: 0, kept: 0 };
export type Counts = typeof NO_VERSIONS;

export function formatVersionCounts(counts: Readonly<Counts>): string {
  return Object.keys(NO_VERSIONS)
    .map((action) => `${counts[action as keyof Counts]} ${action}`)
    .join(', ');
}

export class ImportReport {
  readonly #path: string;
  readonly #team: string;
  readonly #changelog: NamedChangelog;
  readonly #flags: Flags;
  readonly #dates: DateWarnings;
  /** The team, the product and the changelog, if they were written. */
  readonly targets: Outcome[] = [];
  readonly #outcomes: ImportOutcome[] = [];
  /** What became of the description of the changelog itself. */
  description: DescriptionAction = 'unchanged';
  readonly counts = { ...NO_VERSIONS };

  constructor({ team, product }: ProductPath, changelog: NamedChangelog, flags: Flags, now: string) {
    this.#team = team;
    this.#path = `${team}/${product}`;
    this.#changelog = changelog;
    this.#flags = flags;
    this.#dates = new DateWarnings(now);
  }

  add(outcome: ImportOutcome, publishedAt: string | null = null, publishAt: string | null = null): void {
    this.counts[outcome.action]++;
    this.#dates.add(`${this.#path} ${outcome.version}`, publishedAt, publishAt);
    if (outcome.action !== 'unchanged') this.#outcomes.push(outcome);
  }

  creates(kind: Outcome['kind']): boolean {
    return this.targets.some((target) => target.action === 'created' && target.kind === kind);
  }

  /** How much was or would be written. */
  get touched(): number {
    const { created, changed, deleted } = this.counts;
    const isDescribed = this.description === 'created' || this.description === 'changed';
    return created + changed + deleted + this.targets.length + Number(isDescribed);
  }

  /** Null if nothing would be deleted. */
  describeDeleted(): string | null {
    const deleted = this.#outcomes.filter(({ action }) => action === 'deleted');
    if (deleted.length === 0) return null;
    const named = deleted.slice(0, NAMED_IN_QUESTION).map(({ version }) => version);
    const more = deleted.length > NAMED_IN_QUESTION ? ', …' : '';
    return `${count(deleted.length, 'version')} of ${this.#path} (${named.join(', ')}${more})`;
  }

  warnings({ undatedDrafts }: ImportSummary): string[] {
    return [...this.ownWarnings(), ...warnOfUndated(this.#changelog.fileName, undatedDrafts, this.#flags)];
  }

  /** Without that about undated versions. */
  ownWarnings(): string[] {
    return [...this.#changelog.warnings, ...this.#dates.warnings(), ...this.#dates.warningsOfLater()];
  }

  toJson(summary: ImportSummary): object {
    const { fileName, isModified } = this.#changelog;
    const { dryRun = false, rerun } = this.#flags;
    return {
      format: formatOf(this.#changelog),
      source: fileName,
      ...(isModified !== undefined && { isModified }),
      dryRun,
      ...this.counts,
      ...(this.description !== 'unchanged' && { description: this.description }),
      ...(rerun !== undefined && { rerun }),
      warnings: this.warnings(summary),
      versions: this.#outcomes,
    };
  }

  formatLines(summary: ImportSummary, paint: Paint): string {
    const targets = this.targets.map(({ action, kind, name }) =>
      formatOutcome(paint, action, `${kind} ${name}${action === 'changed' ? ': published' : ''}`),
    );
    const lines = [
      this.#formatSource(summary),
      ...targets,
      ...this.#formatDescription(paint),
      ...this.#outcomes.flatMap((outcome) => this.#formatOutcome(outcome, paint)),
    ];
    const verdict = formatVerdict(this.touched, this.#flags);
    const { dryRun, rerun } = this.#flags;
    const publishing = dryRun ? [] : this.hiddenBy(summary);
    return [
      ...firstLines(lines),
      `${verdict}: ${formatVersionCounts(this.counts)}.`,
      ...(publishing.length > 0 ? [NOT_PUBLIC, ...publishing.map((command) => `  ${command}`)] : []),
      ...(rerun !== undefined && verdict === 'Done' ? [RERUN_TITLE, `  ${rerun}`] : []),
    ].join('\n');
  }

  #formatSource({ dated, drafts, undated }: ImportSummary): string {
    const { fileName, versions, isModified = true } = this.#changelog;
    const parts = [
      dated > 0 && `${formatNumber(dated)} dated`,
      drafts > 0 && count(drafts, 'draft'),
      undated > 0 && `${formatNumber(undated)} without a date`,
    ].filter(Boolean);
    const detail = parts.length === 0 ? '' : ` (${parts.join(', ')})`;
    return `${escapeName(fileName)}: ${FORMAT_NAMES[formatOf(this.#changelog)]}, ${count(versions.length, 'version')}${detail}${isModified ? '' : ', not modified'}`;
  }

  #formatDescription(paint: Paint): string[] {
    if (this.description === 'unchanged') return [];
    const kept = this.description === 'kept' ? KEPT.edited : '';
    return [formatOutcome(paint, this.description, `description of ${this.#path}${kept}`)];
  }

  #formatOutcome({ action, version, reason, label = '', difference }: ImportOutcome, paint: Paint): string[] {
    const name = `version ${this.#path} ${shorten(version)}`;
    if (reason !== undefined)
      return [`${paint('yellow', reason === 'gone' ? '?' : '!')} ${name}${KEPT[reason]}${shorten(label)}`];
    const isShown = this.#flags.dryRun && difference !== undefined;
    return [formatOutcome(paint, action, name), ...(isShown ? formatDifference(difference) : [])];
  }

  /** The commands that would make the changelog public. */
  hiddenBy({ target }: ImportSummary): string[] {
    const { team, product, changelog } = target;
    return [
      team.visibility === 'private' && `${COMMAND} team set ${this.#team} --visibility public`,
      product.status === 'draft' && `${COMMAND} product set ${this.#path} --status published`,
      changelog.status === 'draft' && `${COMMAND} changelog set ${this.#path} --status published`,
    ].filter((command) => command !== false);
  }
}

export function warnOfUndated(source: string, undated: number, { datesFromGit }: Flags): string[] {
  if (undated === 0) return [];
  const what = `${count(undated, 'version')} without a date${datesFromGit ? ' and without a tag' : ''}`;
  const ways = `${datesFromGit ? '' : '`--dates-from-git REPO` or '}\`--published-at TIME\``;
  return [
    `${source}: ${what} ${undated === 1 ? 'is a draft' : 'are drafts'} and not public; use ${ways}, or publish with \`${COMMAND} version publish\``,
  ];
}

/** For a file that is not Markdown, its markup, which says more than the format of its sections. */
function formatOf({ format, markup = 'markdown' }: NamedChangelog): ReadableFormat {
  return markup === 'markdown' ? format : markup;
}

const KEPT = {
  edited: ': edited by hand since the last import; kept (--force overwrites it)',
  foreign: ': differs, and was not written by an import; kept (--force overwrites it)',
  renamed: ': the draft was renamed, so rename it in the source, too: ',
  gone: ' is no longer in the source; kept (--prune deletes it)',
  'gone-edited':
    ': no longer in the source, but edited by hand since the last import; kept (--prune --force deletes it)',
} as const;
