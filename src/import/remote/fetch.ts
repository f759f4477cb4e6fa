// Fetches releases or a file. What was fetched is kept with its ETags, so that the next request may be answered with
// 304; only then it is used again.
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rm, writeFileSync } from 'node:fs';
import path from 'node:path';
import { INPUT_BYTES_MAX, type Input } from '../../content/input.ts';
import { Refusal } from '../../errors.ts';
import { makeFolder } from '../../make-folder.ts';
import { isSafe, type RemoteSource } from './sources.ts';

const PAGES_MAX = 200;
const REDIRECTS_MAX = 3;
const SILENCE_MS_MAX = 30_000;
const REDIRECTS = [301, 302, 303, 307, 308];
const USER_AGENT = 'changelog-read-api';

type FetchOptions = Readonly<{
  /** Where to keep what was fetched; null to keep nothing. */
  cacheFolder: string | null;
  now: string;
  /** Receives how many pages were fetched, and of how many. */
  onPage?: (pages: number, whole: number) => void;
  silenceMs?: number;
}>;

/** The body is Latin-1 of the bytes. */
type Page = Readonly<{
  url: string;
  etag: string | null;
  next: string | null;
  last: string | null;
  body: string;
}>;

export async function fetchSource(
  source: RemoteSource,
  options: FetchOptions,
): Promise<Readonly<{ input: Input; isModified: boolean }>> {
  const { name, url: first, isReleases } = source;
  const cache = options.cacheFolder === null ? null : cacheFile(options.cacheFolder, first);
  const known = new Map(readCache(cache).map((page) => [page.url, page]));
  const pages: Page[] = [];
  let bytes = 0;
  for (let url: URL | null = first; url !== null; url = nextPage(source, pages.at(-1)?.next ?? null)) {
    if (pages.length === PAGES_MAX) throw new Refusal(`${name} has more than ${PAGES_MAX} pages of releases`);
    const page = await fetchPage(source, url, known.get(url.href), { ...options, bytes });
    bytes += page.body.length;
    pages.push(page);
    options.onPage?.(pages.length, Number(/[?&]page=(\d+)/.exec(page.last ?? '')?.[1] ?? pages.length));
  }
  const isModified = pages.some((page) => page !== known.get(page.url));
  if (isModified) writeCache(cache, pages);
  const body = Buffer.from(pages.map((page) => page.body).join('\n'), 'latin1');
  if (isReleases && !body.includes('{'))
    throw new Refusal(
      `${name} has no releases; if it has a changelog in a file, import the https: URL of that`,
    );
  return { input: { name, bytes: body }, isModified };
}

async function fetchPage(
  source: RemoteSource,
  url: URL,
  known: Page | undefined,
  { bytes, now, silenceMs = SILENCE_MS_MAX }: FetchOptions & Readonly<{ bytes: number }>,
): Promise<Page> {
  const { name } = source;
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), silenceMs);
  try {
    const response = await request(source, url, known?.etag ?? null, controller.signal);
    if (response.status === 304 && known !== undefined) return known;
    if (response.status !== 200) throw statusError(source, response, now);
    const chunks: Uint8Array[] = [];
    let read = bytes;
    for await (const chunk of response.body ?? []) {
      timer.refresh();
      chunks.push(chunk);
      read += chunk.byteLength;
      if (read > INPUT_BYTES_MAX)
        throw new Refusal(`${name} exceeds ${INPUT_BYTES_MAX / 2 ** 20} MiB; import it in parts.`);
    }
    const link = response.headers.get('link') ?? '';
    return {
      url: url.href,
      etag: response.headers.get('etag'),
      next: findLink(link, /;\s*rel="?next"?\s*(?:;|$)/i),
      last: findLink(link, /;\s*rel="?last"?\s*(?:;|$)/i),
      body: Buffer.concat(chunks).toString('latin1'),
    };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const reason = controller.signal.aborted
      ? `it was silent for ${silenceMs / 1000} seconds`
      : reasonFor(error as Error);
    throw new Refusal(
      `${name}: ${url.host} cannot be read: ${reason}; check the name and the network, and try again`,
      {
        cause: error,
      },
    );
  } finally {
    clearTimeout(timer);
    // Ends a response that was not read to its end, and its connection.
    controller.abort();
  }
}

/** The reason of the failure is inside of an error that only says so. */
function reasonFor({ message, cause }: Error): string {
  const { code, message: inner } = (cause ?? {}) as NodeJS.ErrnoException;
  return code ?? inner ?? message;
}

