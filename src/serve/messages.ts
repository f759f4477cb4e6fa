// What the primary process and its workers say to each other.
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { WorkerReport } from './reports.ts';

/** To a worker: others take over, everything ends, or a question by the number that the answer is to have. */
export type WorkerCommand = 'retire' | 'stop' | Readonly<{ report: number }>;

/** From a worker: where it listens, why it cannot, that it no longer does, or what it was asked for. */
export type WorkerEvent = Readonly<
  { listening: string } | { refused: string } | { retiring: true } | { report: number; told: WorkerReport }
>;

type Message = Readonly<{ changelog: unknown }>;

export function sendCommand(worker: Worker, order: WorkerCommand): void {
  if (worker.isConnected()) worker.send({ changelog: order } satisfies Message);
}

export function onCommand(obey: (order: WorkerCommand) => void): void {
  process.on('message', (message) => {
    if (isOurs(message)) obey(message.changelog as WorkerCommand);
  });
}

/** Resolves when the notice is on its way. */
export function sendEvent(notice: WorkerEvent): Promise<void> {
  return new Promise((resolve) => {
    cluster.worker?.send({ changelog: notice } satisfies Message, () => resolve());
  });
}

/**
 * Ends the conversation. The primary process has then heard that this one takes no connections, and what it sent
 * before it heard that was handed back: a worker that just ended would take such a connection with it.
 */
export async function disconnect(): Promise<void> {
  const { worker } = cluster;
  if (!worker?.isConnected()) return;
  const left = once(worker, 'disconnect');
  worker.disconnect();
  await left;
}

/** Returns what ends it. */
export function onEvent(worker: Worker, heed: (notice: WorkerEvent) => void): () => void {
  const listener = (message: unknown) => {
    if (isOurs(message)) heed(message.changelog as WorkerEvent);
  };
  worker.on('message', listener);
  return () => void worker.off('message', listener);
}

/** What clients do is counted over the same channel (`http/counters/workers.ts`). */
function isOurs(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && 'changelog' in message;
}
