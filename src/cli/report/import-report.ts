// The outcomes of an import, which are printed when its transaction has committed.
import { COMMAND } from '../../command-name.ts';
import type { DescriptionAction } from '../../domain/content/import-decision.ts';
import { FORMAT_NAMES, type ImportedChangelog, type ReadableFormat } from '../../import/changelog.ts';
import type { ImportOutcome, ImportSummary } from '../../store/import/import.ts';
import type { ProductPath } from '../../store/read/reads.ts';
import type { Outcome } from '../../store/write/versions.ts';
import type { Paint } from '../terminal/colours.ts';
import { escapeName, formatJson } from '../terminal/plain.ts';
import { DateWarnings } from './dates.ts';
import { formatDifference, shorten } from './import-difference.ts';
import { formatArray, formatVerdict, LINES_MAX, MARKS } from './outcomes.ts';

const NAMED_IN_QUESTION = 5;
const NOT_PUBLIC =
  'The changelog is not public yet. To publish it (`--create --publish` does so for a new team):';
export const RERUN_TITLE = 'After each release, here or in CI:';

type ReportedChangelog = Pick<ImportedChangelog, 'format' | 'markup' | 'warnings' | 'versions'> &
  Readonly<{ fileName: string; isModified?: boolean }>;
type Flags = Readonly<{
  dryRun?: boolean;
  publishedAt?: string;
  datesFromGit?: string;
  /** The command to run after each release. */
  rerun?: string;
}>;

export const NO_VERSIONS = { created: 0, changed: 0, deleted: 0, unchanged: 0, kept: 0 };
export type Counts = typeof NO_VERSIONS;

export function formatVersionCounts({
  created,
  changed,
  deleted,
  unchanged,
  kept,
}: Readonly<Counts>): string {
  return `${created} created, ${changed} changed, ${deleted} deleted, ${unchanged} unchanged, ${kept} kept`;
}

export class ImportReport {
  readonly #path: string;
  readonly #team: string;
  readonly #changelog: ReportedChangelog;
  readonly #flags: Flags;
  readonly #counts = { ...NO_VERSIONS };
  readonly #targets: Outcome[] = [];
  #description: DescriptionAction = 'unchanged';
  readonly #firstDeleted: string[] = [];
  readonly #outcomes: ImportOutcome[] = [];
  readonly #dates: DateWarnings;

  constructor({ team, product }: ProductPath, changelog: ReportedChangelog, flags: Flags, now: string) {
    this.#team = team;
    this.#path = `${team}/${product}`;
    this.#changelog = changelog;
    this.#flags = flags;
    this.#dates = new DateWarnings(now);
  }

