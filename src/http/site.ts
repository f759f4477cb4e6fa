// The site that pages and links are on, the headers of its pages, and its errors for people (R39, R59, R60). And what is
// known of public products without a read for each request: their host names, so that a request's `Host` chooses a product
// (R60), and the languages of their errors. Hidden products have neither here, like ones that nobody declared.
import type { Server } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { Config } from '../config.ts';
import { visibleRows } from '../domain/access/visibility.ts';
import { DEFAULT_LANGUAGE } from '../domain/content/appearance.ts';
import { andThen, type MaybePromise } from '../domain/maybe-promise.ts';
import { serverLinks } from '../present/links.ts';
import type { Site } from '../present/pages/document.ts';
import { writeErrorPage } from '../present/pages/error-page.ts';
import { policyFor, sheetFor } from '../present/pages/style.ts';
import { localeFor } from '../present/words/locale.ts';
import { touchesOn } from '../store/engine/touches.ts';
import { type DeclaredDomain, listDomains } from '../store/read/lists/listing.ts';
import { findLanguage, type HeadRow, type ProductPath } from '../store/read/reads.ts';
import type { Source } from '../store/source/source.ts';
import { type ErrorResponse, type ErrorResponseOn, HTML_TYPE, jsonError, toBody } from './pipeline/send.ts';
import { baseUrlFor, listenUrl } from './urls.ts';

/** The base of all links, computed once the server listens: until then, the port may be 0. */
export function createBaseUrl(config: Pick<Config, 'host' | 'port' | 'baseUrl'>, server: () => Server) {
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
export function pageHead(site: Site, head: HeadRow | null, imageOrigins?: Iterable<string>): string[] {
  const css = sheetFor(site, head?.accent ?? null);
  const ownRoot = site.links.ownRoot(head?.domain ?? null);
  return ['content-security-policy', policyFor(css, imageOrigins, ownRoot === null ? [] : [ownRoot])];
}

export function pageResponse(site: Site, html: string): ErrorResponse {
  return { head: ['content-type', HTML_TYPE, ...pageHead(site, null)], body: toBody(html) };
}

export type Languages = ReturnType<typeof createLanguages>;

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

/** No product can take the host of `BASE_URL`, where everything else is. */
export function createDomains(source: Source, baseUrl: () => string) {
  let declared: ReadonlyMap<string, DeclaredDomain> = new Map();
  let readAt: number | null = null;
  let reading: Promise<typeof declared> | null = null;
  let own = { url: '', host: '', hostname: '' };
  const writes = countPublicWrites(source);

  /** Parsed once: a URL makes its parts each time that they are read. */
  function ownHost(): typeof own {
    const url = baseUrl();
    if (url === own.url) return own;
    const { host = '', hostname = '' } = URL.parse(url) ?? {};
    own = { url, host, hostname };
    return own;
  }

  /** Reads them, unless they are known: one query after a public write, for all requests that wait for it. */
  async function load(): Promise<typeof declared> {
    await source.isConfirmed();
    if (readAt === writes()) return declared;
    reading ??= read().finally(() => {
      reading = null;
    });
    return await reading;
  }

  async function read(): Promise<typeof declared> {
    const startedAt = writes();
    const revision = source.revision('public');
    try {
      const rows = await source.read(listDomains);
      declared = new Map((rows.found ?? []).map((row) => [row.domain, row]));
      // Rows from before a known write do not count as current.
      readAt = rows.revision >= revision ? startedAt : null;
    } catch {
      // The last ones known still count while the database is down (R30).
    }
    return declared;
  }

  return {
    load,
    /** Null for a host that no public product declares: it is the instance's own. */
    find: (host: string | undefined): MaybePromise<DeclaredDomain | null> => {
      if (host === undefined || host === ownHost().host) return null;
      const name = nameOf(host);
      if (name === null || name === own.hostname) return null;
      return andThen(source.isConfirmed(), () =>
        readAt === writes() ? (declared.get(name) ?? null) : load().then((all) => all.get(name) ?? null),
      );
    },
  };
}

/** The name in a `Host` with or without a port. Addresses and names of one label cannot be declared. */
const DOMAIN = /^((?=[\d.]*[a-z-])[a-z\d-]+(?:\.[a-z\d-]+)+)(?::\d*)?$/i;

/** Null for a host that no product can declare. */
const nameOf = (host: string) => DOMAIN.exec(host)?.[1]?.toLowerCase() ?? null;

/** Changes with each public write. A revision would not: another database in its place may have the same one. */
function countPublicWrites(source: Source): () => number {
  let writes = 0;
  source.onTouched((touches) => {
    if (touchesOn('public', touches).length > 0) writes++;
  });
  return () => writes;
}

export function createLanguages(source: Source) {
  /** After each one, nothing is known. */
  const writes = countPublicWrites(source);
  /** No language is the empty one. */
  const known = new LRUCache<string, string>({ max: 1_000 });
  const keyAt = (at: number, { team, product }: ProductPath) => `${at} ${team}/${product}`;
  return {
    /** English unless it is known, without a read. */
    of: (path: ProductPath): string => known.get(keyAt(writes(), path)) || DEFAULT_LANGUAGE,
    /** Takes note of what a read found that began after this many public writes. */
    note: (path: ProductPath, language: string, at: number) => void known.set(keyAt(at, path), language),
    writes,
    /** Reads it if it is not known. A hidden product takes as long as none, and has no language either (R9). */
    learn: async (path: ProductPath): Promise<void> => {
      const key = keyAt(writes(), path);
      if (known.has(key)) return;
      try {
        known.set(key, (await source.read((db) => findLanguage(db, path, visibleRows('public')))) ?? '');
      } catch {
        // The error is what matters; it is in English then.
      }
    },
  };
}
