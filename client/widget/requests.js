// What the widget asks for, and how rarely. It does not use the client, which would be a third of its bytes for keys, paging
// and retries that it does not need.
import { read, write } from './storage.js';
import { orderOf } from './version-order.js';

const QUIET_MS = 15 * 60_000;
const LISTED_VERSIONS = 10;
const DRAWN_MAX = 100;
const TIMEOUT_MS = 10_000;
const FAILED_WAIT_SECONDS_MIN = 10;
/** A longer wait is that of a clock that was wrong. */
const FAILED_WAIT_SECONDS_MAX = 24 * 3600;

let hasWarned;
/** Requests on their way, by what they ask for. */
const pending = {};

/**
 * Where the element reads, by default next to its script; without a key if it cannot yet. `range` is what it shows besides
 * the list: what is not a version is as if it were absent, and the products of a team have none in common.
 */
export function placeOf({ team, product, version, to, baseUrl, static: isStatic }, scriptUrl) {
  const range = {};
  const isTeam = !isStatic && !product;
  if (!isTeam) {
    if (orderOf(version)) range.from = version;
    if (orderOf(to)) range.to = to;
  }
  try {
    const { origin, pathname } = new URL(baseUrl || '.', baseUrl ? document.baseURI : scriptUrl);
    const base = origin + pathname.replace(/\/+$/, '');
    const path = isStatic ? '' : `/${team}${product && `/${product}`}`;
    const feed = `/api/v1/public/teams/${team}/${isTeam ? 'versions' : `products/${product}/changelog`}`;
    return {
      isStatic,
      isTeam,
      key: /^http/.test(origin) && (isStatic || team) && `whats-new:${base}${path}`,
      page: base + (path && `/changelog${path}`),
      feed: base + (isStatic ? '/recent.json' : feed),
      range,
    };
  } catch {
    return { range };
  }
}

/** `at`: when it was asked last; `list`: the newest versions; `full`: what was shown last. The host may write there too. */
export function cacheOf({ key }) {
  const cache = { ...read(`${key}?`) };
  if (!cache.list?.every?.(Array.isArray)) delete cache.list;
  return cache;
}

/** Loads the list, or with a range the versions or changes in it, and returns these; undefined if there are none. */
export async function load(place, range) {
  const name = JSON.stringify(range);
  const { at, waitUntil, full } = cacheOf(place);
  // A clock may have been put back.
  const isRecent = Math.abs(Date.now() - at) < QUIET_MS;
  const isFresh = isRecent && (!range || (full?.name === name && full.at === at));
  const waitSeconds = (waitUntil - Date.now()) / 1000;
  const isWaiting = waitSeconds > 0 && waitSeconds <= FAILED_WAIT_SECONDS_MAX;
  if (!isFresh && !isWaiting) {
    const id = place.key + name;
    // Whoever wants the same gets the same.
    pending[id] ??= ask(place, name, range).finally(() => delete pending[id]);
    await pending[id];
  }
  const loaded = cacheOf(place).full;
  if (loaded?.name === name) return loaded;
}

async function ask(place, name, range) {
  const { key, feed, isStatic } = place;
  const { from, ...rest } = range ?? {};
  const query = from ? range : { limit: LISTED_VERSIONS, ...(range && { include: 'changes', ...range }) };
  const url = isStatic ? feed : `${feed + (from ? '/changes' : '')}?${new URLSearchParams(query)}`;
  const at = Date.now();
  const news = { at };
  let response;
  try {
    response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    // Too many changes for one response: the newest versions instead.
    if (from && response.status === 400) return ask(place, name, rest);
    const { data } = JSON.parse(await response.text(), firstOf);
    const list = data.versions.map(({ id, version }) => [id, orderOf(version)]);
    // The page of a product with a domain of its own, which is the root there.
    const page = /<(http[^>]+)\/>[^<]*html/;
    if (range) news.full = { name, at, data, page: page.exec(response.headers.get('link'))?.[1] };
    if (isStatic || (!from && !range?.to)) news.list = list;
  } catch {
    // A date counts as none.
    const seconds = Math.max(response?.headers.get('retry-after') | 0, FAILED_WAIT_SECONDS_MIN);
    news.waitUntil = at + 1000 * Math.min(seconds, FAILED_WAIT_SECONDS_MAX);
    // A browser does not say why a request failed, but this is hard to find out.
    if (!hasWarned && (!response || response.status === 401)) {
      hasWarned = true;
      console.warn(`whats-new: ${url} cannot be read: PASSWORD_PROTECTION, or no CORS.`);
    }
  }
  write(`${key}?`, { ...cacheOf({ key }), ...news });
}

/** No more of a list than a page can draw at once. */
const firstOf = (_, value) => (Array.isArray(value) ? value.slice(0, DRAWN_MAX) : value);
