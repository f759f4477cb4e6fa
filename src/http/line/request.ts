// The client that sends a request, and checks that need no look-up.
import type { IncomingMessage } from 'node:http';
import { type Cidr, clientAddress } from '../../domain/access/client-address.ts';
import { ApiError } from '../../errors.ts';
import type { Stage } from './stages.ts';

const TARGET_BYTES_MAX = 8_000;
const HEADER_LINES_MAX = 100;

/** Without trusted proxies, a connection belongs to one client for its whole life. */
export function identifyClient(trustedProxies: readonly Cidr[]): Stage {
  const isProxied = trustedProxies.length > 0;

  function forwardedClient({ socket, headers }: IncomingMessage): string {
    const forwardedFor = headers['x-forwarded-for'];
    const list = Array.isArray(forwardedFor) ? forwardedFor.join() : forwardedFor;
    return clientAddress(socket.remoteAddress, list, trustedProxies);
  }

  return (exchange, next) => {
    const { request, connection } = exchange;
    if (isProxied) exchange.client = forwardedClient(request);
    else exchange.client = connection.client ??= clientAddress(request.socket.remoteAddress, undefined, []);
    next();
  };
}

/** All lines of a header: Node.js itself keeps only the first of some headers. */
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
