// Input that Node.js cannot parse or that takes too long, as a request: as far as it arrived, and what is wrong with it.
import { IncomingMessage, METHODS } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../errors.ts';

export const HEADER_BYTES_MAX = 16_384;
const BLANK = '\r\n\r\n';
/** Never the path of a route. */
const UNKNOWN = '-';

export type ClientError = Error & { code?: string; rawPacket?: unknown; bytesParsed?: number };

/** `failure` is null if only its method is unknown: then it is a request like any other. */
export function readFailedRequest(error: ClientError, socket: Socket) {
  const head = findHead(error);
  const [, method = UNKNOWN, url = UNKNOWN] = /^(\S+)[ \t]+(\S+)/.exec(head) ?? [];
  const request = new IncomingMessage(socket);
  request.method = /^[A-Z_-]+$/.test(method) ? method : UNKNOWN;
  request.url = url;
  const headers = new Map<string, string>();
  for (const [, name = '', value = ''] of head.matchAll(/^([^\s:]+):(.*)$/gm)) {
    request.rawHeaders.push(name, value.trim());
    const earlier = headers.get(name.toLowerCase());
    // As Node.js joins them.
    headers.set(name.toLowerCase(), earlier === undefined ? value.trim() : `${earlier}, ${value.trim()}`);
  }
  request.headers = Object.fromEntries(headers);
  return { request, failure: classify(error, head) };
}

function classify({ code }: ClientError, head: string): ApiError | null {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError('request_timeout');
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ApiError(isLongFirstLine(head) ? 'uri_too_long' : 'headers_too_large');
  // The parser stops at an unknown method. If the rest is valid, it gets what any other method gets. What looks like a
  // request with a known one is in the body of another.
  const [, method] = /^([A-Z][A-Z_-]{0,40}) \S+ HTTP\/1\.[01](?:\r\n|$)/.exec(head) ?? [];
  if (code === 'HPE_INVALID_METHOD' && method !== undefined && !METHODS.includes(method)) return null;
  return new ApiError('bad_request');
}

/** The request line and headers, as far as they arrived in the packet that failed. */
function findHead({ rawPacket, bytesParsed = 0 }: ClientError): string {
  if (!Buffer.isBuffer(rawPacket)) return '';
  // Earlier requests in the same packet end with an empty line.
  const end = bytesParsed < BLANK.length ? -1 : rawPacket.lastIndexOf(BLANK, bytesParsed - BLANK.length);
  const start = end === -1 ? 0 : end + BLANK.length;
  const text = rawPacket.toString('latin1', start, start + HEADER_BYTES_MAX);
  const [head = ''] = text.replace(/^[\r\n]+/, '').split(BLANK, 1);
  return head;
}

/** Whether the request line alone, as far as it arrived in this packet, used up the limit for all headers. */
function isLongFirstLine(head: string): boolean {
  if (!/^[A-Z-]+ /.test(head.slice(0, 32))) return false;
  const end = head.indexOf('\n');
  return end === -1 || end > HEADER_BYTES_MAX / 2;
}
