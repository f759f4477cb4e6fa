// The whole service in one list: every hook and every route, in the order in which a request meets them.
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { Surface } from '../domain/model.ts';
import type { Source } from '../store/source.ts';
import { type Answers, createAnswers } from './answers.ts';
import { requireKey } from './bearer.ts';
import { allowAnyOrigin, varyByKey } from './caching.ts';
import { type Counters, processCounters } from './counters/counters.ts';
import { answerErrors, refuseUnknownRoute } from './errors.ts';
import { openGate } from './gate.ts';
import { createHeldAnswers } from './held-answers.ts';
import { type KeyUsage, NO_KEY_USAGE } from './key-usage.ts';
import { limitClients } from './limiter.ts';
import { type Log, logRequest } from './log.ts';
import { NO_OBSERVER, type Observer, observeRequest } from './observer.ts';
import { isPublic, PUBLIC_PREFIX } from './path.ts';
import { forbidSniffing, nameClient, refuseMalformed } from './request.ts';
import { changelogRoute, versionRoute } from './routes/reads.ts';
import { registerRead } from './routes/register.ts';
import { serverOptions, tameServer } from './server.ts';

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
  tameServer(app);
  answerErrors(app);

  app.addHook('onRequest', forbidSniffing);
  app.addHook('onRequest', nameClient(config.trustedProxies));
  if (config.gate !== null) app.addHook('onRequest', openGate(config.gate, counters));
  if (config.gate === null) app.addHook('onRequest', onPublicPaths(allowAnyOrigin));
  app.addHook('onRequest', onPublicPaths(limitClients(config, counters, observer)));
  app.addHook('onRequest', refuseMalformed);
  app.addHook('preParsing', refuseUnknownRoute);
  app.addHook('onResponse', logRequest);
  app.addHook('onResponse', observeRequest(observer));

  const held = createHeldAnswers(config.cacheMaxMb * BYTES_PER_MB);
  const answers = createAnswers(source, held, observer.onAnswer);
  observer.onBuilt({ source, held });
  app.register(publicSurface(config, answers), { prefix: PUBLIC_PREFIX });
  const authorise = requireKey(source, { gated: config.gate !== null, observer, keyUsage });
  app.register(teamSurface(answers, authorise), { prefix: TEAM_PREFIX });
  return app;
}

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** By path and not by route, because what does not exist on the public surface is limited like what does (R25). */
function onPublicPaths(hook: Hook): Hook {
  return async (request, reply) => {
    if (isPublic(request.url)) await hook(request, reply);
  };
}

function publicSurface(config: Config, answers: Answers) {
  return async (scope: FastifyInstance) => {
    const cacheControl = config.gate === null ? `public, max-age=${config.publicMaxAgeSeconds}` : PRIVATE;
    registerSurface(scope, answers, { surface: 'public', cacheControl });
  };
}

function teamSurface(answers: Answers, authorise: Authorise) {
  return async (scope: FastifyInstance) => {
    scope.addHook('onRequest', varyByKey);
    registerSurface(scope, answers, { surface: 'team', cacheControl: PRIVATE, authorise });
  };
}

const PRIVATE = 'private, no-cache';

type Authorise = ReturnType<typeof requireKey>;
type SurfaceOptions = { surface: Surface; cacheControl: string; authorise?: Authorise };

/** Both surfaces are the same routes; only who asks differs. */
function registerSurface(scope: FastifyInstance, answers: Answers, options: SurfaceOptions): void {
  for (const read of READS) registerRead(scope, answers, read, options);
}
