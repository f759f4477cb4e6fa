// Errors for people: one page per status, the same for every request (R39).
import { API_ERRORS, type ApiErrorCode } from '../errors.ts';
import { writeErrorPage } from '../present/pages/error-page.ts';
import type { Site } from '../present/pages/views.ts';
import { type ErrorResponse, type ErrorResponseOn, jsonError } from './pipeline/errors.ts';
import { HTML_TYPE, toBody } from './pipeline/send.ts';
import { pageHead } from './site.ts';

const TEXTS: Readonly<Record<ApiErrorCode, Readonly<{ title: string; message: string }>>> = {
  bad_request: {
    title: 'Bad request',
    message: 'The server does not understand this request. Check that the link is complete.',
  },
  unauthorized: {
    title: 'Password required',
    message: 'This site is password protected. Reload the page to enter the user name and the password.',
  },
  forbidden: { title: 'Not allowed', message: 'You may not read this page.' },
  not_found: {
    title: 'Page not found',
    message: 'Nothing is published at this URL. Check that the link is complete.',
  },
  method_not_allowed: { title: 'Method not allowed', message: 'This site only reads. Use GET or HEAD.' },
  request_timeout: {
    title: 'Request timeout',
    message: 'The request took too long to arrive. Reload the page.',
  },
  precondition_failed: {
    title: 'Precondition failed',
    message: 'The page has changed since it was last read. Reload it.',
  },
  uri_too_long: {
    title: 'URL too long',
    message: 'The URL of this page is too long. Search for fewer words.',
  },
  rate_limited: {
    title: 'Too many requests',
    message: 'Too many requests came from your network. Wait a while, then reload the page.',
  },
  headers_too_large: {
    title: 'Headers too large',
    message: 'Your browser sent too many headers, or too large ones. Try a private window.',
  },
  internal_error: { title: 'Something went wrong', message: 'It is our fault. Try again later.' },
  unavailable: {
    title: 'Not available right now',
    message: 'The page cannot be shown at the moment. Reload it in a few seconds.',
  },
};

export function createErrorResponses(site: () => Site): ErrorResponseOn {
  const pages = new Map<ApiErrorCode, ErrorResponse>();
  let writtenFor: Site | null = null;

  function pageFor(code: ApiErrorCode): ErrorResponse {
    const current = site();
    if (current !== writtenFor) pages.clear();
    writtenFor = current;
    const known = pages.get(code);
    if (known !== undefined) return known;
    const page = pageResponse(current, writePageFor(current, code));
    pages.set(code, page);
    return page;
  }

  return (surface, error) => (surface === 'pages' ? pageFor(error.code) : jsonError(error));
}

export function writePageFor(site: Site, code: ApiErrorCode): string {
  return writeErrorPage(site, { status: API_ERRORS[code].status, ...TEXTS[code] });
}

export function pageResponse(site: Site, html: string): ErrorResponse {
  return { head: ['content-type', HTML_TYPE, ...pageHead(site, null)], body: toBody(html) };
}
