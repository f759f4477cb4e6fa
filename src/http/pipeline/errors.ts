// Turns every failure into one response: JSON of one shape (R19), or a page for people (R39).
import { ApiError } from '../../errors.ts';
import { isUnavailable } from '../../store/engine/failures.ts';
import type { ProductPath } from '../../store/read/reads.ts';
import type { Log } from '../telemetry/log.ts';
import type { Exchange, RouteSurface } from './exchange.ts';
import { JSON_TYPE, type Send } from './send.ts';
import type { SendError } from './stages.ts';

const RETRY_AFTER_SECONDS_MAX = 3;

/** Headers are flat: each name is followed by its value. */
export type ErrorResponse = Readonly<{ head: readonly string[]; body: string }>;

/** Where an error is shown: a page speaks the product's language, and leads back to its domain. */
export type ErrorPlace = Readonly<{ params: ProductPath; domain: string | null }>;

/** Depends on the surface and the place alone, never on `Accept`. */
export type ErrorResponseOn = (surface: RouteSurface, error: ApiError, place?: ErrorPlace) => ErrorResponse;

const JSON_HEAD = ['content-type', JSON_TYPE];

export function jsonError({ body }: ApiError): ErrorResponse {
  return { head: JSON_HEAD, body };
}

export function createSendError(log: Log, send: Send, responseOn: ErrorResponseOn): SendError {
  return (exchange, thrown) => {
    const error = asApiError(thrown);
    logFailure(log, exchange, error);
    if (error.code === 'unavailable') exchange.head.push('retry-after', retryAfterSeconds());
    for (const name in error.headers) exchange.head.push(name, String(error.headers[name]));
    const { surface, isLockedOut } = exchange;
    const { head, body } = responseOn(surface, error, isLockedOut ? undefined : exchange);
    exchange.head.push('cache-control', 'no-store');
    for (const line of head) exchange.head.push(line);
    send(exchange, error.status, body);
  };
}

function logFailure(log: Log, { id: reqId, trace }: Exchange, { status, cause }: ApiError): void {
  if (status === 503) log.warn({ reqId, ...trace, reason: (cause as Error).message }, 'request failed');
  else if (status >= 500) log.error({ reqId, ...trace, err: cause }, 'request failed');
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (!isUnavailable(error)) return new ApiError('internal_error', { cause: error });
  return new ApiError('unavailable', { cause: error });
}

/** At least 1, and random: otherwise all clients would return at once. */
function retryAfterSeconds(): string {
  return String(1 + Math.floor(Math.random() * RETRY_AFTER_SECONDS_MAX));
}
