// The whole service: each request passes its route's guards in order, then a read or a document responds.
import type { Server } from 'node:http';
import type { Config } from '../config.ts';
import type { HubsFor } from '../domain/hook.ts';
import { andThen } from '../domain/maybe-promise.ts';
import { basePathOf } from '../present/links.ts';
import type { Source } from '../store/source/source.ts';
import { openRenderer, type Render } from '../text/render.ts';
import { createCdn } from './cache/make-response.ts';
import { createResponses } from './cache/respond.ts';
import { createResponseCache } from './cache/response-cache.ts';
import { createKeyCache, orAsAnyone, requireKey } from './guards/bearer.ts';
import type { Counters } from './guards/counters/counters.ts';
import { processCounters } from './guards/counters/exchange.ts';
import { createLimiter, requirePassword } from './guards/gate.ts';
import { type KeyUsage, NO_KEY_USAGE } from './guards/key-usage.ts';
import { Exchange, type OnSent, runStages, type Stage, startStages } from './pipeline/exchange.ts';
import { checkRequest, identifyClient, identifyRequests, ORIGINS, varyByKey } from './pipeline/request.ts';
import { createMethodCheck, createRouteCheck, createRouter, type Guards } from './pipeline/router.ts';
import { createSend, createSendError } from './pipeline/send.ts';
import { fileOf, handleRead } from './read.ts';
import { type DocumentContext, handleDocument } from './reads/documents.ts';
import { ROUTES, type RouteLine } from './routes.ts';
import { createHttpServer, type Handle } from './server.ts';
import { createBaseUrl, createDomains, createErrorResponses, createLanguages, createSite } from './site.ts';
import { type Counts, createCounts } from './telemetry/counts.ts';
import { createRequestLog, type Log } from './telemetry/log.ts';

type AppDependencies = Readonly<{
  config: Config;
  source: Source;
  log: Log;
  render?: Render;
  counters?: Counters;
  counts?: Counts;
  onSent?: OnSent;
  keyUsage?: KeyUsage;
  /** Appended to the style sheet of every page. */
  extraCss?: string;
  hubsFor?: HubsFor;
}>;

export type App = ReturnType<typeof buildApp>;

export const READS = ROUTES.flatMap(({ path, surface, withKey, read, isServed = () => true }) =>
  read === undefined ? [] : [{ path, surface: withKey ? ('either' as const) : surface, read, isServed }],
);

/** For the OpenAPI document. */
export const servedReads = (config: Config) => READS.filter(({ isServed }) => isServed(config));

export const OUTPUTS = READS.flatMap(({ path, read: { output } }) =>
  output === undefined ? [] : [{ ...output, file: fileOf(path) }],
);

const BYTES_PER_MB = 1024 * 1024;
/** Of the memory for cached responses, what the indexes of changelogs may use. */
const INDEX_SHARE = 1 / 4;

export const indexBytes = ({ cacheMaxMb }: Pick<Config, 'cacheMaxMb'>) =>
  Math.max(1, cacheMaxMb * BYTES_PER_MB * INDEX_SHARE);

export function buildApp({
  config,
  source,
  log,
  render = openRenderer(config.cacheMaxMb),
  counters = processCounters(),
  counts = createCounts(),
  onSent,
  keyUsage = NO_KEY_USAGE,
  extraCss = '',
  hubsFor = () => [],
}: AppDependencies) {
  const { gate, publicMaxAgeSeconds, cdnMaxAgeSeconds, trustedProxies } = config;
  const gated = gate !== null;
  const baseUrl = createBaseUrl(config, (): Server => server);
  const site = createSite({ config, baseUrl, extraCss, outputs: OUTPUTS, hubsFor });
  const domains = createDomains(source, baseUrl);
  const languages = createLanguages(source);
  const cdn = cdnMaxAgeSeconds === null ? null : createCdn(source, cdnMaxAgeSeconds);
  const errorOn = createErrorResponses(site, languages);
  const requireRoute = createRouteCheck(baseUrl);
  const send = createSend(log, [createRequestLog(log), ...(onSent === undefined ? [] : [onSent])]);
  const cache = createResponseCache(config.cacheMaxMb * BYTES_PER_MB - indexBytes(config));
  const responses = createResponses(source, cache, counts.responses);
  const limiter = createLimiter(config, counters, counts.limiter);
  const findKey = createKeyCache(source);
  const identify = identifyClient(trustedProxies);
  const checkGate = gate && requirePassword(gate, counters);
  const checkMethod = createMethodCheck(send);
  const origins = gated ? { ...ORIGINS, read: null, count: null } : ORIGINS;
  const context = (): DocumentContext => ({ config, site: site(), reads: servedReads(config) });

  /** Preflights are free where browsers send them (R46). */
  const limit = (cors: Guards['cors']) => limiter({ freePreflights: cors === 'read' || cors === 'count' });
  const present = (stages: readonly (Stage | null)[]) => stages.filter((stage) => stage !== null);

  function checkKey(line: RouteLine, scheme: 'bearer' | 'token'): Stage {
    const check = requireKey(findKey, gated, scheme, counts.keyChecks, keyUsage);
    if (line.withKey === undefined) return check;
    return orAsAnyone(check, present([origins[line.cors], limit(line.cors), respondTo(line, line)]));
  }

  function respondTo(line: RouteLine, guards: Guards): Stage | null {
    const { path, read, document, isServed = () => true } = line;
    if (!isServed(config)) return null;
    const isPrivate = guards.keyed !== false || (guards.gated && gated);
    const cacheControl = isPrivate ? 'private, no-cache' : `public, max-age=${publicMaxAgeSeconds}`;
    if (document !== undefined) return handleDocument(document, cacheControl, { send, context });
    if (read === undefined) return null;
    const kind = { surface: guards.surface, cacheControl, cdn: isPrivate ? null : cdn };
    return handleRead(path, read, { ...kind, responses, render, send, site, languages });
  }

  function buildRoute(line: RouteLine, guards: Guards) {
    const { limited, keyed, cors } = guards;
    const last = respondTo(line, guards);
    const stages = present([
      identify,
      guards.gated ? checkGate : null,
      origins[cors],
      limited ? limit(cors) : null,
      checkRequest,
      requireRoute,
      keyed || line.withKey ? varyByKey : null,
      checkMethod,
      keyed ? checkKey(line, keyed) : null,
      last,
    ]);
    return { ...guards, path: line.path, stages, exists: last !== null };
  }

  const routes = ROUTES.map((line) => ({
    ...buildRoute(line, line),
    withKey: line.withKey && buildRoute(line, line.withKey),
  }));
  const route = createRouter(routes, gated, () => basePathOf(baseUrl()));
  const idOf = identifyRequests(trustedProxies);

  const findRoute: Stage = (exchange) => {
    const { request } = exchange;
    return andThen(domains.find(request.headers.host), (host) => {
      const destination = route(request, host);
      exchange.leadTo(destination, host?.domain ?? null);
      return runStages(destination.stages, exchange);
    });
  };
  const requestStages = [findRoute];
  const sendError = createSendError(log, send, errorOn);

  const handle: Handle = (request, response, failure) =>
    startStages(requestStages, new Exchange(idOf(request), request, response, failure), sendError);

  const server = createHttpServer(handle, log, counts);
  return {
    handle,
    server,
    cache,
    routes: routes.filter(({ exists }) => exists),
    /** Whether a public product has this domain. */
    isDomain: async (name: string) => (await domains.find(name)) !== null,
    /** For links. */
    site,
    /** Reads what must be known if the database goes down before the first request. */
    prepare: async () => {
      await domains.load();
      await cdn?.load();
    },
  };
}
