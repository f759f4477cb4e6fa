// What all reads share, whatever they write: checks the request, then responds from the cache or from rows.
import { type VisibleRows, visibleRows } from '../domain/access/visibility.ts';
import type { MaybePromise } from '../domain/maybe-promise.ts';
import { isSlug } from '../domain/model.ts';
import { ApiError, NOT_FOUND } from '../errors.ts';
import type { Output } from '../present/outputs/output.ts';
import type { Site } from '../present/pages/document.ts';
import { writeFormErrorPage } from '../present/pages/error-page.ts';
import type { FormKind } from '../present/pages/filters.ts';
import { localeFor } from '../present/words/locale.ts';
import type { Reader } from '../store/engine/engine.ts';
import type { AtRevision } from '../store/read/reads.ts';
import type { Render } from '../text/render.ts';
import { chooseEncoding } from './cache/encodings.ts';
import type { Job, Representation } from './cache/make-response.ts';
import type { CacheQuery, Responses } from './cache/respond.ts';
import { forHost, sendConditionally } from './cache/response.ts';
import type { Exchange, PathParams, Stage } from './pipeline/exchange.ts';
import type { Guards } from './pipeline/router.ts';
import { JSON_TYPE, type Send } from './pipeline/send.ts';
import { FormError, type Parameters, parseQuery, type Query, requireOwnCursor } from './query.ts';
import { type Languages, pageResponse, siteOn } from './site.ts';

/** A read: its parameters, the rows it finds, and what it writes from them. */
export type Read = Readonly<{
  /** By default JSON. */
  contentType?: string;
  parameters?: Parameters;
  /** The form that a 400 shows; none where programs read it or the error page is enough. */
  form?: FormKind;
  /** Whether the response counts as long: a client gets only two at a time (R52). */
  isLong?: boolean | ((query: Query) => boolean);
  /** Finds nothing unless everything on the path is visible. */
  find: (db: Reader, request: ReadRequest, visible: VisibleRows) => MaybePromise<AtRevision<Representation>>;
  /** For the OpenAPI document, which omits pages. */
  operation?: OperationText;
  /** Pages link to it. */
  output?: Output;
}>;

/** A read by the rows that it finds, and what it makes of them; null is a 404. */
export function readOf<Rows extends object>({ find, present, ...read }: RowsRead<Rows>): Read {
  return {
    ...read,
    find: async (db, request, visible) => {
      const { revision, found } = await find(db, request, visible);
      if (found !== undefined) requireOwnCursor(request, found);
      return { revision, found: (found && present(found, request, visible)) ?? undefined };
    },
  };
}

export type RowsRead<Rows> = Omit<Read, 'find'> &
  Readonly<{
    find: (db: Reader, request: ReadRequest, visible: VisibleRows) => MaybePromise<AtRevision<Rows>>;
    present: (found: Rows, request: ReadRequest, visible: VisibleRows) => Representation | null;
  }>;

/** The name `Version` becomes `getVersion` and `getPublicVersion`. */
export type OperationText = Pick<Output, 'name' | 'summary' | 'description' | 'bodies'> &
  Readonly<{
    /** The group of the public operation, by default that of its surface. */
    publicTag?: string;
    /** A complete body that is not JSON, for the operation at a path. */
    example?: (path: string, site: ExampleSite) => MaybePromise<string>;
  }>;

export type ExampleSite = Pick<Site, 'baseUrl' | 'outputs'>;

export type ReadRequest = Readonly<{
  query: Query;
  params: PathParams;
  path: string;
  /** The last segment of the route's path. */
  file: string;
  /** Where the path has no product: the slugs of those that the key is limited to; null for no limit. */
  products: readonly string[] | null;
  render: Render;
  site: Site;
}>;

type ReadContext = Omit<Job['kind'], 'contentType'> &
  Pick<Guards, 'surface'> &
  Readonly<{ responses: Responses; render: Render; send: Send; site: () => Site; languages: Languages }>;

