// Finds a request's route and checks its method. Routes are few; the first match wins.
import type { IncomingMessage } from 'node:http';
import { ApiError, NOT_FOUND } from '../../errors.ts';
import { apiPath, PAGES_PATH, productPath } from '../../present/links.ts';
import type { ProductPath } from '../../store/read/reads.ts';
import { sendsKey } from '../guards/bearer.ts';
import type { Destination, PathParams, RouteSurface, Stage } from './exchange.ts';
import { NO_LIST, NO_NAME, routePaths } from './path.ts';
import type { Send } from './send.ts';

export type Guards = Readonly<{
  surface: RouteSurface;
  /** Whether requests are counted, and refused above the limit (R25, R38). */
  limited: boolean;
  /** Where an API key is required, the scheme it is sent with; Gitea's clients may write `token` for `Bearer`. */
  keyed: false | 'bearer' | 'token';
  /** Whether scripts of other sites may read it (R28), or pages of other sites embed it. */
  cors: 'none' | 'read' | 'count' | 'embed';
  /** Whether the password protects it (R23, R38). */
  gated: boolean;
}>;

export type Route = Guards &
  Readonly<{
    /** Such as `/api/v1/teams/:team/products/:product/changelog`; a trailing `*` matches everything below. */
    path: string;
    /** All stages of a request to it; the last one sends the response. */
    stages: readonly Stage[];
    /** False if it is only a 404. */
    exists: boolean;
    /** The same path for requests with an API key, where a key is optional. */
    withKey?: Route | undefined;
  }>;

type Routed = Destination & Omit<Route, 'path' | 'exists' | 'withKey'> & { readonly withKey: Routed | null };

/** Clients request few distinct targets. Beyond this many, the cache is cleared; longer ones are not cached. */
const REMEMBERED_MAX = 1_000;
const REMEMBERED_CHARACTERS_MAX = 300;

/** The page of a product on its own domain, and the same as Markdown. */
const AT_ROOT: Readonly<Record<string, string>> = { '/': '', '/index.md': '.md', '/llms.txt': '.md' };

/** With the gate on, requests to a host that nobody declared are routed as if a product did that does not exist. */
const NO_PRODUCT = { team: '-', product: '-' };

/**
 * The last route must match every path. Paths name their parameters in the order of `PathParams`. Where a key is
 * optional, the request's headers choose the guards. `basePath` is the path of `BASE_URL`, or empty.
 */
