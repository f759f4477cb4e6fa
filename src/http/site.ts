import type { Config } from '../config.ts';
import { serverLinks } from '../present/links.ts';
import { policyFor } from '../present/pages/policy.ts';
import { sheetFor } from '../present/pages/style.ts';
import type { Site } from '../present/pages/views.ts';
import type { HeadRow } from '../store/read/reads.ts';

type SiteOptions = Pick<Site, 'extraCss' | 'outputs'> &
  Readonly<{ config: Pick<Config, 'listing'>; baseUrl: () => string }>;

/** Cached until the base URL changes: before the server listens, its port may not be known. */
export function createSite({ config: { listing }, baseUrl, extraCss, outputs }: SiteOptions): () => Site {
  let site: Site | null = null;
  return () => {
    const url = baseUrl();
    if (site?.baseUrl === url) return site;
    site = {
      baseUrl: url,
      links: serverLinks(url),
      isStatic: false,
      extraCss,
      outputs,
      hasTeamPages: listing !== 'none',
      hasHomePage: listing === 'all',
    };
    return site;
  };
}

/** A page's headers: the only policy under which its style sheet applies. Null for a page without a product. */
export function pageHead(
  site: Site,
  head: HeadRow | null,
  imageOrigins?: Iterable<string>,
): readonly string[] {
  return ['content-security-policy', policyFor(sheetFor(site, head?.accent ?? null), imageOrigins)];
}
