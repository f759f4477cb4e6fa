// The HTTP server below the routes: its limits, and its answers to what never becomes a request.
import { type IncomingMessage, METHODS, type Server, ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { clientAddress } from '../domain/client-address.ts';
import { ApiError, errorBody } from '../errors.ts';
import { gateRefusal } from './gate.ts';
import type { Log } from './log.ts';
import { isUnderApi, routePath } from './path.ts';
import { methodRefusal } from './routes/register.ts';

/** Any that is never served. */
const REFUSED_METHOD = 'TRACE';
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 12_000;
/** How often Node.js looks for requests over those times; with it, a slow client is cut well within 15 s. */
const TIMEOUT_CHECK_MS = 1_000;
/** Longer than the minute for which proxies keep a connection, so that the proxy is the one that closes it. */
const KEEP_ALIVE_MS = 75_000;
/** For a client that stops reading in the middle of an answer. */
const STALLED_SOCKET_MS = 90_000;
/** How long a refused client may go on sending: closing at once could take the answer away from it. */
const LINGER_MS = 2_000;
const HEADER_BYTES_MAX = 16_384;
/** Path parameters are bounded by `routePath`; percent-encoded they are longer than that. */
const PARAM_CHARACTERS_MAX = 2_000;

/** What is known of the service below its routes. */
type Below = Readonly<{ gated: boolean; isRoute: (path: string) => boolean }>;

export function serverOptions(log: Log, below: Below) {
  return {
    loggerInstance: log as FastifyBaseLogger,
    // Requests are logged by a hook of ours, one line each.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(),
    rewriteUrl: readTarget,
    exposeHeadRoutes: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionTimeout: STALLED_SOCKET_MS,
    routerOptions: { maxParamLength: PARAM_CHARACTERS_MAX, querystringParser: () => ({}) },
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      maxHeaderSize: HEADER_BYTES_MAX,
      // Node.js would answer a missing Host in its own words; we do it in ours.
      requireHostHeader: false,
    },
    clientErrorHandler: (error: ClientError, socket: Socket) => answerBelowRoutes(error, socket, log, below),
  } satisfies FastifyServerOptions & { http: unknown };
}

/** The first look at a request: what it is routed by. */
function readTarget(request: IncomingMessage): string {
  // The parser also takes the methods of RTSP, for which nothing can be routed: they are refused like all the others.
  if (!METHODS.includes(request.method ?? '')) request.method = REFUSED_METHOD;
  return routePath(request.url ?? '');
}

/** Short, and unlike those of another process or an earlier run. */
function requestIds(): () => string {
  const run = Date.now().toString(36) + process.pid.toString(36);
  let count = 0;
  return () => `${run}-${(++count).toString(36)}`;
}

/** Makes the requests that Node.js would handle or drop by itself go the way of all the others. */
export function tameServer(app: FastifyInstance): void {
  app.decorateRequest('client', '');
  app.decorateRequest('keyId', null);
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  const { server } = app;
  // Truncated headers would be worse than none; their number is bounded by the request's own check.
  server.maxHeadersCount = 0;
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', answerConnect);
  server.prependListener('request', closeAfterUpgrade);
  server.on('request', (request, response) => exchanges.set(request.socket, { request, response }));
}

/** Node.js lets go of the socket of a CONNECT: its errors, the order on it and its end are ours to see to. */
function answerConnect(this: Server, request: IncomingMessage, socket: Socket): void {
  socket.on('error', () => socket.destroy());
  const answer = () => {
    if (!socket.writable) return void socket.destroy();
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    // Nothing reads what else comes, so it is closed and not just ended.
    response.on('finish', () => socket.destroySoon());
    this.emit('request', request, response);
  };
  const earlier = exchanges.get(socket)?.response;
  if (earlier?.writableFinished === false) earlier.once('close', answer);
  else answer();
}

/** After a request with `Upgrade` the parser of Node.js keeps silent about what is wrong with the next. */
function closeAfterUpgrade(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
}

type ClientError = Error & { code?: string; rawPacket?: unknown };

/** The last request that came in on a connection, and the answer to it. */
const exchanges = new WeakMap<Socket, Readonly<{ request: IncomingMessage; response: ServerResponse }>>();
const refused = new WeakSet<Socket>();

function answerBelowRoutes(error: ClientError, socket: Socket, log: Log, below: Below): void {
  // The rest of what was refused may still be arriving.
  if (refused.has(socket)) return;
  const last = exchanges.get(socket);
  // A request whose body never came to its end has had its answer: nothing more may be said about it.
  const isSpent = last?.response.writableFinished === true && !last.request.complete;
  if (error.code === 'ECONNRESET' || !socket.writable || isSpent) {
    socket.destroy();
    return;
  }
  if (last?.response.writableFinished === false) {
    // The answer to an earlier request on this connection is still to be sent, and goes first.
    last.response.once('close', () => answerBelowRoutes(error, socket, log, below));
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

function rawAnswer({ code, status, message, headers }: ApiError): string {
  const body = errorBody(code, message);
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