  add(outcome: ImportOutcome, publishedAt: string | null = null, publishAt: string | null = null): void {
    this.#counts[outcome.action]++;
    this.#dates.add(`${this.#path} ${outcome.version}`, publishedAt, publishAt);
    if (outcome.action === 'unchanged') return;
    if (outcome.action === 'deleted' && this.#firstDeleted.length < NAMED_IN_QUESTION)
      this.#firstDeleted.push(outcome.version);
    this.#outcomes.push(outcome);
  }

  /** The team, the product or the changelog. */
  addTarget(outcome: Outcome): void {
    this.#targets.push(outcome);
  }

  /** That of the changelog itself. */
  addDescription(action: DescriptionAction): void {
    this.#description = action;
  }

  get counts(): Readonly<Counts> {
    return this.#counts;
  }

  creates(kind: Outcome['kind']): boolean {
    return this.#targets.some((target) => target.action === 'created' && target.kind === kind);
  }

  /** How much was or would be written. */
  get touched(): number {
    const { created, changed, deleted } = this.#counts;
    const isDescribed = this.#description === 'created' || this.#description === 'changed';
    return created + changed + deleted + this.#targets.length + Number(isDescribed);
  }

  /** Null if nothing would be deleted. */
  describeDeleted(): string | null {
    const { deleted } = this.#counts;
    if (deleted === 0) return null;
    const more = deleted > this.#firstDeleted.length ? ', …' : '';
    return `${count(deleted, 'version')} of ${this.#path} (${this.#firstDeleted.join(', ')}${more})`;
  }

  warnings({ undatedDrafts }: ImportSummary): string[] {
    return [...this.ownWarnings(), ...warnOfUndated(this.#changelog.fileName, undatedDrafts, this.#flags)];
  }

  /** Without that about undated versions. */
  ownWarnings(): string[] {
    return [...this.#changelog.warnings, ...this.#dates.warnings(), ...this.#dates.warningsOfLater()];
  }

  formatJson(summary: ImportSummary): Generator<string> {
    const { fileName, isModified } = this.#changelog;
    const format = formatOf(this.#changelog);
    const dryRun = this.#flags.dryRun ?? false;
    const { rerun } = this.#flags;
    const head = {
      format,
      source: fileName,
      ...(isModified !== undefined && { isModified }),
      dryRun,
      ...this.#counts,
      ...(this.#description !== 'unchanged' && { description: this.#description }),
      ...(rerun !== undefined && { rerun }),
      warnings: this.warnings(summary),
    };
    const before = `${formatJson(head, 2).slice(0, -2)},\n  "versions": `;
    return formatArray(this.#outcomes, { before, indent: '  ', after: '\n}' });
  }

  formatLines(summary: ImportSummary, paint: Paint): string {
    const { created, changed, deleted, kept } = this.#counts;
    const targets = this.#targets.map(({ action, kind, name }) => {
      const [style, mark] = MARKS[action];
      return `${paint(style, mark)} ${kind} ${name}${action === 'changed' ? ': published' : ''}`;
    });
    const lines = [this.#formatSource(summary), ...targets, ...this.#formatDescription(paint)];
    let shown = 0;
    for (const outcome of this.#outcomes) {
      const added = this.#formatOutcome(outcome, paint);
      if (shown > 0 && lines.length + added.length > LINES_MAX) break;
      lines.push(...added);
      shown++;
    }
    const listed = created + changed + deleted + kept;
    if (listed > shown) lines.push(`… and ${formatNumber(listed - shown)} more; --json lists all.`);
    const verdict = formatVerdict(this.touched, this.#flags);
    lines.push(`${verdict}: ${formatVersionCounts(this.#counts)}.`);
    const { rerun } = this.#flags;
    const again = rerun !== undefined && verdict === 'Done' ? [RERUN_TITLE, `  ${rerun}`] : [];
    const commands = this.#flags.dryRun ? [] : this.hiddenBy(summary);
    const hints = commands.length === 0 ? [] : [NOT_PUBLIC, ...commands.map((command) => `  ${command}`)];
    return [...lines, ...hints, ...again].join('\n');
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
    if (this.#description === 'unchanged') return [];
    const [style, mark] = MARKS[this.#description];
    const kept = this.#description === 'kept' ? KEPT.edited : '';
    return [`${paint(style, mark)} description of ${this.#path}${kept}`];
  }

  #formatOutcome(outcome: ImportOutcome, paint: Paint): string[] {
    const { action, version, reason, label = '', difference } = outcome;
    const name = `version ${this.#path} ${shorten(version)}`;
    if (reason !== undefined)
      return [`${paint('yellow', reason === 'gone' ? '?' : '!')} ${name}${KEPT[reason]}${shorten(label)}`];
    const isShown = this.#flags.dryRun && difference !== undefined;
    const [style, mark] = MARKS[action];
    return [`${paint(style, mark)} ${name}`, ...(isShown ? formatDifference(difference) : [])];
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
function formatOf({ format, markup = 'markdown' }: ReportedChangelog): ReadableFormat {
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

function count(amount: number, noun: string): string {
  return `${formatNumber(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}

function formatNumber(amount: number): string {
  return amount.toLocaleString('en');
}
