// Responses to input that never becomes a request: not HTTP, too large, or too slow.
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type Cidr, clientAddress } from '../domain/access/client-address.ts';
import { ApiError } from '../errors.ts';
import type { Domains } from './domains.ts';
import { gateError } from './guards/gate.ts';
import type { Limiter } from './guards/limiter.ts';
import type { ErrorResponse, ErrorResponseOn } from './pipeline/errors.ts';
import { connectionOf, REQUEST_ID_HEADER, type RouteSurface } from './pipeline/exchange.ts';
import { NOWHERE } from './pipeline/path.ts';
import { parseTraceparent, requestId, TRACE_HEADER } from './pipeline/request.ts';
import { methodError, type NotFoundOn, type Router } from './pipeline/router.ts';
import type { Log } from './telemetry/log.ts';

export const HEADER_BYTES_MAX = 16_384;
/** How long a rejected client may keep sending: closing at once could lose the response on its way. */
const LINGER_MS = 2_000;
const BLANK = '\r\n\r\n';

export type ClientErrorContext = Readonly<{
  gated: boolean;
  trustedProxies: readonly Cidr[];
  limiter: Limiter;
  domains: Domains;
  route: Router;
  notFoundOn: NotFoundOn;
  errorOn: ErrorResponseOn;
}>;

export type ClientError = Error & { code?: string; rawPacket?: unknown; bytesParsed?: number };

const rejected = new WeakSet<Socket>();

export function sendClientError(
  error: ClientError,
  socket: Socket,
  log: Log,
  context: ClientErrorContext,
): void {
  // The rest of a rejected request may still be arriving.
  if (rejected.has(socket)) return;
  rejected.add(socket);
  const { lastResponse: last } = connectionOf(socket);
  const reject = () => {
    // A request whose body never ended already has its response and must not get a second one.
    const isSpent = last?.writableFinished === true && !last.req.complete;
    if (error.code === 'ECONNRESET' || !socket.writable || isSpent) return void socket.destroy();
    respond(error, socket, log, context).catch((cause: unknown) => {
      log.error({ err: cause }, 'could not send an error response');
      socket.destroy();
    });
  };
  // The response to an earlier request on this connection goes first.
  if (last?.writableFinished === false && error.code !== 'ECONNRESET') last.once('close', reject);
  else reject();
}

async function respond(
  error: ClientError,
  socket: Socket,
  log: Log,
  context: ClientErrorContext,
): Promise<void> {
  const head = parseHead(error);
  const { trustedProxies, errorOn } = context;
  const client = clientAddress(socket.remoteAddress, headerOf(head, 'x-forwarded-for'), trustedProxies);
  const isFromProxy = connectionOf(socket).isFromProxy(trustedProxies);
  const reqId = requestId(headerOf(head, REQUEST_ID_HEADER), () => isFromProxy);
  const trace = isFromProxy ? parseTraceparent(headerOf(head, TRACE_HEADER) ?? '') : null;
  const { surface, apiError, fields } = await decide(error, head, client, context);
  log.info({ reqId, ...trace, status: apiError.status, reason: error.code, client }, 'request refused');
  const response = rawResponse(apiError, errorOn(surface, apiError), [...fields, REQUEST_ID_HEADER, reqId]);
  socket.end(response, 'latin1');
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

type Decision = Readonly<{ surface: RouteSurface; apiError: ApiError; fields: readonly string[] }>;

/** If the path is known, the gate and the limiter come first, as they do for routes (R23, R25). */
async function decide(
  error: ClientError,
  head: string,
  client: string,
  { gated, limiter, domains, route, notFoundOn }: ClientErrorContext,
): Promise<Decision> {
  const target = /^\S+[ \t]+(\S+)/.exec(head)?.[1] ?? NOWHERE;
  const host = await domains.find(linesOf(head, 'host')[0]);
  const routed = route(target, host, (name) => linesOf(head, name));
  const { surface } = routed;
  // The request fails in any case, so its password is not checked.
  if (gated && routed.gated) return { surface, apiError: gateError(), fields: [] };
  const fields: string[] = [];
  const tooMany = routed.limited ? await limiter(client, fields) : undefined;
  const wrongMethod = () => (routed.route === null ? notFoundOn(surface) : methodError());
  if (tooMany !== undefined) return { surface, apiError: tooMany, fields };
  const apiError = classify(error, head, wrongMethod);
  // Malformed HTTP has no trustworthy path, so it never gets a page.
  return { surface: apiError.code === 'bad_request' ? 'open' : surface, apiError, fields };
}

function classify({ code }: ClientError, head: string, wrongMethod: () => ApiError): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError('request_timeout');
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ApiError(isLongFirstLine(head) ? 'uri_too_long' : 'headers_too_large');
  // The parser stops at an unknown method. If the rest is valid, respond as to any other method.
  if (code === 'HPE_INVALID_METHOD' && /^[A-Z][A-Z_-]{0,40} \S+ HTTP\/1\.[01]\r\n/.test(head))
    return wrongMethod();
  return new ApiError('bad_request', isUnencoded(head) ? { message: UNENCODED_MESSAGE } : {});
}

const UNENCODED_MESSAGE =
  'The URL contains a space, a control character or one outside ASCII. Percent-encode it: a space is %20.';

/** Whether this otherwise valid request line has characters that a URL must encode. */
function isUnencoded(head: string): boolean {
  const [, target] = /^[A-Z-]+ (.*) HTTP\/1\.[01]\r?\n/.exec(head) ?? [];
  return target !== undefined && /[^!-~]/.test(target);
}

/** The request line and headers, as far as they arrived in the packet that failed. */
function parseHead({ rawPacket, bytesParsed = 0 }: ClientError): string {
  if (!Buffer.isBuffer(rawPacket)) return '';
  // Earlier requests in the same packet end with an empty line.
  const end = bytesParsed < BLANK.length ? -1 : rawPacket.lastIndexOf(BLANK, bytesParsed - BLANK.length);
  const start = end === -1 ? 0 : end + BLANK.length;
  return rawPacket.toString('latin1', start, start + HEADER_BYTES_MAX).replace(/^[\r\n]+/, '');
}

/** All lines of a header, joined as Node.js joins them. */
function headerOf(head: string, name: string): string | undefined {
  const lines = linesOf(head, name);
  return lines.length === 0 ? undefined : lines.join(', ');
}

function linesOf(head: string, name: string): string[] {
  return [...head.matchAll(new RegExp(`^${name}:(.*)$`, 'gim'))].map(([, value = '']) => value.trim());
}

/** Whether the request line alone, as far as it arrived in this packet, used up the limit for all headers. */
function isLongFirstLine(head: string): boolean {
  if (!/^[A-Z-]+ /.test(head.slice(0, 32))) return false;
  const end = head.indexOf('\n');
  return end === -1 || end > HEADER_BYTES_MAX / 2;
}

/** In `fields` and `head`, each name is followed by its value. A body has one character per byte. */
function rawResponse(
  { status, headers }: ApiError,
  { head, body }: ErrorResponse,
  fields: readonly string[],
): string {
  const formatPairs = (pairs: readonly string[]) =>
    pairs.flatMap((name, index) => (index % 2 === 0 ? `${name}: ${pairs[index + 1]}` : []));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Date: ${new Date().toUTCString()}`,
    ...formatPairs(fields),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...formatPairs(head),
    `Content-Length: ${body.length}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
