import type { ServerResponse } from 'node:http';
import { type VisibleRows, visibleRows } from '../../domain/access/visibility.ts';
import { isSlug, type Surface } from '../../domain/model.ts';
import type { Schema } from '../../domain/schema.ts';
import { ApiError, NOT_FOUND } from '../../errors.ts';
import type { Render } from '../../present/html/render.ts';
import type { Reader } from '../../store/engine/engine.ts';
import type { Origin } from '../../store/engine/touches.ts';
import type { AtRevision } from '../../store/read/reads.ts';
import { BodyWriter } from '../cache/body.ts';
import { PREFLIGHT_HEAD, sendConditionally } from '../cache/conditional.ts';
import { chooseEncoding } from '../cache/encodings.ts';
import type { ReadMore, Responses } from '../cache/respond.ts';
import { CachedResponse, type EncodedResponse } from '../cache/response.ts';
import type { PathParams, Route, RouteMatch } from '../line/router.ts';
import type { Send } from '../line/send.ts';
import type { Stage } from '../line/stages.ts';
import type { ParameterName } from '../query/parameters.ts';
import { parseQuery, type Query } from '../query/query.ts';

/** A thing that can be read. */
export type Resource = Readonly<{
  pattern: string;
  surfaces: readonly Surface[];
  parameters: readonly ParameterName[];
  contentType: string;
  /** What the answers are, where they are JSON. */
  answers: readonly Schema<unknown>[];
  /** Is what is asked for long, so that a client gets only two at a time (R52)? */
  isLong: (query: Query) => boolean;
  /** The answer and what it was made from, or nothing where there is nothing among the visible rows. */
  find: (db: Reader, asked: ResourceRequest, visible: VisibleRows) => Promise<AtRevision<Result>>;
}>;

export type ResourceRequest = Readonly<{
  params: PathParams;
  query: Query;
  /** The address that links begin with. */
  baseUrl: string;
  /** The path that was asked for. */
  path: string;
  render: Render;
}>;

export type Result = Readonly<{
  /** Or what writes it, where that takes so long that nobody should wait for the database meanwhile. */
  text: string | WriteBody;
  /** The value of the `Link` header, if there is to be one. */
  link?: string | undefined;
  origin: Origin;
}>;

export type WriteBody = (out: BodyWriter, read: ReadMore) => Promise<void>;

/** What differs between the surfaces. */
export type SurfaceRules = Readonly<{
  surface: Surface;
  prefix: string;
  cacheControl: string;
  /** What every request to the surface passes, whatever its method. */
  stages: readonly Stage[];
  /** What a read has to pass besides. */
  authorise?: Stage;
}>;

export type ResourceTools = Readonly<{
  answers: Responses;
  render: Render;
  send: Send;
  baseUrl: () => string;
}>;

const ALLOW = 'GET, HEAD, OPTIONS';

export function resourceRoute(
  read: Resource,
  { surface, prefix, cacheControl, stages, authorise }: SurfaceRules,
  { answers, render, send, baseUrl }: ResourceTools,
): Route {
  const visible = visibleRows(surface);
  const { contentType } = read;

  const make = (params: PathParams, query: Query, path: string) => async (db: Reader) => {
    const asked = { params, query, path, render, baseUrl: baseUrl() };
    const { revision, found } = await read.find(db, asked, visible);
    if (found === undefined) return { revision, found };
    const { text, link, origin } = found;
    const kind = { cacheControl, contentType, link };
    if (typeof text === 'string')
      return { revision, found: { answer: new CachedResponse(Buffer.from(text), kind), origin } };
    const answer = async (readMore: ReadMore) => {
      const out = new BodyWriter();
      await text(out, readMore);
      return new CachedResponse(out.finish(), kind);
    };
    return { revision, found: { answer, origin } };
  };

  const answerRead: Stage = (exchange, next) => {
    const { request, response, path, client, startedAt } = exchange;
    const { params } = exchange.match as RouteMatch;
    if (!isSlug(params.team) || !isSlug(params.product)) return next(NOT_FOUND);
    const query = parseQuery(request.url ?? '', read.parameters);
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    const key = path + query.text;
    const longFor = read.isLong(query) ? { client, sent: whenSent(response) } : null;
    const form = answers({ surface, key, longFor, encoding, startedAt }, make(params, query, path));
    const answer = (made: EncodedResponse | null) =>
      made === null ? next(NOT_FOUND) : sendConditionally(send, exchange, made);
    if (form instanceof Promise) form.then(answer).catch(next);
    else answer(form);
  };

  const reading = [...(authorise ? [authorise] : []), answerRead];
  return { pattern: prefix + read.pattern, stagesFor: stagesByMethod(stages, reading, send) };
}

function whenSent(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once('finish', resolve);
    response.once('close', resolve);
  });
}

/** After the stages that every request passes: reading for GET and HEAD, and else what the address allows (R18). */
export function stagesByMethod(
  stages: readonly Stage[],
  reading: readonly Stage[],
  send: Send,
): Route['stagesFor'] {
  const toRead = [...stages, ...reading];
  const toOptions = [...stages, answerOptions(send)];
  const toRefusal = [...stages, methodNotAllowed];
  return (method) => {
    if (method === 'GET' || method === 'HEAD') return toRead;
    return method === 'OPTIONS' ? toOptions : toRefusal;
  };
}

function answerOptions(send: Send): Stage {
  return (exchange) => {
    const { head } = exchange;
    head.push('allow', ALLOW);
    if (head.includes('access-control-allow-origin')) head.push(...PREFLIGHT_HEAD);
    send(exchange, 204, null);
  };
}

const methodNotAllowed: Stage = (_exchange, next) => next(methodError());

export function methodError(): ApiError {
  return new ApiError('method_not_allowed', { headers: { allow: ALLOW } });
}
