// What the primary process and its workers say to each other.
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';

/** To a worker: others take over, or everything ends. */
export type Order = 'retire' | 'stop';

/** From a worker: where it listens, why it cannot, or that it no longer does. */
export type Notice = Readonly<{ listening: string } | { refused: string } | { retiring: true }>;

type Message = Readonly<{ changelog: unknown }>;

export function giveOrder(worker: Worker, order: Order): void {
  if (worker.isConnected()) worker.send({ changelog: order } satisfies Message);
}

export function onOrder(obey: (order: Order) => void): void {
  process.on('message', (message) => {
    if (isOurs(message)) obey(message.changelog as Order);
  });
}

/** Resolves when the notice is on its way. */
export function giveNotice(notice: Notice): Promise<void> {
  return new Promise((resolve) => {
    cluster.worker?.send({ changelog: notice } satisfies Message, () => resolve());
  });
}

/**
 * Ends the conversation. The primary process has then heard that this one takes no connections, and what it sent
 * before it heard that was handed back: a worker that just ended would take such a connection with it.
 */
export async function leave(): Promise<void> {
  const { worker } = cluster;
  if (!worker?.isConnected()) return;
  const left = once(worker, 'disconnect');
  worker.disconnect();
  await left;
}

export function onNotice(worker: Worker, heed: (notice: Notice) => void): void {
  worker.on('message', (message: unknown) => {
    if (isOurs(message)) heed(message.changelog as Notice);
  });
}

/** The library that counts talks over the same channel. */
function isOurs(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && 'changelog' in message;
}
