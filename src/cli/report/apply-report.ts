// What an apply did, kept until it may be said: for people in lines, for programs as JSON.
import { Spool } from '../../content/input/spool.ts';
import type { Outcome } from '../../store/write/outcome.ts';
import type { Paint } from '../terminal/colours.ts';
import { escapeControls, formatJson } from '../terminal/plain.ts';

/** Nobody reads more lines than this. */
const LINES_MAX = 1_000;
const OUTCOMES_A_PRINT = 1_000;

const MARKS = { created: ['green', '+'], changed: ['yellow', '~'], deleted: ['red', '-'] } as const;

export class ApplyReport {
  readonly #counts = { created: 0, changed: 0, deleted: 0, unchanged: 0 };
  readonly #deleted = { product: 0, changelog: 0, version: 0, team: 0 };
  readonly #told = new Spool();
  #pruned = new Spool();

  tell(outcome: Outcome): void {
    this.#counts[outcome.action]++;
    this.#told.write(JSON.stringify(outcome));
  }

  /** What was pruned is said after everything else of its document. */
  tellPruned(outcome: Outcome): void {
    this.#counts[outcome.action]++;
    this.#deleted[outcome.kind]++;
    this.#pruned.write(JSON.stringify(outcome));
  }

  endDocument(): void {
    for (const line of this.#pruned.lines()) this.#told.write(line);
    this.#pruned.close();
    this.#pruned = new Spool();
  }

  /** By kind, how much was pruned. */
  get deleted(): Readonly<Record<Outcome['kind'], number>> {
    return this.#deleted;
  }

  *writeJson(): Generator<string> {
    let written: string[] = [];
    let isFirst = true;
    for (const line of this.#told.lines()) {
      if (written.length === OUTCOMES_A_PRINT) {
        yield `${isFirst ? '[\n' : ''}${written.join(',\n')},`;
        written = [];
        isFirst = false;
      }
      written.push(formatJson(JSON.parse(line), 2).replaceAll(/^/gm, '  '));
    }
    yield `${isFirst ? '[\n' : ''}${written.join(',\n')}\n]`;
  }

  writeLines({ dryRun = false }: { dryRun?: boolean }, paint: Paint): string {
    const { created, changed, deleted, unchanged } = this.#counts;
    const touched = created + changed + deleted;
    const lines: string[] = [];
    for (const line of this.#told.lines()) {
      const { action, kind, name }: Outcome = JSON.parse(line);
      if (action === 'unchanged') continue;
      const [style, mark] = MARKS[action];
      lines.push(`${paint(style, mark)} ${kind} ${escapeControls(name)}`);
      if (lines.length === LINES_MAX) break;
    }
    if (touched > lines.length)
      lines.push(`… and ${(touched - lines.length).toLocaleString('en')} more; --json lists all.`);
    const counts = `${created} created, ${changed} changed, ${deleted} deleted, ${unchanged} unchanged`;
    const verdict = touched === 0 ? 'Nothing to do' : dryRun ? 'Would be done' : 'Done';
    return [...lines, `${verdict}: ${counts}.`].join('\n');
  }

  close(): void {
    this.#told.close();
    this.#pruned.close();
  }
}
