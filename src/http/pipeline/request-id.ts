// A request's id, the same in the log and on the response (R48).
import { randomFillSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Cidr } from '../../domain/access/client-address.ts';
import { connectionOf } from './connection.ts';

export const REQUEST_ID_HEADER = 'x-request-id';

/** Needs no escaping in a log. */
const WELL_FORMED = /^[A-Za-z0-9_-]{1,64}$/;

const ID_DIGITS = 32;
/** Random bytes for many ids: a Node.js UUID costs three times as much. */
const random = Buffer.allocUnsafeSlow(4_096);
let digits = '';
let used = 0;

/** 32 hexadecimal digits, like nginx's. */
function randomId(): string {
  if (used === digits.length) {
    digits = randomFillSync(random).toString('hex');
    used = 0;
  }
  used += ID_DIGITS;
  return digits.slice(used - ID_DIGITS, used);
}

/** A random id reveals neither the number of requests nor the process that responded. */
export function requestId(sent: string | undefined, isFromProxy: () => boolean): string {
  return sent !== undefined && WELL_FORMED.test(sent) && isFromProxy() ? sent : randomId();
}

/** Two header lines arrive as one text with a comma, which is not a valid id. */
export function identifyRequests(trustedProxies: readonly Cidr[]): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return randomId;
  return ({ headers, socket }) =>
    requestId(headers[REQUEST_ID_HEADER] as string | undefined, () =>
      connectionOf(socket).isFromProxy(trustedProxies),
    );
}
