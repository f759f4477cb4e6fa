// The outcomes of an apply, which are printed when its transaction has committed.
import type { Outcome } from '../../store/write/versions.ts';
import { formatCounts } from '../confirm.ts';
import type { Paint } from '../terminal/colours.ts';
import { escapeControls } from '../terminal/plain.ts';
import { DateWarnings } from './dates.ts';
import { formatArray, formatVerdict, LINES_MAX, MARKS } from './outcomes.ts';

/** The products of a team that everyone can see (R7), each with the number of its published versions. */
type Public = ReadonlyMap<string, number>;
type Reported = Outcome & Readonly<{ shown?: readonly object[]; hidden?: readonly object[] }>;

export class ApplyReport {
  readonly #counts = { created: 0, changed: 0, deleted: 0, unchanged: 0 };
  /** The number of pruned rows of each kind. */
  readonly deleted = { product: 0, changelog: 0, version: 0, team: 0 };
  readonly #outcomes: Reported[] = [];
  #pruned: Outcome[] = [];
  /** A line for each product that becomes public or stops being so. */
  readonly #visibility: string[] = [];
  readonly #dates: DateWarnings;

  constructor(now: string) {
    this.#dates = new DateWarnings(now);
  }

  add(outcome: Outcome, publishedAt: string | null = null, publishAt: string | null = null): void {
    this.#counts[outcome.action]++;
    this.#dates.add(outcome.name, publishedAt, publishAt);
    this.#outcomes.push(outcome);
  }

  /** Pruned rows are listed after all others of their document. */
  addPruned(outcome: Outcome): void {
    this.#counts[outcome.action]++;
    this.deleted[outcome.kind]++;
    this.#pruned.push(outcome);
  }

  /** With what was public of the team, and what is now. */
  endDocument(team: string, before: Public, after: Public): void {
    for (const outcome of this.#pruned) this.#outcomes.push(outcome);
    this.#pruned = [];
    const note = (key: 'shown' | 'hidden', words: string, has: Public, had: Public) => {
      const products = [...has].filter(([slug]) => !had.has(slug));
      if (products.length === 0) return;
      const named = products.map(([slug, versions]) => ({ product: `${team}/${slug}`, versions }));
      const at = this.#outcomes.findLastIndex(({ kind }) => kind === 'team');
      this.#outcomes[at] = { ...(this.#outcomes[at] as Outcome), [key]: named };
      for (const { product, versions } of named)
        this.#visibility.push(
          `product ${product} ${words}: ${formatCounts({ version: versions }) || 'no versions'}`,
        );
    };
    note('shown', 'becomes public', after, before);
    note('hidden', 'is no longer public', before, after);
  }

  warnings(): string[] {
    return this.#dates.warnings();
  }

  formatJson(): Generator<string> {
    return formatArray(this.#outcomes);
  }

  formatLines(flags: { dryRun?: boolean }, paint: Paint): string {
    const { created, changed, deleted, unchanged } = this.#counts;
    const touched = created + changed + deleted;
    const lines: string[] = [];
    for (const { action, kind, name } of this.#outcomes) {
      if (action === 'unchanged') continue;
      const [style, mark] = MARKS[action];
      lines.push(`${paint(style, mark)} ${kind} ${escapeControls(name)}`);
      if (lines.length === LINES_MAX) break;
    }
    const counts = `${created} created, ${changed} changed, ${deleted} deleted, ${unchanged} unchanged`;
    return [
      ...lines,
      ...more(touched - lines.length),
      ...this.#visibility.slice(0, LINES_MAX),
      ...more(this.#visibility.length - LINES_MAX),
      `${formatVerdict(touched, flags)}: ${counts}.`,
    ].join('\n');
  }
}

const more = (count: number) =>
  count > 0 ? [`… and ${count.toLocaleString('en')} more; --json lists all.`] : [];
