// What every page has in common: the request is checked, and the page comes from the cache or is made from public rows.
import { type VisibleRows, visibleRows } from '../../domain/access/visibility.ts';
import { isSlug } from '../../domain/model.ts';
import { ApiError, NOT_FOUND } from '../../errors.ts';
import type { Render } from '../../present/html/render.ts';
import { writeFormErrorPage } from '../../present/pages/error-page.ts';
import type { FormKind } from '../../present/pages/filters.ts';
import type { Site } from '../../present/pages/views.ts';
import type { Reader } from '../../store/engine/engine.ts';
import type { AtRevision } from '../../store/read/reads.ts';
import type { Representation } from '../cache/read.ts';
import type { Responses } from '../cache/respond.ts';
import type { Exchange, PathParams } from '../pipeline/exchange.ts';
import { HTML_TYPE, type Send } from '../pipeline/send.ts';
import type { Stage } from '../pipeline/stages.ts';
import { FormError, type PageQuery, parsePageQuery, withProblem } from '../query/page-query.ts';
import type { ParameterName } from '../query/parameters.ts';
import { pageResponse } from './error-html.ts';
import { sendFound } from './read.ts';

export const PUBLIC: VisibleRows = visibleRows('public');

/** A page, or a document beside the pages. */
export type PageResource = Readonly<{
  pattern: string;
  /** HTML by default. */
  contentType?: string;
  parameters: readonly ParameterName[];
  /** The form that a 400 shows; null if the page has none. */
  form: FormKind | null;
  /** Does it count as a long response (R52)? */
  isLong: boolean;
  find: (db: Reader, request: PageRequest) => Promise<AtRevision<Representation>>;
}>;

export type PageRequest = PageQuery &
  Readonly<{ params: PathParams; path: string; render: Render; site: Site }>;

type PageOptions = Readonly<{
  cacheControl: string;
  respond: Responses;
  render: Render;
  send: Send;
  site: () => Site;
}>;

export function readPage(
  { pattern, contentType = HTML_TYPE, parameters, form, isLong, find }: PageResource,
  { cacheControl, respond, render, send, site }: PageOptions,
): Stage {
  const read = { kind: { cacheControl, contentType }, respond, send };
  const slugs = (['team', 'product'] as const).filter((name) => pattern.includes(`:${name}`));

  function sendForm(exchange: Exchange, error: FormError, form: FormKind): void {
    const { head, body } = pageResponse(site(), writeFormErrorPage(site(), form, error.form));
    exchange.head.push('cache-control', 'no-store', ...head);
    send(exchange, error.status, body);
  }

  return (exchange, next) => {
    const { request, path, params } = exchange;
    if (!slugs.every((name) => isSlug(params[name]))) return next(NOT_FOUND);
    const fail = (error: unknown) =>
      error instanceof FormError && form !== null ? sendForm(exchange, error, form) : next(error);
    let pageQuery: PageQuery;
    try {
      pageQuery = parsePageQuery(request.url ?? '', parameters);
    } catch (error) {
      return fail(error);
    }
    const failWith = (error: unknown) =>
      fail(
        error instanceof ApiError && error.code === 'bad_request'
          ? withProblem(pageQuery.form, error)
          : error,
      );
    const asked = { key: path + pageQuery.text, isLong, fail: failWith };
    const findNow = (db: Reader) => find(db, { ...pageQuery, params, path, render, site: site() });
    sendFound(read, exchange, asked, findNow);
  };
}
