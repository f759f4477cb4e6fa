// Which address a request is routed by. Everything that decides by path, the gate above all, sees what this returns,
// so there is one reading of a path and no second one to slip past it (R17).

const SEGMENT_CHARACTERS_MAX = 128;
export const PUBLIC_PREFIX = '/api/v1/public';

/** Nothing is ever routed here; a path that can name nothing is sent to it. */
const NOWHERE = '/-';

/** Nothing to decode, nothing doubled or trailing: by far the most frequent path. */
const PLAIN = /^(?:\/[A-Za-z0-9._~-]{1,128})+$/;

/**
 * The path to route by, decoded once and without the query. A path that is malformed becomes one that does not exist,
 * within the same part of the API, so that the gate and the limiter treat it like any other.
 */
export function routePath(target: string): string {
  if (PLAIN.test(target)) return target;
  const path = pathOf(target);
  if (PLAIN.test(path)) return path;
  const segments = decodeSegments(path);
  if (segments.every(isNameable)) return `/${segments.map(encodeURIComponent).join('/')}`;
  const [api, version, surface] = segments;
  if (api !== 'api') return NOWHERE;
  return version === 'v1' && surface === 'public' ? PUBLIC_PREFIX + NOWHERE : `/api${NOWHERE}`;
}

/** A request through a proxy may name the whole address: the path begins after the host. */
function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  const end = path.search(/[?#]/);
  return end === -1 ? path : path.slice(0, end);
}

/** Null stands for a segment that is not valid percent-encoded UTF-8. */
function decodeSegments(path: string): (string | null)[] {
  return path.split('/').slice(1).map(decodeSegment);
}

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

/** Does the gate stand before this path? */
export function isUnderApi(path: string): boolean {
  return path === '/api' || path.startsWith('/api/');
}

/** Is this path on the surface that anybody may read, and so limited? */
export function isPublic(path: string): boolean {
  return path === PUBLIC_PREFIX || path.startsWith(`${PUBLIC_PREFIX}/`);
}
