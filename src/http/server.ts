// The HTTP server below the routes: its limits, and the requests that Node.js would otherwise handle itself.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { noteConnection } from '../event-loop.ts';
import {
  type ClientError,
  type ClientErrorContext,
  HEADER_BYTES_MAX,
  sendClientError,
} from './client-errors.ts';
import { limitConnections } from './pipeline/connections.ts';
import { connectionOf } from './pipeline/exchange.ts';
import type { Log } from './telemetry/log.ts';

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 12_000;
/** How often Node.js checks these timeouts: a slow client is cut off well within 15 s. */
const TIMEOUT_CHECK_MS = 1_000;
/** Longer than the minute for which proxies keep a connection, so that the proxy closes it first. */
const KEEP_ALIVE_MS = 75_000;
/** For a client that stops reading in the middle of a response. */
const STALLED_SOCKET_MS = 90_000;
/** Thousands of clients may time out at once; other requests are served between batches. */
const TIMED_OUT_BATCH_MAX = 50;

type ServerContext = ClientErrorContext & Readonly<{ onConnectionsClosed: (count: number) => void }>;

export function createHttpServer(handle: RequestListener, log: Log, context: ServerContext): Server {
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
  server.on('connect', handleConnect);
  const reject: RejectClient = (error, socket) => sendClientError(error, socket, log, context);
  const rejectTimedOut = inBatches(reject);
  server.on('clientError', (error: ClientError, socket: Socket) =>
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? rejectTimedOut(error, socket) : reject(error, socket),
  );
  limitConnections(server, log, context);
  return server;
}

type RejectClient = (error: ClientError, socket: Socket) => void;

/** One batch per turn of the event loop. */
function inBatches(reject: RejectClient): RejectClient {
  const waiting: Parameters<RejectClient>[] = [];
  const rejectBatch = () => {
    for (const [error, socket] of waiting.splice(0, TIMED_OUT_BATCH_MAX)) reject(error, socket);
    if (waiting.length > 0) setImmediate(rejectBatch);
  };
  return (error, socket) => {
    if (waiting.push([error, socket]) === 1) setImmediate(rejectBatch);
  };
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

/** Node.js detaches the socket of a CONNECT, so errors, order and closing are handled here. */
function handleConnect(this: Server, request: IncomingMessage, socket: Socket): void {
  socket.on('error', () => socket.destroy());
  const respond = () => {
    if (!socket.writable) return void socket.destroy();
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    // Nothing reads the rest of the input, so the socket is destroyed, not just ended.
    response.on('finish', () => socket.destroySoon());
    this.emit('request', request, response);
  };
  const earlier = connectionOf(socket).lastResponse;
  if (earlier?.writableFinished === false) earlier.once('close', respond);
  else respond();
}
