import type { Config } from '../../config.ts';
import type { Site } from '../../present/pages/views.ts';

type SiteOptions = Readonly<{ config: Pick<Config, 'listing'>; baseUrl: () => string; extraCss: string }>;

/** The same value as long as the base URL is the same: before the server listens, its port may not be known. */
export function createSite({ config: { listing }, baseUrl, extraCss }: SiteOptions): () => Site {
  let site: Site | null = null;
  return () => {
    const url = baseUrl();
    if (site?.baseUrl === url) return site;
    site = { baseUrl: url, extraCss, hasTeamPages: listing !== 'none', hasHomePage: listing === 'all' };
    return site;
  };
}
