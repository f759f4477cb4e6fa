import type { Exchange } from './exchange.ts';

/** For the log and the metrics, as nginx has it: nobody receives it. */
export const CLIENT_GONE_STATUS = 499;

/** Thrown by work for a client that has hung up. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';

  constructor() {
    super('the client hung up');
  }
}

/** A client that waits for a long response. */
export type Waiter = Readonly<{
  client: string;
  /** Has it closed the connection? */
  isGone: () => boolean;
  /** Has it closed its side? It is gone too, or only sends no more: nothing tells the two apart. */
  isHalfGone: () => boolean;
  /** Resolves when the response was sent, or its client has closed the connection. */
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
