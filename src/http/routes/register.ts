import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isSlug, type Surface } from '../../domain/model.ts';
import type { Schema } from '../../domain/schema.ts';
import { type VisibleRows, visibleRows } from '../../domain/visibility.ts';
import { ApiError, NOT_FOUND } from '../../errors.ts';
import type { Reader } from '../../store/engine.ts';
import type { Origin, Seen } from '../../store/reads.ts';
import { Answer, type Form } from '../answer.ts';
import type { Answers } from '../answers.ts';
import { PREFLIGHT_HEAD, sendConditionally } from '../caching.ts';
import { chooseEncoding } from '../encodings.ts';
import { inLine, type Refuse } from '../errors.ts';
import type { Stage } from '../request.ts';
import type { Send } from '../send.ts';

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

/** What differs between the surfaces. */
export type SurfaceRules = Readonly<{
  surface: Surface;
  cacheControl: string;
  authorise?: Stage;
}>;

/** What all reads are answered with. */
export type Parts = Readonly<{ answers: Answers; send: Send; refuse: Refuse }>;

const ALLOW = 'GET, HEAD, OPTIONS';
const REFUSED_METHODS = METHODS.filter((method) => !ALLOW.split(', ').includes(method));

export function registerRead(
  scope: FastifyInstance,
  { answers, send, refuse }: Parts,
  read: Read,
  { surface, cacheControl, authorise }: SurfaceRules,
): void {
  const visible = visibleRows(surface);

  const make = (reply: FastifyReply, params: ReadParams) => async (db: Reader) => {
    const { revision, found } = await read.find(db, params, visible);
    if (found === undefined) return { revision, found };
    // Written by the route's own schema.
    const bytes = Buffer.from(reply.serializeInput(found.record, '200') as string);
    return { revision, found: { answer: new Answer(bytes, cacheControl), origin: found.origin } };
  };

  scope.route({
    method: ['GET', 'HEAD'],
    url: read.url,
    schema: { response: { 200: read.answer } },
    ...(authorise && { onRequest: inLine([authorise], refuse) }),
    handler: (request, reply) => {
      const params = request.params as ReadParams;
      if (!isSlug(params.team) || !isSlug(params.product)) return answer(request, reply, null);
      const encoding = chooseEncoding(request.raw.headers['accept-encoding']);
      const { url: path, startedAt } = request;
      const form = answers({ surface, path, encoding, startedAt }, make(reply, params));
      return form instanceof Promise
        ? form.then((made) => answer(request, reply, made))
        : answer(request, reply, form);
    },
  });

  function answer(request: FastifyRequest, reply: FastifyReply, form: Form | null): void {
    if (form === null) refuse(request, reply, NOT_FOUND);
    else sendConditionally(send, request, reply, form);
  }

  answerBeforeParsing(scope, ['OPTIONS'], read.url, (request, reply) => {
    const { head } = reply;
    head.push('allow', ALLOW);
    if (head.includes('access-control-allow-origin')) head.push(...PREFLIGHT_HEAD);
    send(request, reply, 204, null);
  });
  answerBeforeParsing(scope, REFUSED_METHODS, read.url, (request, reply) =>
    refuse(request, reply, methodRefusal()),
  );
}

export function methodRefusal(): ApiError {
  return new ApiError('method_not_allowed', { headers: { allow: ALLOW } });
}

/** Answers in a hook, so that a body that came along is never looked at. */
function answerBeforeParsing(scope: FastifyInstance, method: string[], url: string, stage: Stage): void {
  scope.route({ method, url, onRequest: stage, handler: () => undefined });
}
