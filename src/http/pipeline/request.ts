// Identifies the client that sent a request, and makes checks that need no lookup.
import type { IncomingMessage } from 'node:http';
import { type Cidr, clientAddress } from '../../domain/access/client-address.ts';
import { ApiError } from '../../errors.ts';
import type { Stage } from './stages.ts';
import { parseTraceparent, TRACE_HEADER } from './trace.ts';

const TARGET_BYTES_MAX = 8_000;
const HEADER_LINES_MAX = 100;

/** Behind proxies, clients return often, and parsing their addresses each time costs more than the rest of a stage. */
const FORWARDED_MAX = 20_000;
const FORWARDED_CHARACTERS_MAX = 100;

/** Without trusted proxies, a connection belongs to one client for its whole life. */
export function identifyClient(trustedProxies: readonly Cidr[]): Stage {
  return trustedProxies.length > 0 ? identifyForwarded(trustedProxies) : identifyPeer;
}

const identifyPeer: Stage = (exchange, next) => {
  exchange.client = exchange.connection.peer;
  next();
};

/** Caches clients by peer and `X-Forwarded-For`, and clears the cache when it is full. */
function identifyForwarded(trustedProxies: readonly Cidr[]): Stage {
  const remembered = new Map<string, string>();

  function clientOf({ socket: { remoteAddress }, headers }: IncomingMessage): string {
    const forwardedFor = headers['x-forwarded-for'];
    const list = Array.isArray(forwardedFor) ? forwardedFor.join() : forwardedFor;
    const key = `${remoteAddress} ${list}`;
    let client = remembered.get(key);
    if (client !== undefined) return client;
    client = clientAddress(remoteAddress, list, trustedProxies);
    if (remembered.size >= FORWARDED_MAX) remembered.clear();
    if (key.length <= FORWARDED_CHARACTERS_MAX) remembered.set(key, client);
    return client;
  }

  return (exchange, next) => {
    const { request, connection } = exchange;
    exchange.client = clientOf(request);
    const traceparent = request.headers[TRACE_HEADER];
    if (typeof traceparent === 'string' && connection.isFromProxy(trustedProxies))
      exchange.trace = parseTraceparent(traceparent);
    next();
  };
}

/** All lines of one of a request's headers. */
export type LinesOf = (name: string) => string[];

/** All lines of a header: Node.js keeps only the first for some headers. */
export function headerLines({ rawHeaders }: IncomingMessage, name: string): string[] {
  const lines: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const candidate = rawHeaders[index] as string;
    if (candidate.length === name.length && candidate.toLowerCase() === name)
      lines.push(rawHeaders[index + 1] as string);
  }
  return lines;
}

export const checkRequest: Stage = ({ request }, next) => {
  const { url = '', rawHeaders, httpVersion } = request;
  if (url.length > TARGET_BYTES_MAX) return next(new ApiError('uri_too_long'));
  if (rawHeaders.length > HEADER_LINES_MAX * 2) return next(new ApiError('headers_too_large'));
  const hosts = headerLines(request, 'host').length;
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) return next(new ApiError('bad_request'));
  next();
};
