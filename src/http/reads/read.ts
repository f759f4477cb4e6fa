// What every read has in common: the request is checked, and the response comes from the cache or is made from rows.
import { type VisibleRows, visibleRows } from '../../domain/access/visibility.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import { isSlug, type Surface } from '../../domain/model.ts';
import type { Schema } from '../../domain/schema.ts';
import { NOT_FOUND } from '../../errors.ts';
import type { Render } from '../../present/html/render.ts';
import type { TagName } from '../../present/openapi/inputs.ts';
import type { Reader } from '../../store/engine/engine.ts';
import type { AtRevision } from '../../store/read/reads.ts';
import { sendConditionally } from '../cache/conditional.ts';
import { chooseEncoding } from '../cache/encodings.ts';
import type { Representation } from '../cache/read.ts';
import type { Responses } from '../cache/respond.ts';
import type { EncodedResponse, ResponseKind } from '../cache/response.ts';
import type { Exchange, PathParams } from '../pipeline/exchange.ts';
import type { Send } from '../pipeline/send.ts';
import type { Stage } from '../pipeline/stages.ts';
import { CLIENT_GONE_STATUS, ClientGone, waiterOf } from '../pipeline/waiter.ts';
import type { ParameterName } from '../query/parameters.ts';
import { parseQuery, type Query } from '../query/query.ts';

export const CHANGELOG_PATTERN = '/teams/:team/products/:product/changelog';

/** A read of the API: pattern, text for the OpenAPI document, and handler. */
export type Resource = Readonly<{
  pattern: string;
  surfaces: readonly Surface[];
  /** Operations are named by it: `Version` makes `getVersion` and `getPublicVersion`. */
  name: string;
  summary: string;
  description: string;
  /** By default that of the surface. */
  tag?: TagName;
  parameters: readonly ParameterName[];
  contentType: string;
  /** The schemas of JSON bodies; none for other formats. */
  bodies: readonly Schema<unknown>[];
  /** Does the response count as long, so that a client gets only two at a time (R52)? */
  isLong: (query: Query) => boolean;
  /** Finds nothing unless everything on the path is among the visible rows. */
  find: (
    db: Reader,
    request: ResourceRequest,
    visible: VisibleRows,
  ) => MaybePromise<AtRevision<Representation>>;
}>;

export type ResourceRequest = Readonly<{
  params: PathParams;
  query: Query;
  /** Links begin with it. */
  baseUrl: string;
  path: string;
  render: Render;
}>;

type ReadOptions = Readonly<{
  surface: Surface;
  cacheControl: string;
  respond: Responses;
  render: Render;
  send: Send;
  baseUrl: () => string;
}>;

export function readResource(
  { contentType, parameters, isLong, find }: Resource,
  { surface, cacheControl, respond, render, send, baseUrl }: ReadOptions,
): Stage {
  const visible = visibleRows(surface);
  const read = { kind: { cacheControl, contentType }, respond, send };

  return (exchange, next) => {
    const { request, path, params } = exchange;
    if (!isSlug(params.team) || !isSlug(params.product)) return next(NOT_FOUND);
    const query = parseQuery(request.url ?? '', parameters);
    const asked = { key: path + query.text, isLong: isLong(query), fail: next };
    const findNow = (db: Reader) => find(db, { params, query, path, render, baseUrl: baseUrl() }, visible);
    sendFound(read, exchange, asked, findNow);
  };
}

/** What all requests to a route share. */
type CachedRead = Readonly<{ kind: ResponseKind; respond: Responses; send: Send }>;

type AskedRead = Readonly<{ key: string; isLong: boolean; fail: (error: unknown) => void }>;

/** Sends what is cached, or found now. */
export function sendFound(
  { kind, respond, send }: CachedRead,
  exchange: Exchange,
  { key, isLong, fail }: AskedRead,
  find: (db: Reader) => MaybePromise<AtRevision<Representation>>,
): void {
  const { request, startedAt } = exchange;
  const encoding = chooseEncoding(request.headers['accept-encoding']);
  const waiter = () => waiterOf(exchange);
  const found = respond({ key, kind, isLong, waiter, encoding, startedAt }, find);
  const finish = (encoded: EncodedResponse | null) =>
    encoded === null ? fail(NOT_FOUND) : sendConditionally(send, exchange, encoded);
  const failUnlessGone = (error: unknown) => {
    if (!(error instanceof ClientGone)) return fail(error);
    // A client that has closed only its side gets nothing.
    exchange.response.destroy();
    send(exchange, CLIENT_GONE_STATUS, null);
  };
  if (found instanceof Promise) found.then(finish).catch(failUnlessGone);
  else finish(found);
}
