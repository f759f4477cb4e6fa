// Every failure of a request becomes one response of one shape (R19).
import { ApiError } from '../../errors.ts';
import { isUnavailable } from '../../store/engine/failures.ts';
import type { Log } from '../telemetry/log.ts';
import { JSON_TYPE, type Send } from './send.ts';
import type { SendError } from './stages.ts';

const RETRY_AFTER_SECONDS = 1;

export function createSendError(log: Log, send: Send): SendError {
  return (exchange, thrown) => {
    const error = asApiError(thrown);
    logFailure(log, exchange.id, error);
    for (const name in error.headers) exchange.head.push(name, String(error.headers[name]));
    exchange.head.push('cache-control', 'no-store', 'content-type', JSON_TYPE);
    send(exchange, error.status, error.body);
  };
}

function logFailure(log: Log, reqId: string, { status, cause }: ApiError): void {
  if (status === 503) log.warn({ reqId, reason: (cause as Error).message }, 'request failed');
  else if (status >= 500) log.error({ reqId, err: cause }, 'request failed');
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (!isUnavailable(error)) return new ApiError('internal_error', { cause: error });
  return new ApiError('unavailable', { cause: error, headers: { 'retry-after': RETRY_AFTER_SECONDS } });
}
