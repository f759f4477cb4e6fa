// Reads a file or standard input into memory, and rejects what is not text.
import { createReadStream, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { Refusal } from '../errors.ts';
import { recognise } from './file-kinds.ts';
import { lineAt } from './read/json.ts';

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
  const file = path.resolve(folder, name);
  try {
    const stats = statSync(file);
    // To read a small file takes less time than to load what a stream needs.
    const isSmall = stats.isFile() && stats.size <= CHUNK_BYTES;
    const chunks = isSmall ? [readFileSync(file)] : createReadStream(file, { highWaterMark: CHUNK_BYTES });
    return await readChunks(chunks, name, advice);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const { code = '', message } = error as NodeJS.ErrnoException;
    const wrong = { ENOENT: 'no such file; check its name', EISDIR: 'it is a directory; pass a file' }[code];
    const reason = wrong ?? `${message}; check that it is a file, and its permissions`;
    throw new Refusal(`${name} cannot be read: ${reason}.`, { cause: error });
  }
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

export function requireText({ name, bytes }: Input): void {
  const binary = recognise('any file', name, bytes.toString('latin1', 0, CHUNK_BYTES));
  if (binary !== null) throw binary;
  // Without a mark, it has a zero between most characters.
  if (/^(?:fffe|feff)|^(?:00[2-7].|[2-7].00){8}/.test(bytes.toString('hex', 0, 16)))
    throw new Refusal('this is UTF-16; save the file as UTF-8 (iconv -f utf-16 -t utf-8).', {
      at: [name, 1],
    });
  const nul = bytes.indexOf(0);
  if (nul !== -1)
    throw new Refusal('not text: it contains a NUL byte; pass a content document or a changelog.', {
      at: [name, lineAt(bytes.toString('latin1', 0, nul), nul)],
    });
}
