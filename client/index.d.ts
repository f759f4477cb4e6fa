import type {
  ApiErrorCode,
  ChangeType,
  FeedRecord,
  FullFeedRecord,
  FullTeamFeedRecord,
  ProductListRecord,
  Range,
  TeamFeedRecord,
  TeamVersionSummary,
  Update,
  Version,
  VersionSummary,
} from './records.js';

export type * from './records.js';

export interface ChangelogClientOptions {
  /** The URL of the service, with or without a path: `https://changelog.example.com`. */
  baseUrl: string | URL;
  /** The slug of the team. */
  team: string;
  /** The slug of the product. Not needed for `teamFeed`, `teamVersions` and `products`; the other methods reject without it. */
  product?: string | undefined;
  /** `true` reads a static site, as `changelog build` writes it. */
  static?: false | undefined;
  /** An API key gives access to everything it may read, including drafts; without one, only public content is read. */
  apiKey?: string | undefined;
  /** If a password protects the whole site. */
  basic?: { username: string; password: string } | undefined;
  /** Default: the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** For each attempt, the body included; 0 or Infinity: no limit. Default: 10. */
  timeoutSeconds?: number | undefined;
  /** Retries after 429 and 503, not before the time in `Retry-After`. Default: no retries. */
  retry?: boolean | RetryOptions | undefined;
  /** Sent with every request. */
  headers?: Record<string, string> | undefined;
}

/** For a static site. It has public content only. */
export interface StaticSiteOptions
  extends Omit<ChangelogClientOptions, 'team' | 'product' | 'static' | 'apiKey'> {
  /** The URL of the product's folder: `https://acme.github.io/rocket`. */
  baseUrl: string | URL;
  static: true;
}

export interface RetryOptions {
  /** Including the first. Default: 3. */
  attemptsMax?: number | undefined;
  /** For all attempts of a call together; a longer wait fails immediately. Default: 60. */
  waitSecondsMax?: number | undefined;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
}

/** Versions must match all of them. */
export interface FeedQuery {
  /** 1 to 100 versions per page. Default: all versions; 100 with `include`. */
  limit?: number | undefined;
  /** From `next` of the previous page. */
  cursor?: string | undefined;
  /** Published at this time or later. */
  since?: string | Date | undefined;
  /** Published at this time or earlier; a date without a time includes that day. */
  until?: string | Date | undefined;
  /** Versions after this one. */
  from?: string | undefined;
  /** Versions up to and including this one. */
  to?: string | undefined;
  /** Versions with a change of this type, or of one of these. */
  type?: ChangeType | readonly ChangeType[] | undefined;
  /** `true`: versions with a breaking change, of one of the types if there are any. */
  breaking?: boolean | undefined;
  /** `false` excludes prereleases. */
  prerelease?: boolean | undefined;
  /** Versions that have all of these words, or longer ones that begin with them. */
  q?: string | undefined;
  /** Return full version records, with their changes. */
  include?: 'changes' | undefined;
}

export interface SummaryFeedQuery extends FeedQuery {
  include?: undefined;
}

export interface FullFeedQuery extends FeedQuery {
  include: 'changes';
}

export interface Feed extends FeedRecord {
  /** The query for the next page; null on the last page. */
  next: SummaryFeedQuery | null;
}

export interface FullFeed extends FullFeedRecord {
  /** The query for the next page; null on the last page. */
  next: FullFeedQuery | null;
}

export interface TeamFeed extends TeamFeedRecord {
  /** The query for the next page; null on the last page. */
  next: SummaryFeedQuery | null;
}

export interface FullTeamFeed extends FullTeamFeedRecord {
  /** The query for the next page; null on the last page. */
  next: FullFeedQuery | null;
}

export interface ProductsQuery {
  /** 1 to 100 products per page. Default: 100. */
  limit?: number | undefined;
  /** From `next` of the previous page. */
  cursor?: string | undefined;
}

export interface ProductList extends ProductListRecord {
  /** The query for the next page; null on the last page. */
  next: ProductsQuery | null;
}

export interface RangeOptions extends CallOptions {
  type?: ChangeType | readonly ChangeType[] | undefined;
  breaking?: boolean | undefined;
  prerelease?: boolean | undefined;
}