export function createRouter(routes: readonly Route[], gated: boolean, basePath: () => string) {
  const compiled = routes.map((route) => ({ route, expression: expressionOf(route.path) }));
  const remembered = new Map<string, Routed>();
  const isUnknown = ({ route, surface }: Routed) => route === null && surface === 'open';
  const isNames = ({ route }: Routed) => route === '/:team/:product';

  function routeTo(path: string): Routed {
    for (const { route, expression } of compiled) {
      const match = expression.exec(path);
      if (match === null) continue;
      const [, team = '', product = '', versionId = ''] = match;
      return routedTo(route, path, { team, product, versionId: decodeURIComponent(versionId) });
    }
    throw new Error(`no route for ${path}`);
  }

  /** How little it leads to. Any two segments may be the names of a product. */
  const rankOf = (routed: Routed) =>
    isUnknown(routed) ? 2 : routed.route === null || isNames(routed) ? 1 : 0;

  function firstOf([likelier, other]: readonly Routed[]): Routed {
    const isOther = other !== undefined && !isNames(other) && rankOf(other) < rankOf(likelier as Routed);
    return isOther ? other : (likelier as Routed);
  }

  function route(target: string, host: ProductPath | null): Routed {
    const candidates = routePaths(target, basePath()).map(routeTo);
    // The path of BASE_URL may be one of a product, such as `/changes`: on a domain, it is that one.
    const onDomain = candidates.toSorted((a, b) => Number(a.path === '/') - Number(b.path === '/'));
    const routeOn = (product: ProductPath) => firstOf(onDomain.map((each) => routeOnDomain(each, product)));
    if (host !== null) return routeOn(host);
    const routed = firstOf(candidates);
    return isUnknown(routed) && gated ? routeOn(NO_PRODUCT) : routed;
  }

  /** The product's pages and outputs are at the root of its domain, too; what has no content is where it is everywhere. */
  function routeOnDomain(routed: Routed, { team, product }: ProductPath): Routed {
    const { path, surface } = routed;
    const slugs = { teamSlug: team, productSlug: product };
    const [pages, outputs, redirects] = [productPath(slugs), apiPath(slugs), `/${team}/${product}`];
    const isEverywhere =
      path === `${pages}.md` ||
      [pages, redirects, '/api'].some((root) => path === root || path.startsWith(`${root}/`));
    if (isEverywhere || (surface === 'open' && routed.route !== null)) return routed;
    const below = AT_ROOT[path] ?? path;
    const own = [pages, outputs, redirects]
      .map((root) => routeTo(root + below))
      .find(({ route }) => route !== null);
    // Errors have the form that they have on a host that is not declared.
    if (own !== undefined) return surface === 'lists' ? { ...own, surface } : own;
    // As on a host that is not declared: without the password, nobody can tell which ones are.
    if (isUnknown(routed) && gated) return routed;
    const nowhere = routeTo(surface === 'lists' ? NO_LIST : `${PAGES_PATH}/${NO_NAME}`);
    // So that the error is in the language of the product, if it is known.
    return { ...nowhere, params: { team, product, versionId: '' } };
  }

  function routeByTarget(target: string, host: ProductPath | null): Routed {
    // No target has a space.
    const key = host === null ? target : `${host.team}/${host.product} ${target}`;
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const routed = route(target, host);
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    if (key.length <= REMEMBERED_CHARACTERS_MAX) remembered.set(key, routed);
    return routed;
  }

  /** `host` is the product whose domain was requested; null for the instance's own host (R60). */
  return (request: Pick<IncomingMessage, 'url' | 'rawHeaders'>, host: ProductPath | null): Routed => {
    const routed = routeByTarget(request.url ?? '', host);
    return routed.withKey !== null && sendsKey(request, gated) ? routed.withKey : routed;
  };
}

function routedTo(route: Route, path: string, params: PathParams): Routed {
  const withKey = route.withKey ? routedTo(route.withKey, path, params) : null;
  return { ...route, path, params, route: route.exists ? route.path : null, withKey };
}

/** Only labels have slashes: encoded ones (R31), and at the end of paths of Gitea also others (R57). */
function expressionOf(path: string): RegExp {
  const name = path.endsWith('/*') ? '([^/]+)' : `((?:(?!%2F)[^/${NO_NAME}])+)`;
  const source = path
    .replaceAll('.', '\\.')
    .replace(/:(?:tag|labels?)$/, `([^${NO_NAME}]+)`)
    .replace(':versionId', `([^/${NO_NAME}]+)`)
    .replaceAll(/:\w+/g, name)
    .replace(/\/\*$/, '(?:/.*)?');
  return new RegExp(`^${source}$`);
}

/**
 * In the API and under the pages, an unknown path looks like missing content (R9). Elsewhere, the error links to the
 * reference: without a full stop, which would become part of the link.
 */
export function createRouteCheck(baseUrl: () => string): Stage {
  return ({ route, surface }) => {
    if (route !== null) return undefined;
    // Nowhere else may a reader be a person who wants the reference.
    if (surface !== 'lists' && surface !== 'open') return NOT_FOUND;
    const url = `${baseUrl()}/docs`;
    // Without `BASE_URL`, some hosts do not make a valid URL.
    if (!URL.canParse(url)) return NOT_FOUND;
    return new ApiError('not_found', { message: `Nothing was found here. The API is described at ${url}` });
  };
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
export function createMethodCheck(send: Send): Stage {
  return (exchange) => {
    const { request, head } = exchange;
    if (request.method === 'GET' || request.method === 'HEAD') return undefined;
    if (request.method !== 'OPTIONS')
      return new ApiError('method_not_allowed', { headers: { allow: ALLOW } });
    head.push('allow', ALLOW);
    if (head.includes('access-control-allow-origin')) head.push(...PREFLIGHT_HEADERS);
    send(exchange, 204, null);
    return undefined;
  };
}
