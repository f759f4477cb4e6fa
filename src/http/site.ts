// The site that pages and links are on, the headers of its pages, and its errors for people (R39, R59, R60).
import type { Server } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { Config } from '../config.ts';
import { DEFAULT_LANGUAGE } from '../domain/content/appearance.ts';
import { serverLinks } from '../present/links.ts';
import type { Site } from '../present/pages/document.ts';
import { writeErrorPage } from '../present/pages/error-page.ts';
import { policyFor, sheetFor } from '../present/pages/style.ts';
import { localeFor } from '../present/words/locale.ts';
import type { HeadRow } from '../store/read/reads.ts';
import type { Languages } from './domains.ts';
import { type ErrorResponse, type ErrorResponseOn, jsonError } from './pipeline/errors.ts';
import { HTML_TYPE, toBody } from './pipeline/send.ts';
import { baseUrlFor, listenUrl } from './urls.ts';

/** The base of all links, computed once the server listens: until then, the port may be 0. */
export function createBaseUrl(
  config: Pick<Config, 'host' | 'port' | 'baseUrl'>,
  server: () => Server,
): () => string {
  let known = config.baseUrl;
  return () => {
    if (known !== null) return known;
    const url = baseUrlFor(config, listenUrl(server(), config));
    if (server().listening) known = url;
    return url;
  };
}

type SiteOptions = Pick<Site, 'extraCss' | 'outputs' | 'hubsFor'> &
  Readonly<{ config: Pick<Config, 'listing'>; baseUrl: () => string }>;

/** Cached until the base URL changes. */
export function createSite({ config: { listing }, baseUrl, ...rest }: SiteOptions): () => Site {
  let site: Site | null = null;
  return () => {
    const url = baseUrl();
    if (site?.baseUrl === url) return site;
    const lists = { hasTeamPages: listing !== 'none', hasHomePage: listing === 'all' };
    site = { baseUrl: url, links: serverLinks(url), isStatic: false, ...rest, ...lists };
    return site;
  };
}

/** The site as an error page on a product's own domain shows it: that domain, and its first page to go back to. */
export function siteOn(site: Site, domain: string | null): Site {
  const baseUrl = site.links.ownRoot(domain);
  if (baseUrl === null) return site;
  return { ...site, baseUrl, links: serverLinks(baseUrl), hasTeamPages: false, hasHomePage: true };
}

/** A page's headers: the only policy under which its style sheet applies. Null for a page without a product. */
export function pageHead(
  site: Site,
  head: HeadRow | null,
  imageOrigins?: Iterable<string>,
): readonly string[] {
  const css = sheetFor(site, head?.accent ?? null);
  const ownRoot = site.links.ownRoot(head?.domain ?? null);
  return ['content-security-policy', policyFor(css, imageOrigins, ownRoot === null ? [] : [ownRoot])];
}

export function pageResponse(site: Site, html: string): ErrorResponse {
  return { head: ['content-type', HTML_TYPE, ...pageHead(site, null)], body: toBody(html) };
}

/** One page per status, language and domain, the same for every request. */
export function createErrorResponses(site: () => Site, languages: Languages): ErrorResponseOn {
  const pages = new LRUCache<string, ErrorResponse>({ max: 200 });
  return (surface, error, place) => {
    if (surface !== 'pages') return jsonError(error);
    const language = place === undefined ? DEFAULT_LANGUAGE : languages.of(place.params);
    const shown = siteOn(site(), place?.domain ?? null);
    const key = `${language} ${error.code} ${shown.baseUrl}`;
    const page =
      pages.get(key) ?? pageResponse(shown, writeErrorPage(shown, error.code, localeFor(language)));
    pages.set(key, page);
    return page;
  };
}
