// Every failure of a request becomes one answer of one shape (R19).
import { ApiError, NOT_FOUND } from '../../errors.ts';
import { isUnavailable } from '../../store/engine/failures.ts';
import type { Log } from '../telemetry/log.ts';
import type { Exchange } from './exchange.ts';
import type { Send } from './send.ts';
import type { Stage } from './stages.ts';

const RETRY_AFTER_SECONDS = 1;
const JSON_TYPE = 'application/json; charset=utf-8';

/** Answers with an error, whoever found it. */
export type SendError = (exchange: Exchange, error: unknown) => void;

export function createSendError(log: Log, send: Send): SendError {
  return (exchange, error) => {
    const refusal = asApiError(error);
    logFailure(log, exchange.id, refusal);
    for (const name in refusal.headers) exchange.head.push(name, String(refusal.headers[name]));
    exchange.head.push('cache-control', 'no-store', 'content-type', JSON_TYPE);
    send(exchange, refusal.status, refusal.body);
  };
}

export const routeNotFound: Stage = (_exchange, next) => next(NOT_FOUND);

function logFailure(log: Log, reqId: string, { status, cause }: ApiError): void {
  if (status === 503) log.warn({ reqId, reason: (cause as Error).message }, 'request failed');
  else if (status >= 500) log.error({ reqId, err: cause }, 'request failed');
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (!isUnavailable(error)) return new ApiError('internal_error', { cause: error });
  return new ApiError('unavailable', { cause: error, headers: { 'retry-after': RETRY_AFTER_SECONDS } });
}
