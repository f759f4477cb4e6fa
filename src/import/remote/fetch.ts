// Fetches releases or a file. What was fetched is kept with its ETags, so that the next request may be answered with
// 304; only then it is used again.
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rm, writeFileSync } from 'node:fs';
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import path from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { INPUT_BYTES_MAX, type Input } from '../../content/input.ts';
import { Refusal } from '../../errors.ts';
import { makeFolder } from '../../make-folder.ts';
import { guardNetwork, type NetworkGuard, type Resolve } from './network-guard.ts';
import { isSafe, type RemoteSource } from './sources.ts';

const PAGES_MAX = 200;
const REDIRECTS_MAX = 3;
const SILENCE_MS_MAX = 30_000;
/** All pages and redirects together: what may be fetched at most takes this long on a slow line. */
const WHOLE_MS_MAX = 300_000;
const REDIRECTS = [301, 302, 303, 307, 308];
const USER_AGENT = 'changelog-read-api';

type FetchOptions = Readonly<{
  /** Where to keep what was fetched; null to keep nothing. */
  cacheFolder: string | null;
  now: string;
  /** Receives how many pages were fetched, and of how many. */
  onPage?: (pages: number, whole: number) => void;
  silenceMs?: number;
  wholeMs?: number;
  resolve?: Resolve;
}>;
type PageOptions = FetchOptions &
  Readonly<{ wholeMs: number; whole: AbortSignal; guard: NetworkGuard; bytes: number }>;

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
  const { wholeMs = WHOLE_MS_MAX } = options;
  const limits = { wholeMs, whole: AbortSignal.timeout(wholeMs), guard: guardNetwork(name, options.resolve) };
  let bytes = 0;
  for (let url: URL | null = first; url !== null; url = nextPage(source, pages.at(-1)?.next ?? null)) {
    if (pages.length === PAGES_MAX) throw new Refusal(`${name} has more than ${PAGES_MAX} pages of releases`);
    const page = await fetchPage(source, url, known.get(url.href), { ...options, ...limits, bytes });
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
  { bytes, now, silenceMs = SILENCE_MS_MAX, whole, wholeMs, guard }: PageOptions,
): Promise<Page> {
  const { name } = source;
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), silenceMs);
  try {
    const signal = AbortSignal.any([controller.signal, whole]);
    const response = await request(source, url, known?.etag ?? null, { signal, guard });
    const { statusCode: status = 0, headers } = response;
    if (status === 304 && known !== undefined) return known;
    if (status !== 200) throw statusError(source, status, headers, now);
    const chunks: Uint8Array[] = [];
    let read = bytes;
    for await (const chunk of bodyOf(response)) {
      timer.refresh();
      chunks.push(chunk);
      read += chunk.byteLength;
      if (read > INPUT_BYTES_MAX)
        throw new Refusal(`${name} exceeds ${INPUT_BYTES_MAX / 2 ** 20} MiB; import it in parts.`);
    }
    const link = headers.link?.toString() ?? '';
    return {
      url: url.href,
      etag: headers.etag ?? null,
      next: findLink(link, /;\s*rel="?next"?\s*(?:;|$)/i),
      last: findLink(link, /;\s*rel="?last"?\s*(?:;|$)/i),
      body: Buffer.concat(chunks).toString('latin1'),
    };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = whole.aborted
      ? `it took more than ${wholeMs / 1000} seconds in all`
      : controller.signal.aborted
        ? `it was silent for ${silenceMs / 1000} seconds`
        : (code ?? message);
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

/** Follows redirects. The token goes to the origin of the source only. */
async function request(
  { name, url: { origin }, headers, token }: RemoteSource,
  first: URL,
  etag: string | null,
  connection: Readonly<{ signal: AbortSignal; guard: NetworkGuard }>,
): Promise<IncomingMessage> {
  let url = first;
  for (let redirects = 0; ; redirects++) {
    const response = await get(url, connection, {
      ...headers,
      'accept-encoding': 'gzip',
      'user-agent': USER_AGENT,
      ...(etag !== null && { 'if-none-match': etag }),
      ...(token !== null && url.origin === origin && { [token.header]: token.value }),
    });
    if (!REDIRECTS.includes(response.statusCode ?? 0)) return response;
    response.destroy();
    const target = URL.parse(response.headers.location ?? '', url.href);
    if (target === null || !isSafe(target) || (url.protocol === 'https:' && target.protocol !== 'https:'))
      throw new Refusal(`${name}: ${url.host} redirects to a URL that does not start with https:`);
    if (redirects === REDIRECTS_MAX) throw new Refusal(`${name}: ${url.host} redirects too often`);
    url = target;
  }
}

/** Not with `fetch`, which resolves names again after they were checked. */
async function get(
  url: URL,
  { signal, guard }: Readonly<{ signal: AbortSignal; guard: NetworkGuard }>,
  headers: Readonly<Record<string, string>>,
): Promise<IncomingMessage> {
  guard.requireAllowed(url);
  const { get } = url.protocol === 'https:' ? https : http;
  return await new Promise((resolve, reject) => {
    get(url, { headers, signal, lookup: guard.lookup }, resolve).on('error', reject);
  });
}

function bodyOf(response: IncomingMessage): Readable {
  if (response.headers['content-encoding'] !== 'gzip') return response;
  // The error also ends the reading.
  return pipeline(response, createGunzip(), () => {});
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
function statusError(
  source: RemoteSource,
  status: number,
  headers: IncomingHttpHeaders,
  now: string,
): Refusal {
  const { name, token, variable, url } = source;
  const isLimited =
    status === 429 ||
    (status === 403 && (headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0'));
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
function retryTime(headers: IncomingHttpHeaders, now: string): string | null {
  const after = headers['retry-after'];
  const reset = headers['x-ratelimit-reset'] ?? headers['ratelimit-reset'];
  const ms =
    after === undefined
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
