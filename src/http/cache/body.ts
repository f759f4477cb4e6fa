// The body of a response while it is written: in buffers, never as one string, and never twice.
import { yieldToEventLoop } from '../../present/html/slices.ts';

/** Text is collected up to this size: very small buffers would cost more than their content. */
const BUFFER_CHARACTERS = 65_536;

export class BodyWriter {
  readonly #finished: Buffer[] = [];
  #texts: string[] = [];
  #characters = 0;

  /** Await it in long loops: other requests are served in between. */
  add(text: string): Promise<void> | null {
    this.#texts.push(text);
    this.#characters += text.length;
    if (this.#characters >= BUFFER_CHARACTERS) this.#flush();
    return yieldToEventLoop();
  }

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

  /** Nothing can be added after this. */
  finish(): string | readonly Buffer[] {
    if (this.#finished.length === 0) return this.#texts.join('');
    this.#flush();
    return this.#finished;
  }

  #flush(): void {
    if (this.#texts.length === 0) return;
    this.#finished.push(Buffer.from(this.#texts.join('')));
    this.#texts = [];
    this.#characters = 0;
  }
}
