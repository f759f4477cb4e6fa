// Turns every failure into one response: JSON of one shape (R19), or a page for people (R39).
import { ApiError } from '../../errors.ts';
import { isUnavailable } from '../../store/engine/failures.ts';
import type { ProductPath } from '../../store/read/reads.ts';
import type { Log } from '../telemetry/log.ts';
import { ClientGone, type Exchange, type RouteSurface } from './exchange.ts';
import { JSON_TYPE, type Send } from './send.ts';

const RETRY_AFTER_SECONDS_MAX = 3;

/** As in nginx, for the log and the metrics only: nobody receives it. */
const CLIENT_GONE_STATUS = 499;

/** Headers are flat: each name is followed by its value. */
export type ErrorResponse = Readonly<{ head: readonly string[]; body: string }>;

/** Where an error is shown: a page speaks the product's language, and leads back to its domain. */
export type ErrorPlace = Readonly<{ params: ProductPath; domain: string | null }>;

/** Depends on the surface and the place alone, never on `Accept`. */
export type ErrorResponseOn = (surface: RouteSurface, error: ApiError, place?: ErrorPlace) => ErrorResponse;

export type SendError = (exchange: Exchange, error: unknown) => void;

export function jsonError({ body }: ApiError): ErrorResponse {
  return { head: ['content-type', JSON_TYPE], body };
}

export function createSendError(log: Log, send: Send, responseOn: ErrorResponseOn): SendError {
  function sendAs(exchange: Exchange, error: ApiError, { head, body }: ErrorResponse): void {
    if (error.code === 'unavailable') exchange.head.push('retry-after', retryAfterSeconds());
    for (const name in error.headers) exchange.head.push(name, String(error.headers[name]));
    exchange.head.push('cache-control', 'no-store', ...head);
    send(exchange, error.status, body);
  }

  return (exchange, thrown) => {
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