export function handleRead(
  pattern: string,
  { contentType = JSON_TYPE, parameters = {}, form, isLong = false, find }: Read,
  { surface, cacheControl, cdn, responses, render, send, site, languages }: ReadContext,
): Stage {
  const rows = surface === 'team' ? 'team' : 'public';
  const visible = visibleRows(rows);
  // One path may have a route on each surface (R57).
  const keyPrefix = rows === 'public' ? '' : 'team ';
  const kind = { cacheControl, contentType, cdn };
  const file = fileOf(pattern);
  const slugs = (['team', 'product'] as const).filter((name) => pattern.includes(`:${name}`));
  const isForPeople = surface === 'pages' || surface === 'lists';
  const isOfProduct = surface === 'pages' && slugs.length === 2;
  const productsOf = ({ products }: Exchange) => (slugs.includes('product') ? null : products);

  /** Uncached. */
  async function respond(
    exchange: Exchange,
    asked: Query,
    key: string,
    isConfirmed?: Promise<unknown>,
  ): Promise<undefined> {
    const { request, path, params } = exchange;
    const products = productsOf(exchange);
    const readAt = languages.writes();
    const query: CacheQuery = {
      key,
      surface: rows,
      kind,
      isLong: typeof isLong === 'function' ? isLong(asked) : isLong,
      encoding: chooseEncoding(request.headers['accept-encoding']),
      find: async (db) => {
        const asking = { query: asked, params, path, file, products, render, site: site() };
        const at = await find(db, asking, visible);
        const { language } = at.found ?? {};
        if (isOfProduct && language !== undefined) languages.note(params, language, readAt);
        return at;
      },
    };
    try {
      await isConfirmed;
      const response = await responses.respond(exchange, query);
      if (response === null) throw NOT_FOUND;
      sendConditionally(send, exchange, forHost(exchange.domain, response));
    } catch (error) {
      const isWrong = isForPeople && error instanceof ApiError && error.code === 'bad_request';
      await fail(exchange, isWrong ? new FormError(asked.form, [error]) : error);
    }
  }

  /** Sends the form of a page again, or throws. */
  async function fail(exchange: Exchange, error: unknown): Promise<undefined> {
    // For what is missing or wrong in the content, reading a little more makes no difference.
    const isAboutContent = error instanceof ApiError && ['not_found', 'bad_request'].includes(error.code);
    if (isOfProduct && isAboutContent) await languages.learn(exchange.params);
    if (!(error instanceof FormError) || form === undefined) throw error;
    const locale = localeFor(languages.of(exchange.params));
    const shownOn = siteOn(site(), exchange.domain);
    const { head, body } = pageResponse(shownOn, writeFormErrorPage(shownOn, locale, form, error.form));
    exchange.head.push('cache-control', 'no-store', ...head);
    send(exchange, error.status, body);
  }

  return (exchange) => {
    const { request, path, params } = exchange;
    for (const name of slugs) if (!isSlug(params[name])) return NOT_FOUND;
    let asked: Query;
    try {
      asked = parseQuery(request.url ?? '', parameters, { isForm: isForPeople });
    } catch (error) {
      return fail(exchange, error);
    }
    const key = keyPrefix + limitText(productsOf(exchange)) + path + asked.text;
    const cached = responses.find(key, chooseEncoding(request.headers['accept-encoding']));
    if (cached === undefined || cached instanceof Promise) return respond(exchange, asked, key, cached);
    if (cached === null) return isOfProduct ? fail(exchange, NOT_FOUND) : NOT_FOUND;
    sendConditionally(send, exchange, forHost(exchange.domain, cached));
    return undefined;
  };
}

/** Keys that may read the same share a response, and no others. */
const limitText = (products: readonly string[] | null) =>
  products === null ? '' : `${products.toSorted().join()} `;

export const fileOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
