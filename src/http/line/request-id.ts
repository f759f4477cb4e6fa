// The id of a request: the same in the log and on the response (R48).
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Cidr, isTrustedPeer } from '../../domain/access/client-address.ts';

export const REQUEST_ID_HEADER = 'x-request-id';

/** Contains nothing that would have to be escaped in a log. */
const WELL_FORMED = /^[A-Za-z0-9_-]{1,64}$/;

/** A random id reveals neither how many requests there were nor which process responded. */
export function requestId(
  sent: string | undefined,
  peer: string | undefined,
  trustedProxies: readonly Cidr[],
): string {
  const isKept = sent !== undefined && WELL_FORMED.test(sent) && isTrustedPeer(peer, trustedProxies);
  return isKept ? sent : randomUUID();
}

/** Two lines of the header arrive as one text with a comma, which is not an id. */
export function identifyRequest(
  { headers, socket }: IncomingMessage,
  trustedProxies: readonly Cidr[],
): string {
  if (trustedProxies.length === 0) return randomUUID();
  return requestId(headers[REQUEST_ID_HEADER] as string | undefined, socket.remoteAddress, trustedProxies);
}
