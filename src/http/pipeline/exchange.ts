// A request on its way through the stages, its connection, and its response so far.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Cidr, clientAddress, isTrustedPeer } from '../../domain/access/client-address.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { ApiError } from '../../errors.ts';

export const REQUEST_ID_HEADER = 'x-request-id';

/** `lists` has content like `pages`, but for programs; `open` has none. */
export type RouteSurface = 'public' | 'team' | 'pages' | 'lists' | 'open';

/** Decoded; empty where a route has no such parameter. */
export type PathParams = Readonly<{ team: string; product: string; versionId: string }>;

/** Where a request leads, judged by its target alone. */
export type Destination = Readonly<{
  /** What the request is routed by. */
  path: string;
  surface: RouteSurface;
  /** The route's pattern; null if there is none. */
  route: string | null;
  params: PathParams;
}>;

/** The trace that a request is part of, named as OpenTelemetry names it in logs. */
export type Trace = Readonly<{ trace_id: string; span_id: string; trace_flags: string }>;

/** Called after a response was handed to the socket, with the time since its request arrived. */
export type OnSent = (exchange: Exchange, status: number, bytes: number, durationMs: number) => void;

/** A step of a request: it refuses the request, sends the response, or lets it pass to the next one. */
export type Stage = (exchange: Exchange) => MaybePromise<ApiError | undefined>;

/** Without a promise unless a stage needs one: it would cost a cached read more than most stages do. */
export function runStages(stages: readonly Stage[], exchange: Exchange, first = 0): ReturnType<Stage> {
  for (let index = first; index < stages.length && !exchange.isSent; index++) {
    const refusal = (stages[index] as Stage)(exchange);
    if (refusal instanceof Promise)
      return refusal.then((late) => late ?? runStages(stages, exchange, index + 1));
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Whatever fails, at once or later, is handed to `onRefused`. */
export function startStages(
  stages: readonly Stage[],
  exchange: Exchange,
  onRefused: (exchange: Exchange, error: unknown) => void,
): void {
  const finish = (error: unknown) => {
    if (error !== undefined) onRefused(exchange, error);
  };
  try {
    const refusal = runStages(stages, exchange);
    if (refusal instanceof Promise) refusal.then(finish, finish);
    else finish(refusal);
  } catch (error) {
    finish(error);
  }
}

/** Facts about a connection are remembered, so that each of its requests need not find them again. */
export class Connection {
  readonly socket: Socket;
  /** The IP address or IPv6 network at the other end: the client, unless a proxy is trusted. */
  readonly peer: string;
  /** The response to its last request. Null while the connection is idle, except after a request that never ended. */
  lastResponse: ServerResponse | null = null;
  /** Whether it sent what could not be parsed. */
  isRejected = false;
  #isFromProxy: boolean | null = null;

  constructor(socket: Socket) {
    this.socket = socket;
    this.peer = clientAddress(socket.remoteAddress, undefined, []);
  }

  isFromProxy(trustedProxies: readonly Cidr[]): boolean {
    this.#isFromProxy ??= isTrustedPeer(this.socket.remoteAddress, trustedProxies);
    return this.#isFromProxy;
  }
}

const connections = new WeakMap<Socket, Connection>();

export function connectionOf(socket: Socket): Connection {
  let connection = connections.get(socket);
  if (connection === undefined) {
    connection = new Connection(socket);
    connections.set(socket, connection);
  }
  return connection;
}

const NO_PARAMS: PathParams = { team: '', product: '', versionId: '' };

export class Exchange implements Destination {
  /** Logged, and sent with the response. */
  readonly id: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Why the request could not be parsed. */
  readonly failure: ApiError | null;
  readonly connection: Connection;
  /** When the request arrived. */
  readonly startedAt = performance.now();
  path = '';
  /** Where a key is optional, that of the route without one if the key is for something else (R57). */
  surface: RouteSurface = 'open';
  route: string | null = null;
  params = NO_PARAMS;
  /** The product's own host name, if it was requested there (R60). */
  domain: string | null = null;
  /** The IP address or IPv6 network that the request counts against. */
  client = '';
  /** As a trusted proxy says. */
  trace: Trace | null = null;
  /** The recognised API key. */
  keyId: string | null = null;
  /** The slugs of the products that it is limited to; null for no limit. */
  products: readonly string[] | null = null;
  /** Whether it is without the password (R23): then nothing about content may show, not even its language. */
  isLockedOut = false;
  isSent = false;
  /** The headers so far: each name is followed by its value. */
  readonly head: string[];

  constructor(id: string, request: IncomingMessage, response: ServerResponse, failure?: ApiError | null) {
    this.id = id;
    this.request = request;
    this.response = response;
    this.failure = failure ?? null;
    this.connection = connectionOf(request.socket);
    this.head = ['x-content-type-options', 'nosniff', REQUEST_ID_HEADER, id];
  }

  leadTo({ path, surface, route, params }: Destination, domain: string | null): void {
    this.path = path;
    this.surface = surface;
    this.route = route;
    this.params = params;
    this.domain = domain;
  }
}

/** Thrown by work for a client that has hung up. */
export class ClientGone extends Error {}
