// The parameters and errors of the client are the server's, and the types of what it returns follow from what is asked for.
// All of it is asserted by the compiler: `npm run check`.
import type {
  ApiErrorCode,
  ChangelogClient,
  ChangelogError,
  Feed,
  FeedQuery,
  FullFeed,
  FullFeedQuery,
  FullTeamFeed,
  TeamFeed,
  TeamVersionSummary,
  UpdateOptions,
  Version,
  VersionSummary,
} from '../../client/index.js';
import type * as errors from '../../src/errors.ts';
import type { FEED_PARAMETERS } from '../../src/http/query.ts';
import type { UPDATE_PARAMETERS } from '../../src/http/reads/records.ts';

/** All the way down, so that an interface, an intersection and a literal type with the same fields are the same. */
type Plain<T> = T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
type Same<A, B> =
  (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false;
type Holds<Claims extends true[]> = Claims;

// @ts-expect-error: what is not the same is noticed.
export type Different = Holds<[Same<VersionSummary, Version>]>;

export type Codes = Holds<[Same<ApiErrorCode, errors.ApiErrorCode>]>;

/** A query has every parameter that the server takes, and no other. */
export type Parameters = Holds<
  [
    Same<keyof FeedQuery, keyof typeof FEED_PARAMETERS>,
    Same<Exclude<keyof UpdateOptions, 'signal'>, Exclude<keyof typeof UPDATE_PARAMETERS, 'from'>>,
  ]
>;

/** Full versions are told from summaries by what was asked for, also if the query is a variable. */
declare const client: ChangelogClient;
declare const condition: boolean;
declare const anyQuery: FeedQuery;
declare const looseQuery: { limit: number; include?: 'changes' };
const fullQuery = { include: 'changes', limit: 2 } as const;
const summaryQuery = { limit: 2, type: ['fixed'] } as const;
const conditionalQuery = { include: condition ? 'changes' : undefined } as const;
const passOn = <Q extends FullFeedQuery>(query: Q) => client.feed(query);

type FeedOf<P extends Promise<unknown>> = Awaited<P>;
type ItemOf<G> = G extends AsyncGenerator<infer Item, void, undefined> ? Item : never;

const feeds = () => ({
  none: client.feed(),
  summary: client.feed({ limit: 2 }),
  summaryVariable: client.feed(summaryQuery),
  full: client.feed({ include: 'changes' }),
  fullVariable: client.feed(fullQuery),
  fullPassedOn: passOn(fullQuery),
  any: client.feed(anyQuery),
  loose: client.feed(looseQuery),
  conditional: client.feed(conditionalQuery),
  conditionalInPlace: client.feed({ include: condition ? 'changes' : undefined }),
  team: client.teamFeed(summaryQuery),
  fullTeam: client.teamFeed(fullQuery),
  anyTeam: client.teamFeed(anyQuery),
});
type Feeds = ReturnType<typeof feeds>;
export type FeedTypes = Holds<
  [
    Same<FeedOf<Feeds['none']>, Feed>,
    Same<FeedOf<Feeds['summary']>, Feed>,
    Same<FeedOf<Feeds['summaryVariable']>, Feed>,
    Same<FeedOf<Feeds['full']>, FullFeed>,
    Same<FeedOf<Feeds['fullVariable']>, FullFeed>,
    Same<FeedOf<Feeds['fullPassedOn']>, FullFeed>,
    Same<FeedOf<Feeds['any']>, Feed | FullFeed>,
    Same<FeedOf<Feeds['loose']>, Feed | FullFeed>,
    Same<FeedOf<Feeds['conditional']>, Feed | FullFeed>,
    Same<FeedOf<Feeds['conditionalInPlace']>, Feed | FullFeed>,
    Same<FeedOf<Feeds['team']>, TeamFeed>,
    Same<FeedOf<Feeds['fullTeam']>, FullTeamFeed>,
    Same<FeedOf<Feeds['anyTeam']>, TeamFeed | FullTeamFeed>,
  ]
>;

/** The query for the next page returns the same kind of page. */
const nextOf = async () => ({
  summary: await client.feed((await client.feed()).next ?? {}),
  full: await client.feed((await client.feed(fullQuery)).next ?? fullQuery),
  any: await client.feed((await client.feed(anyQuery)).next ?? {}),
});
type Next = Awaited<ReturnType<typeof nextOf>>;
export type NextTypes = Holds<
  [Same<Next['summary'], Feed>, Same<Next['full'], FullFeed>, Same<Next['any'], Feed | FullFeed>]
>;

const iterators = () => ({
  pages: client.pages(),
  fullPages: client.pages(fullQuery),
  anyPages: client.pages(anyQuery),
  versions: client.versions(summaryQuery),
  fullVersions: client.versions(fullQuery),
  anyVersions: client.versions(anyQuery),
  teamVersions: client.teamVersions(summaryQuery),
  fullTeamVersions: client.teamVersions(fullQuery),
  anyTeamVersions: client.teamVersions(anyQuery),
});
type Iterators = ReturnType<typeof iterators>;
export type IteratorTypes = Holds<
  [
    Same<ItemOf<Iterators['pages']>, Feed>,
    Same<ItemOf<Iterators['fullPages']>, FullFeed>,
    Same<ItemOf<Iterators['anyPages']>, Feed | FullFeed>,
    Same<ItemOf<Iterators['versions']>, VersionSummary>,
    Same<ItemOf<Iterators['fullVersions']>, Version>,
    Same<ItemOf<Iterators['anyVersions']>, VersionSummary | Version>,
    Same<ItemOf<Iterators['teamVersions']>, TeamVersionSummary>,
    Same<ItemOf<Iterators['fullTeamVersions']>, Version>,
    Same<ItemOf<Iterators['anyTeamVersions']>, TeamVersionSummary | Version>,
  ]
>;

// @ts-expect-error: a parameter that does not exist is noticed next to one that does.
export const misspelt = () => client.feed({ limit: 2, tpye: 'fixed' });
// @ts-expect-error: the only thing to include is changes.
export const unknownInclude = () => client.feed({ include: 'everything' });

/** The code of an error is narrowed by asking for it. */
export const knownCode = (error: ChangelogError) =>
  error.is('not_found', 'network_error') ? error.code : null;
export type Narrowed = Holds<[Same<ReturnType<typeof knownCode>, 'not_found' | 'network_error' | null>]>;
