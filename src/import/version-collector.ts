import { Refusal } from '../errors.ts';
import { type Amendment, Amendments } from './amendments.ts';
import type { ImportedVersion } from './changelog.ts';

type CollectorOptions = Readonly<{
  /** Names the source in messages. */
  name: string;
  /** Merge versions that have the same label, instead of rejecting them. */
  merging: boolean;
}>;

const DUPLICATES_LISTED_MAX = 10;
const UNRELEASED_NAMES_MAX = 100;

/** Collects the versions of a source, in which labels must be unique. */
export class VersionCollector {
  readonly #file: string;
  readonly #merging: boolean;
  readonly #versions = new Map<string, ImportedVersion>();
  readonly #amendments: Amendments;
  /** The sections of each name for what is not released yet. */
  readonly #unreleased = new Map<string, { line: number; sections: number }>();
  readonly #duplicates: ImportedVersion[] = [];

  constructor({ name, merging }: CollectorOptions) {
    this.#file = name;
    this.#merging = merging;
    this.#amendments = new Amendments(name);
  }

  get isEmpty(): boolean {
    return this.#versions.size === 0;
  }

  add(version: ImportedVersion): void {
    const { content, line } = version;
    const label = content.version;
    const isMore = this.#isMoreUnreleased(version);
    if (!this.#versions.has(label)) this.#versions.set(label, version);
    else if (isMore || this.#merging) this.amend(label, content, line);
    else this.#duplicates.push(version);
  }

  /** Adds to a version when all have been read. */
  amend(label: string, amendment: Amendment, line: number): void {
    this.#amendments.add(label, amendment, line);
  }

  /** All versions in the order of the source. */
  finish(): ImportedVersion[] {
    this.#requireNoDuplicates();
    return [...this.#versions.values()].map((version) => this.#amendments.applyTo(version));
  }

  /** About drafts that were merged, to be called after the last version. */
  warnings(): string[] {
    return [...this.#unreleased]
      .filter(([, { sections }]) => sections > 1)
      .map(
        ([label, { line, sections }]) =>
          `${this.#file}:${line}: ${sections} sections are named ${JSON.stringify(label)}; they were merged into one draft.`,
      );
  }

  #requireNoDuplicates(): void {
    const [first, ...others] = this.#duplicates;
    if (first === undefined) return;
    const rest = this.#duplicates.length - DUPLICATES_LISTED_MAX;
    const list = [
      ...others.slice(0, DUPLICATES_LISTED_MAX - 1).map((one) => `${this.#format(one)} on line ${one.line}`),
      ...(rest > 0 ? [`… and ${rest.toLocaleString('en')} more`] : []),
    ];
    const what = list.length === 0 ? 'rename one of them' : 'rename one of each';
    throw new Refusal(
      `${this.#file}:${first.line}: duplicate version ${[this.#format(first), ...list].join(', ')}; ${what} or use --merge-duplicates.`,
    );
  }

  #format({ content: { version: label } }: ImportedVersion): string {
    return `"${label}" (also on line ${this.#versions.get(label)?.line})`;
  }

  /** A release that never happened leaves a section behind. A label with a number is that of a version. */
  #isMoreUnreleased({ content: { version: label, status }, isDated, line }: ImportedVersion): boolean {
    if (status !== 'draft' || !isDated || /\d/.test(label)) return false;
    const known = this.#unreleased.get(label);
    if (known !== undefined) known.sections++;
    else if (this.#unreleased.size < UNRELEASED_NAMES_MAX) this.#unreleased.set(label, { line, sections: 1 });
    return known !== undefined;
  }
}
