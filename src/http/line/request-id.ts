// The id of a request: the same in the log and on the response (R48).
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Cidr, isTrustedPeer } from '../../domain/access/client-address.ts';

export const REQUEST_ID_HEADER = 'x-request-id';

/** Contains nothing that would have to be escaped in a log. */
const WELL_FORMED = /^[A-Za-z0-9_-]{1,64}$/;

/** A random id reveals neither how many requests there were nor which process responded. */
export function requestId(sent: string | undefined, isFromProxy: () => boolean): string {
  return sent !== undefined && WELL_FORMED.test(sent) && isFromProxy() ? sent : randomUUID();
}

/** Two lines of the header arrive as one text with a comma, which is not an id. */
export function identifyRequests(trustedProxies: readonly Cidr[]): (request: IncomingMessage) => string {
  const byConnection = new WeakMap<Socket, boolean>();

  function isFromProxy(socket: Socket): boolean {
    const known = byConnection.get(socket) ?? isTrustedPeer(socket.remoteAddress, trustedProxies);
    byConnection.set(socket, known);
    return known;
  }

  return ({ headers, socket }) => {
    const sent = trustedProxies.length === 0 ? undefined : headers[REQUEST_ID_HEADER];
    return requestId(sent as string | undefined, () => isFromProxy(socket));
  };
}
