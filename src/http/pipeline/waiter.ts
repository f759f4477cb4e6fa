import type { Exchange } from './exchange.ts';

/** As in nginx, for the log and the metrics only: nobody receives it. */
export const CLIENT_GONE_STATUS = 499;

/** Thrown by work for a client that has hung up. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';

  constructor() {
    super('the client hung up');
  }
}

/** A client waiting for a long response. */
export type Waiter = Readonly<{
  client: string;
  /** Whether it has closed the connection. */
  isGone: () => boolean;
  /** Whether it has closed its side: it is gone, or merely done sending; the two look the same. */
  isHalfGone: () => boolean;
  /** Resolves when the response was sent, or the client has closed the connection. */
  sent: Promise<void>;
}>;

export function waiterOf({ client, request: { socket }, response }: Exchange): Waiter {
  return {
    client,
    isGone: () => response.destroyed,
    isHalfGone: () => socket.readableEnded,
    sent: new Promise((resolve) => {
      response.once('finish', resolve);
      response.once('close', resolve);
    }),
  };
}
