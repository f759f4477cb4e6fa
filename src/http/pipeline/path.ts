// The path that a request is routed by. Whatever decides by path, the gate above all, uses this one: a second way to parse
// it could be used to get past the gate (R17).
import type { Surface } from '../../domain/model.ts';
import { PAGES_PATH } from '../../present/page-paths.ts';

const SEGMENT_CHARACTERS_MAX = 128;
const PUBLIC_PREFIX = '/api/v1/public';
export const PREFIXES: Readonly<Record<Surface, string>> = { public: PUBLIC_PREFIX, team: '/api/v1' };
export const OPENAPI_PATH = '/api/openapi.json';
export const DOCS_PATH = '/docs';
export const HOME_PATH = '/';
export const SITEMAP_PATH = '/sitemap.xml';
export const LLMS_PATH = '/llms.txt';
export const ROBOTS_PATH = '/robots.txt';
export const FAVICON_PATH = '/favicon.ico';
export const WIDGET_PATH = '/widget.js';
export const DEMO_PATH = '/demo';
export const DEMO_SCRIPT_PATH = '/demo.js';

/** Never has a route; malformed paths are sent here. */
export const NOWHERE = '/-';
/** The same below the pages, where `/changelog/-` would have one. */
const NO_PAGE = `${PAGES_PATH}/-/-/-`;

/** Nothing to decode, no empty segment: by far the most frequent kind of path. */
const PLAIN = /^(?:\/[A-Za-z0-9._~-]{1,128})+$/;

/**
 * The path to route by, decoded once and without the query. A malformed path becomes one that does not exist, in the same
 * part of the service, so that the gate and the limiter treat it like any other.
 */
export function routePath(target: string): string {
  if (PLAIN.test(target)) return target;
  const path = pathOf(target);
  if (PLAIN.test(path)) return path;
  if (path === '/' || path === '') return HOME_PATH;
  if (!path.startsWith('/')) return NOWHERE;
  const segments = path.split('/').slice(1).map(decodeSegment);
  if (segments.every(isNameable)) return `/${segments.map(encodeURIComponent).join('/')}`;
  const [part, version, surface] = segments;
  if (`/${part}` === PAGES_PATH) return NO_PAGE;
  if (part !== 'api') return NOWHERE;
  return version === 'v1' && surface === 'public' ? PUBLIC_PREFIX + NOWHERE : `/api${NOWHERE}`;
}

/** A request through a proxy may contain the whole URL: the path begins after the host. */
function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  const end = path.search(/[?#]/);
  return end === -1 ? path : path.slice(0, end);
}

/** Null for a segment that is not valid percent-encoded UTF-8. */
function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

function isNameable(segment: string | null): segment is string {
  return segment !== null && segment !== '' && !isOverlong(segment) && !/[/\0]/.test(segment);
}

/** In code points, as the limit of labels: one of 128 emoji has a URL too. */
function isOverlong(segment: string): boolean {
  if (segment.length <= SEGMENT_CHARACTERS_MAX) return false;
  return segment.length > SEGMENT_CHARACTERS_MAX * 2 || [...segment].length > SEGMENT_CHARACTERS_MAX;
}

/** The parts of the service. `lists` holds content like the pages, but is not for people; nothing in `open` has any. */
export type Area = 'public' | 'team' | 'pages' | 'lists' | 'open';

export function areaOf(path: string): Area {
  if (isBelow(path, PUBLIC_PREFIX)) return 'public';
  if (isBelow(path, '/api')) return 'team';
  if (path === HOME_PATH || isBelow(path, PAGES_PATH)) return 'pages';
  return path === SITEMAP_PATH || path === LLMS_PATH ? 'lists' : 'open';
}

function isBelow(path: string, prefix: string): boolean {
  return path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/');
}

/** Does the gate protect this path (R23, R38)? */
export function isGated(path: string): boolean {
  return areaOf(path) !== 'open';
}

/** Are requests to it counted and limited (R25, R38)? */
export function isLimited(path: string): boolean {
  const area = areaOf(path);
  return area !== 'team' && area !== 'open';
}
