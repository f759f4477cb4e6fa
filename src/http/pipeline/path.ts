// The path that a request is routed by. Everything that decides by path, above all the gate, uses this one: a second
// parser could be used to get past the gate (R17).
import { PAGES_PATH } from '../../present/links.ts';

export const SEGMENT_CHARACTERS_MAX = 128;

/** Never has a route; malformed paths are sent here. */
export const NOWHERE = '/-';
/** The same for pages, where `/changelog/-` would have a route. */
export const NO_PAGE = `${PAGES_PATH}/-/-/-`;
/** The same for lists. */
export const NO_LIST = `${NOWHERE}/-`;

/** Nothing to decode, no empty segment: by far the most frequent paths. */
const PLAIN = /^(?:\/[A-Za-z0-9._~-]{1,128})+$/;

/**
 * Paths that end with a label, or with two and three dots in between (R57). Clients of Gitea do not encode its slashes, or
 * encode them: both are part of the label. A `*` is any segment.
 */
const LABELLED = [
  { before: ['api', 'v1', 'repos', '*', '*', 'releases', 'tags'], charactersMax: SEGMENT_CHARACTERS_MAX },
  { before: ['api', 'v1', 'repos', '*', '*', 'tags'], charactersMax: SEGMENT_CHARACTERS_MAX },
  { before: ['*', '*', 'releases', 'tag'], charactersMax: SEGMENT_CHARACTERS_MAX },
  { before: ['*', '*', 'compare'], charactersMax: SEGMENT_CHARACTERS_MAX * 2 + 3 },
] as const;
/** Whether a plain path may have a slash in a label. */
const MAY_HAVE_SLASH = /\/(?:tags?|compare)\/[^/]+\//;

/** The paths that a target may mean, the likelier one first: it may begin with the path of `BASE_URL` (R61). */
export function routePaths(target: string, basePath: string): readonly string[] {
  const path = pathOf(target);
  const isBelow = basePath !== '' && (path === basePath || path.startsWith(`${basePath}/`));
  return isBelow ? [routePath(path.slice(basePath.length)), routePath(path)] : [routePath(path)];
}

/**
 * The path to route by, decoded once. A malformed path becomes one that does not exist in the same part of the service,
 * so that the gate and the limiter treat it like any other.
 */
function routePath(path: string): string {
  if (isPlain(path)) return path;
  if (path === '/' || path === '') return '/';
  if (!path.startsWith('/')) return NOWHERE;
  const segments = path.split('/').slice(1).map(decodeSegment);
  const [part, version, surface] = segments;
  const labelled = findLabelled(segments);
  const names = labelled === undefined ? segments.map(nameIn) : joinLabel(segments, labelled);
  if (names.every((name) => name !== null)) return `/${names.map(encodeURIComponent).join('/')}`;
  if (part === 'api') {
    const isPublic = version === 'v1' && (surface === 'public' || surface === 'repos');
    return isPublic ? `/api/v1/${surface}${NOWHERE}` : `/api${NOWHERE}`;
  }
  return labelled !== undefined || `/${part}` === PAGES_PATH ? NO_PAGE : NOWHERE;
}

function isPlain(path: string): boolean {
  return PLAIN.test(path) && !MAY_HAVE_SLASH.test(path);
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

/** The name of a version may have a slash, if it is encoded (R31). */
function nameIn(segment: string | null, index: number, segments: readonly (string | null)[]): string | null {
  return segments[index - 1] === 'versions' ? labelOf([segment], SEGMENT_CHARACTERS_MAX) : nameOf(segment);
}

/** The segment as a name, or null if it cannot be one. */
function nameOf(segment: string | null): string | null {
  return segment?.includes('/') ? null : labelOf([segment], SEGMENT_CHARACTERS_MAX);
}

function labelOf(segments: readonly (string | null)[], charactersMax: number): string | null {
  if (segments.some((segment) => segment === null || segment === '' || segment.includes('\0'))) return null;
  const label = segments.join('/');
  return isOverlong(label, charactersMax) ? null : label;
}

/** Counts code points, like the limit of labels: a label of 128 emoji has a URL too. */
function isOverlong(text: string, charactersMax: number): boolean {
  if (text.length <= charactersMax) return false;
  return text.length > charactersMax * 2 || [...text].length > charactersMax;
}

type Labelled = (typeof LABELLED)[number];

/** The API and the pages have no labels elsewhere, whatever their products are called. */
function findLabelled(segments: readonly (string | null)[]): Labelled | undefined {
  const [part] = segments;
  return LABELLED.find(
    ({ before }) =>
      segments.length > before.length &&
      (before[0] === part || (part !== 'api' && `/${part}` !== PAGES_PATH)) &&
      before.every((name, index) => name === '*' || name === segments[index]),
  );
}

function joinLabel(
  segments: readonly (string | null)[],
  { before, charactersMax }: Labelled,
): (string | null)[] {
  const at = before.length;
  return [...segments.slice(0, at).map(nameOf), labelOf(segments.slice(at), charactersMax)];
}
