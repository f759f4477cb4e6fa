// The HTTP server below the routes: its limits, and the requests that Node.js would otherwise handle itself.
import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiError } from '../errors.ts';
import { isTickUsedUp, noteConnection } from '../event-loop.ts';
import { type ClientError, HEADER_BYTES_MAX, readFailedRequest } from './client-errors.ts';
import { limitConnections } from './pipeline/connections.ts';
import { connectionOf } from './pipeline/exchange.ts';
import type { Counts } from './telemetry/counts.ts';
import type { Log } from './telemetry/log.ts';

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

/** A request that could not be parsed gets no other response than `failure`, except from the gate and the limiter. */
export type Handle = (request: IncomingMessage, response: ServerResponse, failure?: ApiError | null) => void;

export function createHttpServer(
  handle: Handle,
  log: Log,
  counts: Pick<Counts, 'connectionsClosed'>,
): Server {
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
