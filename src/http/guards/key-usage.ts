// When keys were last used: gathered as requests come by, and recorded in batches beside them.
import { USE_RECORDED_EVERY_MS } from '../../domain/access/api-key.ts';
import type { Log } from '../telemetry/log.ts';

/** How long uses are gathered before they are recorded together, and how long after a failure they are again. */
const GATHER_MS = 1_000;
/** Keys beyond this many in a batch wait for their next use. */
const BATCH_KEYS_MAX = 1_000;

/** The ids of keys, each with the moment of its use. */
export type KeyUses = ReadonlyMap<string, string>;

export type KeyUsage = Readonly<{
  record: (keyId: string) => void;
  /** Records what is gathered, and no more from then on. */
  close: () => Promise<void>;
}>;

export const NO_KEY_USAGE: KeyUsage = { record: () => {}, close: async () => {} };

export function batchKeyUsage(record: (uses: KeyUses) => Promise<void>, log: Log): KeyUsage {
  let gathered = new Map<string, string>();
  const recordedAt = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  let recording: Promise<void> | null = null;
  let isOpen = true;
  let isFailing = false;

  const isRecent = (keyId: string) =>
    performance.now() - (recordedAt.get(keyId) ?? -Infinity) < USE_RECORDED_EVERY_MS;

  async function recordGathered(): Promise<void> {
    const uses = gathered;
    gathered = new Map();
    if (uses.size === 0) return;
    for (const keyId of recordedAt.keys()) if (!isRecent(keyId)) recordedAt.delete(keyId);
    const startedAt = performance.now();
    try {
      await record(uses);
      for (const keyId of uses.keys()) {
        recordedAt.set(keyId, startedAt);
        // It may have been used meanwhile, too, which is the same minute.
        gathered.delete(keyId);
      }
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ reason: (error as Error).message }, 'last use of keys not recorded');
      isFailing = true;
      // A key that is not used again was used nevertheless.
      for (const [keyId, usedAt] of uses) if (!gathered.has(keyId)) gather(keyId, usedAt);
    }
  }

  function gather(keyId: string, usedAt: string): void {
    if (gathered.size < BATCH_KEYS_MAX || gathered.has(keyId)) gathered.set(keyId, usedAt);
  }

  function recordSoon(): void {
    if (isOpen && recording === null) timer ??= setTimeout(recordNow, GATHER_MS).unref();
  }

  function recordNow(): void {
    timer = null;
    recording = recordGathered().finally(() => {
      recording = null;
      if (gathered.size > 0) recordSoon();
    });
  }

  return {
    record: (keyId) => {
      if (!isOpen || isRecent(keyId)) return;
      gather(keyId, new Date().toISOString());
      recordSoon();
    },
    close: async () => {
      isOpen = false;
      if (timer !== null) clearTimeout(timer);
      await recording;
      await recordGathered();
    },
  };
}
