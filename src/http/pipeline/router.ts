// Which route a request leads to, and the methods that every route allows. Routes are few, and a path leads to one at most.
import { ApiError, NOT_FOUND } from '../../errors.ts';
import type { Destination, PathParams } from './exchange.ts';
import { type Area, areaOf, DOCS_PATH, routePath } from './path.ts';
import type { Send } from './send.ts';
import type { Stage } from './stages.ts';

export type Route = Readonly<{
  /** Such as `/api/v1/teams/:team/products/:product/changelog`. */
  pattern: string;
  /** All stages of a request to it; the last one sends the response. */
  stages: readonly Stage[];
}>;

type Routed = Destination & Pick<Route, 'stages'>;

/** Clients ask for few different targets. Beyond this many, all are forgotten; longer ones are routed each time. */
const REMEMBERED_MAX = 1_000;
const REMEMBERED_CHARACTERS_MAX = 300;

const NO_PARAMS: PathParams = { team: '', product: '', versionId: '' };

/** Every pattern names its parameters in the order of `PathParams`. */
export function createRouter(
  routes: readonly Route[],
  unknown: Readonly<Record<Area, readonly Stage[]>>,
): (target: string) => Routed {
  const compiled = routes.map((route) => ({
    route,
    expression: new RegExp(`^${route.pattern.replaceAll('.', '\\.').replaceAll(/:\w+/g, '([^/]+)')}$`),
  }));
  const remembered = new Map<string, Routed>();

  function route(target: string): Routed {
    const path = routePath(target);
    const area = areaOf(path);
    for (const { route, expression } of compiled) {
      const match = expression.exec(path);
      if (match === null) continue;
      const [, team = '', product = '', versionId = ''] = match;
      const { pattern, stages } = route;
      return { path, area, route: pattern, params: { team, product, versionId }, stages };
    }
    return { path, area, route: null, params: NO_PARAMS, stages: unknown[area] };
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

const LEADS_TO_REFERENCE: Readonly<Record<Area, boolean>> = {
  public: false,
  team: false,
  pages: false,
  lists: true,
  open: true,
};

export type NotFoundAt = (path: string) => ApiError;

/**
 * In the API and below the pages, an unknown path looks like missing content (R9). Elsewhere, people are led to the
 * reference.
 */
export function createNotFound(baseUrl: () => string): NotFoundAt {
  let outside: ApiError | null = null;
  return (path) => {
    if (!LEADS_TO_REFERENCE[areaOf(path)]) return NOT_FOUND;
    outside ??= leadTo(baseUrl() + DOCS_PATH);
    return outside;
  };
}

/** Without a full stop, which would become part of the link. Without `BASE_URL`, some hosts make no URL. */
function leadTo(url: string): ApiError {
  if (!URL.canParse(url)) return NOT_FOUND;
  return new ApiError('not_found', { message: `Nothing was found here. The API is described at ${url}` });
}

export function requireRoute(notFoundAt: NotFoundAt): Stage {
  return ({ route, path }, next) => next(route === null ? notFoundAt(path) : undefined);
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
