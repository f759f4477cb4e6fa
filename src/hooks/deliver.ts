// Sends what is due to a hook: each message once, whatever dies in between (R65).
import { setTimeout as delay } from 'node:timers/promises';
import type { Environment } from '../config.ts';
import { visibleRows } from '../domain/access/visibility.ts';
import { type AnnouncementHook, type Hook, isPurgeHook } from '../domain/hook.ts';
import { asReader, type Reader, type Writer } from '../store/engine/engine.ts';
import { isBusy, isReadOnly, isUnavailable } from '../store/engine/failures.ts';
import { findCursorKey, findRevision } from '../store/engine/revisions.ts';
import { findMoreChanges, findVersion } from '../store/read/find-version.ts';
import type { ProductPath, VersionDetail } from '../store/read/reads.ts';
import type { Render } from '../text/render.ts';
import { createTagger, purgedTextsOf } from './cache-tags.ts';
import { type AnnouncementPlace, presentAnnouncement } from './messages/announcement.ts';
import { outgoingFor, purgesFor } from './outgoing.ts';
import { DeliveryError, type Outgoing, send } from './send.ts';
import {
  addDeliveries,
  CLAIM_MS,
  claimAgain,
  claimDelivery,
  type Delivery,
  endClaims,
  findNextMs,
  listPublicTouches,
  noteOutcome,
  type Outcome,
} from './store/deliveries.ts';

/** After each failure, almost a day in total; after the last one, the version is given up. */
export const PAUSES_SECONDS = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 25_200, 28_800] as const;
/** A purge is repeated until it works: after an outage, everything since is purged. */
const PURGE_PAUSE_MS_MAX = 30_000;
/** However long a receiver asks to wait: in total, it is still at most a day. */
const RETRY_AFTER_MS_MAX = 1_200_000;
/** To find and to send a version may take this long, and must end before another process may send it. */
const SEND_MS_MAX = 26_000;
const AGAIN_MS = 20;
const BUSY_MS_MAX = 10_000;

/** Runs statements on the database that is written to. */
export type Run = <T>(write: (db: Writer) => Promise<T>) => Promise<T>;

/** Rejects with a `DeliveryError` if that fails. False if the version is not public any more. */
export type Send = (hook: Hook, delivery: Delivery, signal?: AbortSignal) => Promise<boolean>;

export type Delivering = Readonly<{
  run: Run;
  send: Send;
  onOutcome: (hook: Hook, delivery: Delivery, outcome: Outcome) => unknown;
  /** The outcome cannot be noted yet: this is tried again, unless it throws. */
  onUnwritten?: (error: unknown) => void;
  /** This process is about to end: it begins nothing new. */
  closing?: AbortSignal;
  /** It cannot wait for what is being sent. */
  interrupting?: AbortSignal;
}>;

/**
 * Sends until nothing is due. Returns after how many milliseconds something is, and null if nothing is or after a failure:
 * a receiver that is down is not asked for each version in turn.
 */
export async function deliverDue(hook: Hook, delivering: Delivering): Promise<number | null> {
  const { run, closing } = delivering;
  await run((db) => endClaims(db, hook));
  while (!closing?.aborted) {
    await run((db) => addDeliveries(db, hook));
    const claimedAt = performance.now();
    const delivery = await run((db) => claimDelivery(db, hook));
    if (delivery === null) return await run((db) => findNextMs(db, hook));
    // The process may have been suspended: another one may be sending it by now.
    if (performance.now() - claimedAt > CLAIM_MS - SEND_MS_MAX) continue;
    const outcome = await deliver(hook, delivery, delivering);
    if (outcome !== null && outcome.state !== 'sent') return null;
  }
  return null;
}

/**
 * Sends a version with a new id, whether it was announced before or not. If that fails, it is retried like any other. False if
 * another process is sending it.
 */
export async function deliverAgain(
  hook: AnnouncementHook,
  version: Pick<Delivery, 'about' | 'team' | 'product' | 'version'>,
  delivering: Delivering,
): Promise<boolean> {
  const delivery = await delivering.run((db) => claimAgain(db, hook, version));
  return delivery !== null && (await deliver(hook, delivery, delivering)) !== null;
}

