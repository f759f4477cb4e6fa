// Where the bytes of a document are: in memory, or in a file that is read piece by piece.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { Refusal } from '../../errors.ts';
import { openUnlinkedFile, type SpoolQuota, writeTemporary } from './spool.ts';
import { throwNulError } from './text.ts';

const MEMORY_BYTES = 1024 * 1024;

export type Input = Readonly<{
  /** How it is called in messages. */
  name: string;
  byteLength: number;
  /** Up to so many bytes from there on; fewer only at the end. */
  read: (position: number, length: number) => Buffer;
  close: () => void;
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

/** What cannot be read twice, such as a pipe, is copied first. */
export async function openInput(path: string, name: string, room: SpoolQuota): Promise<Input> {
  try {
    const file = openSync(path, 'r');
    if (fstatSync(file).isFile()) return inputFromFile(file, name);
    return await copyInput(chunksOf(file), name, room);
  } catch (error) {
    throw error instanceof Refusal ? error : unreadableError(name, error);
  }
}

function unreadableError(name: string, error: unknown): Refusal {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason =
    code === 'ENOENT'
      ? 'there is no such file: check its name'
      : `${message}: check that it is a file which this user may read`;
  return new Refusal(`${name} cannot be read: ${reason}.`, { cause: error });
}

/** What is little stays in memory. An endless stream is refused: by what no text holds, or by how much it is. */
export async function copyInput(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  name: string,
  room: SpoolQuota,
): Promise<Input> {
  const held: Uint8Array[] = [];
  let bytes = 0;
  let file: number | null = null;
  const finish = () =>
    file === null ? inputFromBytes(Buffer.concat(held), name) : inputFromFile(file, name);
  try {
    for await (const chunk of chunks) {
      held.push(chunk);
      bytes += chunk.byteLength;
      const holdsNul = chunk.includes(0);
      if (bytes > MEMORY_BYTES) {
        room.take(file === null ? bytes : chunk.byteLength, name);
        file ??= openUnlinkedFile();
        for (const one of held.splice(0)) writeTemporary(file, one);
      }
      if (holdsNul) throwNulError(finish());
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