export interface UpdateOptions extends CallOptions {
  /** `true` counts prereleases. */
  prerelease?: boolean | undefined;
}

export declare class ChangelogClient {
  constructor(options: ChangelogClientOptions | StaticSiteOptions);

  /** Full version records with `include: 'changes'`, summaries without it; a union if the type of the query allows both. */
  feed(query: FullFeedQuery, options?: CallOptions): Promise<FullFeed>;
  feed(query?: SummaryFeedQuery, options?: CallOptions): Promise<Feed>;
  feed(query?: FeedQuery, options?: CallOptions): Promise<Feed | FullFeed>;

  /** By id, by label (`2.1.0`, `v2.1.0`), or `latest`. */
  version(idOrLabel: string, options?: CallOptions): Promise<Version>;

  /** The highest published stable version. */
  latest(options?: CallOptions): Promise<Version>;

  /** All changes after one version, up to and including the other, grouped by type. */
  changesBetween(from: string | null | undefined, to?: string | null, options?: RangeOptions): Promise<Range>;

  /** Whether there is a newer version than the installed one, and what it brings. Without a label: only `latest`. */
  checkForUpdate(installed?: string | null, options?: UpdateOptions): Promise<Update>;

  /** All pages, fetched on demand, with 100 versions each unless `limit` is set. */
  pages(query: FullFeedQuery, options?: CallOptions): AsyncGenerator<FullFeed, void, undefined>;
  pages(query?: SummaryFeedQuery, options?: CallOptions): AsyncGenerator<Feed, void, undefined>;
  pages(query?: FeedQuery, options?: CallOptions): AsyncGenerator<Feed | FullFeed, void, undefined>;

  /** The versions of all pages. */
  versions(query: FullFeedQuery, options?: CallOptions): AsyncGenerator<Version, void, undefined>;
  versions(query?: SummaryFeedQuery, options?: CallOptions): AsyncGenerator<VersionSummary, void, undefined>;
  versions(
    query?: FeedQuery,
    options?: CallOptions,
  ): AsyncGenerator<VersionSummary | Version, void, undefined>;

  /** The versions of all products of the team, each with its product; 100 per page unless `limit` is set. */
  teamFeed(query: FullFeedQuery, options?: CallOptions): Promise<FullTeamFeed>;
  teamFeed(query?: SummaryFeedQuery, options?: CallOptions): Promise<TeamFeed>;
  teamFeed(query?: FeedQuery, options?: CallOptions): Promise<TeamFeed | FullTeamFeed>;

  /** The versions of all pages of `teamFeed`, fetched on demand. */
  teamVersions(query: FullFeedQuery, options?: CallOptions): AsyncGenerator<Version, void, undefined>;
  teamVersions(
    query?: SummaryFeedQuery,
    options?: CallOptions,
  ): AsyncGenerator<TeamVersionSummary, void, undefined>;
  teamVersions(
    query?: FeedQuery,
    options?: CallOptions,
  ): AsyncGenerator<TeamVersionSummary | Version, void, undefined>;

  /** The products of the team that have a changelog, each with its newest version. */
  products(query?: ProductsQuery, options?: CallOptions): Promise<ProductList>;
}

/**
 * The codes of the API; `network_error`: no response; `timeout`: none in time; `unexpected_response`: not a response of
 * the API; `needs_server`: a static site cannot do this.
 */
export type ErrorCode = ApiErrorCode | 'network_error' | 'timeout' | 'unexpected_response' | 'needs_server';

export declare class ChangelogError<Code extends ErrorCode = ErrorCode> extends Error {
  constructor(
    code: Code,
    message: string,
    details?: {
      status?: number;
      url?: string | null;
      requestId?: string | null;
      retryAfterSeconds?: number | null;
      cause?: unknown;
    },
  );

  readonly name: 'ChangelogError';
  readonly code: Code;
  /** The status of the response; 0 without a response. */
  readonly status: number;
  /** The URL of the request, without credentials; null if you created the error without one. */
  readonly url: string | null;
  /** From `X-Request-Id`: names the request in the log of the server. Null without it. */
  readonly requestId: string | null;
  /** From `Retry-After`; null without it. */
  readonly retryAfterSeconds: number | null;

  /** Is it one of these? Narrows `code` to them. */
  is<C extends ErrorCode>(...codes: C[]): this is ChangelogError<C>;
}
