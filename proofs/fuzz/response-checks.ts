// What must be true of every response, whatever was sent.
import assert from 'node:assert/strict';
import { API_ERRORS, type ApiErrorCode } from '../../src/errors.ts';
import type { RawResponse } from './client.ts';
import { isOfAlteredCursor } from './queries.ts';
import type { Header, Request } from './requests.ts';
import { placeOf } from './targets.ts';
import { REACH, type ServerName, WORDS, type Word } from './world.ts';

/** The most that a request may see. */
export type Rights = Readonly<{
  /** Prefixes of the markers of hidden content that it may see. */
  reach: readonly string[];
  gate: 'none' | 'passed' | 'shut';
  /** Whether it may get a 404 or 405 although the gate is shut: only where there is no content. */
  mayBeUnknown: boolean;
  /** What its errors are (R39); null if both are possible. */
  errors: 'json' | 'page' | null;
  /** Whether it has an altered cursor, which must be rejected. */
  isForged: boolean;
}>;

const REJECTED_BY_GATE = [400, 401, 408, 414, 429, 431];
const SUCCESSES = [200, 204, 302, 304];
/** Allowed statuses where there is no content. */
const OPEN = [204, 304, 404, 405];
const WIDGET = /^var .*"whats-new"/s;
/** All that can be read there: the reference, a file for crawlers and the widget. */
const OPEN_BODY = new RegExp(
  `^<!doctype html>.*<title>Changelog Read API</title>|^User-agent: |${WIDGET.source}`,
  'is',
);
const PAGE = /^<!doctype html>.*<\/html>\s*$/is;
const DESCRIPTION = /^\{"openapi":/;
const BADGE = /^\{"schemaVersion":1,"label":"/;

/** Releases and tags, a list or one of them, and the version. */
const GITEA =
  /^(?:\[\]$|\[?\{"id":\d+,"(?:tag_name|owner)":|\[?\{"name":".*"commit":\{"sha":|\{"version":"1\.22\.0\+changelog"\}$)/s;

/** Pages with these statuses show what was searched for. */
const MAY_ECHO = [200, 400];

/** Throws at the first problem. `secretPaths` are folders that must not appear in any response. */
export function checkResponse(response: RawResponse, rights: Rights, secretPaths: readonly string[]): void {
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  assert.match(response.headers.get('x-request-id') ?? '', /^[\w-]{1,64}$/);
  checkMarks(response, rights);
  checkGate(response, rights);
  if (rights.isForged) assert.ok(![200, 304].includes(response.status), 'an altered cursor was accepted');
  if (SUCCESSES.includes(response.status)) checkSuccess(response);
  else checkError(response, rights);
  for (const path of secretPaths)
    assert.ok(!response.body.includes(path), 'the response contains a path of the server');
  const isKnown = [DESCRIPTION, WIDGET].some((known) => known.test(response.body));
  if (!isKnown && !(PAGE.test(response.body) && MAY_ECHO.includes(response.status)))
    assert.doesNotMatch(withoutStyle(response.body), TELLTALE);
}

/** Stack frames, source files, SQL. */
const TELLTALE =
  /\n\s+at |:\d+:\d+\)|node_modules|node:|src\/|\.(?:ts|js|db)\b|sqlite|\bselect\b.*\bfrom\b|\bwhere\b.*=/is;

const withoutStyle = (html: string) => html.replace(/<style>.*<\/style>/s, '');

/** A page without the filters that the request asked for. */
const withoutFilters = (html: string) =>
  html
    .replaceAll(/<div class="found".*?<\/div>|<option selected>[^<]*/gs, '')
    .replaceAll(/ (?:value|href|title|aria-label)="[^"]*"/g, '');

const FEED = /^(?:<\?xml|\{"version":|# )/;
const FEED_TYPE = /^(?:application\/(?:atom\+xml|rss\+xml|feed\+json)|text\/markdown)/;

/** A feed without its title, its id and its links, which have the filters that the request asked for. */
const withoutFeedFilters = (feed: string) =>
  feed
    .replace(/<title>[^<]*<\/title>|"title":"(?:[^"\\]|\\.)*"|^# .*/, '')
    .replace(/<id>[^<]*<\/id>|"feed_url":"[^"]*"/, '')
    .replaceAll(/ href="[^"]*"|\]\([^)]*\)/g, '');

function checkMarks({ body, headers }: RawResponse, { reach }: Rights): void {
  // The response to HEAD has no body.
  const isFeed = FEED.test(body) || FEED_TYPE.test(headers.get('content-type') ?? '');
  const shown = PAGE.test(body) ? withoutFilters(body) : isFeed ? withoutFeedFilters(body) : body;
  // Links to the same in another form, or to the next page, have the filters too.
  const values = [...headers].map(([name, value]) =>
    name === 'link' ? value.replaceAll(/\?[^>]*/g, '') : value,
  );
  const text = [shown, ...values].join('\n');
  for (const [mark] of text.matchAll(/hm-[a-z]+-[a-z]*/gi)) {
    assert.ok(
      reach.some((beginning) => mark.toLowerCase().startsWith(beginning)),
      `the response contains ${mark}, which is hidden from this client`,
    );
  }
}

function checkGate({ status, body, hasBody }: RawResponse, { gate, mayBeUnknown }: Rights): void {
  if (gate === 'none') assert.notEqual(status, 429, 'rate limits are out of reach');
  if (gate !== 'shut') return;
  if (mayBeUnknown && status === 200) {
    if (hasBody) assert.match(body, OPEN_BODY, 'without the right password');
    return;
  }
  const allowed = mayBeUnknown ? [...REJECTED_BY_GATE, ...OPEN] : REJECTED_BY_GATE;
  assert.ok(allowed.includes(status), `${status} without the right password`);
}

function checkSuccess({ status, headers, body, hasBody }: RawResponse): void {
  if (status === 302)
    assert.match(headers.get('location') ?? '', /^\/changelog\/[a-z0-9-]+\/[a-z0-9-]+(?:[/?]|$)/);
  if (status !== 200) return;
  const [type = '', charset] = (headers.get('content-type') ?? '').split('; ');
  assert.equal(charset, 'charset=utf-8');
  assert.match(headers.get('etag') ?? '', /^"[^"]+"$/);
  const checkShape = SHAPES[type];
  assert.ok(checkShape !== undefined, `unexpected content type: ${type}`);
  if (hasBody) checkShape(body);
}

/** Release notes of nothing are empty. */
const WHOLE_LINES = /^(?:\S.*\n)?$/s;

/** Checks of a body by content type. */
const SHAPES: Record<string, (body: string) => void> = {
  'application/json': (body) => {
    if (GITEA.test(body)) return;
    if (!DESCRIPTION.test(body) && !BADGE.test(body))
      assert.deepEqual(Object.keys(JSON.parse(body)), ['data']);
  },
  'text/html': (body) => assert.match(body, PAGE),
  'text/plain': (body) => assert.match(body, WHOLE_LINES),
  'image/svg+xml': (body) => assert.match(body, /^<svg [^>]*>\n<title>[^<]+<\/title>\n.*<\/svg>\s*$/s),
  'application/xml': (body) =>
    assert.match(body, /^<\?xml .*(?:<urlset .*<\/urlset>|<releases>.*<\/releases>)\s*$/s),
  'application/feed+json': (body) =>
    assert.equal(JSON.parse(body).version, 'https://jsonfeed.org/version/1.1'),
  'application/atom+xml': (body) => assert.match(body, /^<\?xml .*<feed .*<\/feed>\s*$/s),
  'application/rss+xml': (body) => assert.match(body, /^<\?xml .*<rss .*<\/rss>\s*$/s),
  'text/markdown': (body) => assert.match(body, WHOLE_LINES),
  'text/javascript': (body) => assert.match(body, WIDGET),
};

function checkError({ status, headers, body, hasBody }: RawResponse, { errors }: Rights): void {
  assert.ok(status >= 400 && status < 500, `unexpected status: ${status}`);
  assert.equal(headers.get('cache-control'), 'no-store');
  const [type] = (headers.get('content-type') ?? '').split('; ');
  assert.ok(type === 'application/json' || type === 'text/html', `unexpected content type: ${type}`);
  const isPage = type === 'text/html';
  // What is not HTTP has no path.
  if (errors !== null && status !== 400) assert.equal(isPage, errors === 'page', `${status} as ${type}`);
  if (errors === 'json') assert.ok(!isPage);
  if (isPage) assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'; /);
  if (!hasBody) return;
  if (isPage) checkErrorPage(status, body);
  else checkErrorBody(status, JSON.parse(body));
}

/** It says nothing of the request, except for the form of a 400. */
function checkErrorPage(status: number, body: string): void {
  assert.match(body, PAGE);
  assert.ok(body.includes(`>${status}<`), `the page does not say ${status}`);
  assert.doesNotMatch(body, /<script/i);
  if (status !== 400) assert.doesNotMatch(body, /<form| value="/);
}

function checkErrorBody(status: number, body: { error: { code: ApiErrorCode; message: unknown } }): void {
  assert.deepEqual(Object.keys(body), ['error']);
  assert.deepEqual(Object.keys(body.error), ['code', 'message']);
  assert.equal(
    API_ERRORS[body.error.code]?.status,
    status,
    `${body.error.code} does not belong to ${status}`,
  );
  assert.equal(typeof body.error.message, 'string');
  assert.notEqual(body.error.message, '');
}

export function rightsOfRequest({ target, headers }: Request, server: ServerName): Rights {
  const { leading, part } = placeOf(target);
  const [api, version, surface] = leading;
  const isApi = api === 'api' && version === 'v1';
  const schemes = isApi ? SCHEMES.get(surface ?? '') : undefined;
  return {
    reach: schemes === undefined ? [] : reachOf(keyPresented(headers, server, schemes)),
    gate: server === 'open' ? 'none' : isGatePassed(headers) ? 'passed' : 'shut',
    mayBeUnknown: part === 'open',
    errors: part === 'pages' ? 'page' : 'json',
    isForged: isOfAlteredCursor(target),
  };
}

/** How a key may be sent, by the part of the API. */
const SCHEMES = new Map([
  ['teams', ['bearer']],
  ['repos', ['bearer', 'token']],
]);

/** Mutated bytes can mean anything, but they cannot contain a key that was not in the requests. */
export function rightsOfAny(requests: readonly Request[], server: ServerName): Rights {
  const values = requests.flatMap(({ headers }) => headers.map(([, value]) => value)).join('\n');
  const keys = WORDS.filter((word) => values.includes(`{${word}}`));
  return {
    reach: keys.flatMap(reachOf),
    gate: server === 'open' ? 'none' : keys.includes('gate') ? 'passed' : 'shut',
    mayBeUnknown: true,
    errors: null,
    isForged: false,
  };
}

function reachOf(key: Word | undefined): readonly string[] {
  return (key && REACH[key]) ?? [];
}

/** The key, from `Authorization`, or from `X-API-Key` if the gate uses `Authorization`. */
function keyPresented(
  headers: readonly Header[],
  server: ServerName,
  schemes: readonly string[],
): Word | undefined {
  const authorization = linesOf(headers, 'authorization');
  const isUsedByGate =
    server === 'gated' && authorization.length === 1 && /^basic\b/i.test(authorization[0] ?? '');
  const lines = isUsedByGate ? linesOf(headers, 'x-api-key').map((key) => `Bearer ${key}`) : authorization;
  const [line = ''] = lines;
  return lines.length === 1 ? schemes.map((scheme) => wordAfter(scheme, line)).find(Boolean) : undefined;
}

function isGatePassed(headers: readonly Header[]): boolean {
  return ['authorization', 'proxy-authorization']
    .map((name) => linesOf(headers, name))
    .some((lines) => lines.length === 1 && wordAfter('basic', lines[0] ?? '') === 'gate');
}

function wordAfter(scheme: string, line: string): Word | undefined {
  const match = /^(\w+)\s+\{(\w+)\}$/.exec(line);
  if (match?.[1]?.toLowerCase() !== scheme) return undefined;
  return WORDS.find((word) => word === match[2]);
}

function linesOf(headers: readonly Header[], wanted: string): string[] {
  return headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
}
