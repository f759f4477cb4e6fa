import type { IncomingMessage, ServerResponse } from 'node:http';
import { REQUEST_ID_HEADER } from './request-id.ts';

/** As they appear in the path; empty where a route has no such parameter. */
export type PathParams = Readonly<{ team: string; product: string; versionId: string }>;

/** Is called with a response that was handed to the socket, and with the time since its request arrived. */
export type OnSent = (exchange: Exchange, status: number, bytes: number, durationMs: number) => void;

/** A request on its way through the stages, and its response so far. */
export class Exchange {
  /** In the log and on the response. */
  readonly id: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly startedAt = performance.now();
  /** What the request is routed by. */
  readonly path: string;
  /** The pattern of the route; null if there is none. */
  readonly route: string | null;
  readonly params: PathParams;
  /** The IP address, or IPv6 network, that the request is counted under. */
  client = '';
  /** The API key that was recognised. */
  keyId: string | null = null;
  isSent = false;
  /** The headers so far: each name is followed by its value. */
  readonly head: string[];

  constructor(request: IncomingMessage, response: ServerResponse, routed: Routed) {
    this.id = routed.id;
    this.request = request;
    this.response = response;
    this.path = routed.path;
    this.route = routed.match?.route.pattern ?? null;
    this.params = routed.match?.params ?? NO_PARAMS;
    this.head = ['x-content-type-options', 'nosniff', REQUEST_ID_HEADER, routed.id];
  }
}

type Routed = Readonly<{
  id: string;
  path: string;
  match: Readonly<{ route: Readonly<{ pattern: string }>; params: PathParams }> | null;
}>;

const NO_PARAMS: PathParams = { team: '', product: '', versionId: '' };
