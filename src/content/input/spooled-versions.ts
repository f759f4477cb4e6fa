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
    for (const line of this.#lines()) yield versionIn(line);
  }

  /** Only for error messages. */
  at(index: number): SpooledVersion | undefined {
    const line = this.#lines(index).next().value;
    return line === undefined ? undefined : JSON.parse(line);
  }

  /** The versions that may contain this text as a value, with their positions. Only for error messages. */
  *having(text: string): Generator<readonly [index: number, version: VersionContent]> {
    const value = JSON.stringify(text);
    let index = 0;
    for (const line of this.#lines()) {
      if (line.includes(value)) yield [index, versionIn(line)];
      index++;
    }
  }

  *#lines(first = 0): Generator<string> {
    let left = this.length - first;
    for (const line of this.#spool.lines(this.#from + first)) {
      if (left-- <= 0) return;
      yield line;
    }
  }
}

function versionIn(line: string): VersionContent {
  const [, , , version]: SpooledVersion = JSON.parse(line);
  return version;
}
