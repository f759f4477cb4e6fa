// The path that a request is routed by. Everything that decides by path, above all the gate, uses this one: a second
// parser could be used to get past the gate (R17).

export const SEGMENT_CHARACTERS_MAX = 128;

/** In place of a segment that cannot be a name. Only routes that end with a `*` match it. */
export const NO_NAME = '?';
/** Has no route of its own. For lists, as opposed to pages and everything else. */
export const NO_LIST = '/-/-';

/** Nothing to decode, no empty segment: by far the most frequent paths. */
const PLAIN = /^(?:\/[A-Za-z0-9._~-]{1,128})+$/;

/** The paths that a target may mean, the likelier one first: it may begin with the path of `BASE_URL` (R61). */
export function routePaths(target: string, basePath: string): readonly string[] {
  const path = pathOf(target);
  const isBelow = basePath !== '' && (path === basePath || path.startsWith(`${basePath}/`));
  return isBelow ? [routePath(path.slice(basePath.length)), routePath(path)] : [routePath(path)];
}

/** Each segment is decoded once and encoded again in one way, so that it matches a route however it was written. */
function routePath(path: string): string {
  if (PLAIN.test(path)) return path;
  if (path === '/' || path === '') return '/';
  if (!path.startsWith('/')) return `/${NO_NAME}`;
  const segments = path.split('/').slice(1).map(decodeSegment);
  const names = segments.map((segment) => (isName(segment) ? encodeURIComponent(segment) : NO_NAME));
  return `/${names.join('/')}`;
}

/** A request through a proxy may contain the whole URL; its path starts after the host. */
function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  const end = path.search(/[?#]/);
  return end === -1 ? path : path.slice(0, end);
}

/** Empty, and so not a name, if it is not valid percent-encoded UTF-8. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}

/** Counts code points, like the limit of labels: a label of 128 emoji has a URL too. */
function isName(segment: string): boolean {
  if (segment === '' || segment.includes('\0') || segment.length > SEGMENT_CHARACTERS_MAX * 2) return false;
  return [...segment].length <= SEGMENT_CHARACTERS_MAX;
}
