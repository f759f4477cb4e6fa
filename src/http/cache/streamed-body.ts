// A body too large to keep: written again for each client, as fast as that client reads.
import { createHash, type Hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { ClientGone } from '../pipeline/waiter.ts';
import { type BodyWriter, BufferedBody, ContentChanged, type MeasuredBody } from './body.ts';

export class StreamedBody {
  readonly bytes: number;
  readonly #hashing: Hash;
  readonly #write: (out: BodyWriter) => Promise<unknown>;

  /** `write` must produce the bytes that were measured. */
  constructor({ bytes, hashing }: MeasuredBody, write: (out: BodyWriter) => Promise<unknown>) {
    this.bytes = bytes;
    this.#hashing = hashing;
    this.#write = write;
  }

  /** A copy of the hash of its bytes, to which more can be added. */
  hashing(): Hash {
    return this.#hashing.copy();
  }

  /** Throws before the last bytes if the content has changed since it was measured. */
  async sendTo(response: ServerResponse): Promise<void> {
    const out = new SentBody(response, this.bytes);
    await this.#write(out);
    if (out.finish() !== this.hashing().digest('base64url')) throw new ContentChanged();
    out.sendLast();
  }
}

class SentBody extends BufferedBody {
  readonly #response: ServerResponse;
  readonly #hashing = createHash('sha256');
  #bytesLeft: number;
  /** Sent last, once all bytes are known to be right. */
  #last: Buffer = Buffer.alloc(0);

  constructor(response: ServerResponse, bytes: number) {
    super();
    this.#response = response;
    this.#bytesLeft = bytes;
  }

  /** Returns the hash of everything added. Nothing can be added afterwards. */
  finish(): string {
    void this.take(Buffer.from(this.rest()));
    if (this.#bytesLeft > 0) throw new ContentChanged();
    return this.#hashing.digest('base64url');
  }

  sendLast(): void {
    this.#response.end(this.#last);
  }

  protected take(buffer: Buffer): Promise<void> | null {
    if (this.#response.destroyed) throw new ClientGone();
    this.#bytesLeft -= buffer.length;
    if (this.#bytesLeft < 0) throw new ContentChanged();
    if (buffer.length === 0) return null;
    this.#hashing.update(buffer);
    const before = this.#last;
    this.#last = buffer;
    return this.#response.write(before) ? null : readyFor(this.#response);
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
