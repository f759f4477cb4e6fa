// Counting together with others, for as long as the place where that is done answers; by oneself while it does not.
import { setTimeout as delay } from 'node:timers/promises';
import { withTimeout } from '../../../store/engine/timeout.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Count, Counters } from './counters.ts';

/** The longest that a request waits for a count that is kept elsewhere. */
export const COUNT_MS_MAX = 75;
const RETRY_MS = 250;

/** Counters that others count on, too. */
export type RemoteCounters = Counters & Readonly<{ lost?: Promise<Error> }>;

type SharedCounterOptions = Readonly<{
  /** Where the counts are kept, in the words of the log. */
  name: string;
  /** Rejects within a bounded time unless counting there works, and is quick enough. */
  connect: () => Promise<RemoteCounters>;
  fallback: Counters;
  log: Log;
  countMsMax?: number;
}>;

/**
 * The first answer that fails or is late ends it for all requests at once: none of them waits for what does not answer.
 * From then on only an attempt in the background finds out whether it does again.
 */
export async function withFallback(sharing: SharedCounterOptions): Promise<Counters> {
  const { name, connect, fallback, log, countMsMax = COUNT_MS_MAX } = sharing;
  let link: RemoteCounters | null = null;
  let alone = false;
  let closed = false;

  async function tryToConnect(): Promise<boolean> {
    try {
      const made = await connect();
      if (closed) made.close();
      else use(made);
      return true;
    } catch (error) {
      countAlone(error);
      return false;
    }
  }

  function use(made: RemoteCounters): void {
    link = made;
    if (alone) log.info(`counting in ${name} again`);
    alone = false;
    made.lost?.then((error) => lose(made, error));
  }

  function lose(lost: RemoteCounters, error: unknown): void {
    if (lost !== link) return;
    link = null;
    countAlone(error);
    lost.close();
    void seek();
  }

  function countAlone(error: unknown): void {
    // The message alone: the rest of an error of a client may hold what was sent, passwords too.
    if (!alone && !closed) log.warn({ reason: (error as Error).message }, `counting without ${name}`);
    alone = true;
  }

  async function seek(): Promise<void> {
    do await delay(RETRY_MS, undefined, { ref: false });
    while (!closed && !(await tryToConnect()));
  }

  async function add(...counted: Parameters<Counters['add']>): Promise<Count> {
    const asked = link;
    if (asked === null) return await fallback.add(...counted);
    try {
      return await withTimeout(asked.add(...counted), countMsMax);
    } catch (error) {
      lose(asked, error);
      return await fallback.add(...counted);
    }
  }

  if (!(await tryToConnect())) void seek();
  return {
    add,
    close: () => {
      closed = true;
      link?.close();
      link = null;
      fallback.close();
    },
  };
}
