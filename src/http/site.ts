import type { Config } from '../config.ts';
import { serverLinks } from '../present/links.ts';
import type { Site } from '../present/pages/document.ts';
import { policyFor, sheetFor } from '../present/pages/style.ts';
import type { HeadRow } from '../store/read/reads.ts';

type SiteOptions = Pick<Site, 'extraCss' | 'outputs' | 'hubsFor'> &
  Readonly<{ config: Pick<Config, 'listing'>; baseUrl: () => string }>;

/** Cached until the base URL changes: before the server listens, its port may not be known. */
export function createSite({ config: { listing }, baseUrl, ...rest }: SiteOptions): () => Site {
  let site: Site | null = null;
  return () => {
    const url = baseUrl();
    if (site?.baseUrl === url) return site;
    site = {
      baseUrl: url,
      links: serverLinks(url),
      isStatic: false,
      ...rest,
      hasTeamPages: listing !== 'none',
      hasHomePage: listing === 'all',
    };
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
