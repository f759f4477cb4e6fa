// The path that a request is routed by. Whatever decides by path, the gate above all, uses this one: a second way to parse
// it could be used to get past the gate (R17).
import type { Surface } from '../../domain/model.ts';

const SEGMENT_CHARACTERS_MAX = 128;
const PUBLIC_PREFIX = '/api/v1/public';
export const PREFIXES: Readonly<Record<Surface, string>> = { public: PUBLIC_PREFIX, team: '/api/v1' };
export const OPENAPI_PATH = '/api/openapi.json';
export const DOCS_PATH = '/docs';

/** Never has a route; malformed paths are sent here. */
const NOWHERE = '/-';

/** Nothing to decode, no empty segment: by far the most frequent kind of path. */
const PLAIN = /^(?:\/[A-Za-z0-9._~-]{1,128})+$/;

/**
 * The path to route by, decoded once and without the query. A malformed path becomes one that does not exist, in the same
 * part of the API, so that the gate and the limiter treat it like any other.
 */
export function routePath(target: string): string {
  if (PLAIN.test(target)) return target;
  const path = pathOf(target);
  if (PLAIN.test(path)) return path;
  const segments = path.split('/').slice(1).map(decodeSegment);
  if (segments.every(isNameable)) return `/${segments.map(encodeURIComponent).join('/')}`;
  const [api, version, surface] = segments;
  if (api !== 'api') return NOWHERE;
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
  return (
    segment !== null && segment !== '' && segment.length <= SEGMENT_CHARACTERS_MAX && !/[/\0]/.test(segment)
  );
}

/** Does the gate protect this path? */
export function isUnderApi(path: string): boolean {
  return path === '/api' || path.startsWith('/api/');
}

/** Is this path on the public surface, and so rate limited? */
export function isPublic(path: string): boolean {
  return path === PUBLIC_PREFIX || path.startsWith(`${PUBLIC_PREFIX}/`);
}
