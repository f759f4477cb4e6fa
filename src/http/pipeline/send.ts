// The only way that responses leave, errors too: the headers collected by the stages, then the bytes, then the log.
import type { ServerResponse } from 'node:http';
import { ApiError } from '../../errors.ts';
import { isUnavailable } from '../../store/engine/failures.ts';
import type { Log } from '../telemetry/log.ts';
import { ClientGone, type Exchange, type OnSent, REQUEST_ID_HEADER } from './exchange.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';
export const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';
export const HTML_TYPE = 'text/html; charset=utf-8';
export const TEXT_TYPE = 'text/plain; charset=utf-8';
export const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

/**
 * A response's bytes. Small ones are a string with one character per byte: Node.js sends it together with the headers,
 * which is cheaper than two writes.
 */
export type ResponseBody = string | readonly Buffer[] | BodyStream;

/** A body made while it is sent; `bytes` counts them. */
type BodyStream = Readonly<{
  bytes: number;
  sendTo: (response: ServerResponse) => Promise<void>;
  cancel: () => void;
}>;

/** Text as a body with one character per byte. */
export function toBody(text: string): string {
  return Buffer.from(text).toString('latin1');
}

export function byteLength(body: ResponseBody): number {
  if (typeof body === 'string') return body.length;
  if ('bytes' in body) return body.bytes;
  return body.reduce((sum, piece) => sum + piece.length, 0);
}

export type Send = (exchange: Exchange, status: number, body: ResponseBody | null) => void;

type QueuedResponse = { readonly exchange: Exchange; status: number; body: ResponseBody | null };

/** In a larger batch, the first would wait too long for the last. */
const BATCH_MAX = 32;

/**
 * Responses to requests that arrived together are sent together, once all are decided. A client that waits for several
 * wakes up once, and the CPU does one thing at a time: sending is by far the largest part of a cached read.
 */
export function createSend(log: Log, listeners: readonly OnSent[]): Send {
  let queue: QueuedResponse[] = [];

  /** Returns a promise of the end of a body that is still being made. */
  function trySend(queued: QueuedResponse): Promise<void> | undefined {
    try {
      const sending = sendNow(queued);
      return sending?.catch((error) => fail(queued, error)).finally(() => noteSent(queued));
    } catch (error) {
      fail(queued, error);
      return undefined;
    }
  }

  function fail(queued: QueuedResponse, error: unknown): void {
    const { exchange, body } = queued;
    const { id: reqId, trace, request, response } = exchange;
    if (!(error instanceof ClientGone)) log.error({ reqId, ...trace, err: error }, 'response not sent');
    if (body !== null && typeof body !== 'string' && 'bytes' in body) body.cancel();
    if (response.headersSent) return void response.destroy();
    const { status, body: text } = new ApiError('internal_error');
    Object.assign(queued, { status, body: text });
    try {
      const head = [REQUEST_ID_HEADER, reqId, 'content-type', JSON_TYPE, 'cache-control', 'no-store'];
      response.writeHead(status, [...head, 'content-length', String(text.length)]);
      response.end(request.method === 'HEAD' ? undefined : text);
    } catch {
      response.destroy();
    }
  }

  function noteSent({ exchange, status, body }: QueuedResponse, sentAt = performance.now()): void {
    const bytes = body === null || exchange.request.method === 'HEAD' ? 0 : byteLength(body);
    for (const listener of listeners)
      try {
        listener(exchange, status, bytes, sentAt - exchange.startedAt);
      } catch (error) {
        log.error({ reqId: exchange.id, err: error }, 'request not recorded');
      }
  }

  function sendBatch(): void {
    const batch = queue;
    queue = [];
    const sent = batch.filter((queued) => trySend(queued) === undefined);
    const sentAt = performance.now();
    for (const queued of sent) noteSent(queued, sentAt);
  }

  return (exchange, status, body) => {
    // A request gets one response, whatever fails afterwards.
    if (exchange.isSent) return;
    exchange.isSent = true;
    if (queue.length === 0) setImmediate(sendBatch);
    queue.push({ exchange, status, body });
    if (queue.length === BATCH_MAX) sendBatch();
  };
}

/** Returns a promise if the body is still to be made. */
function sendNow({ exchange, status, body }: QueuedResponse): Promise<void> | undefined {
  const { request, response, head } = exchange;
  const isStream = body !== null && typeof body !== 'string' && 'bytes' in body;
  if (body !== null && !isStream) head.push('content-length', String(byteLength(body)));
  response.writeHead(status, head);
  if (body === null || request.method === 'HEAD') response.end();
  else if (typeof body === 'string') response.end(body, 'latin1');
  else if (isStream) return body.sendTo(response);
  else {
    for (const piece of body) response.write(piece);
    response.end();
  }
  return undefined;
}

const RETRY_AFTER_SECONDS_MAX = 3;

/** As in nginx, for the log and the metrics only: nobody receives it. */
const CLIENT_GONE_STATUS = 499;

/** Headers are flat: each name is followed by its value. */
export type ErrorResponse = Readonly<{ head: readonly string[]; body: string }>;

/**
 * Depends on the surface and the place alone, never on `Accept`: a page speaks the product's language, and leads back to its
 * domain.
 */
export type ErrorResponseOn = (
  surface: Exchange['surface'],
  error: ApiError,
  place?: Pick<Exchange, 'params' | 'domain'>,
) => ErrorResponse;

export function jsonError({ body }: ApiError): ErrorResponse {
  return { head: ['content-type', JSON_TYPE], body };
}

/** Turns every failure into one response: JSON of one shape (R19), or a page for people (R39). */
export function createSendError(log: Log, send: Send, responseOn: ErrorResponseOn) {
  function sendAs(exchange: Exchange, error: ApiError, { head, body }: ErrorResponse): void {
    if (error.code === 'unavailable') exchange.head.push('retry-after', retryAfterSeconds());
    for (const name in error.headers) exchange.head.push(name, String(error.headers[name]));
    exchange.head.push('cache-control', 'no-store', ...head);
    send(exchange, error.status, body);
  }

  return (exchange: Exchange, thrown: unknown) => {
    if (thrown instanceof ClientGone) {
      // Even a client that closed only its own side gets no response.
      exchange.response.destroy();
      return send(exchange, CLIENT_GONE_STATUS, null);
    }
    try {
      const error = asApiError(thrown);
      logFailure(log, exchange, error);
      const { surface, isLockedOut } = exchange;
      sendAs(exchange, error, responseOn(surface, error, isLockedOut ? undefined : exchange));
    } catch (cause) {
      const error = new ApiError('internal_error', { cause });
      logFailure(log, exchange, error);
      sendAs(exchange, error, jsonError(error));
    }
  };
}

function logFailure(log: Log, { id: reqId, trace }: Exchange, { status, cause }: ApiError): void {
  if (status === 503) log.warn({ reqId, ...trace, reason: (cause as Error).message }, 'request failed');
  else if (status >= 500) log.error({ reqId, ...trace, err: cause }, 'request failed');
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(isUnavailable(error) ? 'unavailable' : 'internal_error', { cause: error });
}

/** At least 1, and random: otherwise all clients would return at once. */
function retryAfterSeconds(): string {
  return String(1 + Math.floor(Math.random() * RETRY_AFTER_SECONDS_MAX));
}
