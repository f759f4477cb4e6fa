import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 10;

/** Lines of text that may be too many for memory: what is more than a little goes to a file. */
export class Spool {
  #file: number | null = null;
  #inFile = 0;
  #pending: string[] = [];
  #pendingBytes = 0;

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
    let rest: Buffer = Buffer.alloc(0);
    let position = from;
    while (this.#file !== null && position < this.#inFile) {
      const chunk = readFully(this.#file, position, Math.min(CHUNK_BYTES, this.#inFile - position));
      position += chunk.length;
      const text = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let start = 0;
      for (let stop = text.indexOf(NEWLINE); stop !== -1; stop = text.indexOf(NEWLINE, start)) {
        yield text.toString('utf8', start, stop);
        start = stop + 1;
      }
      rest = text.subarray(start);
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
    this.#file ??= openNamelessFile();
    writeFully(this.#file, Buffer.from(`${this.#pending.join('\n')}\n`));
    this.#inFile += this.#pendingBytes;
    this.#pending = [];
    this.#pendingBytes = 0;
  }
}

/** A temporary file that has lost its name already, and so is gone with the process, however that ends. */
export function openNamelessFile(): number {
  const folder = mkdtempSync(path.join(tmpdir(), 'changelog-'));
  try {
    return openSync(path.join(folder, 'spool'), 'wx+', 0o600);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The system may take less than it is given. */
export function writeFully(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}

function readFully(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  for (let done = 0; done < length; ) {
    const count = readSync(file, bytes, done, length - done, position + done);
    if (count === 0) throw new Error('a temporary file has lost its end; try again.');
    done += count;
  }
  return bytes;
}
