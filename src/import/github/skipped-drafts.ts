// Drafts of releases that have no tag yet, and so no label: they are skipped, with a warning.
import { Refusal } from '../../errors.ts';

const WARNINGS_MAX = 20;
const NAME_CHARACTERS_MAX = 80;

export class SkippedDrafts {
  readonly #file: string;
  readonly #warnings: string[] = [];
  #count = 0;
  #lastLine = 0;

  constructor(file: string) {
    this.#file = file;
  }

  add(name: string, line: number): void {
    this.#count++;
    this.#lastLine = line;
    if (this.#warnings.length === WARNINGS_MAX) return;
    const draft = name === '' ? 'a draft without a name' : `the draft ${shorten(name)}`;
    this.#warnings.push(
      `${this.#file}:${line}: ${draft} has no tag, so it was skipped; give it a tag to import it.`,
    );
  }

  /** The last one counts those that are not listed. */
  warnings(): readonly string[] {
    const more = this.#count - this.#warnings.length;
    if (more === 0) return this.#warnings;
    return [
      ...this.#warnings,
      `${this.#file}:${this.#lastLine}: ${more.toLocaleString('en')} more drafts without a tag were skipped, the last one here.`,
    ];
  }

  /** The error if there is no version at all. */
  explainNothing(hint: string): Refusal {
    return new Refusal(
      this.#count === 0
        ? `${this.#file}:1: no releases found; ${hint}`
        : `${this.#file}:1: no releases found except drafts without a tag; give them tags and fetch them again.`,
    );
  }
}

function shorten(name: string): string {
  return JSON.stringify(name.length > NAME_CHARACTERS_MAX ? `${name.slice(0, NAME_CHARACTERS_MAX)}…` : name);
}
