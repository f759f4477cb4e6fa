import type {
  ApiErrorCode,
  ChangeType,
  FeedRecord,
  FullFeedRecord,
  Range,
  Version,
  VersionSummary,
} from './records.js';

export type * from './records.js';

export interface ChangelogClientOptions {
  /** The address of the service, with or without a path: `https://changelog.example.com`. */
  baseUrl: string | URL;
  /** The slug of the team. */
  team: string;
  /** The slug of the product. */
  product: string;
  /** With a key, everything that it may read is read, drafts included; without, what is public. */
  apiKey?: string | undefined;
  /** Where a password protects the whole site. */
  basic?: { username: string; password: string } | undefined;
  /** Left out: the global one. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Waits as long as `Retry-After` says on 429 and 503, and asks again. Left out: it does not. */
  retry?: boolean | RetryOptions | undefined;
  /** Sent with every request. */
  headers?: Record<string, string> | undefined;
}

export interface RetryOptions {
  /** The first one included. Left out: 3. */
  attemptsMax?: number | undefined;
  /** For all attempts of a call together; what would take longer fails at once. Left out: 60. */
  waitSecondsMax?: number | undefined;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
}

/** Versions must pass all that is given. */
export interface FeedQuery {
  /** 1 to 100 versions a page. Left out: all at once. */
  limit?: number | undefined;
  /** From `next` of the page before. */
  cursor?: string | undefined;
  /** Published at this moment or later. */
  since?: string | Date | undefined;
  /** Published at this moment or earlier; a date alone includes that day. */
  until?: string | Date | undefined;
  /** Versions after this one. */
  from?: string | undefined;
  /** Versions up to and including this one. */
  to?: string | undefined;
  /** Versions with a change of this type, or of one of these. */
  type?: ChangeType | readonly ChangeType[] | undefined;
  /** `false` leaves out prereleases. */
  prerelease?: boolean | undefined;
  /** Versions in which all of these words are found. */
  q?: string | undefined;
  /** Each version as the full record, with its changes. */
  include?: 'changes' | undefined;
}

export interface FullFeedQuery extends FeedQuery {
  include: 'changes';
}

export interface Feed extends FeedRecord {
  /** What to ask for the next page; null on the last one. */
  next: FeedQuery | null;
}

export interface FullFeed extends FullFeedRecord {
  next: FullFeedQuery | null;
}

export interface RangeOptions extends CallOptions {
  type?: ChangeType | readonly ChangeType[] | undefined;
  prerelease?: boolean | undefined;
}

export declare class ChangelogClient {
  constructor(options: ChangelogClientOptions);

  feed(query: FullFeedQuery, options?: CallOptions): Promise<FullFeed>;
  feed(query?: FeedQuery, options?: CallOptions): Promise<Feed>;

  /** By id, by label (`2.1.0`, `v2.1.0`), or `latest`. */
  version(idOrLabel: string, options?: CallOptions): Promise<Version>;

  /** The highest published stable version. */
  latest(options?: CallOptions): Promise<Version>;

  /** All changes after one version, up to and including the other, grouped by type. */
  changesBetween(from: string | null | undefined, to?: string | null, options?: RangeOptions): Promise<Range>;

  /** All pages, fetched one by one as they are asked for; of 100 versions each unless `limit` says otherwise. */
  pages(query: FullFeedQuery, options?: CallOptions): AsyncGenerator<FullFeed, void, undefined>;
  pages(query?: FeedQuery, options?: CallOptions): AsyncGenerator<Feed, void, undefined>;

  /** The versions of all pages. */
  versions(query: FullFeedQuery, options?: CallOptions): AsyncGenerator<Version, void, undefined>;
  versions(query?: FeedQuery, options?: CallOptions): AsyncGenerator<VersionSummary, void, undefined>;
}

/** The codes of the API; `network_error`: there was no answer; `unexpected_response`: it was not one of the API. */
export type ErrorCode = ApiErrorCode | 'network_error' | 'unexpected_response';

export declare class ChangelogError<Code extends ErrorCode = ErrorCode> extends Error {
  constructor(
    code: Code,
    message: string,
    details?: { status?: number; retryAfterSeconds?: number | null; cause?: unknown },
  );

  readonly name: 'ChangelogError';
  readonly code: Code;
  /** Of the answer; 0 where there was none. */
  readonly status: number;
  /** What `Retry-After` said; null where it said nothing. */
  readonly retryAfterSeconds: number | null;

  /** Is it one of these? Narrows `code` to them. */
  is<C extends ErrorCode>(...codes: C[]): this is ChangelogError<C>;
}