/** Follows redirects. The token goes to the origin of the source only. */
async function request(
  { name, url: { origin }, headers, token }: RemoteSource,
  first: URL,
  etag: string | null,
  signal: AbortSignal,
): Promise<Response> {
  let url = first;
  for (let redirects = 0; ; redirects++) {
    const response = await fetch(url, {
      headers: {
        ...headers,
        'user-agent': USER_AGENT,
        ...(etag !== null && { 'if-none-match': etag }),
        ...(token !== null && url.origin === origin && { [token.header]: token.value }),
      },
      redirect: 'manual',
      signal,
    });
    if (!REDIRECTS.includes(response.status)) return response;
    await response.body?.cancel();
    const target = URL.parse(response.headers.get('location') ?? '', url.href);
    if (target === null || !isSafe(target))
      throw new Refusal(`${name}: ${url.host} redirects to a URL that does not start with https:`);
    if (redirects === REDIRECTS_MAX) throw new Refusal(`${name}: ${url.host} redirects too often`);
    url = target;
  }
}

/** A target in a Link header. */
function findLink(header: string, relation: RegExp): string | null {
  const link = header.split(/,\s*(?=<)/).find((part) => relation.test(part));
  return /^\s*<([^>]*)>/.exec(link ?? '')?.[1] ?? null;
}

function nextPage({ name, url: first }: RemoteSource, next: string | null): URL | null {
  if (next === null) return null;
  const url = URL.parse(next, first.href);
  if (url === null || url.origin !== first.origin)
    throw new Refusal(
      `${name}: the next page is not on ${first.host}; use the host that the server calls itself`,
    );
  return url;
}

/** The body is not printed: it may be anything. */
function statusError(source: RemoteSource, { status, headers }: Response, now: string): Refusal {
  const { name, token, variable, url } = source;
  const isLimited =
    status === 429 ||
    (status === 403 && (headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0'));
  if (isLimited) {
    const time = retryTime(headers, now);
    const when = time === null ? 'later' : `after ${time}`;
    const more = token === null && variable !== null ? `, or set ${variable}, with which it allows more` : '';
    return new Refusal(`${name}: ${url.host} allows no more requests for now; try again ${when}${more}`);
  }
  const access =
    token === null
      ? `if it is private, ${variable === null ? 'download it, and import the file' : `set ${variable} to a token that may read it`}`
      : `the token in ${token.variable} may not read it`;
  if (status === 404 || status === 410)
    return new Refusal(`${name} was not found; check the name, or ${access}`);
  if (status === 401 || status === 403)
    return new Refusal(
      token === null
        ? `${name} may not be read without a token; ${access}`
        : `${url.host} refuses the token in ${token.variable} for ${name} (${status}); check that it is valid and may read it`,
    );
  return new Refusal(`${name}: ${url.host} answered with status ${status}; try again later`);
}

const DATE_MS_MAX = 8.64e15;

/** From seconds or a date in Retry-After, or the second at which a limit is reset; GitLab names it without `x-`. */
function retryTime(headers: Headers, now: string): string | null {
  const after = headers.get('retry-after');
  const reset = headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset');
  const ms =
    after === null
      ? Number(reset ?? Number.NaN) * 1000
      : /^\d+$/.test(after)
        ? Date.parse(now) + Number(after) * 1000
        : Date.parse(after);
  return Math.abs(ms) <= DATE_MS_MAX ? new Date(ms).toISOString().replace('.000Z', 'Z') : null;
}

function cacheFile(folder: string, { href }: URL): string {
  return path.join(folder, `${createHash('sha256').update(href).digest('hex')}.json`);
}

/** A cache that is missing or damaged is empty. */
function readCache(file: string | null): Page[] {
  try {
    const pages: unknown = file === null ? [] : JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(pages) && pages.every(isPage) ? pages : [];
  } catch {
    return [];
  }
}

function isPage(value: unknown): value is Page {
  const { url, etag, next, last, body } = (value ?? {}) as Record<string, unknown>;
  const isText = (field: unknown) => field === null || typeof field === 'string';
  return typeof url === 'string' && typeof body === 'string' && [etag, next, last].every(isText);
}

/** Only the user may read it: releases may be private. If it cannot be written, the next fetch asks for everything. */
function writeCache(file: string | null, pages: readonly Page[]): void {
  if (file === null || pages.every(({ etag }) => etag === null)) return;
  const temporary = `${file}.${randomUUID()}`;
  try {
    makeFolder(path.dirname(file), 0o700);
    writeFileSync(temporary, JSON.stringify(pages), { mode: 0o600, flag: 'wx' });
    renameSync(temporary, file);
  } catch {
    rm(temporary, { force: true }, () => {});
  }
}
