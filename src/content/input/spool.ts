import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isNoSpace, Refusal } from '../../errors.ts';

const BLOCK_BYTES = 256 * 1024;
const BYTES_PER_MB = 1024 * 1024;

/** Limits the bytes in all temporary files of a command. */
export class SpoolQuota {
  readonly #bytesMax: number;
  #taken = 0;

  constructor(megabytes: number) {
    this.#bytesMax = megabytes * BYTES_PER_MB;
  }

  reserve(bytes: number, name: string): void {
    this.#taken += bytes;
    if (this.#taken > this.#bytesMax)
      throw new Refusal(
        `${name} needs more than ${this.#bytesMax / BYTES_PER_MB} MB of temporary files; pass fewer files or raise SPOOL_MAX_MB. Nothing was written.`,
      );
  }
}

export type SpoolOptions = Readonly<{
  /** Names what is spooled in messages. */
  name: string;
  quota: SpoolQuota;
}>;

/** Lines of text that may be too many for memory: all but the last few are in a temporary file. */
export class Spool {
  #file: number | null = null;
  readonly #blocks: { position: number; length: number; lines: number }[] = [];
  #pending: string[] = [];
  #pendingBytes = 0;
  readonly #options: SpoolOptions | null;

  /** Without options there is no quota: for reports, which are never larger than what was read. */
  constructor(options: SpoolOptions | null = null) {
    this.#options = options;
  }

  /** The line must not contain a line break. */
  write(line: string): void {
    this.#pending.push(line);
    this.#pendingBytes += Buffer.byteLength(line) + 1;
    if (this.#pendingBytes >= BLOCK_BYTES) this.#flush();
  }

  get length(): number {
    return this.#blocks.reduce((sum, { lines }) => sum + lines, this.#pending.length);
  }

  *lines(from = 0): Generator<string> {
    let first = 0;
    for (const { position, length, lines } of this.#blocks) {
      if (first + lines > from)
        yield* this.#read(position, length)
          .split('\n')
          .slice(Math.max(0, from - first));
      first += lines;
    }
    yield* this.#pending.slice(Math.max(0, from - first));
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
  }

  #flush(): void {
    this.#options?.quota.reserve(this.#pendingBytes, this.#options.name);
    this.#file ??= openUnlinkedFile();
    const bytes = Buffer.from(this.#pending.join('\n'));
    const { position, length } = this.#blocks.at(-1) ?? { position: 0, length: 0 };
    writeTemporary(this.#file, bytes);
    this.#blocks.push({ position: position + length, length: bytes.length, lines: this.#pending.length });
    this.#pending = [];
    this.#pendingBytes = 0;
  }

  #read(position: number, length: number): string {
    const bytes = Buffer.allocUnsafe(length);
    for (let done = 0; done < length; ) {
      const count = readSync(this.#file as number, bytes, done, length - done, position + done);
      if (count === 0) throw new Error('a temporary file was truncated; try again.');
      done += count;
    }
    return bytes.toString();
  }
}

/** A temporary file without a name: it is deleted when the process ends, however that happens. */
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

/** Why temporary files cannot be created in a directory, and the remedy besides choosing another one. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist; create it, or',
  ENOTDIR: 'is not a directory;',
  EROFS: 'is read-only; mount a writable directory there (in a container: --tmpfs), or',
  EACCES: 'is not writable for this user; change its permissions, or',
  EPERM: 'is not writable for this user; change its permissions, or',
};

/** Tells these failures from those of the document and of the database. */
function withTemporaryFileErrors<T>(use: () => T): T {
  try {
    return use();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const folder = tmpdir();
    const reason = isNoSpace(error)
      ? `the disk for temporary files is full (${folder}, ${code}); free some space or set TMPDIR to another directory.`
      : `cannot create temporary files: ${folder} ${REASONS[code] ?? `cannot be used (${code});`} set TMPDIR to a directory that you can write to.`;
    throw new Refusal(`${reason} Nothing of this document was written.`, { cause: error });
  }
}

/** A single write may be partial. */
export function writeFully(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}
