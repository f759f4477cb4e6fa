// Errors for people: one page per status and language, the same for every request (R39, R59).
import { DEFAULT_LANGUAGE } from '../domain/content/appearance.ts';
import { API_ERRORS, type ApiErrorCode } from '../errors.ts';
import { writeErrorPage } from '../present/pages/error-page.ts';
import type { Site } from '../present/pages/views.ts';
import { ENGLISH, localeFor } from '../present/words/locale.ts';
import type { ProductPath } from '../store/read/reads.ts';
import type { Languages } from './languages.ts';
import { type ErrorResponse, type ErrorResponseOn, jsonError } from './pipeline/errors.ts';
import { HTML_TYPE, toBody } from './pipeline/send.ts';
import { pageHead } from './site.ts';

const PAGES_MAX = 200;

export function createErrorResponses(site: () => Site, languages: Languages): ErrorResponseOn {
  const pages = new Map<string, ErrorResponse>();
  let writtenFor: Site | null = null;

  function pageFor(code: ApiErrorCode, language: string): ErrorResponse {
    const current = site();
    if (current !== writtenFor || pages.size >= PAGES_MAX) pages.clear();
    writtenFor = current;
    const key = `${language} ${code}`;
    const known = pages.get(key);
    if (known !== undefined) return known;
    const page = pageResponse(current, writePageFor(current, code, localeFor(language)));
    pages.set(key, page);
    return page;
  }

  const languageOf = (product: ProductPath | undefined) =>
    product === undefined ? DEFAULT_LANGUAGE : languages.of(product);

  return (surface, error, product) =>
    surface === 'pages' ? pageFor(error.code, languageOf(product)) : jsonError(error);
}

export function writePageFor(site: Site, code: ApiErrorCode, locale = ENGLISH): string {
  return writeErrorPage(site, locale, { code, status: API_ERRORS[code].status });
}

export function pageResponse(site: Site, html: string): ErrorResponse {
  return { head: ['content-type', HTML_TYPE, ...pageHead(site, null)], body: toBody(html) };
}
