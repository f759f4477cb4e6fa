// The outcomes of an apply, which are printed when its transaction has committed.
import type { Outcome } from '../../store/write/outcome.ts';
import type { Paint } from '../terminal/colours.ts';
import { escapeControls } from '../terminal/plain.ts';
import { DateWarnings } from './dates.ts';
import { formatArray, formatVerdict, LINES_MAX, MARKS } from './outcomes.ts';

export class ApplyReport {
  readonly #counts = { created: 0, changed: 0, deleted: 0, unchanged: 0 };
  /** The number of pruned rows of each kind. */
  readonly deleted = { product: 0, changelog: 0, version: 0, team: 0 };
  readonly #outcomes: Outcome[] = [];
  #pruned: Outcome[] = [];
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

  endDocument(): void {
    for (const outcome of this.#pruned) this.#outcomes.push(outcome);
    this.#pruned = [];
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
    if (touched > lines.length)
      lines.push(`… and ${(touched - lines.length).toLocaleString('en')} more; --json lists all.`);
    const counts = `${created} created, ${changed} changed, ${deleted} deleted, ${unchanged} unchanged`;
    return [...lines, `${formatVerdict(touched, flags)}: ${counts}.`].join('\n');
  }
}
