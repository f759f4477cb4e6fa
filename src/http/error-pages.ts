// Errors for people: one page per status, language and domain, the same for every request (R39, R59, R60).
import { DEFAULT_LANGUAGE } from '../domain/content/appearance.ts';
import type { ApiErrorCode } from '../errors.ts';
import type { Site } from '../present/pages/document.ts';
import { writeErrorPage } from '../present/pages/error-page.ts';
import { localeFor } from '../present/words/locale.ts';
import type { Languages } from './languages.ts';
import { type ErrorPlace, type ErrorResponse, type ErrorResponseOn, jsonError } from './pipeline/errors.ts';
import { HTML_TYPE, toBody } from './pipeline/send.ts';
import { pageHead, siteOn } from './site.ts';

const PAGES_MAX = 200;

export function createErrorResponses(site: () => Site, languages: Languages): ErrorResponseOn {
  const pages = new Map<string, ErrorResponse>();
  let writtenFor: Site | null = null;

  function pageFor(code: ApiErrorCode, place: ErrorPlace | undefined): ErrorResponse {
    const language = place === undefined ? DEFAULT_LANGUAGE : languages.of(place.params);
    const domain = place?.domain ?? null;
    const current = site();
    if (current !== writtenFor || pages.size >= PAGES_MAX) pages.clear();
    writtenFor = current;
    const key = `${language} ${code} ${domain}`;
    const known = pages.get(key);
    if (known !== undefined) return known;
    const shown = siteOn(current, domain);
    const page = pageResponse(shown, writeErrorPage(shown, code, localeFor(language)));
    pages.set(key, page);
    return page;
  }

  return (surface, error, place) => (surface === 'pages' ? pageFor(error.code, place) : jsonError(error));
}

export function pageResponse(site: Site, html: string): ErrorResponse {
  return { head: ['content-type', HTML_TYPE, ...pageHead(site, null)], body: toBody(html) };
}
