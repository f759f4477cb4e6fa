const FIRST_SLOTS = 1024;
/** Above this share of slots in use, finding one takes long. */
const LOAD_MAX = 0.8;

/** A set of texts in 10 to 20 bytes each. It keeps 53 bits of a hash, and so may confuse two texts. */
export class Fingerprints {
  /** Different in each process, so that texts with equal hashes cannot be prepared. */
  readonly #seed = Math.floor(Math.random() * 2 ** 31);
  /** A zero is a free slot. */
  #slots = new Float64Array(FIRST_SLOTS);
  #count = 0;

  has(text: string): boolean {
    return this.#slots[this.#find(this.#hash(text))] !== 0;
  }

  add(text: string): void {
    const hash = this.#hash(text);
    const slot = this.#find(hash);
    if (this.#slots[slot] !== 0) return;
    this.#slots[slot] = hash;
    if (++this.#count > this.#slots.length * LOAD_MAX) this.#resize(this.#slots.length * 2);
  }

  clear(): void {
    this.#slots.fill(0);
    this.#count = 0;
    this.#resize(FIRST_SLOTS);
  }

  #resize(length: number): void {
    const old = this.#slots;
    this.#slots = new Float64Array(length);
    for (const hash of old) if (hash !== 0) this.#slots[this.#find(hash)] = hash;
    // The garbage collector would leave this memory in use for long.
    old.buffer.transfer(0);
  }

  /** The slot of a hash, or the free one for it. */
  #find(hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hash & mask;
    while (slots[slot] !== 0 && slots[slot] !== hash) slot = (slot + 1) & mask;
    return slot;
  }

  #hash(text: string): number {
    let a = this.#seed ^ 0xdeadbeef;
    let b = this.#seed ^ 0x41c6ce57;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      a = Math.imul(a ^ code, 2654435761);
      b = Math.imul(b ^ code, 1597334677);
    }
    a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
    b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
    return (b & 0x1fffff) * 2 ** 32 + (a >>> 0) || 1;
  }
}
