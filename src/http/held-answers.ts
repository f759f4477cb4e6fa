import type { Origin } from '../store/reads.ts';
import type { Touch } from '../store/revisions.ts';

export type Answer = Readonly<{ body: Buffer; etag: string }>;

/** What an answer costs besides its bytes: roughly what the engine needs to keep it findable. */
const OVERHEAD_BYTES = 500;

type Entry = Readonly<{ answer: Answer; origin: Origin; bytes: number }>;

/** Answers kept in memory, the one that was asked for longest ago leaving first when there is no more room. */
export function createHeldAnswers(bytesMax: number) {
  /** In the order of their last use. */
  const entries = new Map<string, Entry>();
  const keysByProduct = new Map<number, Set<string>>();
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

  return {
    find: (key: string): Answer | undefined => {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.answer;
    },
    keep: (key: string, answer: Answer, origin: Origin): void => {
      drop(key);
      const bytes = answer.body.byteLength + key.length + OVERHEAD_BYTES;
      if (bytes > bytesMax) return;
      entries.set(key, { answer, origin, bytes });
      bytesHeld += bytes;
      const siblings = keysByProduct.get(origin.productId) ?? new Set();
      keysByProduct.set(origin.productId, siblings.add(key));
      for (const oldest of entries.keys()) {
        if (bytesHeld <= bytesMax) break;
        drop(oldest);
      }
    },
    forget: drop,
    /** Drops what was written since; null stands for everything. */
    drop: (touches: readonly Touch[] | null): void => {
      if (touches === null) for (const key of entries.keys()) drop(key);
      else touches.forEach(dropTouched);
    },
    size: () => ({ answers: entries.size, bytes: bytesHeld }),
  };
}

export type HeldAnswers = ReturnType<typeof createHeldAnswers>;
