// Every failure of a request becomes one answer of one shape (R19).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, errorBody, NOT_FOUND } from '../errors.ts';
import { isUnavailable } from '../store/failures.ts';
import type { Log } from './log.ts';
import type { Send } from './send.ts';
import type { Stage } from './stages.ts';

const RETRY_AFTER_SECONDS = 1;

const JSON_TYPE = 'application/json; charset=utf-8';

/** Answers with an error, whoever found it. */
export type Refuse = (request: FastifyRequest, reply: FastifyReply, error: unknown) => void;

export function createRefuse(log: Log, send: Send): Refuse {
  return (request, reply, error) => {
    const refusal = asApiError(error);
    logFailure(log, request.id, refusal);
    for (const name in refusal.headers) reply.head.push(name, String(refusal.headers[name]));
    reply.head.push('cache-control', 'no-store', 'content-type', JSON_TYPE);
    send(request, reply, refusal.status, errorBody(refusal.code, refusal.message));
  };
}

/** What nobody has foreseen comes by the framework, which is slower, but ends in the same answer. */
export function answerErrors(app: FastifyInstance, refuse: Refuse): void {
  app.setNotFoundHandler((request, reply) => refuse(request, reply, NOT_FOUND));
  app.setErrorHandler((error, request, reply) => refuse(request, reply, error));
}

/** An address that does not exist is that and nothing else, whatever was sent to it. */
export const refuseUnknownRoute: Stage = (request, _reply, next) =>
  next(request.route === null ? NOT_FOUND : undefined);

function logFailure(log: Log, reqId: string, { status, cause }: ApiError): void {
  if (status === 503) log.warn({ reqId, reason: (cause as Error).message }, 'request failed');
  else if (status >= 500) log.error({ reqId, err: cause }, 'request failed');
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (!isUnavailable(error)) return new ApiError('internal_error', { cause: error });
  return new ApiError('unavailable', { cause: error, headers: { 'retry-after': RETRY_AFTER_SECONDS } });
}
