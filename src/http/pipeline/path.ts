// The path that a request is routed by. Everything that decides by path, above all the gate, uses this one: a second
// parser could be used to get past the gate (R17).
import { PAGES_PATH } from '../../present/page-paths.ts';

const SEGMENT_CHARACTERS_MAX = 128;

/** Never has a route; malformed paths are sent here. */
export const NOWHERE = '/-';
/** The same for pages, where `/changelog/-` would have a route. */
const NO_PAGE = `${PAGES_PATH}/-/-/-`;

/** Nothing to decode, no empty segment: by far the most frequent paths. */
const PLAIN = /^(?:\/[A-Za-z0-9._~-]{1,128})+$/;

/**
 * The path to route by, decoded once and without the query. A malformed path becomes one that does not exist in the
 * same part of the service, so that the gate and the limiter treat it like any other.
 */
export function routePath(target: string): string {
  if (PLAIN.test(target)) return target;
  const path = pathOf(target);
  if (PLAIN.test(path)) return path;
  if (path === '/' || path === '') return '/';
  if (!path.startsWith('/')) return NOWHERE;
  const segments = path.split('/').slice(1).map(decodeSegment);
  if (segments.every(isNameable)) return `/${segments.map(encodeURIComponent).join('/')}`;
  const [part, version, surface] = segments;
  if (`/${part}` === PAGES_PATH) return NO_PAGE;
  if (part !== 'api') return NOWHERE;
  const isPublic = version === 'v1' && (surface === 'public' || surface === 'repos');
  return isPublic ? `/api/v1/${surface}${NOWHERE}` : `/api${NOWHERE}`;
}

/** A request through a proxy may contain the whole URL; its path starts after the host. */
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

/** Counts code points, like the limit of labels: a label of 128 emoji has a URL too. */
function isOverlong(segment: string): boolean {
  if (segment.length <= SEGMENT_CHARACTERS_MAX) return false;
  return segment.length > SEGMENT_CHARACTERS_MAX * 2 || [...segment].length > SEGMENT_CHARACTERS_MAX;
}
