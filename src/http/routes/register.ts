import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isSlug, type Surface } from '../../domain/model.ts';
import type { Schema } from '../../domain/schema.ts';
import { type VisibleRows, visibleRows } from '../../domain/visibility.ts';
import { ApiError } from '../../errors.ts';
import type { Reader } from '../../store/engine.ts';
import type { Origin, Seen } from '../../store/reads.ts';
import type { Answers } from '../answers.ts';
import { etagOf, PREFLIGHT_HEADERS, sendConditionally } from '../caching.ts';
import type { Answer } from '../held-answers.ts';

export type ReadParams = { team: string; product: string; versionId: string };

/** A thing that can be read on both surfaces. */
export type Read = Readonly<{
  url: string;
  answer: Schema<unknown>;
  /** The record and what it was made from, or nothing where there is none among the visible rows. */
  find: (
    db: Reader,
    params: ReadParams,
    visible: VisibleRows,
  ) => Promise<Seen<{ record: Record<string, unknown>; origin: Origin }>>;
}>;

type Registration = Readonly<{
  surface: Surface;
  cacheControl: string;
  authorise?: (request: FastifyRequest) => Promise<void>;
}>;

const ALLOW = 'GET, HEAD, OPTIONS';
const REFUSED_METHODS = METHODS.filter((method) => !ALLOW.split(', ').includes(method));

export function registerRead(
  scope: FastifyInstance,
  answers: Answers,
  read: Read,
  { surface, cacheControl, authorise }: Registration,
): void {
  const visible = visibleRows(surface);

  scope.route({
    method: ['GET', 'HEAD'],
    url: read.url,
    schema: { response: { 200: read.answer } },
    ...(authorise && { onRequest: authorise }),
    handler: async (request, reply) => {
      const params = request.params as ReadParams;
      if (!isSlug(params.team) || !isSlug(params.product)) throw new ApiError('not_found');
      const spentMs = authorise === undefined ? 0 : reply.elapsedTime;
      const answer = await answers({ surface, path: request.url, spentMs }, async (db) => {
        const { revision, found } = await read.find(db, params, visible);
        return {
          revision,
          found: found && { answer: writeAnswer(reply, found.record), origin: found.origin },
        };
      });
      if (answer === undefined) throw new ApiError('not_found');
      return sendConditionally(request, reply, answer, cacheControl);
    },
  });
  answerBeforeParsing(scope, ['OPTIONS'], read.url, async (_request, reply) => {
    if (reply.hasHeader('access-control-allow-origin')) reply.headers(PREFLIGHT_HEADERS);
    return reply.code(204).header('allow', ALLOW).send();
  });
  answerBeforeParsing(scope, REFUSED_METHODS, read.url, async () => {
    throw methodRefusal();
  });
}

/** The finished bytes, written by the route's own schema. */
function writeAnswer(reply: FastifyReply, record: Record<string, unknown>): Answer {
  const body = Buffer.from(reply.serializeInput(record, '200') as string);
  return { body, etag: etagOf(body) };
}

export function methodRefusal(): ApiError {
  return new ApiError('method_not_allowed', { headers: { allow: ALLOW } });
}

/** Answers in a hook, so that a body that came along is never looked at. */
function answerBeforeParsing(
  scope: FastifyInstance,
  method: string[],
  url: string,
  answer: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
): void {
  scope.route({ method, url, onRequest: answer, handler: () => undefined });
}
