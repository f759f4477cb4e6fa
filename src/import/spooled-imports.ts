import { Fingerprints } from '../content/input/fingerprints.ts';
import { Spool, type SpoolOptions } from '../content/input/spool.ts';
import type { ImportedVersion, ImportedVersions } from './changelog.ts';

/** The versions that were read, in a file until they are wanted. */
export class SpooledImports implements ImportedVersions {
  length = 0;
  readonly #spool: Spool;
  readonly #labels: Set<string> | Fingerprints;

  /** Where many labels may come twice, all of them are held; else fingerprints do. */
  constructor({ expectsRepeated, use }: Readonly<{ expectsRepeated: boolean; use?: SpoolOptions }>) {
    this.#spool = new Spool(use);
    this.#labels = expectsRepeated ? new Set<string>() : new Fingerprints();
  }

  write(version: ImportedVersion): void {
    this.#labels.add(version.content.version);
    this.#spool.write(JSON.stringify(version));
    this.length++;
  }

  *[Symbol.iterator](): Generator<ImportedVersion> {
    for (const line of this.#spool.lines()) yield JSON.parse(line);
  }

  /** Exact if repeated labels are expected; else there may be one that only looks the same. */
  mayHave(label: string): boolean {
    return this.#labels.has(label);
  }

  /** Fingerprints say what may be there; the file says what is. */
  find(label: string): ImportedVersion | undefined {
    if (!this.#labels.has(label)) return undefined;
    return this[Symbol.iterator]().find(({ content }) => content.version === label);
  }

  close(): void {
    this.#spool.close();
  }
}
