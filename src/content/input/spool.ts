import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Refusal } from '../../errors.ts';

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 10;

const BYTES_PER_MB = 1024 * 1024;

/** How much a command may put into temporary files while it reads, all of them together. */
export class SpoolQuota {
  readonly #bytesMax: number;
  #taken = 0;

  constructor(megabytes: number) {
    this.#bytesMax = megabytes * BYTES_PER_MB;
  }

  /** `name` is what is read. */
  take(bytes: number, name: string): void {
    this.#taken += bytes;
    if (this.#taken > this.#bytesMax)
      throw new Refusal(
        `${name} takes more than ${this.#bytesMax / BYTES_PER_MB} MB of temporary files: give less at once, or set SPOOL_MAX_MB to more. Nothing was written.`,
      );
  }
}

/** What is read, and the room that there is for it. */
export type SpoolOptions = Readonly<{ name: string; room: SpoolQuota }>;

/** Lines of text that may be too many for memory: what is more than a little goes to a file. */
export class Spool {
  #file: number | null = null;
  #inFile = 0;
  #pending: string[] = [];
  #pendingBytes = 0;
  readonly #use: SpoolOptions | null;

  /** Null for what is told of a work: it is never more than what was read. */
  constructor(use: SpoolOptions | null = null) {
    this.#use = use;
  }

  /** The line must not hold a line break. */
  write(line: string): void {
    this.#pending.push(line);
    this.#pendingBytes += Buffer.byteLength(line) + 1;
    if (this.#pendingBytes >= CHUNK_BYTES) this.#flush();
  }

  /** Where the next line will stand. */
  get end(): number {
    return this.#inFile + this.#pendingBytes;
  }

  /** The lines from there on. */
  *lines(from = 0): Generator<string> {
    let position = from;
    let buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    let filled = 0;
    while (this.#file !== null && position < this.#inFile) {
      if (filled === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
      const length = Math.min(buffer.length - filled, this.#inFile - position);
      readFully(this.#file, buffer, filled, length, position);
      position += length;
      filled += length;
      let start = 0;
      for (
        let stop = buffer.indexOf(NEWLINE);
        stop !== -1 && stop < filled;
        stop = buffer.indexOf(NEWLINE, start)
      ) {
        yield buffer.toString('utf8', start, stop);
        start = stop + 1;
      }
      buffer.copyWithin(0, start, filled);
      filled -= start;
    }
    let at = this.#inFile;
    for (const line of this.#pending) {
      if (at >= position) yield line;
      at += Buffer.byteLength(line) + 1;
    }
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
  }

  #flush(): void {
    this.#use?.room.take(this.#pendingBytes, this.#use.name);
    this.#file ??= openUnlinkedFile();
    writeTemporary(this.#file, Buffer.from(`${this.#pending.join('\n')}\n`));
    this.#inFile += this.#pendingBytes;
    this.#pending = [];
    this.#pendingBytes = 0;
  }
}

/** A temporary file that has lost its name already, and so is gone with the process, however that ends. */
export function openUnlinkedFile(): number {
  return withTemporaryFileErrors(() => {
    const folder = mkdtempSync(path.join(tmpdir(), 'changelog-'));
    try {
      return openSync(path.join(folder, 'spool'), 'wx+', 0o600);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

export function writeTemporary(file: number, bytes: Uint8Array): void {
  withTemporaryFileErrors(() => writeFully(file, bytes));
}

const NO_ROOM = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** What fails here is neither the document's fault nor the database's. */
function withTemporaryFileErrors<T>(use: () => T): T {
  try {
    return use();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = NO_ROOM.includes(code ?? '')
      ? `the disk is full where temporary files go (${tmpdir()}, ${code}): free some room, or set TMPDIR to a folder with more. Nothing of this document was written.`
      : `temporary files cannot be made in ${tmpdir()} (${code}): set TMPDIR to a folder in which this user may write.`;
    throw new Refusal(reason, { cause: error });
  }
}

/** The system may take less than it is given. */
export function writeFully(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}

function readFully(file: number, into: Buffer, offset: number, length: number, position: number): void {
  for (let done = 0; done < length; ) {
    const count = readSync(file, into, offset + done, length - done, position + done);
    if (count === 0) throw new Error('a temporary file has lost its end; try again.');
    done += count;
  }
}
