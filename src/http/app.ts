// The whole service in one list: every hook and every route, in the order in which a request meets them.
import Fastify, { type FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { Surface } from '../domain/model.ts';
import type { Reader } from '../store/open.ts';
import { requireKey } from './bearer.ts';
import { allowAnyOrigin, answerConditionally, varyByKey } from './caching.ts';
import { answerErrors, refuseUnknownRoute } from './errors.ts';
import { openGate } from './gate.ts';
import { limitClients } from './limiter.ts';
import { type Log, logRequest } from './log.ts';
import { forbidSniffing, nameClient, refuseMalformed } from './request.ts';
import { changelogRoute, versionRoute } from './routes/reads.ts';
import { registerRead } from './routes/register.ts';
import { serverOptions, tameServer } from './server.ts';

export type AppDependencies = Readonly<{ config: Config; db: Reader; log: Log }>;

const READS = [changelogRoute, versionRoute];

export function buildApp({ config, db, log }: AppDependencies): FastifyInstance {
  const app = Fastify(serverOptions(log));
  tameServer(app);
  answerErrors(app);

  app.addHook('onRequest', forbidSniffing);
  app.addHook('onRequest', nameClient(config.trustedProxies));
  if (config.gate !== null) app.addHook('onRequest', openGate(config.gate));
  app.addHook('onRequest', refuseMalformed);
  app.addHook('preParsing', refuseUnknownRoute);
  app.addHook('onResponse', logRequest);

  app.register(publicSurface(config, db), { prefix: '/api/v1/public' });
  app.register(teamSurface(config, db), { prefix: '/api/v1' });
  return app;
}

function publicSurface(config: Config, db: Reader) {
  return async (scope: FastifyInstance) => {
    if (config.gate === null) scope.addHook('onRequest', allowAnyOrigin);
    scope.addHook('onRequest', limitClients(config));
    const cacheControl = config.gate === null ? `public, max-age=${config.publicMaxAgeSeconds}` : PRIVATE;
    registerSurface(scope, db, { surface: 'public', cacheControl });
  };
}

function teamSurface(config: Config, db: Reader) {
  return async (scope: FastifyInstance) => {
    scope.addHook('onRequest', varyByKey);
    const authorise = requireKey(db, { gated: config.gate !== null });
    registerSurface(scope, db, { surface: 'team', cacheControl: PRIVATE, authorise });
  };
}

const PRIVATE = 'private, no-cache';

type SurfaceOptions = { surface: Surface; cacheControl: string; authorise?: ReturnType<typeof requireKey> };

/** Both surfaces are the same routes; only who asks differs. */
function registerSurface(scope: FastifyInstance, db: Reader, options: SurfaceOptions): void {
  // Set per surface, so that an unknown address below it passes the surface's own hooks too.
  scope.setNotFoundHandler(refuseUnknownRoute);
  scope.addHook('onSend', answerConditionally(options.cacheControl));
  for (const read of READS) registerRead(scope, db, read, options);
}
