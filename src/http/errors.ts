// Every failure of a request becomes one answer of one shape (R19).
import type { FastifyInstance } from 'fastify';
import { ApiError, errorBody, NOT_FOUND } from '../errors.ts';
import { isUnavailable } from '../store/failures.ts';
import type { Log } from './log.ts';
import type { Stage } from './request.ts';
import type { Send } from './send.ts';

const RETRY_AFTER_SECONDS = 1;

const JSON_TYPE = 'application/json; charset=utf-8';

export function answerErrors(app: FastifyInstance, log: Log, send: Send): void {
  app.setNotFoundHandler(() => {
    throw NOT_FOUND;
  });
  app.setErrorHandler((error, request, reply) => {
    const refusal = asApiError(error);
    logFailure(log, request.id, refusal);
    for (const [name, value] of Object.entries(refusal.headers)) reply.head.push(name, String(value));
    reply.head.push('cache-control', 'no-store', 'content-type', JSON_TYPE);
    send(request, reply, refusal.status, errorBody(refusal.code, refusal.message));
  });
}

/** An address that does not exist is that and nothing else, whatever was sent to it. */
export const refuseUnknownRoute: Stage = (request, _reply, next) =>
  next(request.is404 ? NOT_FOUND : undefined);

function logFailure(log: Log, reqId: string, { status, cause }: ApiError): void {
  if (status === 503) log.warn({ reqId, reason: (cause as Error).message }, 'request failed');
  else if (status >= 500) log.error({ reqId, err: cause }, 'request failed');
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (!isUnavailable(error)) return new ApiError('internal_error', { cause: error });
  return new ApiError('unavailable', { cause: error, headers: { 'retry-after': RETRY_AFTER_SECONDS } });
}
