// What a request's headers say: its id (R48), its client, its trace, and whether it is acceptable at all.
import { randomFillSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Cidr, clientAddress } from '../../domain/access/client-address.ts';
import { ApiError } from '../../errors.ts';
import { connectionOf, type Exchange, REQUEST_ID_HEADER, type Stage, type Trace } from './exchange.ts';

const TARGET_BYTES_MAX = 8_000;
const HEADER_LINES_MAX = 100;

/** Behind proxies, clients return often, and parsing their addresses each time costs more than the rest of a stage. */
const FORWARDED_MAX = 20_000;
const FORWARDED_CHARACTERS_MAX = 100;

/** Needs no escaping in a log. */
const WELL_FORMED_ID = /^[A-Za-z0-9_-]{1,64}$/;
const ID_DIGITS = 32;
/** Random bytes for many ids: a Node.js UUID costs three times as much. */
const random = Buffer.allocUnsafeSlow(4_096);
let digits = '';
let used = 0;

/** 32 hexadecimal digits, like nginx's. It reveals neither the number of requests nor the process that responded. */
function randomId(): string {
  if (used === digits.length) {
    digits = randomFillSync(random).toString('hex');
    used = 0;
  }
  used += ID_DIGITS;
  return digits.slice(used - ID_DIGITS, used);
}

/** Two header lines arrive as one text with a comma, which is not a valid id. */
export function identifyRequests(trustedProxies: readonly Cidr[]): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return randomId;
  return ({ headers: { [REQUEST_ID_HEADER]: sent }, socket }) => {
    const isKept = typeof sent === 'string' && WELL_FORMED_ID.test(sent);
    return isKept && connectionOf(socket).isFromProxy(trustedProxies) ? sent : randomId();
  };
}

/**
 * W3C Trace Context. Version 00 has 55 characters, later ones may have more, and ff is not a version. Of two lines, which
 * arrive as one text with a comma, neither counts.
 */
const TRACEPARENT =
  /^(?!ff|00.{54})[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-[^,]*)?$/;

export function parseTraceparent(sent: string): Trace | null {
  const [, trace_id, span_id, trace_flags] = TRACEPARENT.exec(sent) ?? [];
  return trace_id && span_id && trace_flags ? { trace_id, span_id, trace_flags } : null;
}

/** Without a trusted proxy, a connection belongs to one client for its whole life. */
export function identifyClient(trustedProxies: readonly Cidr[]): Stage {
  /** By `X-Forwarded-For`: it means the same, whichever proxy sent it. Cleared when it is full. */
  const remembered = new Map<string, string>();

  function clientOf({ request: { headers, socket }, connection }: Exchange): string {
    // Node.js joins several lines into one text.
    const list = headers['x-forwarded-for'] as string | undefined;
    if (list === undefined || !connection.isFromProxy(trustedProxies)) return connection.peer;
    let client = remembered.get(list);
    if (client !== undefined) return client;
    client = clientAddress(socket.remoteAddress, list, trustedProxies);
    if (remembered.size >= FORWARDED_MAX) remembered.clear();
    // If the list names no client, it is the proxy itself, which differs.
    if (client !== connection.peer && list.length <= FORWARDED_CHARACTERS_MAX) remembered.set(list, client);
    return client;
  }

  return (exchange) => {
    const { request, connection } = exchange;
    const { traceparent } = request.headers;
    exchange.client = clientOf(exchange);
    if (typeof traceparent === 'string' && connection.isFromProxy(trustedProxies))
      exchange.trace = parseTraceparent(traceparent);
    return undefined;
  };
}

/** All lines of a header: Node.js keeps only the first for some headers. */
export function headerLines({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): string[] {
  const lines: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const candidate = rawHeaders[index] as string;
    if (candidate.length === name.length && candidate.toLowerCase() === name)
      lines.push(rawHeaders[index + 1] as string);
  }
  return lines;
}

export const checkRequest: Stage = (exchange) => {
  const { request, failure } = exchange;
  const { url = '', rawHeaders, httpVersion } = request;
  // Malformed HTTP has no trustworthy path, so it never gets a page.
  if (failure?.code === 'bad_request') exchange.surface = 'open';
  if (failure !== null) return failure;
  if (url.length > TARGET_BYTES_MAX) return new ApiError('uri_too_long');
  if (rawHeaders.length > HEADER_LINES_MAX * 2) return new ApiError('headers_too_large');
  const hosts = headerLines(request, 'host').length;
  return hosts > 1 || (hosts === 0 && httpVersion === '1.1') ? new ApiError('bad_request') : undefined;
};

const EXPOSED_HEADERS = 'RateLimit, RateLimit-Policy, ETag, Link, Retry-After, X-Request-Id';

/** Adds headers, each name followed by its value. */
const addHead =
  (...lines: readonly string[]): Stage =>
  ({ head }) => {
    for (const line of lines) head.push(line);
    return undefined;
  };

const allowReading = (exposed: string) =>
  addHead('access-control-allow-origin', '*', 'access-control-expose-headers', exposed);

/** What pages of other sites may do (R28). Clients of Gitea's lists need their length. */
export const ORIGINS = {
  none: null,
  read: allowReading(EXPOSED_HEADERS),
  count: allowReading(`${EXPOSED_HEADERS}, X-Total-Count`),
  /** Even isolated pages may load it (`Cross-Origin-Embedder-Policy`). */
  embed: addHead('access-control-allow-origin', '*', 'cross-origin-resource-policy', 'cross-origin'),
};

/** A cache must not serve one key's response to another. */
export const varyByKey = addHead('vary', 'Authorization');
