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

export class SpooledImports implements ImportedVersions {
  length = 0;
  readonly #file: string;
  readonly #merging: boolean;
  readonly #spool: Spool;
  /** Merging needs to know exactly; otherwise the spool is asked before a label counts as a duplicate. */
  readonly #labels: Set<string> | Fingerprints;
  readonly #amendments: Amendments;

  constructor(options: ImportOptions) {
    this.#file = options.name;
    this.#merging = options.merging;
    this.#spool = new Spool(options);
    this.#labels = options.merging ? new Set<string>() : new Fingerprints();
    this.#amendments = new Amendments(options.name);
  }

  add(version: ImportedVersion): void {
    const label = version.content.version;
    if (this.#labels.has(label)) {
      if (this.#merging) {
        this.amend(label, version.content, version.line);
        return;
      }
      this.#requireNew(label, version.line);
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

  close(): void {
    this.#spool.close();
  }

  #requireNew(label: string, line: number): void {
    const other = this[Symbol.iterator]().find(({ content }) => content.version === label);
    if (other === undefined) return;
    throw new Refusal(
      `${this.#file}:${line}: duplicate version "${label}" (also on line ${other.line}); rename one of them or use --merge-duplicates.`,
    );
  }
}
