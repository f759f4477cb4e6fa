// The HTTP server that the routes stand on: its limits, and what Node.js would otherwise decide by itself.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import {
  type ClientError,
  type ClientErrorContext,
  exchanges,
  HEADER_BYTES_MAX,
  sendClientError,
} from './client-errors.ts';
import { limitConnections } from './line/connections.ts';
import type { Log } from './telemetry/log.ts';

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 12_000;
/** How often Node.js looks for requests over those times; with it, a slow client is cut well within 15 s. */
const TIMEOUT_CHECK_MS = 1_000;
/** Longer than the minute for which proxies keep a connection, so that the proxy is the one that closes it. */
const KEEP_ALIVE_MS = 75_000;
/** For a client that stops reading in the middle of an answer. */
const STALLED_SOCKET_MS = 90_000;
/** Thousands may be over their time at once; whoever else asks is answered between so many of them. */
const OVERDUE_TOGETHER_MAX = 50;

/** Makes the requests that Node.js would handle or drop by itself go the way of all the others. */
export function createHttpServer(handle: RequestListener, log: Log, below: ClientErrorContext): Server {
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: HEADER_BYTES_MAX,
    // Node.js would answer a missing Host in its own words; we do it in ours.
    requireHostHeader: false,
  });
  server.timeout = STALLED_SOCKET_MS;
  // Truncated headers would be worse than none; their number is bounded by the request's own check.
  server.maxHeadersCount = 0;
  // A client that has said all it wants to say still waits for its answer, which may have to come from a database.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('request', (request, response) => {
    exchanges.set(request.socket, response);
    response.on('close', releaseRequest);
    // After a request with `Upgrade` the parser of Node.js keeps silent about what is wrong with the next.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    handle(request, response);
  });
  server.on('checkExpectation', handleUpgrade);
  server.on('checkContinue', handleExpect);
  server.on('connect', handleConnect);
  const refuse = (error: ClientError, socket: Socket) => sendClientError(error, socket, log, below);
  const rejectTimedOut = inBatches(refuse);
  server.on('clientError', (error: ClientError, socket: Socket) =>
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? rejectTimedOut(error, socket) : refuse(error, socket),
  );
  limitConnections(server, log);
  return server;
}

type RejectClient = (error: ClientError, socket: Socket) => void;

/** Refuses some in every turn of the event loop. */
function inBatches(refuse: RejectClient): RejectClient {
  const waiting: Parameters<RejectClient>[] = [];
  const rejectBatch = () => {
    for (const [error, socket] of waiting.splice(0, OVERDUE_TOGETHER_MAX)) refuse(error, socket);
    if (waiting.length > 0) setImmediate(rejectBatch);
  };
  return (error, socket) => {
    if (waiting.push([error, socket]) === 1) setImmediate(rejectBatch);
  };
}

/** A connection that waits for its next request keeps nothing of the last: headers alone may be 16 KiB. */
function releaseRequest(this: ServerResponse): void {
  const { req: request } = this;
  // Of one that has not come to its end, nothing more may be said.
  if (request.complete && exchanges.get(request.socket) === this) exchanges.delete(request.socket);
}

function handleUpgrade(this: Server, request: IncomingMessage, response: ServerResponse): void {
  this.emit('request', request, response);
}

/**
 * Who asks whether to send a body is answered at once, since none is read; the connection is of no more use then. What
 * Node.js would send before the answer, it puts behind its headers if an earlier answer is still under way.
 */
function handleExpect(this: Server, request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  this.emit('request', request, response);
}

/** Node.js lets go of the socket of a CONNECT: its errors, the order on it and its end are ours to see to. */
function handleConnect(this: Server, request: IncomingMessage, socket: Socket): void {
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
  const earlier = exchanges.get(socket);
  if (earlier?.writableFinished === false) earlier.once('close', answer);
  else answer();
}
