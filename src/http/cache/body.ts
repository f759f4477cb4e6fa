// A response body being written, in buffers: never one large string, never two copies.
import type { ServerResponse } from 'node:http';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import { yieldToEventLoop } from '../../event-loop.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { ClientGone } from '../pipeline/exchange.ts';

/** Text is collected up to this size; tiny buffers would cost more than their content. */
const BUFFER_CHARACTERS = 65_536;
/** The rest of a larger body is written while it is sent, as fast as its client reads. */
const KEPT_BYTES_MAX = 16 * 1024 * 1024;

/** Thrown if the content changed between two reads for the same body. */
export class ContentChanged extends Error {
  override readonly name = 'ContentChanged';
}

export type WriteBody = (out: BodyWriter, read: ReadMore) => MaybePromise<unknown>;
/** Runs further queries for a response that is read in several steps. */
export type ReadMore = <T>(query: (db: Reader) => MaybePromise<T>) => MaybePromise<T>;

/** What a read writes its body to. */
export type BodyWriter = Pick<CollectedBody, 'add' | 'showImages'>;

/** Keeps what is written. If that is too much, the writer waits for the body's client, who gets the rest as it is written. */
export class CollectedBody {
  buffers: Buffer[] = [];
  bytes = 0;
  #texts: string[] = [];
  #characters = 0;
  readonly #onPart: () => void;
  readonly #full = Promise.withResolvers<void>();
  readonly #client = Promise.withResolvers<void>();
  #response: ServerResponse | null = null;
  #end: Promise<unknown> = Promise.resolve();

  /** Writing stops if `onPart` throws. */
  constructor(onPart = () => {}) {
    this.#onPart = onPart;
    this.#client.promise.catch(() => {});
  }

  /** Await it in long loops so that other requests are served in between. */
  add(text: string): Promise<void> | null {
    this.#texts.push(text);
    this.#characters += text.length;
    const taken = this.#characters < BUFFER_CHARACTERS ? null : this.#take(Buffer.from(this.#rest()));
    return taken ?? yieldToEventLoop();
  }

  /** URLs of images that a page shows: its policy allows them. */
  showImages(_urls: Iterable<string | null | undefined>): void {}

  /** Resolves when all is written, or too much to be kept. */
  async collect(written: Promise<unknown>): Promise<'whole' | 'full'> {
    const whole = written.then(() => 'whole' as const);
    return await Promise.race([whole, this.#full.promise.then(() => 'full' as const)]);
  }

  /** Nothing can be added afterwards. */
  finish(): string | readonly Buffer[] {
    if (this.bytes === 0) return this.#rest();
    this.#take(Buffer.from(this.#rest()));
    return this.buffers;
  }

  /** A body that has one client. It fails before its last bytes if `end` rejects, which comes when all is written. */
  streamUntil(end: Promise<unknown>): this {
    this.#end = end;
    end.catch(() => {});
    return this;
  }

  async sendTo(response: ServerResponse): Promise<void> {
    this.#response = response;
    try {
      await this.#sendAllButLast();
      this.#client.resolve();
      await this.#end;
      await this.#take(Buffer.from(this.#rest()));
      response.end(this.buffers[0]);
    } finally {
      this.cancel();
    }
  }

  /** Nothing more is written or kept. */
  cancel(): void {
    this.#client.reject(new ClientGone());
    this.buffers = [];
  }

  /** Returns a promise to await before adding more. */
  #take(buffer: Buffer): Promise<void> | null {
    this.#onPart();
    this.bytes += buffer.length;
    this.buffers.push(buffer);
    if (this.#response !== null) return this.#sendAllButLast();
    if (this.bytes <= KEPT_BYTES_MAX) return null;
    this.#full.resolve();
    return this.#client.promise;
  }

  /** Text that was added but not taken yet. */
  #rest(): string {
    const text = this.#texts.join('');
    this.#texts = [];
    this.#characters = 0;
    return text;
  }

  #sendAllButLast(): Promise<void> | null {
    const response = this.#response as ServerResponse;
    if (response.destroyed) throw new ClientGone();
    const parts = this.buffers.splice(0, this.buffers.length - 1);
    const isReady = parts.map((part) => response.write(part)).every(Boolean);
    return isReady ? null : readyFor(response);
  }
}

/** Waits until the client has read enough or is gone, which the next write detects. */
function readyFor(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const ready = () => {
      response.off('drain', ready).off('close', ready);
      resolve();
    };
    response.on('drain', ready).on('close', ready);
  });
}
