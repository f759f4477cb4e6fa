// Announces what a hook has not announced yet: each version once, whatever dies in between (R65).
import { setTimeout as delay } from 'node:timers/promises';
import type { AnnouncementHook } from '../domain/hook.ts';
import type { Writer } from '../store/engine/engine.ts';
import { isBusy, isReadOnly, isUnavailable } from '../store/engine/failures.ts';
import { DeliveryError } from './outgoing.ts';
import {
  addPending,
  CLAIM_MS,
  claimDelivery,
  type Delivery,
  endClaims,
  noteOutcome,
  type Outcome,
} from './store/deliveries.ts';

/** After each failure, almost a day in total; after the last one, the version is given up. */
export const PAUSES_SECONDS = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 25_200, 28_800] as const;
/** However long a receiver asks to wait: in total, it is still at most a day. */
const RETRY_AFTER_MS_MAX = 1_200_000;
/** To find and to send a version may take this long, and must end before another process may send it. */
const SEND_MS_MAX = 26_000;
/** By then, every node shows the version (R29): receivers follow its links at once. */
export const SHOWN_EVERYWHERE_MS = 1_000;
const NOTE_AGAIN_MS = 100;

/** Runs statements on the database that is written to. */
export type Run = <T>(write: (db: Writer) => Promise<T>) => Promise<T>;

export type Announcing = Readonly<{
  run: Run;
  /** Sends the version, and rejects with a `DeliveryError` if that fails. False if it is not public any more. */
  send: (hook: AnnouncementHook, delivery: Delivery) => Promise<boolean>;
  onOutcome: (hook: AnnouncementHook, delivery: Delivery, outcome: Outcome) => void;
  /** The outcome cannot be noted yet: this is tried again, unless it throws. */
  onUnwritten?: (error: unknown) => void;
  /** How long to wait before what became public is sent. */
  afterMs: number;
  /** Waits that long; rejects when this process ends. */
  wait: (ms: number) => Promise<void>;
  /** Whether this process is about to end: it begins nothing new. */
  isClosing: () => boolean;
  /** Whether it cannot wait for what is being sent. */
  isInterrupted: () => boolean;
}>;

/** Returns when nothing is due, or after the first failure: a receiver that is down is not asked for each version in turn. */
export async function announceDue(hook: AnnouncementHook, announcing: Announcing): Promise<void> {
  const { run, afterMs, wait, isClosing } = announcing;
  if ((await run((db) => addPending(db, hook, afterMs))) > 0) await wait(afterMs);
  await run((db) => endClaims(db, hook.name));
  while (!isClosing()) {
    const claimedAt = performance.now();
    const delivery = await run((db) => claimDelivery(db, hook.name));
    if (delivery === null || !(await announceOne(hook, delivery, claimedAt, announcing))) return;
  }
}

async function announceOne(
  hook: AnnouncementHook,
  delivery: Delivery,
  claimedAt: number,
  { run, send, onOutcome, onUnwritten, isInterrupted }: Announcing,
): Promise<boolean> {
  // The process may have been suspended: another one may be sending it by now.
  if (performance.now() - claimedAt > CLAIM_MS - SEND_MS_MAX) return true;
  let outcome: Outcome;
  try {
    if (!(await send(hook, delivery))) return true;
    outcome = { state: 'sent' };
  } catch (error) {
    // Nobody knows whether it arrived: the claim ends, and another process sends it again.
    if (isBusy(error) || isUnavailable(error) || isInterrupted()) throw error;
    outcome = outcomeOf(delivery, asDeliveryError(error));
  }
  await untilWritten(
    () => run((db) => noteOutcome(db, delivery, outcome)),
    (error) => {
      if (isInterrupted()) throw error;
      onUnwritten?.(error);
    },
  );
  onOutcome(hook, delivery, outcome);
  return outcome.state === 'sent';
}

/** An error that nobody expected must not be tried for ever. Its message may have anything in it. */
function asDeliveryError(error: unknown): DeliveryError {
  return error instanceof DeliveryError ? error : new DeliveryError(`unexpected ${(error as Error).name}`);
}

export function outcomeOf({ attempts }: Delivery, { message, retryAfterMs }: DeliveryError): Outcome {
  const pause = PAUSES_SECONDS[attempts - 1];
  if (pause === undefined) return { state: 'given_up', failure: message };
  const againMs = Math.max(pause * 1000, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MS_MAX));
  return { state: 'pending', failure: message, againMs };
}

/** Tries again for as long as it takes: a message that is not noted as sent is sent a second time. */
async function untilWritten(write: () => Promise<void>, onFailure: (error: unknown) => void): Promise<void> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      const mayEnd = (isBusy(error) || isUnavailable(error)) && !isReadOnly(error);
      if (!mayEnd) throw error;
      onFailure(error);
      await delay(NOTE_AGAIN_MS);
    }
  }
}
