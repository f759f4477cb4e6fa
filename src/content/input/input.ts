// The bytes of a document: in memory, or in a file that is read in chunks.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { Refusal } from '../../errors.ts';
import { openUnlinkedFile, type SpoolQuota, writeTemporary } from './spool.ts';
import { type ReadableBytes, throwNulError } from './text.ts';

const MEMORY_BYTES_MAX = 1024 * 1024;

export type Input = ReadableBytes & Readonly<{ close: () => void }>;

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
type InputOptions = Readonly<{
  /** Paths are relative to it. */
  folder: string;
  standardInput: () => Chunks;
  quota: SpoolQuota;
}>;

export function inputFromBytes(bytes: Uint8Array, name: string): Input {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    name,
    byteLength: bytes.byteLength,
    read: (position, length) => buffer.subarray(position, position + length),
    close: () => {},
  };
}

/** Opens a file, or standard input for `-`. A pipe cannot be read twice, so it is copied first. */
export async function openInput(
  name: string,
  { folder, standardInput, quota }: InputOptions,
): Promise<Input> {
  if (name === '-') return await copyInput(standardInput(), 'standard input', quota);
  try {
    const file = openSync(path.resolve(folder, name), 'r');
    if (fstatSync(file).isFile()) return inputFromFile(file, name);
    return await copyInput(chunksOf(file), name, quota);
  } catch (error) {
    throw error instanceof Refusal ? error : unreadableError(name, error);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file; check its name',
  EISDIR: 'it is a directory; pass a file',
  EACCES: 'permission denied; check that you may read it',
};

function unreadableError(name: string, error: unknown): Refusal {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const reason = REASONS[code] ?? `${message}; check that it is a file and that you may read it`;
  return new Refusal(`${name} cannot be read: ${reason}.`, { cause: error });
}

/** A few bytes stay in memory. An endless stream is rejected: because it is not text, or by the quota. */
async function copyInput(chunks: Chunks, name: string, quota: SpoolQuota): Promise<Input> {
  const held: Uint8Array[] = [];
  let bytes = 0;
  let file: number | null = null;
  const finish = () =>
    file === null ? inputFromBytes(Buffer.concat(held), name) : inputFromFile(file, name);
  try {
    for await (const chunk of chunks) {
      held.push(chunk);
      bytes += chunk.byteLength;
      if (bytes > MEMORY_BYTES_MAX) {
        quota.reserve(file === null ? bytes : chunk.byteLength, name);
        file ??= openUnlinkedFile();
        for (const one of held.splice(0)) writeTemporary(file, one);
      }
      if (chunk.includes(0)) throwNulError(finish());
    }
  } catch (error) {
    if (file !== null) closeSync(file);
    throw error;
  }
  return finish();
}

function inputFromFile(file: number, name: string): Input {
  return {
    name,
    byteLength: fstatSync(file).size,
    read: (position, length) => {
      const buffer = Buffer.allocUnsafe(length);
      let done = 0;
      while (done < length) {
        const count = readOrThrow(name, () => readSync(file, buffer, done, length - done, position + done));
        if (count === 0) break;
        done += count;
      }
      return buffer.subarray(0, done);
    },
    close: () => closeSync(file),
  };
}

function readOrThrow(name: string, read: () => number): number {
  try {
    return read();
  } catch (error) {
    throw unreadableError(name, error);
  }
}

function* chunksOf(file: number): Generator<Uint8Array> {
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(64 * 1024);
      const count = readSync(file, chunk);
      if (count === 0) return;
      yield chunk.subarray(0, count);
    }
  } finally {
    closeSync(file);
  }
}
