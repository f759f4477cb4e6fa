// The id of a request: the same in the log and on the response (R48).
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Cidr, isTrustedPeer } from '../../domain/access/client-address.ts';
import { connectionOf } from './connection.ts';

export const REQUEST_ID_HEADER = 'x-request-id';

/** Contains nothing that would have to be escaped in a log. */
const WELL_FORMED = /^[A-Za-z0-9_-]{1,64}$/;

/** A random id reveals neither how many requests there were nor which process responded. */
export function requestId(sent: string | undefined, isFromProxy: () => boolean): string {
  return sent !== undefined && WELL_FORMED.test(sent) && isFromProxy() ? sent : randomUUID();
}

/** Two lines of the header arrive as one text with a comma, which is not an id. */
export function identifyRequests(trustedProxies: readonly Cidr[]): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return () => randomUUID();

  function isFromProxy(socket: Socket): boolean {
    const connection = connectionOf(socket);
    connection.isFromProxy ??= isTrustedPeer(socket.remoteAddress, trustedProxies);
    return connection.isFromProxy;
  }

  return ({ headers, socket }) =>
    requestId(headers[REQUEST_ID_HEADER] as string | undefined, () => isFromProxy(socket));
}
