import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Connection, connectionOf } from './connection.ts';
import { REQUEST_ID_HEADER } from './request-id.ts';
import type { Trace } from './trace.ts';

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

/** Called after a response was handed to the socket, with the time since its request arrived. */
export type OnSent = (exchange: Exchange, status: number, bytes: number, durationMs: number) => void;

/** A request on its way through the stages, and its response so far. */
export class Exchange implements Destination {
  /** Logged, and sent with the response. */
  readonly id: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly connection: Connection;
  /** When the request arrived. */
  readonly startedAt: number;
  readonly path: string;
  /** Where a key is optional, that of the route without one if the key is for something else (R57). */
  surface: RouteSurface;
  readonly route: string | null;
  readonly params: PathParams;
  /** The product's own host name, if it was requested there (R60). */
  readonly domain: string | null;
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

  constructor(
    id: string,
    request: IncomingMessage,
    response: ServerResponse,
    destination: Destination,
    domain: string | null = null,
    startedAt = performance.now(),
  ) {
    this.id = id;
    this.request = request;
    this.response = response;
    this.connection = connectionOf(request.socket);
    this.path = destination.path;
    this.surface = destination.surface;
    this.route = destination.route;
    this.params = destination.params;
    this.domain = domain;
    this.startedAt = startedAt;
    this.head = ['x-content-type-options', 'nosniff', REQUEST_ID_HEADER, id];
  }
}
