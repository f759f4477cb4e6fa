// Messages between the primary process and its workers.
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** A report has the number of its request. With a domain, it is only whether a public product has it. */
export type ReportRequest = Readonly<{ report: number; domain?: string }>;

type WorkerCommand = 'drain' | 'stop' | ReportRequest;

export type WorkerReport = Readonly<{
  isReady: boolean;
  metrics: MetricObjectWithValues<MetricValue<string>>[];
}>;

type WorkerEvent = Readonly<
  | { listening: string }
  | { failed: string }
  | { draining: true }
  | { report: number; data: WorkerReport | boolean }
>;

type Message = Readonly<{ changelog: unknown }>;

export function sendCommand(worker: Worker, command: WorkerCommand): void {
  if (worker.isConnected()) worker.send({ changelog: command } satisfies Message);
}

export function onCommand(handle: (command: WorkerCommand) => void): void {
  process.on('message', (message) => {
    if (isMessage(message)) handle(message.changelog as WorkerCommand);
  });
}

/** Resolves when the event has been handed to the channel. */
export function sendEvent(event: WorkerEvent): Promise<void> {
  return new Promise((resolve) => {
    cluster.worker?.send({ changelog: event } satisfies Message, () => resolve());
  });
}

/** Returns a function that removes the listener. */
export function onEvent(worker: Worker, handle: (event: WorkerEvent) => void): () => void {
  const listener = (message: unknown) => {
    if (isMessage(message)) handle(message.changelog as WorkerEvent);
  };
  worker.on('message', listener);
  return () => void worker.off('message', listener);
}

/**
 * Closes the channel. The primary process then knows that this worker accepts no connections, and takes back those it
 * had already sent. A worker that just exited would lose them.
 */
export async function disconnect(): Promise<void> {
  const { worker } = cluster;
  if (!worker?.isConnected()) return;
  const disconnected = once(worker, 'disconnect');
  worker.disconnect();
  await disconnected;
}

function isMessage(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && 'changelog' in message;
}
