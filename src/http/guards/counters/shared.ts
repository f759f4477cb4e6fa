// Shared counters while they respond in time, local ones while they do not.
import { setTimeout as delay } from 'node:timers/promises';
import { withTimeout } from '../../../timeout.ts';
import type { Log } from '../../telemetry/log.ts';
import { Batch } from './batch.ts';
import type { Addition, Counters, RemoteCounters } from './counters.ts';

/** The longest that a request waits for a shared count. */
export const COUNT_MS_MAX = 75;
const RETRY_MS = 250;
/** An addition that tests whether counting works. */
export const PROBE: Addition = {
  allowance: { kind: 'probe', max: 1, windowSeconds: 1 },
  client: 'any',
  points: 1,
};

type SharedCounterOptions = Readonly<{
  /** For the log. */
  name: string;
  /** Rejects within a bounded time unless counting works and is fast enough. */
  connect: () => Promise<RemoteCounters>;
  fallback: Counters;
  log: Log;
  countMsMax?: number | undefined;
  /** Whether additions gather while a request is pending. Pays off if requests cost more than waiting. */
  isOneAtATime?: boolean;
}>;

/**
 * The first count that fails or times out switches all requests to the fallback, so that none waits for a dead server.
 * After that, only background attempts reconnect.
 */
export async function withFallback(options: SharedCounterOptions): Promise<Counters> {
  const { name, connect, fallback, log, countMsMax = COUNT_MS_MAX, isOneAtATime = false } = options;
  let remote: RemoteCounters | null = null;
  let isDown = false;
  let isClosed = false;
  let batch = new Batch();
  let isSending = false;

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
    const onLost = (error: unknown) => lose(connected, error);
    connected.lost?.then(onLost, onLost);
  }

  function lose(lost: RemoteCounters, error: unknown): void {
    if (lost !== remote) return;
    remote = null;
    reportDown(error);
    lost.close();
    void reconnect();
  }

  function reportDown(error: unknown): void {
    // Log only the message: other properties of a client's error may contain commands, and so passwords.
    if (!isDown && !isClosed)
      log.warn({ reason: (error as Error).message }, `${name} unreachable: counting locally`);
    isDown = true;
  }

  async function reconnect(): Promise<void> {
    do await delay(RETRY_MS, undefined, { ref: false });
    while (!isClosed && !(await tryToConnect()));
  }

  async function send(): Promise<void> {
    if (isOneAtATime && isSending) return;
    const current = remote;
    const sent = batch;
    batch = new Batch();
    if (current === null) return sent.settleEach(fallback.add);
    isSending = true;
    try {
      sent.settle(await withTimeout(current.addAll(sent.additions()), countMsMax));
    } catch (error) {
      lose(current, error);
      sent.settleEach(fallback.add);
    }
    isSending = false;
    if (isOneAtATime && !batch.isEmpty) void send();
  }

  if (!(await tryToConnect())) void reconnect();
  return {
    add: (allowance, client, points) => {
      if (remote === null) return fallback.add(allowance, client, points);
      if (batch.isEmpty) setImmediate(send);
      return batch.add(allowance, client, points);
    },
    isShared: () => remote !== null,
    close: () => {
      isClosed = true;
      remote?.close();
      remote = null;
      fallback.close();
    },
  };
}
