// When keys were last used: gathered as requests come by, and recorded in batches beside them.
import type { Log } from './log.ts';

/** A key is recorded at most this often. */
const RECORD_EVERY_MS = 60_000;
/** How long uses are gathered before they are recorded together. */
const GATHER_MS = 1_000;
/** Keys beyond this many in a batch wait for their next use. */
const BATCH_KEYS_MAX = 1_000;

export type KeyUsage = Readonly<{
  note: (keyId: string) => void;
  /** Records what is gathered, and no more from then on. */
  close: () => Promise<void>;
}>;

export const NO_KEY_USAGE: KeyUsage = { note: () => {}, close: async () => {} };

export function gatherKeyUsage(record: (keyIds: string[]) => Promise<void>, log: Log): KeyUsage {
  const gathered = new Set<string>();
  const recordedAt = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  let recording = Promise.resolve();
  let isFailing = false;

  async function recordGathered(): Promise<void> {
    const keyIds = [...gathered];
    gathered.clear();
    if (keyIds.length === 0) return;
    const now = performance.now();
    for (const [keyId, at] of recordedAt) if (now - at >= RECORD_EVERY_MS) recordedAt.delete(keyId);
    try {
      await record(keyIds);
      for (const keyId of keyIds) recordedAt.set(keyId, now);
      isFailing = false;
    } catch (error) {
      // Nothing is lost but a moment: the next use of a key is tried again.
      if (!isFailing) log.warn({ err: error }, 'the last use of keys is not recorded');
      isFailing = true;
    }
  }

  function flush(): void {
    timer = null;
    recording = recording.then(recordGathered);
  }

  return {
    note: (keyId) => {
      if (
        gathered.size >= BATCH_KEYS_MAX ||
        performance.now() - (recordedAt.get(keyId) ?? -Infinity) < RECORD_EVERY_MS
      )
        return;
      gathered.add(keyId);
      timer ??= setTimeout(flush, GATHER_MS).unref();
    },
    close: async () => {
      if (timer !== null) clearTimeout(timer);
      flush();
      await recording;
    },
  };
}
