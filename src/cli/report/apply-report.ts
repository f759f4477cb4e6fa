// The outcomes of an apply, which are printed when its transaction has committed.
import type { Outcome } from '../../store/write/versions.ts';
import { formatCounts } from '../confirm.ts';
import type { Paint } from '../terminal/colours.ts';
import { escapeControls } from '../terminal/plain.ts';
import { type Dated, warnOfDates } from './dates.ts';
import { firstLines, formatOutcome, formatVerdict } from './outcomes.ts';

/** The products of a team that everyone can see (R7), each with the number of its published versions. */
type Public = ReadonlyMap<string, number>;
type Reported = Outcome & { shown?: readonly object[]; hidden?: readonly object[] };

export class ApplyReport {
  readonly #counts = { created: 0, changed: 0, deleted: 0, unchanged: 0 };
  /** The number of pruned rows of each kind. */
  readonly deleted = { product: 0, changelog: 0, version: 0, team: 0 };
  readonly outcomes: Reported[] = [];
  /** A line for each product that becomes public or stops being so. */
  readonly #visibility: string[] = [];
  readonly #dated: Dated[] = [];

  add(outcome: Outcome, times: Omit<Dated, 'name'>): void {
    this.#counts[outcome.action]++;
    if (outcome.action === 'deleted') this.deleted[outcome.kind]++;
    this.#dated.push({ name: outcome.name, ...times });
    this.outcomes.push(outcome);
  }

  /** With what was public of the team, and what is now. */
  endDocument(slug: string, before: Public, after: Public): void {
    const team = this.outcomes.findLast(({ kind }) => kind === 'team');
    const note = (key: 'shown' | 'hidden', words: string, has: Public, had: Public) => {
      const products = [...has]
        .filter(([product]) => !had.has(product))
        .map(([product, versions]) => ({ product: `${slug}/${product}`, versions }));
      if (team !== undefined && products.length > 0) team[key] = products;
      for (const { product, versions } of products)
        this.#visibility.push(
          `product ${product} ${words}: ${formatCounts({ version: versions }) || 'no versions'}`,
        );
    };
    note('shown', 'becomes public', after, before);
    note('hidden', 'is no longer public', before, after);
  }

  warnings(now: string): string[] {
    return warnOfDates(this.#dated, now);
  }

  formatLines({ dryRun = false }: { dryRun?: boolean }, paint: Paint): string {
    const { created, changed, deleted } = this.#counts;
    const lines = this.outcomes
      .filter(({ action }) => action !== 'unchanged')
      .map(({ action, kind, name }) => formatOutcome(paint, action, `${kind} ${escapeControls(name)}`));
    return [
      ...firstLines(lines),
      ...firstLines(this.#visibility),
      formatVerdict(created + changed + deleted, this.#counts, dryRun),
    ].join('\n');
  }
}
