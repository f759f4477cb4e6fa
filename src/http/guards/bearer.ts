import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { type ApiKey, decideAccess, hasExpired, readableProducts } from '../../domain/access/access.ts';
import { hashApiKey } from '../../domain/access/api-key.ts';
import { isBasic, parseApiKeyHeader, parseBearer, tokenAsBearer } from '../../domain/access/credential.ts';
import { andThen, type MaybePromise } from '../../domain/maybe-promise.ts';
import { ApiError } from '../../errors.ts';
import { findKey, type KeyRow } from '../../store/read/reads.ts';
import type { Source } from '../../store/source/source.ts';
import { type Exchange, runStages, type Stage } from '../pipeline/exchange.ts';
import { headerLines } from '../pipeline/request.ts';
import type { Counts } from '../telemetry/counts.ts';
import type { KeyUsage } from './key-usage.ts';

const CHALLENGE = 'Bearer realm="changelog"';
const INVALID_TOKEN = { 'www-authenticate': `${CHALLENGE}, error="invalid_token"` };
const MISSING_MESSAGE = 'The bearer token is missing. Send an API key as "Authorization: Bearer <API_KEY>".';
const MISSING_WITH_BASIC =
  'The bearer token is missing. Along with Basic credentials, send the API key as "X-API-Key: <API_KEY>".';

type WithHeaders = Pick<IncomingMessage, 'rawHeaders'>;

/** Admits a request if its key may read the product in the path; otherwise 401, then 403 (R1–R5). */
export function requireKey(
  findKey: FindKey,
  gated: boolean,
  scheme: 'bearer' | 'token',
  checks: Counts['keyChecks'],
  keyUsage: KeyUsage,
): Stage {
  function judge(exchange: Exchange, key: ApiKey | undefined): ApiError | undefined {
    exchange.keyId = key?.id ?? null;
    exchange.products = key === undefined ? null : readableProducts(key);
    const access = decideAccess(key, exchange.params);
    checks[access]++;
    if (key !== undefined && access !== 'unauthorized') keyUsage.record(key.id);
    if (access === 'unauthorized') return new ApiError('unauthorized', { headers: INVALID_TOKEN });
    return access === 'forbidden' ? new ApiError('forbidden') : undefined;
  }

  return (exchange) => {
    const { credential, hasBasic } = findCredential(exchange.request, gated, scheme);
    if (credential.kind === 'missing') {
      checks.missing++;
      const message = hasBasic ? MISSING_WITH_BASIC : MISSING_MESSAGE;
      return new ApiError('unauthorized', { message, headers: { 'www-authenticate': CHALLENGE } });
    }
    if (credential.kind === 'invalid') return judge(exchange, undefined);
    const key = findKey(hashApiKey(credential.token), exchange.startedAt);
    return andThen(key, (found) => judge(exchange, found));
  };
}

/** Where a key is optional, a valid one for something else reads as anyone does (R57): its clients have one token a host. */
export function orAsAnyone(check: Stage, asAnyone: readonly Stage[]): Stage {
  return (exchange) =>
    andThen(check(exchange), (refusal) => {
      if (refusal?.code !== 'forbidden') return refusal;
      exchange.surface = 'public';
      return runStages(asAnyone, exchange);
    });
}

/** `Authorization` holds one credential: if it is the gate's, the key is in another header (R24). */
function findCredential(request: WithHeaders, gated: boolean, scheme: 'bearer' | 'token') {
  const sent = headerLines(request, 'authorization');
  const authorization = scheme === 'token' ? sent.map(tokenAsBearer) : sent;
  const hasBasic = gated && isBasic(authorization);
  const credential = hasBasic
    ? parseApiKeyHeader(headerLines(request, 'x-api-key'))
    : parseBearer(authorization);
  return { credential, hasBasic };
}

/** Whether a request has an API key, valid or not, where one is optional (R57). */
export function sendsKey(request: WithHeaders, gated: boolean): boolean {
  return findCredential(request, gated, 'token').credential.kind !== 'missing';
}

const KEYS_MAX = 10_000;

const clock = () => new Date().toISOString();

/** For a request that arrived at `startedAt`: time spent so far counts against its database timeout. */
export type FindKey = (hash: string, startedAt?: number) => MaybePromise<KeyRow | undefined>;

/**
 * Finds a key in the cache while that is current, otherwise in the database (R29). Unknown keys are not cached: anyone
 * can invent them. While the database is down, no key is found (R30).
 */
export function createKeyCache(source: Source, keysMax = KEYS_MAX, now = clock): FindKey {
  const keys = new LRUCache<string, KeyRow>({ max: keysMax });
  // A key depends on its own row, its team and its products, so any write to the team invalidates it.
  source.onTouched((touches) => {
    const teams = new Set(touches.map((touch) => (touch.kind === 'everything' ? 'every' : touch.teamId)));
    for (const [hash, { teamId }] of keys) if (teams.has('every') || teams.has(teamId)) keys.delete(hash);
  });

  async function read(hash: string, startedAt: number): Promise<KeyRow | undefined> {
    const { revision, found } = await source.read(
      (db) => findKey(db, hash, now()),
      performance.now() - startedAt,
    );
    if (found !== undefined && revision >= source.revision()) keys.set(hash, found);
    return found;
  }

  return (hash, startedAt = performance.now()) =>
    andThen(source.isConfirmed(), (isConfirmed) => {
      const key = isConfirmed ? keys.get(hash) : undefined;
      // An expired key is looked up again, and so takes as long as an unknown one (R5).
      return key === undefined || hasExpired(key, now) ? read(hash, startedAt) : key;
    });
}
