// Answers to what never becomes a request: bytes that are not HTTP, too large, or too slow in coming.
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { clientAddress } from '../domain/client-address.ts';
import { ApiError } from '../errors.ts';
import { gateRefusal } from './gate.ts';
import type { Log } from './log.ts';
import { isUnderApi, routePath } from './path.ts';
import { methodRefusal } from './routes/read-route.ts';

export const HEADER_BYTES_MAX = 16_384;
/** How long a refused client may go on sending: closing at once could take the answer away from it. */
const LINGER_MS = 2_000;

/** What is known of the service below its routes. */
export type Below = Readonly<{ gated: boolean; isRoute: (path: string) => boolean }>;

export type ClientError = Error & { code?: string; rawPacket?: unknown };

/** The answer to the last request that came in on a connection. */
export const exchanges = new WeakMap<Socket, ServerResponse>();
const refused = new WeakSet<Socket>();

export function answerBelowRoutes(error: ClientError, socket: Socket, log: Log, below: Below): void {
  // The rest of what was refused may still be arriving.
  if (refused.has(socket)) return;
  const last = exchanges.get(socket);
  // A request whose body never came to its end has had its answer: nothing more may be said about it.
  const isSpent = last?.writableFinished === true && !last.req.complete;
  if (error.code === 'ECONNRESET' || !socket.writable || isSpent) {
    socket.destroy();
    return;
  }
  if (last?.writableFinished === false) {
    // The answer to an earlier request on this connection is still to be sent, and goes first.
    last.once('close', () => answerBelowRoutes(error, socket, log, below));
    return;
  }
  const refusal = classify(error, below);
  const client = clientAddress(socket.remoteAddress, undefined, []);
  log.info({ status: refusal.status, reason: error.code, client }, 'request refused');
  refused.add(socket);
  socket.end(rawAnswer(refusal));
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function classify(error: ClientError, below: Below): ApiError {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError('request_timeout');
  if (error.code === 'HPE_INVALID_METHOD') return classifyMethod(error.rawPacket, below);
  if (error.code !== 'HPE_HEADER_OVERFLOW') return new ApiError('bad_request');
  return new ApiError(isLongFirstLine(error.rawPacket) ? 'uri_too_long' : 'headers_too_large');
}

/** The parser stops at a method that it does not know. If all else is in order, it is refused like those it knows. */
function classifyMethod(packet: unknown, { gated, isRoute }: Below): ApiError {
  const head = Buffer.isBuffer(packet) ? packet.toString('latin1', 0, HEADER_BYTES_MAX) : '';
  const target = /^[A-Z][A-Z_-]{0,40} (\S+) HTTP\/1\.[01]\r\n/.exec(head)?.[1];
  if (target === undefined) return new ApiError('bad_request');
  const path = routePath(target);
  if (gated && isUnderApi(path)) return gateRefusal();
  return isRoute(path) ? methodRefusal() : new ApiError('not_found');
}

/** Did the first line alone, as far as it came in this packet, fill the room there is for all headers? */
function isLongFirstLine(packet: unknown): boolean {
  if (!Buffer.isBuffer(packet) || !/^[A-Z-]+ /.test(packet.toString('latin1', 0, 32))) return false;
  const end = packet.indexOf('\n');
  return end === -1 || end > HEADER_BYTES_MAX / 2;
}

function rawAnswer({ status, headers, body }: ApiError): string {
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Date: ${new Date().toUTCString()}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
