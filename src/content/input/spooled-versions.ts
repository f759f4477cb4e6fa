import type { VersionContent, VersionList } from '../../domain/content/content.ts';
import type { Spool } from './spool.ts';

/** What waits of a version: where its text is in the document, and what it says. */
export type SpooledVersion = readonly [start: number, length: number, line: number, version: VersionContent];

/** The versions of one changelog, in a file until they are wanted. */
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

  /** Looks for it from the start: only for words about a problem. */
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
