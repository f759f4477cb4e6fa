// The types of the client are the server's. All of it is asserted by the compiler: `npm run check`.
import type {
  ApiErrorCode,
  Change,
  ChangelogClient,
  ChangelogError,
  Feed,
  FeedQuery,
  FeedRecord,
  FullFeed,
  FullFeedRecord,
  Range,
  RangeChange,
  Version,
  VersionSummary,
} from '../../client/index.js';
import type * as errors from '../../src/errors.ts';
import type { ParameterName } from '../../src/http/query/parameters.ts';
import type * as server from '../../src/present/schemas.ts';

/** All the way down, so that an interface, an intersection and a literal type with the same fields are the same. */
type Plain<T> = T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
type Same<A, B> =
  (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false;
type Holds<Claims extends true[]> = Claims;

export type Records = Holds<
  [
    Same<FeedRecord, server.ChangelogEnvelope['data']>,
    Same<FullFeedRecord, server.FullChangelogEnvelope['data']>,
    Same<Version, server.VersionEnvelope['data']>,
    Same<Range, server.RangeEnvelope['data']>,
    Same<VersionSummary, server.VersionSummary>,
    Same<Change, server.Change>,
    Same<RangeChange, server.RangeChange>,
  ]
>;

// @ts-expect-error: what is not the same is noticed.
export type Different = Holds<[Same<VersionSummary, Version>]>;

export type Codes = Holds<[Same<ApiErrorCode, errors.ApiErrorCode>]>;

/** A query has every parameter that the server takes, and no other. */
export type Parameters = Holds<[Same<keyof FeedQuery, ParameterName>]>;

/** Full versions are told from summaries by what was asked for. */
export const feedOf = (client: ChangelogClient) => client.feed({ limit: 2 });
export const fullFeedOf = (client: ChangelogClient) => client.feed({ include: 'changes' });
export const versionsOf = (client: ChangelogClient) => client.versions({ include: 'changes' });
export type Overloads = Holds<
  [
    Same<Awaited<ReturnType<typeof feedOf>>, Feed>,
    Same<Awaited<ReturnType<typeof fullFeedOf>>, FullFeed>,
    ReturnType<typeof versionsOf> extends AsyncIterable<Version> ? true : false,
  ]
>;

/** The code of an error is narrowed by asking for it. */
export const knownCode = (error: ChangelogError) =>
  error.is('not_found', 'network_error') ? error.code : null;
export type Narrowed = Holds<[Same<ReturnType<typeof knownCode>, 'not_found' | 'network_error' | null>]>;
