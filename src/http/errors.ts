// Every failure of a request becomes one answer of one shape (R19).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, errorBody } from '../errors.ts';
import { isUnavailable } from '../store/failures.ts';

const RETRY_AFTER_SECONDS = 1;

export function answerErrors(app: FastifyInstance): void {
  app.setNotFoundHandler(refuseUnknownRoute);
  app.setErrorHandler((error, request, reply) => answerError(asApiError(error), request, reply));
}

/** Also a hook before bodies are parsed: an address that does not exist is that and nothing else, whatever was sent. */
export async function refuseUnknownRoute(request: FastifyRequest): Promise<void> {
  if (request.is404) throw new ApiError('not_found');
}

function answerError(error: ApiError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error.status === 503) request.log.warn({ reason: (error.cause as Error).message }, 'request failed');
  else if (error.status >= 500) request.log.error({ err: error.cause }, 'request failed');
  return reply
    .code(error.status)
    .headers(error.headers)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(errorBody(error.code, error.message));
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (!isUnavailable(error)) return new ApiError('internal_error', { cause: error });
  return new ApiError('unavailable', { cause: error, headers: { 'retry-after': RETRY_AFTER_SECONDS } });
}
