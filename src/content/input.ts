// Reads a file or standard input into memory.
import { createReadStream, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { Refusal } from '../errors.ts';

export const INPUT_BYTES_MAX = 64 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;

export type Input = Readonly<{
  /** Names the bytes in messages. */
  name: string;
  bytes: Buffer;
}>;

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
type InputOptions = Readonly<{
  /** Paths are relative to it. */
  folder: string;
  standardInput: () => Chunks;
  /** What to do with a larger file. */
  advice: string;
}>;

/** Reads a file, or standard input for `-`. */
export async function readInput(
  name: string,
  { folder, standardInput, advice }: InputOptions,
): Promise<Input> {
  if (name === '-') return await readChunks(standardInput(), 'standard input', advice);
  try {
    return await readChunks(chunksOf(path.resolve(folder, name)), name, advice);
  } catch (error) {
    throw error instanceof Refusal ? error : unreadableError(name, error);
  }
}

/** To read a small file takes less time than to load what a stream needs. */
function chunksOf(file: string): Chunks {
  const stats = statSync(file);
  return stats.isFile() && stats.size <= CHUNK_BYTES
    ? [readFileSync(file)]
    : createReadStream(file, { highWaterMark: CHUNK_BYTES });
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file; check its name',
  EISDIR: 'it is a directory; pass a file',
  EACCES: 'permission denied; check its permissions',
};

function unreadableError(name: string, error: unknown): Refusal {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const reason = REASONS[code] ?? `${message}; check that it is a file, and its permissions`;
  return new Refusal(`${name} cannot be read: ${reason}.`, { cause: error });
}

/** Stops early if a stream without an end is too large, or is not text. */
async function readChunks(chunks: Chunks, name: string, advice: string): Promise<Input> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    bytes += chunk.byteLength;
    if (chunk.includes(0)) break;
    if (bytes > INPUT_BYTES_MAX)
      throw new Refusal(`${name} exceeds ${INPUT_BYTES_MAX / 2 ** 20} MiB; ${advice}.`);
  }
  return { name, bytes: Buffer.concat(parts) };
}
