/** Of a kind, at about 300 bytes each. Beyond this, the older half is forgotten. */
export const CLIENTS_MAX = 200_000;

/** The latest window of each client: constant cost and bounded memory for any number of clients. */
export class Windows<Window> {
  #newer = new Map<string, Window>();
  #older = new Map<string, Window>();
  #agesAt = Number.NEGATIVE_INFINITY;

  find(client: string): Window | undefined {
    return this.#newer.get(client) ?? this.#older.get(client);
  }

  /** Kept for so many milliseconds at least, unless there are too many. */
  set(client: string, window: Window, time: number, keptMs: number): void {
    if (time >= this.#agesAt || this.#newer.size >= CLIENTS_MAX / 2) {
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#agesAt = time + keptMs;
    }
    this.#newer.set(client, window);
  }
}
