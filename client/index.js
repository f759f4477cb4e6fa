// Reads the changelog of a product, or all versions of a team. A single file without imports that runs wherever `fetch`
// exists.

const CACHED_RESPONSES_MAX = 100;
const PAGE_VERSIONS = 100;
const ATTEMPTS_MAX = 3;
const WAIT_SECONDS_MAX = 60;
const TIMEOUT_SECONDS = 10;
/** Timers with a longer delay fire at once. */
const DELAY_MS_MAX = 2 ** 31 - 1;

const SLUG = /^[a-z\d](?:[a-z\d-]{0,62}[a-z\d])?$/;
/** URLs resolve dots, the server allows no slash within a segment, and a lone surrogate has no encoding. */
const NOT_A_SEGMENT = /^\.\.?$|\/|\p{Cs}/u;
/** Labels and ids that may name a file of a static site. */
const FILE_NAME = /^[\w+][\w.+-]{0,99}$/;
/** A static site has so many versions with their changes in one file. */
const RECENT_VERSIONS = 20;

export class ChangelogError extends Error {
  name = 'ChangelogError';

  constructor(
    code,
    message,
    { status = 0, url = null, requestId = null, retryAfterSeconds = null, cause } = {},
  ) {
    super(message, cause && { cause });
    this.code = code;
    this.status = status;
    this.url = url;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  is(...codes) {
    return codes.includes(this.code);
  }
}

export class ChangelogClient {
  /** Of the changelog; undefined without a product. */
  #url;
  #teamUrl;
  #isStatic;
  #headers;
  #redirect;
  #fetch;
  #timeoutSeconds;
  #attemptsMax;
  #waitSecondsMax;
  #isCaching;
  /** The last response by URL, least recently used first. */
  #cache = new Map();

  constructor({
    baseUrl,
    team,
    product,
    static: isStatic,
    apiKey,
    basic,
    fetch,
    timeoutSeconds = TIMEOUT_SECONDS,
    retry,
    headers,
  }) {
    if (isStatic && apiKey != null) throw new TypeError('A static site takes no apiKey.');
    this.#isStatic = isStatic;
    this.#teamUrl = baseOf(baseUrl) + (isStatic ? '' : teamPath(team, apiKey == null));
    if (isStatic) this.#url = this.#teamUrl;
    else if (product != null) this.#url = `${this.#teamUrl}/products/${slugOf(product)}/changelog`;
    // The API never redirects, and neither a key nor a password may reach another server.
    this.#redirect = basic || apiKey != null ? 'manual' : 'follow';
    this.#headers = new Headers(headers);
    this.#headers.set('accept', 'application/json');
    if (basic) this.#headers.set('authorization', `Basic ${base64(`${basic.username}:${basic.password}`)}`);
    if (apiKey != null) {
      // A site-wide password uses `Authorization`.
      if (basic) this.#headers.set('x-api-key', apiKey);
      else this.#headers.set('authorization', `Bearer ${apiKey}`);
    }
    this.#fetch = fetch;
    this.#timeoutSeconds = timeoutSeconds > 0 ? timeoutSeconds : Infinity;
    // A browser caches responses itself, and across origins `If-None-Match` would cost a preflight request each time.
    const { location } = globalThis;
    this.#isCaching = !location || location.origin === new URL(this.#teamUrl).origin;
    const { attemptsMax = ATTEMPTS_MAX, waitSecondsMax = WAIT_SECONDS_MAX } = retry || { attemptsMax: 1 };
    this.#attemptsMax = attemptsMax;
    this.#waitSecondsMax = waitSecondsMax;
  }

