// Messages between the primary process and its workers.
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';

/** About the worker's state (R36), or whether a public product has this domain. */
export type Question = Readonly<{ question: number; domain?: string }>;

export type WorkerCommand = 'drain' | 'stop' | Question;

export type WorkerEvent = Readonly<
  { listening: true } | { failed: string } | { draining: true } | { question: number; answer: unknown }
>;

export function sendCommand(worker: Worker, command: WorkerCommand): void {
  if (worker.isConnected()) worker.send(command);
}

/** Resolves when the event has been handed to the channel. */
export function sendEvent(event: WorkerEvent): Promise<void> {
  return new Promise((resolve) => cluster.worker?.send(event, () => resolve()));
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
