// Records when each key was last used, in batches in the background.
import { USE_RECORDED_EVERY_MS } from '../../domain/access/api-key.ts';
import type { Log } from '../telemetry/log.ts';

/** How often uses are recorded, also those that could not be before. */
const BATCH_MS = 1_000;
/** Keys beyond this are recorded at their next use. */
const BATCH_KEYS_MAX = 1_000;

/** Key ids with the timestamp of their last use. */
export type KeyUses = ReadonlyMap<string, string>;

export type KeyUsage = ReturnType<typeof batchKeyUsage>;

export const NO_KEY_USAGE: KeyUsage = { record: () => {}, close: async () => {} };

export function batchKeyUsage(save: (uses: KeyUses) => Promise<void>, log: Log) {
  let batch = new Map<string, string>();
  const savedAt = new Map<string, number>();
  let saving: Promise<void> | null = null;
  let isFailing = false;

  const isRecent = (keyId: string) =>
    performance.now() - (savedAt.get(keyId) ?? -Infinity) < USE_RECORDED_EVERY_MS;

  async function saveBatch(): Promise<void> {
    const uses = batch;
    batch = new Map();
    if (uses.size === 0) return;
    for (const keyId of savedAt.keys()) if (!isRecent(keyId)) savedAt.delete(keyId);
    const startedAt = performance.now();
    try {
      await save(uses);
      for (const keyId of uses.keys()) {
        savedAt.set(keyId, startedAt);
        // A use during the write falls within the same minute.
        batch.delete(keyId);
      }
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ reason: (error as Error).message }, 'last use of keys not recorded');
      isFailing = true;
      // The key may never be used again, so this use must not be lost.
      for (const [keyId, usedAt] of uses) if (!batch.has(keyId)) add(keyId, usedAt);
    }
  }

  function add(keyId: string, usedAt: string): void {
    if (batch.size < BATCH_KEYS_MAX || batch.has(keyId)) batch.set(keyId, usedAt);
  }

  const timer = setInterval(() => {
    saving ??= saveBatch().finally(() => {
      saving = null;
    });
  }, BATCH_MS).unref();

  return {
    record: (keyId: string): void => {
      if (!isRecent(keyId)) add(keyId, new Date().toISOString());
    },
    /** Records the last batch. */
    close: async (): Promise<void> => {
      clearInterval(timer);
      await saving;
      await saveBatch();
    },
  };
}