  feed(query, { signal } = {}) {
    return pageOf(query, this.#isStatic ? this.#list(query ?? {}, signal) : this.#read('', query, signal));
  }

  async version(idOrLabel, options = {}) {
    if (this.#isStatic) return this.#versionFile(idOrLabel, options);
    const name = NOT_A_SEGMENT.test(idOrLabel) ? await this.#idOf(idOrLabel, options) : idOrLabel;
    const { data } = await this.#read(`/versions/${encodeURIComponent(name)}`, {}, options.signal);
    return data;
  }

  latest(options) {
    return this.version('latest', options);
  }

  async changesBetween(from, to, { type, breaking, prerelease, signal } = {}) {
    const { data } = await this.#read('/changes', { from, to, type, breaking, prerelease }, signal);
    return data;
  }

  async checkForUpdate(installed, { prerelease, signal } = {}) {
    const { data } = await this.#read('/update', { from: installed, prerelease }, signal);
    return data;
  }

  pages(query, options) {
    const first = { ...(!this.#isStatic && { limit: PAGE_VERSIONS }), ...query };
    return allPages(first, (next) => this.feed(next, options));
  }

  async *versions(query, options) {
    for await (const page of this.pages(query, options)) yield* page.versions;
  }

  teamFeed(query, { signal } = {}) {
    return pageOf(query, this.#read('/versions', query, signal, this.#teamUrl));
  }

  async *teamVersions(query, options) {
    for await (const page of allPages({ ...query }, (next) => this.teamFeed(next, options)))
      yield* page.versions;
  }

  products(query, { signal } = {}) {
    return pageOf(query, this.#read('/products', query, signal, this.#teamUrl));
  }

  /** The id of the version with this label; empty, which no version is called, if there is none. */
  async #idOf(label, options) {
    // Without a limit the server returns all versions at once.
    for await (const { id, version } of this.versions({ limit: undefined }, options))
      if (version === label) return id;
    return '';
  }

  /** A static site has all versions in one file, and the newest with their changes in another. */
  async #list({ limit = Infinity, cursor = 0, include, ...filters }, signal) {
    const { data } = await this.#read(include ? '/recent.json' : '/changelog.json', filters, signal);
    const { versions } = data;
    const end = Number(cursor) + limit;
    const isCut = include && versions.length >= RECENT_VERSIONS;
    if (isCut && end > RECENT_VERSIONS) throw needsServer(this.#url);
    return {
      data: { ...data, versions: versions.slice(cursor, end) },
      cursor: (isCut || versions[end]) && `${end}`,
    };
  }

  /** Mostly the label is the name of the file. If not, the list has the version. */
  async #versionFile(name, options) {
    const read = async (file, wanted = file) => {
      if (!FILE_NAME.test(file)) return;
      try {
        const { data } = await this.#read(`/versions/${encodeURIComponent(file)}.json`, {}, options.signal);
        if ([data.id, data.version, 'latest'].includes(wanted)) return data;
      } catch (error) {
        // Hosts have several ways to say that there is no such file.
        if (![403, 404].includes(error?.status)) throw error;
      }
    };
    const find = (label) => versions.find(({ id, version }) => id === label || version === label);
    const direct = await read(name);
    if (direct) return direct;
    const { versions } = await this.feed({}, options);
    const found = find(name) ?? find(/^v\d/.test(name) ? name.slice(1) : `v${name}`);
    const data = found && ((await read(found.version, found.id)) ?? (await read(found.id)));
    if (data) return data;
    throw new ChangelogError('not_found', `${this.#url} has no version "${name}".`, {
      status: 404,
      url: this.#url,
    });
  }

  async #read(path, query, signal, base = this.#url) {
    if (!base) throw new TypeError('This method needs a client with a product.');
    const url = urlOf(base + path, query);
    if (this.#isStatic && !/^[^?]*\.json$/.test(url)) throw needsServer(url);
    let waitSecondsLeft = this.#waitSecondsMax;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#request(url, signal);
      } catch (error) {
        const { status, retryAfterSeconds } = error ?? {};
        const mayRetry = (status === 429 || status === 503) && typeof retryAfterSeconds === 'number';
        if (!mayRetry || attempt >= this.#attemptsMax || retryAfterSeconds > waitSecondsLeft) throw error;
        // All clients that were rejected together would otherwise return together.
        const waitSeconds = Math.min(retryAfterSeconds + Math.random(), waitSecondsLeft);
        waitSecondsLeft -= waitSeconds;
        await timed(waitSeconds, signal, (resolve) => resolve());
      }
    }
  }

  async #request(url, signal) {
    const cached = this.#cache.get(url);
    const headers = new Headers(this.#headers);
    if (cached) headers.set('if-none-match', cached.etag);
    const [response, text] = await timed(
      this.#timeoutSeconds,
      signal,
      (_, reject) => {
        const message = `${url} took longer than ${this.#timeoutSeconds} s; try again later, or raise timeoutSeconds.`;
        reject(new ChangelogError('timeout', message, { url }));
      },
      (stop) => this.#fetchText(url, { headers, redirect: this.#redirect, signal: stop }),
    );
    if (cached && response.status === 304) return this.#keep(url, cached);
    const body = parsed(text);
    if (!response.ok || !body?.data) throw errorOf(url, response, body);
    return this.#keep(url, {
      etag: response.headers.get('etag'),
      cursor: nextCursor(response.headers.get('link')),
      text,
    });
  }

  async #fetchText(url, init) {
    try {
      // Called as a plain function: browsers reject `fetch` as a method of another object.
      const response = await (this.#fetch ?? fetch)(url, init);
      return [response, await response.text()];
    } catch (cause) {
      const message = `${url} is unreachable; check baseUrl, the connection and, in a browser, that the server allows this origin.`;
      throw new ChangelogError('network_error', message, { url, cause });
    }
  }

  /** Caches the text and not the value, so that callers do not share objects. */
  #keep(url, response) {
    this.#cache.delete(url);
    if (response.etag && this.#isCaching) this.#cache.set(url, response);
    if (this.#cache.size > CACHED_RESPONSES_MAX) this.#cache.delete(this.#cache.keys().next().value);
    return { data: parsed(response.text).data, cursor: response.cursor };
  }
}

function baseOf(baseUrl) {
  let url;
  try {
    url = new URL(baseUrl);
  } catch {}
  if (!url || url.username || url.password)
    throw new TypeError(
      'baseUrl must be an absolute URL without a password, such as https://changelog.example.com.',
    );
  return url.origin + url.pathname.replace(/\/+$/, '');
}

const teamPath = (team, isPublic) => `/api/v1/${isPublic ? 'public/' : ''}teams/${slugOf(team)}`;

function slugOf(name) {
  if (name && SLUG.test(name)) return name;
  throw new TypeError('team and product must be slugs: lower-case letters, digits and hyphens.');
}

async function pageOf(query, reading) {
  const { data, cursor } = await reading;
  return { ...data, next: cursor ? { ...query, cursor } : null };
}

async function* allPages(next, read) {
  while (next) {
    const page = await read(next);
    next = page.next;
    yield page;
  }
}

function needsServer(url) {
  const message = `${url} needs a server: a static site has no filters and ranges, and lists only the newest ${RECENT_VERSIONS} versions with their changes.`;
  return new ChangelogError('needs_server', message, { url });
}

/** Equal queries have the same URL, whatever the order of their options. */
function urlOf(base, query) {
  const url = new URL(base);
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const item of [value].flat())
      if (item != null) url.searchParams.append(name, item.toISOString?.() ?? item);
  }
  url.searchParams.sort();
  return url.href;
}

/** Takes only the cursor from the link: the server may know itself by another URL. Each link is searched once. */
function nextCursor(links) {
  for (const link of links?.split('<') ?? []) {
    const end = link.indexOf('>');
    const cursor = /[?&]cursor=([\w-]+)/i.exec(link.slice(0, end))?.[1];
    if (cursor && /;\s*rel="?next\b/i.test(link.slice(end))) return cursor;
  }
}

function errorOf(url, { status, headers }, body) {
  const details = {
    status,
    url,
    requestId: headers.get('x-request-id'),
    retryAfterSeconds: secondsFromNow(headers.get('retry-after')),
  };
  const { code, message } = body?.error ?? {};
  if (typeof code === 'string') return new ChangelogError(code, message, details);
  return new ChangelogError(
    'unexpected_response',
    `${url} returned ${status}, but not a response of this API; check baseUrl and any proxies.`,
    details,
  );
}

/** `Retry-After` is a number of seconds, or a date. */
function secondsFromNow(retryAfter) {
  if (!retryAfter) return null;
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : Math.max(0, Math.ceil((Date.parse(retryAfter) - Date.now()) / 1000));
  return Number.isNaN(seconds) ? null : seconds;
}

/**
 * The result of the work, if it is done in time; otherwise `onTime` settles it, and an abort rejects it. Leaves no timer
 * and no listener, and does not rely on a `fetch` that obeys its signal.
 */
async function timed(seconds, signal, onTime, work) {
  if (signal?.aborted) throw signal.reason;
  const controller = new AbortController();
  let timer;
  let abort;
  try {
    return await new Promise((resolve, reject) => {
      timer = setTimeout(onTime, Math.min(seconds * 1000, DELAY_MS_MAX), resolve, reject);
      abort = () => reject(signal.reason);
      signal?.addEventListener('abort', abort);
      work?.(controller.signal).then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    controller.abort();
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function base64(text) {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
