import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifySchema } from 'fastify';
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
import type { Refuse } from '../errors.ts';
import type { Send } from '../send.ts';
import type { Stage } from '../stages.ts';

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
  /** What every request to the surface passes, whatever its method. */
  stages: readonly Stage[];
  /** What a read has to pass besides. */
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
  { surface, cacheControl, stages, authorise }: SurfaceRules,
): void {
  const visible = visibleRows(surface);

  const make = (reply: FastifyReply, params: ReadParams) => async (db: Reader) => {
    const { revision, found } = await read.find(db, params, visible);
    if (found === undefined) return { revision, found };
    // Written by the route's own schema.
    const bytes = Buffer.from(reply.serializeInput(found.record, '200') as string);
    return { revision, found: { answer: new Answer(bytes, cacheControl), origin: found.origin } };
  };

  const answerRead: Stage = (request, reply, next) => {
    const params = request.params as ReadParams;
    if (!isSlug(params.team) || !isSlug(params.product)) return next(NOT_FOUND);
    const encoding = chooseEncoding(request.raw.headers['accept-encoding']);
    const { url: path, startedAt } = request;
    const form = answers({ surface, path, encoding, startedAt }, make(reply, params));
    const answer = (made: Form | null) =>
      made === null ? next(NOT_FOUND) : sendConditionally(send, request, reply, made);
    if (form instanceof Promise) form.then(answer).catch(next);
    else answer(form);
  };

  const route = (method: string[], last: readonly Stage[], schema: FastifySchema = {}) => {
    const config = { stages: [...stages, ...last] };
    scope.route({ method, url: read.url, schema, config, handler: () => undefined });
  };
  const schema = { response: { 200: read.answer } };
  route(['GET', 'HEAD'], [...(authorise ? [authorise] : []), answerRead], schema);
  route(['OPTIONS'], [answerOptions(send)]);
  route(REFUSED_METHODS, [(request, reply) => refuse(request, reply, methodRefusal())]);
}

function answerOptions(send: Send): Stage {
  return (request, reply) => {
    const { head } = reply;
    head.push('allow', ALLOW);
    if (head.includes('access-control-allow-origin')) head.push(...PREFLIGHT_HEAD);
    send(request, reply, 204, null);
  };
}

export function methodRefusal(): ApiError {
  return new ApiError('method_not_allowed', { headers: { allow: ALLOW } });
}
