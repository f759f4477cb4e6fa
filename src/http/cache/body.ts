// The body of a response while it is written. It is never there as one text, and never more than once.
import { yieldToEventLoop } from '../../present/html/slices.ts';

/** Texts are gathered up to this size: very small pieces would cost more than what is in them. */
const PIECE_CHARACTERS = 65_536;

export class BodyWriter {
  readonly #finished: Buffer[] = [];
  #texts: string[] = [];
  #characters = 0;

  /** To be awaited where much is written: others are answered in between. */
  async add(text: string): Promise<void> {
    this.#texts.push(text);
    this.#characters += text.length;
    if (this.#characters >= PIECE_CHARACTERS) this.#flush();
    await yieldToEventLoop();
  }

  /** All of it. Nothing can be added any more. */
  finish(): readonly Buffer[] {
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
