// Messages between the primary process and its workers.
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';

/** About the worker's state (R36), or whether a public product has this domain. */
export type Question = Readonly<{ question: number; domain?: string }>;

type WorkerCommand = 'drain' | 'stop' | Question;

type WorkerEvent = Readonly<
  { listening: true } | { failed: string } | { draining: true } | { question: number; answer: unknown }
>;

export function sendCommand(worker: Worker, command: WorkerCommand): void {
  if (worker.isConnected()) worker.send(command);
}

export function onCommand(handle: (command: WorkerCommand) => void): void {
  process.on('message', handle);
}

/** Resolves when the event has been handed to the channel. */
export function sendEvent(event: WorkerEvent): Promise<void> {
  return new Promise((resolve) => cluster.worker?.send(event, () => resolve()));
}

/** Returns a function that removes the listener. */
export function onEvent(worker: Worker, handle: (event: WorkerEvent) => void): () => void {
  worker.on('message', handle);
  return () => void worker.off('message', handle);
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
