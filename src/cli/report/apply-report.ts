// The outcomes of an apply, which are printed when its transaction has committed.
import type { Outcome } from '../../store/write/versions.ts';
import type { Paint } from '../terminal/colours.ts';
import { escapeControls } from '../terminal/plain.ts';
import { type Dated, warnOfDates } from './dates.ts';
import { firstLines, formatOutcome, formatVerdict } from './outcomes.ts';

export class ApplyReport {
  readonly #counts = { created: 0, changed: 0, deleted: 0, unchanged: 0 };
  /** The number of pruned rows of each kind. */
  readonly deleted = { product: 0, changelog: 0, version: 0, team: 0 };
  readonly outcomes: Outcome[] = [];
  readonly #dated: Dated[] = [];

  add(outcome: Outcome, times: Omit<Dated, 'name'>): void {
    this.#counts[outcome.action]++;
    if (outcome.action === 'deleted') this.deleted[outcome.kind]++;
    this.#dated.push({ name: outcome.name, ...times });
    this.outcomes.push(outcome);
  }

  warnings(now: string): string[] {
    return warnOfDates(this.#dated, now);
  }

  formatLines({ dryRun = false }: { dryRun?: boolean }, paint: Paint): string {
    const { created, changed, deleted } = this.#counts;
    const lines = this.outcomes
      .filter(({ action }) => action !== 'unchanged')
      .map(({ action, kind, name }) => formatOutcome(paint, action, `${kind} ${escapeControls(name)}`));
    return [...firstLines(lines), formatVerdict(created + changed + deleted, this.#counts, dryRun)].join(
      '\n',
    );
  }
}
