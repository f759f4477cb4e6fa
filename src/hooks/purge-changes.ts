// Purges what changed in public since the last time (R66).
import type { PurgeHook } from '../domain/hook.ts';
import { isBusy } from '../store/engine/failures.ts';
import type { Touch } from '../store/engine/touches.ts';
import type { Run } from './announce.ts';
import { DeliveryError } from './outgoing.ts';
import { claimPurge, listPublicTouches, notePurged, releasePurge } from './store/purges.ts';

/** By then, no node serves what was there before the write: a CDN would keep that. */
const FIRST_AFTER_MS = 150;
/** Again after that, for responses that were on their way to the CDN: most within a second of the write, slow ones later. */
const AGAIN_AFTER_MS = [450, 2_000] as const;
const RETRY_MS_MIN = 1_000;
const RETRY_MS_MAX = 30_000;
/** While another process writes. A claim lasts longer. */
const BUSY_AGAIN_MS = 20;
const BUSY_MS_MAX = 10_000;

const monotonic = () => performance.now();

export type Purging = Readonly<{
  run: Run;
  /** Names this process. */
  owner: string;
  /** Rejects with a `DeliveryError` if that fails. */
  purge: (hook: PurgeHook, touches: readonly Touch[]) => Promise<void>;
  /** How often the hook has failed in a row. */
  failures: number;
  /** Waits that long; rejects when this process ends. */
  wait: (ms: number) => Promise<void>;
  /** The same, but not after the next public write; null to leave what is written from now on to others. */
  waitForWrite: ((ms: number) => Promise<void>) | null;
  /** In milliseconds, from any beginning. */
  now?: () => number;
}>;

/**
 * Goes on until everything is purged for the last time. Only then it is noted, so that another process starts over if this
 * one dies. It never gives up: after an outage, everything since is purged.
 */
export async function purgeChanges(hook: PurgeHook, purging: Purging): Promise<void> {
  const { owner, failures } = purging;
  const { name } = hook;
  const run = patiently(purging);
  const since = await run((db) => claimPurge(db, name, owner));
  if (since === null) return;
  try {
    await purgeSince(hook, since, { ...purging, run });
    await run((db) => releasePurge(db, name, owner));
  } catch (error) {
    const againMs = Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** failures);
    const failed = error instanceof DeliveryError ? { failure: error.message, againMs } : null;
    await run((db) => releasePurge(db, name, owner, failed));
    throw error;
  }
}

async function purgeSince(hook: PurgeHook, since: number, purging: Purging): Promise<void> {
  const { run, owner, purge, wait, waitForWrite, now = monotonic } = purging;
  let settled = since;
  let purgedOnce = since;
  const again: { at: number; revision: number; isLast: boolean }[] = [];
  for (;;) {
    if (waitForWrite !== null || purgedOnce === since) purgedOnce = await purgeNew(purgedOnce);
    const [next] = again;
    if (next === undefined) return await run((db) => notePurged(db, hook.name, owner, purgedOnce));
    const leftMs = next.at - now();
    if (leftMs > 0) await (waitForWrite ?? wait)(leftMs);
    else {
      const from = settled;
      await purge(hook, (await run((db) => listPublicTouches(db, from))).touches);
      again.shift();
      if (next.isLast) {
        settled = next.revision;
        await run((db) => notePurged(db, hook.name, owner, next.revision));
      }
    }
    // Renews the claim, unless this process was suspended and another one has it.
    if ((await run((db) => claimPurge(db, hook.name, owner))) === null) return;
  }

  /** Returns the revision up to which everything is purged for the first time. */
  async function purgeNew(from: number): Promise<number> {
    const { revision, touches } = await run((db) => listPublicTouches(db, from));
    if (touches.length === 0) return revision;
    await wait(FIRST_AFTER_MS);
    await purge(hook, touches);
    for (const ms of AGAIN_AFTER_MS)
      again.push({ at: now() + ms, revision, isLast: ms === AGAIN_AFTER_MS.at(-1) });
    again.sort((one, other) => one.at - other.at);
    return revision;
  }
}

/** A server's connection to SQLite does not wait for other writers. Without this, a claim that cannot be ended would last. */
function patiently({ run, wait, now = monotonic }: Purging): Run {
  return async (write) => {
    const startedAt = now();
    for (;;) {
      try {
        return await run(write);
      } catch (error) {
        if (!isBusy(error) || now() - startedAt > BUSY_MS_MAX) throw error;
        await wait(BUSY_AGAIN_MS);
      }
    }
  };
}
