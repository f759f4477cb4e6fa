// The versions of an import, in a temporary file until they are written to the database.
import { Fingerprints } from '../content/input/fingerprints.ts';
import { Spool, type SpoolOptions } from '../content/input/spool.ts';
import { Refusal } from '../errors.ts';
import { type Amendment, Amendments } from './amendments.ts';
import type { ImportedVersion, ImportedVersions } from './changelog.ts';

type ImportOptions = SpoolOptions &
  Readonly<{
    /** Merge versions that have the same label, instead of rejecting them. */
    merging: boolean;
  }>;

/** Each is looked for in the spool, from its start. */
const DUPLICATES_LISTED_MAX = 10;
const UNRELEASED_NAMES_MAX = 100;

export class SpooledImports implements ImportedVersions {
  length = 0;
  readonly #file: string;
  readonly #merging: boolean;
  readonly #spool: Spool;
  /** Merging needs to know exactly; otherwise the spool is asked before a label counts as a duplicate. */
  readonly #labels: Set<string> | Fingerprints;
  readonly #amendments: Amendments;
  /** The sections of each name for what is not released yet. */
  readonly #unreleased = new Map<string, { line: number; sections: number }>();
  readonly #duplicates: { label: string; line: number; firstLine: number }[] = [];
  #duplicateCount = 0;

  constructor(options: ImportOptions) {
    this.#file = options.name;
    this.#merging = options.merging;
    this.#spool = new Spool(options);
    this.#labels = options.merging ? new Set<string>() : new Fingerprints();
    this.#amendments = new Amendments(options.name);
  }

  add(version: ImportedVersion): void {
    const label = version.content.version;
    if (this.#isMoreUnreleased(version)) {
      this.amend(label, version.content, version.line);
      return;
    }
    if (this.#labels.has(label)) {
      if (this.#merging) {
        this.amend(label, version.content, version.line);
        return;
      }
      if (this.#isDuplicate(label, version.line)) return;
    }
    this.#labels.add(label);
    this.#spool.write(JSON.stringify(version));
    this.length++;
  }

  /** Adds to a version when it is read back. */
  amend(label: string, amendment: Amendment, line: number): void {
    this.#amendments.add(label, amendment, line);
  }

  *[Symbol.iterator](): Generator<ImportedVersion> {
    for (const line of this.#spool.lines()) yield this.#amendments.applyTo(JSON.parse(line));
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

  /** To be called after the last version. */
  requireNoDuplicates(): void {
    const [first, ...others] = this.#duplicates;
    if (first === undefined) return;
    const rest = this.#duplicateCount - this.#duplicates.length;
    const list = [
      ...others.map((one) => `${formatDuplicate(one)} on line ${one.line}`),
      ...(rest === 0 ? [] : [`… and ${rest.toLocaleString('en')} more`]),
    ];
    const what = list.length === 0 ? 'rename one of them' : 'rename one of each';
    throw new Refusal(
      `${this.#file}:${first.line}: duplicate version ${[formatDuplicate(first), ...list].join(', ')}; ${what} or use --merge-duplicates.`,
    );
  }

  close(): void {
    this.#spool.close();
  }

  /** A release that never happened leaves a section behind. A label with a number is that of a version. */
  #isMoreUnreleased({ content: { version: label, status }, isDated, line }: ImportedVersion): boolean {
    if (status !== 'draft' || !isDated || /\d/.test(label)) return false;
    const known = this.#unreleased.get(label);
    if (known !== undefined) known.sections++;
    else if (this.#unreleased.size < UNRELEASED_NAMES_MAX) this.#unreleased.set(label, { line, sections: 1 });
    return known !== undefined;
  }

  #isDuplicate(label: string, line: number): boolean {
    const isListed = this.#duplicates.length < DUPLICATES_LISTED_MAX;
    const other = isListed
      ? this[Symbol.iterator]().find(({ content }) => content.version === label)
      : undefined;
    if (isListed && other === undefined) return false;
    this.#duplicateCount++;
    if (other !== undefined) this.#duplicates.push({ label, line, firstLine: other.line });
    return true;
  }
}

function formatDuplicate({ label, firstLine }: Readonly<{ label: string; firstLine: number }>): string {
  return `"${label}" (also on line ${firstLine})`;
}
