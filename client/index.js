// Reads the changelog of one product. A single file without imports that runs wherever `fetch` exists.

const HELD_ANSWERS_MAX = 100;
const PAGE_VERSIONS = 100;
const ATTEMPTS_MAX = 3;
const WAIT_SECONDS_MAX = 60;

export class ChangelogError extends Error {
  name = 'ChangelogError';

  constructor(code, message, { status = 0, retryAfterSeconds = null, cause } = {}) {
    super(message, cause && { cause });
    this.code = code;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  is(...codes) {
    return codes.includes(this.code);
  }
}

export class ChangelogClient {
  #address;
  #headers;
  #fetch;
  #attemptsMax;
  #waitSecondsMax;
  #holdsAnswers;
  /** The last response by URL, least recently used first. */
  #held = new Map();

  constructor({ baseUrl, team, product, apiKey, basic, fetch, retry, headers }) {
    this.#address = changelogAddress(baseUrl, team, product, apiKey == null);
    this.#headers = new Headers(headers);
    this.#headers.set('accept', 'application/json');
    if (basic) this.#headers.set('authorization', `Basic ${base64(`${basic.username}:${basic.password}`)}`);
    if (apiKey != null) {
      // A site-wide password uses `Authorization`.
      if (basic) this.#headers.set('x-api-key', apiKey);
      else this.#headers.set('authorization', `Bearer ${apiKey}`);
    }
    this.#fetch = fetch;
    // A browser caches responses itself, and across origins `If-None-Match` would cost a preflight request each time.
    const { location } = globalThis;
    this.#holdsAnswers = !location || location.origin === new URL(this.#address).origin;
    const { attemptsMax = ATTEMPTS_MAX, waitSecondsMax = WAIT_SECONDS_MAX } = retry || { attemptsMax: 1 };
    this.#attemptsMax = attemptsMax;
    this.#waitSecondsMax = waitSecondsMax;
  }

  async feed(query, { signal } = {}) {
    const { data, cursor } = await this.#read('', query, signal);
    return { ...data, next: cursor ? { ...query, cursor } : null };
  }

  async version(idOrLabel, { signal } = {}) {
    const { data } = await this.#read(`/versions/${encodeURIComponent(idOrLabel)}`, {}, signal);
    return data;
  }

  latest(options) {
    return this.version('latest', options);
  }

  async changesBetween(from, to, { type, prerelease, signal } = {}) {
    const { data } = await this.#read('/changes', { from, to, type, prerelease }, signal);
    return data;
  }

  async *pages(query, options) {
    let next = { limit: PAGE_VERSIONS, ...query };
    while (next) {
      const page = await this.feed(next, options);
      next = page.next;
      yield page;
    }
  }

  async *versions(query, options) {
    for await (const page of this.pages(query, options)) yield* page.versions;
  }

  async #read(path, query, signal) {
    const url = addressOf(this.#address + path, query);
    let waitSeconds = 0;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#ask(url, signal);
      } catch (error) {
        const { status, retryAfterSeconds } = error ?? {};
        const mayRetry = (status === 429 || status === 503) && typeof retryAfterSeconds === 'number';
        waitSeconds += retryAfterSeconds;
        if (!mayRetry || attempt >= this.#attemptsMax || waitSeconds > this.#waitSecondsMax) throw error;
        await wait(retryAfterSeconds, signal);
      }
    }
  }

  async #ask(url, signal) {
    const held = this.#held.get(url);
    const headers = new Headers(this.#headers);
    if (held) headers.set('if-none-match', held.etag);
    let response;
    let text;
    try {
      // Called as a plain function: browsers reject `fetch` as a method of another object.
      response = await (this.#fetch ?? fetch)(url, { headers, signal });
      text = await response.text();
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      const message = `${url} is unreachable; check baseUrl, the connection and, in a browser, that the server allows this origin.`;
      throw new ChangelogError('network_error', message, { cause });
    }
    if (held && response.status === 304) return this.#hold(url, held);
    const body = parsed(text);
    if (!response.ok || !body?.data) throw errorOf(url, response, body);
    return this.#hold(url, {
      etag: response.headers.get('etag'),
      cursor: nextCursor(response.headers.get('link')),
      text,
    });
  }

  /** Caches the text and not the value, so that callers do not share objects. */
  #hold(url, answer) {
    this.#held.delete(url);
    if (answer.etag && this.#holdsAnswers) this.#held.set(url, answer);
    if (this.#held.size > HELD_ANSWERS_MAX) this.#held.delete(this.#held.keys().next().value);
    return { data: parsed(answer.text).data, cursor: answer.cursor };
  }
}

function changelogAddress(baseUrl, team, product, isPublic) {
  let url;
  try {
    url = new URL(baseUrl);
  } catch {}
  if (!url || url.username || url.password)
    throw new TypeError(
      'baseUrl must be a whole address without a password, such as https://changelog.example.com.',
    );
  if (!team || !product) throw new TypeError('team and product must be slugs.');
  const base = url.origin + url.pathname.replace(/\/+$/, '');
  const surface = isPublic ? 'public/' : '';
  return `${base}/api/v1/${surface}teams/${encodeURIComponent(team)}/products/${encodeURIComponent(product)}/changelog`;
}

/** Equal queries have the same URL, whatever the order of their options. */
function addressOf(address, query) {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const item of [value].flat())
      if (item != null) url.searchParams.append(name, item.toISOString?.() ?? item);
  }
  url.searchParams.sort();
  return url.href;
}

/** Takes only the cursor from the link: the server may know itself by another URL. */
function nextCursor(link) {
  return /<[^<>]*[?&]cursor=([\w-]+)[^<>]*>[^<]*;\s*rel="?next\b/i.exec(link ?? '')?.[1];
}

function errorOf(url, { status, headers }, body) {
  const retryAfterSeconds = secondsFromNow(headers.get('retry-after'));
  const { code, message } = body?.error ?? {};
  if (typeof code === 'string') return new ChangelogError(code, message, { status, retryAfterSeconds });
  return new ChangelogError(
    'unexpected_response',
    `${url} returned ${status}, but not a response of this API; check baseUrl and any proxies.`,
    { status, retryAfterSeconds },
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

function wait(seconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1000);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal?.addEventListener('abort', stop);
    if (signal?.aborted) stop();
  });
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
