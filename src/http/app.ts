// The whole service: every stage and every route, in the order in which a request passes them.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Config } from '../config.ts';
import { openRenderer, type Renderer } from '../present/html/renderer.ts';
import type { Source } from '../store/source/source.ts';
import { allowAnyOrigin, allowEmbedding, varyByKey } from './cache/conditional.ts';
import { createPartitionedCache } from './cache/partitions.ts';
import { createResponses } from './cache/respond.ts';
import { requireKey } from './guards/bearer.ts';
import type { Counters } from './guards/counters/counters.ts';
import { processCounters } from './guards/counters/process.ts';
import { requirePassword } from './guards/gate.ts';
import { createKeyCache } from './guards/key-cache.ts';
import { type KeyUsage, NO_KEY_USAGE } from './guards/key-usage.ts';
import { createLimiter, limitClients } from './guards/limiter.ts';
import { createSendError } from './pipeline/errors.ts';
import { Exchange } from './pipeline/exchange.ts';
import {
  type Area,
  DEMO_PATH,
  DEMO_SCRIPT_PATH,
  DOCS_PATH,
  FAVICON_PATH,
  OPENAPI_PATH,
  PREFIXES,
  ROBOTS_PATH,
  WIDGET_PATH,
} from './pipeline/path.ts';
import { checkRequest, identifyClient } from './pipeline/request.ts';
import { identifyRequests } from './pipeline/request-id.ts';
import { checkMethod, createNotFound, createRouter, type Route, requireRoute } from './pipeline/router.ts';
import { createSend } from './pipeline/send.ts';
import { pass, runStages, type Stage } from './pipeline/stages.ts';
import { changelogResource } from './reads/changelog-json.ts';
import { rangeResource } from './reads/changes-json.ts';
import { generateDemoPage, generateDemoScript } from './reads/demo.ts';
import { generateDocsPage, generateOpenApi, readWidget, sendDocument } from './reads/documents.ts';
import { createErrorResponses } from './reads/error-html.ts';
import { FEED_RESOURCES } from './reads/feeds.ts';
import { generateRobots, sendNoIcon } from './reads/open.ts';
import { readPage } from './reads/page-route.ts';
import { pagesFor } from './reads/pages.ts';
import { readResource } from './reads/read.ts';
import { createSite } from './reads/site.ts';
import { versionResource } from './reads/version-json.ts';
import { createHttpServer } from './server.ts';
import { createRequestLog, type Log } from './telemetry/log.ts';
import { NO_OBSERVER, type Observer, observeRequest } from './telemetry/observer.ts';
import { createBaseUrl } from './urls.ts';

type AppDependencies = Readonly<{
  config: Config;
  source: Source;
  log: Log;
  renderer?: Renderer;
  counters?: Counters;
  observer?: Observer;
  keyUsage?: KeyUsage;
  /** Appended to the style sheet of the pages. */
  extraCss?: string;
  /** Is there a page to try the widget on? Only in the demo. */
  hasDemoPage?: boolean;
}>;

export type App = Readonly<{
  handle: (request: IncomingMessage, response: ServerResponse) => void;
  server: Server;
  routes: readonly Route[];
}>;

/** The most frequent ones first: paths are compared in this order. */
export const RESOURCES = [changelogResource, versionResource, rangeResource, ...FEED_RESOURCES];

const BYTES_PER_MB = 1024 * 1024;

