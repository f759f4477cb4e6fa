// A response body being written, in buffers: never one large string, never two copies.
import { createHash, type Hash } from 'node:crypto';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import { yieldToEventLoop } from '../../event-loop.ts';
import type { Frame } from '../../present/outputs/output.ts';
import type { Reader } from '../../store/engine/engine.ts';

/** Text is collected up to this size; tiny buffers would cost more than their content. */
const BUFFER_CHARACTERS = 65_536;
/** A larger body is not kept in memory but written again while it is sent. */
const KEPT_BYTES_MAX = 16 * 1024 * 1024;

/** Thrown if the content changed between two reads for the same body. */
export class ContentChanged extends Error {
  override readonly name = 'ContentChanged';
}

export type WriteBody = (out: BodyWriter, read: ReadMore) => MaybePromise<unknown>;
/** Runs further queries for a response that is read in several steps. */
export type ReadMore = <T>(query: (db: Reader) => MaybePromise<T>) => MaybePromise<T>;

export abstract class BodyWriter {
  /** Await it in long loops so that other requests are served in between. */
  abstract add(text: string): Promise<void> | null;

  /** URLs of images that a page shows: its policy allows them. */
  showImages(_urls: Iterable<string | null | undefined>): void {}

  async addList<T>(
    items: Iterable<T> | AsyncIterable<T>,
    format: (item: T) => string | Promise<string>,
    separator = ',',
  ): Promise<void> {
    let before = '';
    for await (const item of items) {
      await this.add(before + (await format(item)));
      before = separator;
    }
  }

  async addFramed<T>(
    { start, between, end }: Frame,
    items: Iterable<T> | AsyncIterable<T>,
    format: (item: T) => string | Promise<string>,
  ): Promise<void> {
    await this.add(start);
    await this.addList(items, format, between);
    await this.add(end);
  }
}

export abstract class BufferedBody extends BodyWriter {
  #texts: string[] = [];
  #characters = 0;

  add(text: string): Promise<void> | null {
    this.#texts.push(text);
    this.#characters += text.length;
    const taken = this.#characters < BUFFER_CHARACTERS ? null : this.take(Buffer.from(this.rest()));
    return taken ?? yieldToEventLoop();
  }

  /** Returns a promise to await before adding more. */
  protected abstract take(buffer: Buffer): Promise<void> | null;

  /** Text that was added but not taken yet. */
  protected rest(): string {
    const text = this.#texts.join('');
    this.#texts = [];
    this.#characters = 0;
    return text;
  }
}

/** A body that was too large to keep. */
export type MeasuredBody = Readonly<{ bytes: number; hashing: Hash }>;

/** Keeps what is written, or only its size and hash if it is too large. */
export class CollectedBody extends BufferedBody {
  readonly #onPart: () => void;
  #buffers: Buffer[] = [];
  #bytes = 0;
  #hashing: Hash | null = null;

  /** Writing stops if `onPart` throws. */
  constructor(onPart = () => {}) {
    super();
    this.#onPart = onPart;
  }

  /** Nothing can be added afterwards. */
  finish(): string | readonly Buffer[] | MeasuredBody {
    if (this.#bytes === 0) return this.rest();
    this.take(Buffer.from(this.rest()));
    return this.#hashing === null ? this.#buffers : { bytes: this.#bytes, hashing: this.#hashing };
  }

  protected take(buffer: Buffer): null {
    this.#onPart();
    this.#bytes += buffer.length;
    if (this.#hashing === null) this.#buffers.push(buffer);
    else this.#hashing.update(buffer);
    if (this.#hashing === null && this.#bytes > KEPT_BYTES_MAX) this.#forget();
    return null;
  }

  #forget(): void {
    this.#hashing = hashAll(this.#buffers);
    this.#buffers = [];
  }
}

export function hashAll(buffers: readonly Buffer[]): Hash {
  const hashing = createHash('sha256');
  for (const buffer of buffers) hashing.update(buffer);
  return hashing;
}
