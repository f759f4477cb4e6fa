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
/** As on a server. */
const RANGE_VERSIONS_MAX = 500;
const TYPES = ['added', 'changed', 'deprecated', 'removed', 'fixed', 'security', 'other'];
const VERSION =
  /^v?(\d+)(?:\.(\d+)(?:\.(\d+)(?:-([\da-z-]+(?:\.[\da-z-]+)*))?)?)?(?:\+[\da-z-]+(?:\.[\da-z-]+)*)?$/i;

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
    if (this.#isStatic) return this.#compare(from, to, { type, breaking, prerelease, signal });
    const { data } = await this.#read('/changes', { from, to, type, breaking, prerelease }, signal);
    return data;
  }

  async checkForUpdate(installed, { prerelease, signal } = {}) {
    if (this.#isStatic) return this.#compareWithLatest(installed, { prerelease, signal });
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
  async #versionFile(name, { signal }) {
    const direct = await this.#recordIn(name, name, signal);
    if (direct) return direct;
    const found = find((await this.feed({}, { signal })).versions, name);
    const data =
      found &&
      ((await this.#recordIn(found.version, found.id, signal)) ??
        (await this.#recordIn(found.id, found.id, signal)));
    if (data) return data;
    throw this.#notFound(name);
  }

  /** The version in a file, if it is the wanted one. */
  async #recordIn(file, wanted, signal) {
    if (!FILE_NAME.test(file)) return;
    try {
      const { data } = await this.#read(`/versions/${encodeURIComponent(file)}.json`, {}, signal);
      if ([data.id, data.version, 'latest'].includes(wanted)) return data;
    } catch (error) {
      // Hosts have several ways to say that there is no such file.
      if (![403, 404].includes(error?.status)) throw error;
    }
  }

  async #compare(from, to, { type, breaking, prerelease, signal }) {
    const { versions, next, object, ...head } = await this.feed({}, { signal });
    const [after, last] = [from, to].map((label) => (label == null ? null : orderOf(label)));
    for (const [label, order] of [
      [from, after],
      [to, last],
    ])
      if (order === undefined) throw this.#badRequest(`${label} is not a semantic version, such as 1.4.0.`);
    const found = versions.filter(({ version }) => {
      const order = orderOf(version);
      if (prerelease === false && order && !order.endsWith('~')) return false;
      return (!after && !last) || (order && (!after || order > after) && (!last || order <= last));
    });
    const types = [type ?? []].flat();
    const matches = (change) =>
      (types.length === 0 || types.includes(change.type)) && (!breaking || change.breaking);
    const full = (await this.#inFull(found, versions, signal))
      .map((version) => ({ ...version, changes: version.changes.filter(matches) }))
      .filter(({ changes }) => (types.length === 0 && !breaking) || changes.length > 0);
    const changes = full
      .flatMap(({ id: versionId, version, changes }) =>
        changes.map((change) => ({ ...change, version, versionId })),
      )
      .sort((one, other) => other.breaking - one.breaking);
    const groups = TYPES.map((each) => ({
      type: each,
      changes: changes.filter(({ type }) => type === each),
    }));
    return {
      object: 'changelog.range',
      ...head,
      from: from ?? null,
      to: to ?? null,
      changeCount: changes.length,
      groups: groups.filter((group) => group.changes.length > 0),
      versions: full.map(({ id, version, title, publishedAt, yanked, description, descriptionHtml }) => {
        return { id, version, title, publishedAt, yanked, description, descriptionHtml };
      }),
    };
  }

  async #compareWithLatest(from, { prerelease = false, signal }) {
    const { versions } = await this.feed({}, { signal });
    const isCounted = ({ version }) => prerelease || !isPrerelease(version);
    const highest = versions
      .filter((version) => isCounted(version) && orderOf(version.version))
      .sort((one, other) => (orderOf(one.version) < orderOf(other.version) ? 1 : -1));
    // A yanked one only if all are, as in the file of the latest.
    const latest = prerelease
      ? await this.#firstKept([...highest, ...versions], versions, signal)
      : versions.length > 0 && (await this.latest({ signal }));
    const known = from != null && find(versions, from);
    const order = from != null && orderOf(from);
    if (from != null && !known && !order)
      throw this.#badRequest(`${from} is neither a version of this changelog nor a semantic version.`);
    const latestOrder = latest && orderOf(latest.version);
    const placeOf = ({ id }) => versions.findIndex((version) => version.id === id);
    const isNew = (version, place) => {
      if (isPrerelease(version.version) && !prerelease && !isPrerelease(latest.version)) return false;
      const own = orderOf(version.version);
      if (order && latestOrder) return own > order && own <= latestOrder;
      return place >= placeOf(latest) && known && place < placeOf(known);
    };
    const found = from != null && latest ? versions.filter(isNew) : [];
    const changes = (await this.#inFull(found, versions, signal)).flatMap((version) => version.changes);
    const [own] = known ? await this.#inFull([known], versions, signal) : [];
    return {
      object: 'changelog.update',
      from: from == null ? null : { version: from, known: Boolean(known), yanked: Boolean(own?.yanked) },
      updateAvailable: found.length > 0,
      latest: latest ? { ...versions[placeOf(latest)], yanked: latest.yanked } : null,
      versionCount: found.length,
      changeCount: changes.length,
      security: changes.some(({ type }) => type === 'security'),
      breaking: changes.some(({ breaking }) => breaking),
      url: `${this.#url}/index.html`,
    };
  }

  async #firstKept(candidates, versions, signal) {
    for (const candidate of candidates) {
      const [version] = await this.#inFull([candidate], versions, signal);
      if (!version.yanked) return version;
    }
    return candidates.length > 0 && (await this.#inFull(candidates.slice(0, 1), versions, signal))[0];
  }

  /** The newest ones are in one file; others have a file each. */
  async #inFull(some, versions, signal) {
    if (some.length > RANGE_VERSIONS_MAX)
      throw this.#badRequest(`The range has more than ${RANGE_VERSIONS_MAX} versions.`);
    if (some.length === 0) return [];
    const recent = versions.slice(0, RECENT_VERSIONS);
    if (some.every((version) => recent.includes(version))) {
      const { data } = await this.#read('/recent.json', {}, signal);
      const full = some.map(({ id }) => data.versions.find((version) => version.id === id));
      if (full.every(Boolean)) return full;
    }
    const all = [];
    for (const { id, version } of some) {
      const found = (await this.#recordIn(version, id, signal)) ?? (await this.#recordIn(id, id, signal));
      if (!found) throw this.#notFound(version);
      all.push(found);
    }
    return all;
  }

  #badRequest(message) {
    return new ChangelogError('bad_request', message, { url: this.#url });
  }

  #notFound(name) {
    const message = `${this.#url} has no version "${name}".`;
    return new ChangelogError('not_found', message, { status: 404, url: this.#url });
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

/** Also with or without a leading `v`. */
function find(versions, name) {
  const other = /^v\d/.test(name) ? name.slice(1) : `v${name}`;
  const by = (label) => versions.find(({ id, version }) => id === label || version === label);
  return by(name) ?? by(other);
}

/** A text that sorts like the version, as on the server; undefined if the label is not one. */
function orderOf(label) {
  const [whole, major, minor, patch, prerelease] = VERSION.exec(label) ?? [];
  if (whole === undefined) return;
  const numbers = [major, minor, patch].map(numberOrder).join('');
  if (!prerelease) return `${numbers}~`;
  const ofIdentifier = (each) => `${/^\d+$/.test(each) ? `0${numberOrder(each)}` : `1${each}`}!`;
  return `${numbers}-${prerelease.split('.').map(ofIdentifier).join('')}`;
}

/** Without leading zeros, the longer number is the greater one. */
function numberOrder(digits = '') {
  const significant = digits.replace(/^0+/, '');
  return String(significant.length).padStart(3, '0') + significant;
}

const isPrerelease = (label) => orderOf(label)?.endsWith('~') === false;

function needsServer(url) {
  const message = `${url} needs a server: a static site has no filters, and lists only the newest ${RECENT_VERSIONS} versions with their changes.`;
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
