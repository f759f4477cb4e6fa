import type { Origin } from '../store/reads.ts';
import type { Touch } from '../store/revisions.ts';
import type { Answer } from './answer.ts';

/** What an answer costs besides its bytes: roughly what the engine needs to keep it findable. */
const OVERHEAD_BYTES = 1_000;
/** Paths at which there is nothing. Anybody can make up more, so their room is small, and apart from that of answers. */
const MISSES_MAX = 2_000;

type Entry = { readonly answer: Answer; readonly origin: Origin; bytes: number };

/** Answers kept in memory, the one that was asked for longest ago leaving first when there is no more room. */
export function createHeldAnswers(bytesMax: number, missesMax = MISSES_MAX) {
  /** In the order of their last use. */
  const entries = new Map<string, Entry>();
  const keysByProduct = new Map<number, Set<string>>();
  const misses = new Set<string>();
  let bytesHeld = 0;

  function drop(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    bytesHeld -= entry.bytes;
    const siblings = keysByProduct.get(entry.origin.productId);
    siblings?.delete(key);
    if (siblings?.size === 0) keysByProduct.delete(entry.origin.productId);
  }

  function dropTouched({ teamId, productId }: Touch): void {
    if (productId === 0) {
      for (const [key, { origin }] of entries) if (origin.teamId === teamId) drop(key);
    } else {
      for (const key of keysByProduct.get(productId) ?? []) drop(key);
    }
  }

  function makeRoom(): void {
    for (const oldest of entries.keys()) {
      if (bytesHeld <= bytesMax) break;
      drop(oldest);
    }
  }

  return {
    /** Null where it is known that there is nothing. */
    find: (key: string): Answer | null | undefined => {
      const entry = entries.get(key);
      if (entry === undefined) return misses.has(key) ? null : undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.answer;
    },
    keep: (key: string, answer: Answer, origin: Origin): void => {
      drop(key);
      misses.delete(key);
      const bytes = weigh(key, answer);
      if (bytes > bytesMax) return;
      entries.set(key, { answer, origin, bytes });
      bytesHeld += bytes;
      const siblings = keysByProduct.get(origin.productId) ?? new Set();
      keysByProduct.set(origin.productId, siblings.add(key));
      makeRoom();
    },
    /** Takes note that an answer has become larger. */
    weigh: (key: string, answer: Answer): void => {
      const entry = entries.get(key);
      if (entry?.answer !== answer) return;
      const bytes = weigh(key, answer);
      bytesHeld += bytes - entry.bytes;
      entry.bytes = bytes;
      makeRoom();
    },
    keepMiss: (key: string): void => {
      if (bytesMax === 0) return;
      misses.add(key);
      if (misses.size > missesMax) misses.delete(misses.values().next().value as string);
    },
    forget: drop,
    /** Drops what was written since; null stands for everything. Anything that is written may be what was missing. */
    drop: (touches: readonly Touch[] | null): void => {
      if (touches === null) for (const key of entries.keys()) drop(key);
      else touches.forEach(dropTouched);
      if (touches === null || touches.length > 0) misses.clear();
    },
    size: () => ({ answers: entries.size, bytes: bytesHeld }),
  };
}

function weigh(key: string, { bytes }: Answer): number {
  return bytes + key.length + OVERHEAD_BYTES;
}

export type HeldAnswers = ReturnType<typeof createHeldAnswers>;
