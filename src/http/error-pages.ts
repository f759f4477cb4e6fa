// Errors for people: one page per status, the same for every request (R39).
import { API_ERRORS, type ApiErrorCode } from '../errors.ts';
import { writeErrorPage } from '../present/pages/error-page.ts';
import type { Site } from '../present/pages/views.ts';
import { ENGLISH } from '../present/words/locale.ts';
import { type ErrorResponse, type ErrorResponseOn, jsonError } from './pipeline/errors.ts';
import { HTML_TYPE, toBody } from './pipeline/send.ts';
import { pageHead } from './site.ts';

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

export function writePageFor(site: Site, code: ApiErrorCode, locale = ENGLISH): string {
  return writeErrorPage(site, locale, { code, status: API_ERRORS[code].status });
}

export function pageResponse(site: Site, html: string): ErrorResponse {
  return { head: ['content-type', HTML_TYPE, ...pageHead(site, null)], body: toBody(html) };
}