export function buildApp({
  config,
  source,
  log,
  renderer = openRenderer(config.cacheMaxMb),
  counters = processCounters(),
  observer = NO_OBSERVER,
  keyUsage = NO_KEY_USAGE,
  extraCss = '',
  hasDemoPage = false,
}: AppDependencies): App {
  const { gate, publicMaxAgeSeconds, trustedProxies, cacheMaxMb } = config;
  const gated = gate !== null;
  const baseUrl = createBaseUrl(config, () => server);
  const site = createSite({ config, baseUrl, extraCss });
  const errorAt = createErrorResponses(site);
  const send = createSend(log, [createRequestLog(log), ...observeRequest(observer)]);
  const sendError = createSendError(log, send, errorAt);
  const cache = createPartitionedCache(cacheMaxMb * BYTES_PER_MB);
  const respond = createResponses(source, cache, observer.onResponse);
  const limiter = createLimiter(config, counters, observer);
  observer.onBuilt({ source, cache });

  const idOf = identifyRequests(trustedProxies);
  const identify = identifyClient(trustedProxies);
  const checkGate = gated ? requirePassword(gate, counters) : pass;
  const allowOrigins = gated ? pass : allowAnyOrigin;
  const limitRequests = limitClients(limiter, { freePreflights: true });
  const limitViews = limitClients(limiter, { freePreflights: false });
  const notFoundAt = createNotFound(baseUrl);
  const checkRoute = requireRoute(notFoundAt);
  const allowRead = checkMethod(send);
  const checkKey = requireKey(createKeyCache(source), { gated, observer, keyUsage });

  const publicStages = (read: Stage) => [
    identify,
    checkGate,
    allowOrigins,
    limitRequests,
    checkRequest,
    checkRoute,
    allowRead,
    read,
  ];
  const teamStages = (read: Stage) => [
    identify,
    checkGate,
    checkRequest,
    checkRoute,
    varyByKey,
    allowRead,
    checkKey,
    read,
  ];
  const openApiStages = (document: Stage) => [
    identify,
    checkGate,
    allowOrigins,
    checkRequest,
    allowRead,
    document,
  ];
  const pageStages = (page: Stage) => [
    identify,
    checkGate,
    limitViews,
    checkRequest,
    checkRoute,
    allowRead,
    page,
  ];
  const openStages = (document: Stage) => [identify, checkRequest, allowRead, document];
  const widgetStages = (script: Stage) => [allowEmbedding, ...openStages(script)];

  const cacheable = `public, max-age=${publicMaxAgeSeconds}`;
  const surfaces = {
    public: { stages: publicStages, cacheControl: gated ? 'private, no-cache' : cacheable },
    team: { stages: teamStages, cacheControl: 'private, no-cache' },
  };
  const described = { reads: RESOURCES, config, baseUrl };
  const demoRoutes = (): Route[] => [
    {
      pattern: DEMO_PATH,
      stages: openStages(sendDocument(() => generateDemoPage(site()), { cacheControl: cacheable, send })),
    },
    {
      pattern: DEMO_SCRIPT_PATH,
      stages: openStages(sendDocument(generateDemoScript, { cacheControl: cacheable, send })),
    },
  ];
  const routes: Route[] = [
    ...RESOURCES.flatMap((resource) =>
      resource.surfaces.map((surface) => {
        const { stages, cacheControl } = surfaces[surface];
        const options = { surface, cacheControl, respond, render: renderer.render, send, baseUrl };
        return {
          pattern: PREFIXES[surface] + resource.pattern,
          stages: stages(readResource(resource, options)),
        };
      }),
    ),
    ...pagesFor(config).map((page) => ({
      pattern: page.pattern,
      stages: pageStages(
        readPage(page, {
          cacheControl: surfaces.public.cacheControl,
          respond,
          render: renderer.render,
          send,
          site,
        }),
      ),
    })),
    {
      pattern: OPENAPI_PATH,
      stages: openApiStages(
        sendDocument(() => generateOpenApi(described), {
          cacheControl: surfaces.public.cacheControl,
          send,
        }),
      ),
    },
    {
      pattern: DOCS_PATH,
      stages: openStages(sendDocument(() => generateDocsPage(described), { cacheControl: cacheable, send })),
    },
    {
      pattern: ROBOTS_PATH,
      stages: openStages(
        sendDocument(async () => generateRobots(config, baseUrl), { cacheControl: cacheable, send }),
      ),
    },
    {
      pattern: WIDGET_PATH,
      stages: widgetStages(sendDocument(readWidget, { cacheControl: cacheable, send })),
    },
    { pattern: FAVICON_PATH, stages: openStages(sendNoIcon(cacheable, send)) },
    ...(hasDemoPage ? demoRoutes() : []),
  ];
  // Paths without a route are limited like all others on the public surface (R25).
  const unknownPublic = publicStages(pass);
  const unknownPage = pageStages(pass);
  const unknownOther = teamStages(pass);
  const unknown: Readonly<Record<Area, readonly Stage[]>> = {
    public: unknownPublic,
    team: unknownOther,
    pages: unknownPage,
    lists: unknownPage,
    open: unknownOther,
  };

  const route = createRouter(routes, unknown);

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const destination = route(request.url ?? '');
    const exchange = new Exchange(idOf(request), request, response, destination);
    runStages(destination.stages, exchange, sendError);
  }

  const isRoute = (path: string) => route(path).route !== null;
  const server = createHttpServer(handle, log, {
    gated,
    trustedProxies,
    limiter,
    isRoute,
    notFoundAt,
    errorAt,
  });
  return { handle, server, routes };
}
