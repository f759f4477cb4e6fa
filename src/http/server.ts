// The HTTP server below the routes: its limits, and the requests that Node.js would otherwise handle itself.
import { readFileSync } from 'node:fs';
import { createServer, IncomingMessage, METHODS, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../errors.ts';
import { isTickUsedUp, noteConnection } from '../event-loop.ts';
import { type Connection, connectionOf } from './pipeline/exchange.ts';
import type { Counts } from './telemetry/counts.ts';
import type { Log } from './telemetry/log.ts';

export const HEADER_BYTES_MAX = 16_384;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 12_000;
/** How often Node.js checks these timeouts: a slow client is cut off well within 15 s. */
const TIMEOUT_CHECK_MS = 1_000;
/** Longer than the minute for which proxies keep a connection, so that the proxy closes it first. */
const KEEP_ALIVE_MS = 75_000;
/** For a client that stops reading in the middle of a response. */
const STALLED_SOCKET_MS = 90_000;
/** How long a rejected client may keep sending: closing at once could lose the response on its way. */
const LINGER_MS = 2_000;
/** Each takes about 15 KB, or up to 40 KB for a deliberately slow client. */
const CONNECTIONS_MAX = 10_000;
/** Open files for everything else: databases, Redis, the operations listener, the log. */
const OTHER_FILES = 150;
const LOG_EVERY_MS = 1_000;

/** A request that could not be parsed gets no other response than `failure`, except from the gate and the limiter. */
export type Handle = (request: IncomingMessage, response: ServerResponse, failure?: ApiError | null) => void;

export function createHttpServer(handle: Handle, log: Log, counts: Counts): Server {
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: HEADER_BYTES_MAX,
    // A missing Host gets our error, not that of Node.js.
    requireHostHeader: false,
  });
  server.timeout = STALLED_SOCKET_MS;
  // Node.js would drop headers beyond its limit; checkRequest rejects the request instead.
  server.maxHeadersCount = 0;
  // A client that half-closes its connection still waits for its response.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('connection', noteConnection);
  server.on('request', (request, response) => {
    connectionOf(request.socket).lastResponse = response;
    response.on('close', releaseRequest);
    // After a request with `Upgrade`, the Node.js parser reports no errors on the connection.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    handle(request, response);
  });
  server.on('checkExpectation', handleExpectation);
  server.on('checkContinue', handleExpectation);
  server.on('connect', (request, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    // Node.js detaches the socket of a CONNECT. Nothing else reads the rest of the input.
    socket.resume();
    afterEarlier(socket, () => handle(request, responseTo(request, socket)));
  });
  server.on('clientError', (error: ClientError, socket: Socket) => {
    const connection = connectionOf(socket);
    // The rest of a rejected request may still be arriving.
    if (connection.isRejected) return;
    connection.isRejected = true;
    if (error.code === 'ECONNRESET') return void socket.destroy();
    const respond = () => {
      // Thousands of clients may time out at once; other requests are served in between.
      if (isTickUsedUp()) return void setImmediate(respond);
      afterEarlier(socket, () => {
        const { request, failure } = readFailedRequest(error, socket);
        handle(request, responseTo(request, socket), failure);
      });
    };
    respond();
  });
  limitConnections(server, log, counts);
  return server;
}

/** Calls `respond` once the response to an earlier request on this connection was sent. */
function afterEarlier(socket: Socket, respond: () => void): void {
  const { lastResponse: earlier } = connectionOf(socket);
  const respondNow = () => {
    // A request whose body never ended already has its response and must not get a second one.
    const isSpent = earlier !== null && !earlier.req.complete;
    if (isSpent || !socket.writable) socket.destroy();
    else respond();
  };
  if (earlier === null || earlier.closed) respondNow();
  else earlier.once('close', respondNow);
}

/** To what Node.js does not hand over as a request; the connection ends with it. */
function responseTo(request: IncomingMessage, socket: Socket): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.on('finish', () => {
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  });
  return response;
}

/** An idle connection keeps nothing of its last request: headers alone may take 16 KiB. */
function releaseRequest(this: ServerResponse): void {
  const { req: request } = this;
  const connection = connectionOf(request.socket);
  // Kept for a request whose body never ended: it must not get a second response.
  if (request.complete && connection.lastResponse === this) connection.lastResponse = null;
}

/**
 * Whatever a client expects, it gets the final response at once, since no body is read; the connection cannot be reused.
 * Node.js would write its `100 Continue` into the middle of an earlier response still being sent.
 */
function handleExpectation(this: Server, request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  this.emit('request', request, response);
}

/**
 * One address may have all connections while nobody else needs them. At the limit, the oldest idle ones make room for new
 * ones: of the address with the most, if it has more than a hundredth of all. Only that address can lose a connection that
 * waits for a response while others have idle ones. Up to a hundredth is closed at once, because finding them takes time.
 */
function limitConnections(server: Server, log: Log, counts: Counts): void {
  server.maxConnections = connectionLimitFor(openFilesMax());
  /** Oldest first. */
  const open = new Set<Connection>();
  let closed = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;

  server.on('connection', (socket) => {
    const connection = connectionOf(socket);
    open.add(connection);
    socket.once('close', () => open.delete(connection));
    if (open.size >= server.maxConnections) makeRoom();
  });

  function makeRoom(): void {
    const byPeer = [...Map.groupBy(open, ({ peer }) => peer)];
    const [client, largest] = byPeer.reduce((one, other) => (other[1].length > one[1].length ? other : one));
    const onePercent = Math.ceil(server.maxConnections / 100);
    const candidates = largest.length > onePercent ? largest : [...open];
    // No response is being made or sent.
    const idle = candidates.filter(({ lastResponse }) => lastResponse?.writableFinished ?? true);
    const chosen = idle.length > 0 ? idle.slice(0, onePercent) : candidates.slice(0, 1);
    for (const connection of chosen) {
      // Not only on `close`, which comes later.
      open.delete(connection);
      connection.socket.destroy();
    }
    closed += chosen.length;
    counts.connectionsClosed += chosen.length;
    if (performance.now() - loggedAt < LOG_EVERY_MS) return;
    loggedAt = performance.now();
    log.warn(
      { connections: server.maxConnections, closed, client, open: largest.length },
      'connections closed',
    );
    closed = 0;
  }
}

export function connectionLimitFor(filesMax: number): number {
  return Math.min(CONNECTIONS_MAX, Math.max(filesMax - OTHER_FILES, Math.floor(filesMax / 2)));
}

/** `ulimit -n`, which Node.js raises as far as allowed; infinite where unknown. */
function openFilesMax(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

const BLANK = '\r\n\r\n';
/** Never the path of a route. */
const UNKNOWN = '-';

type ClientError = Error & { code?: string; rawPacket?: unknown; bytesParsed?: number };

/**
 * What Node.js cannot parse, or what takes too long, as a request: as far as it arrived, and what is wrong with it. `failure` is
 * null if only its method is unknown: then it is a request like any other.
 */
function readFailedRequest(error: ClientError, socket: Socket) {
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
