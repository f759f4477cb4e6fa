// Counters shared with other processes while they respond in time, and local ones while they do not.
import { setTimeout as delay } from 'node:timers/promises';
import { withTimeout } from '../../../timeout.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Allowance, Count, Counters } from './counters.ts';

/** The longest that a request waits for a shared count. */
export const COUNT_MS_MAX = 75;
const RETRY_MS = 250;
/** Counted to find out whether counting works. */
export const PROBE: Allowance = { kind: 'probe', max: 1, windowSeconds: 1 };

/** `lost` resolves when the connection has ended. */
export type RemoteCounters = Counters & Readonly<{ lost?: Promise<Error> }>;

type SharedCounterOptions = Readonly<{
  /** For the log. */
  name: string;
  /** Rejects within a bounded time unless counting works and is fast enough. */
  connect: () => Promise<RemoteCounters>;
  fallback: Counters;
  log: Log;
  countMsMax?: number;
}>;

/**
 * The first count that fails or times out switches all requests to the fallback, so that none waits for a dead server.
 * From then on only attempts in the background try to connect again.
 */
export async function withFallback(options: SharedCounterOptions): Promise<Counters> {
  const { name, connect, fallback, log, countMsMax = COUNT_MS_MAX } = options;
  let remote: RemoteCounters | null = null;
  let isDown = false;
  let isClosed = false;

  async function tryToConnect(): Promise<boolean> {
    try {
      const connected = await connect();
      if (isClosed) connected.close();
      else use(connected);
      return true;
    } catch (error) {
      reportDown(error);
      return false;
    }
  }

  function use(connected: RemoteCounters): void {
    remote = connected;
    if (isDown) log.info(`${name} reachable again`);
    isDown = false;
    connected.lost?.then((error) => lose(connected, error));
  }

  function lose(lost: RemoteCounters, error: unknown): void {
    if (lost !== remote) return;
    remote = null;
    reportDown(error);
    lost.close();
    void reconnect();
  }

  function reportDown(error: unknown): void {
    // Only the message: other properties of a client's error may contain commands, and so passwords.
    if (!isDown && !isClosed)
      log.warn({ reason: (error as Error).message }, `${name} unreachable: counting locally`);
    isDown = true;
  }

  async function reconnect(): Promise<void> {
    do await delay(RETRY_MS, undefined, { ref: false });
    while (!isClosed && !(await tryToConnect()));
  }

  async function add(...addition: Parameters<Counters['add']>): Promise<Count> {
    const current = remote;
    if (current === null) return await fallback.add(...addition);
    try {
      return await withTimeout(current.add(...addition), countMsMax);
    } catch (error) {
      lose(current, error);
      return await fallback.add(...addition);
    }
  }

  if (!(await tryToConnect())) void reconnect();
  return {
    add,
    close: () => {
      isClosed = true;
      remote?.close();
      remote = null;
      fallback.close();
    },
  };
}