/** Null if the version is not public any more. */
async function deliver(
  hook: Hook,
  delivery: Delivery,
  { run, send, onOutcome, onUnwritten, interrupting }: Delivering,
): Promise<Outcome | null> {
  let outcome: Outcome;
  try {
    if (!(await send(hook, delivery, interrupting))) return null;
    outcome = { state: 'sent' };
  } catch (error) {
    // Nobody knows whether it arrived: the claim ends, and another process sends it again.
    if (isBusy(error) || isUnavailable(error) || interrupting?.aborted) throw error;
    // An error that nobody expected must not be tried for ever. Its message may have anything in it.
    const unexpected = () => new DeliveryError(`unexpected ${(error as Error).name}`);
    outcome = outcomeOf(hook, delivery, error instanceof DeliveryError ? error : unexpected());
  }
  // For as long as it takes: a message that is not noted as sent is sent a second time.
  await persist(
    () => run((db) => noteOutcome(db, delivery, outcome)),
    (error) => {
      if (interrupting?.aborted || isReadOnly(error)) throw error;
      onUnwritten?.(error);
    },
  );
  onOutcome(hook, delivery, outcome);
  return outcome;
}

export function outcomeOf(
  hook: Hook,
  { attempts }: Pick<Delivery, 'attempts'>,
  { message: failure, retryAfterMs }: DeliveryError,
): Outcome {
  if (isPurgeHook(hook))
    return { state: 'pending', failure, againMs: Math.min(PURGE_PAUSE_MS_MAX, 1_000 * 2 ** (attempts - 1)) };
  const pause = PAUSES_SECONDS[attempts - 1];
  if (pause === undefined) return { state: 'given_up', failure };
  const againMs = Math.max(pause * 1000, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MS_MAX));
  return { state: 'pending', failure, againMs };
}

/** Tries again while the database cannot be written to, until `onFailure` throws. */
async function persist<T>(write: () => Promise<T>, onFailure: (error: unknown) => void): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isBusy(error) && !isUnavailable(error)) throw error;
      onFailure(error);
      await delay(AGAIN_MS);
    }
  }
}

/** A server's connection to SQLite does not wait for other writers. */
export function patiently(run: Run): Run {
  return (write) => {
    const startedAt = performance.now();
    return persist(
      () => run(write),
      (error) => {
        if (!isBusy(error) || performance.now() - startedAt > BUSY_MS_MAX) throw error;
      },
    );
  };
}

type SenderOptions = Readonly<{
  run: Run;
  render: Render;
  place: () => AnnouncementPlace;
  environment: Environment;
}>;

/** Sends what the public API shows at that moment: there is no other way out (R9). */
export function createSender({ run, render, place, environment }: SenderOptions): Send {
  async function outgoing(hook: Hook, delivery: Delivery): Promise<readonly Outgoing[] | null> {
    if (isPurgeHook(hook)) {
      const texts = await run(async (db) => {
        const latest = await findRevision(asReader(db));
        return purgedTextsOf(await listPublicTouches(db, delivery.since, latest));
      });
      const tagger = createTagger(await run(async (db) => findCursorKey(asReader(db))));
      return purgesFor(hook, texts.map(tagger));
    }
    const found = await run((db) => findPublicVersion(asReader(db), delivery, delivery.about));
    if (found === null) return null;
    const message = { id: delivery.messageId, sentAt: new Date() };
    return outgoingFor(hook, await presentAnnouncement(found, render, place()), message);
  }
  return async (hook, delivery, signal) => {
    const leaving = await outgoing(hook, delivery);
    if (leaving !== null) await send(leaving, { environment, ...(signal && { signal }) });
    return leaving !== null;
  };
}

/** With its first changes, about a thousand if there are so many. Null if it is not public any more. */
export async function findPublicVersion(
  db: Reader,
  { team, product }: ProductPath,
  versionId: string,
): Promise<VersionDetail | null> {
  const visible = visibleRows('public');
  const { found } = await findVersion(db, { team, product }, versionId, visible);
  if (found === undefined || found.end === null) return found ?? null;
  const { found: more } = await findMoreChanges(db, { team, product, versionId, after: found.end }, visible);
  // Without those that were written to in between.
  if (more?.writtenAt !== found.writtenAt) return found;
  return { ...found, changes: [...found.changes, ...more.changes] };
}
