import type { VersionContent, VersionList } from '../../domain/content/content.ts';
import type { Spool } from './spool.ts';

/** A version, and where its text is in the document. */
export type SpooledVersion = readonly [start: number, length: number, line: number, version: VersionContent];

/** The versions of one changelog, in a temporary file. */
export class SpooledVersions implements VersionList {
  length = 0;
  readonly #spool: Spool;
  readonly #from: number;

  constructor(spool: Spool) {
    this.#spool = spool;
    this.#from = spool.length;
  }

  *[Symbol.iterator](): Generator<VersionContent> {
    for (const [, , , version] of this.#entries()) yield version;
  }

  /** Scans from the start, so it is only for error messages. */
  at(index: number): SpooledVersion | undefined {
    return this.#entries().drop(index).next().value as SpooledVersion | undefined;
  }

  *#entries(): Generator<SpooledVersion> {
    let left = this.length;
    for (const line of this.#spool.lines(this.#from)) {
      if (left-- === 0) return;
      yield JSON.parse(line);
    }
  }
}
