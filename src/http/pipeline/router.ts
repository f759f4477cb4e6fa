// Which route a request leads to, and the methods that every route allows. Routes are few; the first that matches counts.
import { ApiError, NOT_FOUND } from '../../errors.ts';
import type { Destination, PathParams, RouteSurface } from './exchange.ts';
import { routePath } from './path.ts';
import type { Send } from './send.ts';
import type { Stage } from './stages.ts';

/** What stands before a route. */
export type Guards = Readonly<{
  surface: RouteSurface;
  /** Is each request counted, and refused above the limit (R25, R38)? */
  limited: boolean;
  /** Is an API key required? */
  keyed: boolean;
  /** May scripts of other sites read it (R28), or pages of other sites embed it? */
  cors: 'none' | 'read' | 'embed';
  /** Does the password protect it (R23, R38)? */
  gated: boolean;
}>;

export type Route = Guards &
  Readonly<{
    /** Such as `/api/v1/teams/:team/products/:product/changelog`; with a `*` at its end, also everything below. */
    path: string;
    /** All stages of a request to it; the last one sends the response. */
    stages: readonly Stage[];
    /** False if there is only a 404. */
    exists: boolean;
  }>;

export type Routed = Destination & Pick<Route, 'stages' | 'limited' | 'gated'>;

/** Clients ask for few different targets. Beyond this many, all are forgotten; longer ones are routed each time. */
const REMEMBERED_MAX = 1_000;
const REMEMBERED_CHARACTERS_MAX = 300;

/** The last route must match every path. Every path names its parameters in the order of `PathParams`. */
export function createRouter(routes: readonly Route[]): (target: string) => Routed {
  const compiled = routes.map((route) => ({ route, expression: expressionOf(route.path) }));
  const remembered = new Map<string, Routed>();

  function route(target: string): Routed {
    const path = routePath(target);
    for (const { route, expression } of compiled) {
      const match = expression.exec(path);
      if (match === null) continue;
      const [, team = '', product = '', versionId = ''] = match;
      const params: PathParams = { team, product, versionId };
      const { surface, limited, gated, stages, exists } = route;
      return { path, surface, route: exists ? route.path : null, params, stages, limited, gated };
    }
    throw new Error(`no route for ${path}`);
  }

  return (target) => {
    const known = remembered.get(target);
    if (known !== undefined) return known;
    const routed = route(target);
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    if (target.length <= REMEMBERED_CHARACTERS_MAX) remembered.set(target, routed);
    return routed;
  };
}

function expressionOf(path: string): RegExp {
  const source = path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '([^/]+)').replace(/\/\*$/, '(?:/.*)?');
  return new RegExp(`^${source}$`);
}

/** Only these are read by people who may want the reference. */
const LEADING_TO_REFERENCE: readonly RouteSurface[] = ['lists', 'open'];

export type NotFoundOn = (surface: RouteSurface) => ApiError;

/**
 * In the API and below the pages, an unknown path looks like missing content (R9). Elsewhere, people are led to the
 * reference.
 */
export function createNotFound(baseUrl: () => string): NotFoundOn {
  let outside: ApiError | null = null;
  return (surface) => {
    if (!LEADING_TO_REFERENCE.includes(surface)) return NOT_FOUND;
    outside ??= leadTo(`${baseUrl()}/docs`);
    return outside;
  };
}

/** Without a full stop, which would become part of the link. Without `BASE_URL`, some hosts make no URL. */
function leadTo(url: string): ApiError {
  if (!URL.canParse(url)) return NOT_FOUND;
  return new ApiError('not_found', { message: `Nothing was found here. The API is described at ${url}` });
}

export function requireRoute(notFoundOn: NotFoundOn): Stage {
  return ({ route, surface }, next) => next(route === null ? notFoundOn(surface) : undefined);
}

const ALLOW = 'GET, HEAD, OPTIONS';
const PREFLIGHT_HEADERS = [
  'access-control-allow-methods',
  ALLOW,
  'access-control-allow-headers',
  '*',
  'access-control-max-age',
  '86400',
];

/** GET and HEAD pass, OPTIONS ends here, and all other methods are refused (R18). */
export function checkMethod(send: Send): Stage {
  return (exchange, next) => {
    const { request, head } = exchange;
    if (request.method === 'GET' || request.method === 'HEAD') return next();
    if (request.method !== 'OPTIONS') return next(methodError());
    head.push('allow', ALLOW);
    if (head.includes('access-control-allow-origin')) head.push(...PREFLIGHT_HEADERS);
    send(exchange, 204, null);
  };
}

export function methodError(): ApiError {
  return new ApiError('method_not_allowed', { headers: { allow: ALLOW } });
}
