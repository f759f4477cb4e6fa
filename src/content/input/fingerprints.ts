const FIRST_SLOTS = 1024;
/** Slots are taken up to this share; above, looking for one takes long. */
const LOAD_MAX = 0.8;

/** Remembers texts by 64 bits of each, in 10 to 20 bytes of memory. May take one that it has not met for one that it has. */
export class Fingerprints {
  /** Other in each process, so that nobody can write texts that are taken for each other. */
  readonly #seed = Math.floor(Math.random() * 2 ** 31);
  #slots = new Uint32Array(FIRST_SLOTS * 2);
  #count = 0;

  has(text: string): boolean {
    const [low, high] = this.#hash(text);
    return this.#slots[this.#find(low, high)] !== 0;
  }

  add(text: string): void {
    const [low, high] = this.#hash(text);
    const slot = this.#find(low, high);
    if (this.#slots[slot] !== 0) return;
    this.#slots[slot] = low;
    this.#slots[slot + 1] = high;
    this.#count++;
    if (this.#count * 2 > this.#slots.length * LOAD_MAX) this.#grow();
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(old.length * 2);
    for (let slot = 0; slot < old.length; slot += 2) {
      const [low = 0, high = 0] = [old[slot], old[slot + 1]];
      if (low === 0) continue;
      const free = this.#find(low, high);
      this.#slots[free] = low;
      this.#slots[free + 1] = high;
    }
    release(old);
  }

  /** Forgets everything, and gives the memory back at once. */
  clear(): void {
    release(this.#slots);
    this.#slots = new Uint32Array(FIRST_SLOTS * 2);
    this.#count = 0;
  }

  /** The slot of this fingerprint, or the free one where it belongs. */
  #find(low: number, high: number): number {
    const mask = this.#slots.length - 1;
    let slot = (high * 2) & mask;
    while (this.#slots[slot] !== 0 && (this.#slots[slot] !== low || this.#slots[slot + 1] !== high))
      slot = (slot + 2) & mask;
    return slot;
  }

  /** Two sums of 32 bits that mix every character in differently; the first is never 0, which marks a free slot. */
  #hash(text: string): [number, number] {
    let a = this.#seed ^ 0xdeadbeef;
    let b = this.#seed ^ 0x41c6ce57;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      a = Math.imul(a ^ code, 2654435761);
      b = Math.imul(b ^ code, 1597334677);
    }
    a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
    b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
    return [a >>> 0 || 1, b >>> 0];
  }
}

/** Otherwise it would stay until somebody needs memory, which nobody may for long. */
function release(slots: Uint32Array<ArrayBuffer>): void {
  slots.buffer.transfer(0);
}
