import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RouteMatch } from './router.ts';

/** A request on its way through the stages, and what has become of it so far. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Counts the requests of this process. */
  readonly number: number;
  /** By the clock of `performance`. */
  readonly startedAt: number;
  /** What the request is routed by. */
  readonly path: string;
  /** Null if no route is there. */
  readonly match: RouteMatch | null;
  /** The address, or IPv6 network, that the request is counted under. */
  client = '';
  /** The id of the API key that was recognised. */
  keyId: string | null = null;
  isSent = false;
  /** The headers so far: each name is followed by its value. */
  readonly head: string[] = ['x-content-type-options', 'nosniff'];

  /** What the log calls the request. */
  get id(): string {
    return `${RUN}-${this.number.toString(36)}`;
  }

  constructor(request: IncomingMessage, response: ServerResponse, known: Known) {
    this.request = request;
    this.response = response;
    this.number = known.number;
    this.startedAt = performance.now();
    this.path = known.path;
    this.match = known.place;
  }
}

type Known = Readonly<{ number: number; path: string; place: RouteMatch | null }>;

/** Unlike that of another process or an earlier run. */
const RUN = Date.now().toString(36) + process.pid.toString(36);
