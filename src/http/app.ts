// The whole service in one list: every hook and every route, in the order in which a request meets them.
import Fastify, { type FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { Source } from '../store/source.ts';
import { createAnswers } from './answers.ts';
import { requireKey } from './bearer.ts';
import { allowAnyOrigin, varyByKey } from './caching.ts';
import type { Counters } from './counters/counters.ts';
import { processCounters } from './counters/process.ts';
import { answerErrors, createRefuse, refuseUnknownRoute } from './errors.ts';
import { openGate } from './gate.ts';
import { createHeldAnswers } from './held-answers.ts';
import { createHeldKeys } from './held-keys.ts';
import { type KeyUsage, NO_KEY_USAGE } from './key-usage.ts';
import { limitClients } from './limiter.ts';
import { createRequestLog, type Log } from './log.ts';
import { NO_OBSERVER, type Observer, observeRequest } from './observer.ts';
import { isPublic, PUBLIC_PREFIX } from './path.ts';
import { beginRequest, refuseMalformed } from './request.ts';
import { changelogRoute, loadPresenter, versionRoute } from './routes/reads.ts';
import { registerRead, type SurfaceRules } from './routes/register.ts';
import { createSend } from './send.ts';
import { serverOptions, tameServer } from './server.ts';
import { passStages, type Stage } from './stages.ts';

export type AppDependencies = Readonly<{
  config: Config;
  source: Source;
  log: Log;
  /** Where requests and wrong tries are counted; left out: in this process. */
  counters?: Counters;
  observer?: Observer;
  keyUsage?: KeyUsage;
}>;

const BYTES_PER_MB = 1024 * 1024;
const READS = [changelogRoute, versionRoute];
const TEAM_PREFIX = '/api/v1';
const ROUTE_PATTERNS = [PUBLIC_PREFIX, TEAM_PREFIX].flatMap((prefix) =>
  READS.map(({ url }) => new RegExp(`^${prefix}${url.replaceAll(/:\w+/g, '[^/]+')}$`)),
);

function isRoute(path: string): boolean {
  return ROUTE_PATTERNS.some((pattern) => pattern.test(path));
}

export function buildApp({
  config,
  source,
  log,
  counters = processCounters(),
  observer = NO_OBSERVER,
  keyUsage = NO_KEY_USAGE,
}: AppDependencies): FastifyInstance {
  const app = Fastify(serverOptions(log, { gated: config.gate !== null, isRoute }));
  const send = createSend([createRequestLog(log), ...observeRequest(observer)]);
  tameServer(app);
  const refuse = createRefuse(log, send);
  answerErrors(app, refuse);

  const stages: Stage[] = [
    beginRequest(config.trustedProxies),
    ...(config.gate === null ? [] : [openGate(config.gate, counters)]),
    ...(config.gate === null ? [onPublicPaths(allowAnyOrigin)] : []),
    onPublicPaths(limitClients(config, counters, observer)),
    refuseMalformed,
  ];
  const stagesToNowhere = [...stages, refuseUnknownRoute];
  const pass = passStages(refuse);
  app.addHook('onRequest', (request, reply) =>
    pass(request.routeOptions.config.stages ?? stagesToNowhere, request, reply),
  );

  const held = createHeldAnswers(config.cacheMaxMb * BYTES_PER_MB);
  const answers = createAnswers(source, held, observer.onAnswer);
  observer.onBuilt({ source, held });
  const authorise = requireKey(createHeldKeys(source), { gated: config.gate !== null, observer, keyUsage });
  const parts = { answers, send, refuse };
  const surfaces: Record<string, SurfaceRules> = {
    [PUBLIC_PREFIX]: { surface: 'public', cacheControl: publicCacheControl(config), stages },
    [TEAM_PREFIX]: { surface: 'team', cacheControl: PRIVATE, stages: [...stages, varyByKey], authorise },
  };
  for (const [prefix, rules] of Object.entries(surfaces)) {
    // Both surfaces are the same routes; only who asks differs.
    const register = async (scope: FastifyInstance) => {
      for (const read of READS) registerRead(scope, parts, read, rules);
    };
    app.register(register, { prefix });
  }
  app.server.once('listening', loadPresenter);
  return app;
}

/** By path and not by route, because what does not exist on the public surface is limited like what does (R25). */
function onPublicPaths(stage: Stage): Stage {
  return (request, reply, next) => {
    if (isPublic(request.url)) stage(request, reply, next);
    else next();
  };
}

const PRIVATE = 'private, no-cache';

function publicCacheControl({ gate, publicMaxAgeSeconds }: Config): string {
  return gate === null ? `public, max-age=${publicMaxAgeSeconds}` : PRIVATE;
}
