// The whole service in one list: every stage and every route, in the order in which a request meets them.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Config } from '../config.ts';
import { openRenderer, type Renderer } from '../present/html/renderer.ts';
import { listenUrl } from '../serve/listen.ts';
import type { Source } from '../store/source/source.ts';
import { allowAnyOrigin, varyByKey } from './cache/conditional.ts';
import { createPartitionedCache } from './cache/partitions.ts';
import { createResponses } from './cache/respond.ts';
import { requireKey } from './guards/bearer.ts';
import type { Counters } from './guards/counters/counters.ts';
import { processCounters } from './guards/counters/process.ts';
import { requirePassword } from './guards/gate.ts';
import { createKeyCache } from './guards/key-cache.ts';
import { type KeyUsage, NO_KEY_USAGE } from './guards/key-usage.ts';
import { createLimiter, limitClients } from './guards/limiter.ts';
import { createSendError, routeNotFound } from './line/errors.ts';
import { Exchange } from './line/exchange.ts';
import { isPublic, PUBLIC_PREFIX, routePath } from './line/path.ts';
import { checkRequest, identifyClient } from './line/request.ts';
import { createRouter, type Route } from './line/router.ts';
import { createSend } from './line/send.ts';
import { runStages, type Stage } from './line/stages.ts';
import { documentRoute } from './routes/document-route.ts';
import { documentRoutes } from './routes/documents.ts';
import { FEED_RESOURCES } from './routes/feeds.ts';
import { resourceRoute, type SurfaceRules } from './routes/read-route.ts';
import { changelogResource, rangeResource, versionResource } from './routes/reads.ts';
import { createHttpServer } from './server.ts';
import { createRequestLog, type Log } from './telemetry/log.ts';
import { NO_OBSERVER, type Observer, observeRequest } from './telemetry/observer.ts';

export type AppDependencies = Readonly<{
  config: Config;
  source: Source;
  log: Log;
  /** What renders Markdown; left out: one of its own. */
  renderer?: Renderer;
  /** Where requests and wrong tries are counted; left out: in this process. */
  counters?: Counters;
  observer?: Observer;
  keyUsage?: KeyUsage;
}>;

export type App = Readonly<{
  /** Answers a request, wherever it comes from. */
  handle: (request: IncomingMessage, response: ServerResponse) => void;
  server: Server;
  routes: readonly Route[];
}>;

const BYTES_PER_MB = 1024 * 1024;
export const RESOURCES = [changelogResource, versionResource, rangeResource, ...FEED_RESOURCES];
export const PREFIXES = { public: PUBLIC_PREFIX, team: '/api/v1' };
const PRIVATE = 'private, no-cache';
/** What renders Markdown is started before it is asked for, but not before the first responses. */
const RENDERER_AFTER_MS = 500;

export function buildApp({
  config,
  source,
  log,
  renderer = openRenderer(config.cacheMaxMb),
  counters = processCounters(),
  observer = NO_OBSERVER,
  keyUsage = NO_KEY_USAGE,
}: AppDependencies): App {
  const { gate, publicMaxAgeSeconds, trustedProxies, cacheMaxMb } = config;
  const gated = gate !== null;
  const send = createSend(log, [createRequestLog(log), ...observeRequest(observer)]);
  const refuse = createSendError(log, send);
  const held = createPartitionedCache(cacheMaxMb * BYTES_PER_MB);
  const answers = createResponses(source, held, observer.onResponse);
  observer.onBuilt({ source, cache: held });

  const stages = [identifyClient(trustedProxies), ...(gated ? [requirePassword(gate, counters)] : [])];
  const toAnyOrigin = gated ? [] : [allowAnyOrigin];
  const limiter = createLimiter(config, counters, observer);
  const publicStages: Stage[] = [...stages, ...toAnyOrigin, limitClients(limiter), checkRequest];
  const otherStages = [...stages, checkRequest];
  // What does not exist on the public surface is limited like what does (R25).
  const publicToNowhere = [...publicStages, routeNotFound];
  const otherToNowhere = [...otherStages, routeNotFound];
  const toNowhere = (path: string) => (isPublic(path) ? publicToNowhere : otherToNowhere);
  const mayBeKept = `public, max-age=${publicMaxAgeSeconds}`;
  const publicRules: SurfaceRules = {
    surface: 'public',
    prefix: PREFIXES.public,
    cacheControl: gated ? PRIVATE : mayBeKept,
    stages: publicStages,
  };
  const teamRules: SurfaceRules = {
    surface: 'team',
    prefix: PREFIXES.team,
    cacheControl: PRIVATE,
    stages: [...otherStages, varyByKey],
    authorise: requireKey(createKeyCache(source), { gated, observer, keyUsage }),
  };
  const baseUrl = () => baseUrlFor(config, server);
  // Both surfaces are the same routes; only who asks differs.
  const reads = RESOURCES.flatMap((read) =>
    // What is asked for most comes first, on either surface: paths are compared in this order.
    [publicRules, teamRules]
      .filter(({ surface }) => read.surfaces.includes(surface))
      .map((rules) => resourceRoute(read, rules, { answers, render: renderer.render, send, baseUrl })),
  );
  const documents = documentRoutes(
    { reads: RESOURCES, prefixes: PREFIXES, config, baseUrl },
    {
      openApi: {
        stages: [...stages, ...toAnyOrigin, checkRequest],
        cacheControl: publicRules.cacheControl,
      },
      page: { stages: otherStages, cacheControl: mayBeKept },
    },
  ).map((served) => documentRoute(served, send));
  const routes = [...reads, ...documents];
  const findRoute = createRouter(routes);
  let requests = 0;

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const path = routePath(request.url ?? '');
    const place = findRoute(path);
    const exchange = new Exchange(request, response, { number: ++requests, path, place });
    runStages(place?.route.stagesFor(request.method ?? '') ?? toNowhere(path), exchange, refuse);
  }

  const isRoute = (path: string) => findRoute(path) !== null;
  const server = createHttpServer(handle, log, { gated, trustedProxies, limiter, isRoute });
  server.once('listening', () => setTimeout(renderer.warmUp, RENDERER_AFTER_MS).unref());
  return { handle, server, routes };
}

/** Links never depend on what a request says of its host. Without a server: where one would listen. */
export function baseUrlFor(config: Config, server: Server | null): string {
  return config.baseUrl ?? listenUrl(server, config);
}
