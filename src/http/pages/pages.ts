import type { Config } from '../../config.ts';
import { changelogPage } from './changelog-page.ts';
import { changesMarkdown, changesPage } from './changes-page.ts';
import { homePage, teamPage } from './list-pages.ts';
import { llms } from './llms.ts';
import type { PageResource } from './page-route.ts';
import { sitemap } from './sitemap.ts';
import { versionPage } from './version-page.ts';

/** All pages that a server has. What is not listed has no route, like anything that does not exist (R40). */
export function pagesFor({ listing }: Pick<Config, 'listing'>): readonly PageResource[] {
  return [
    changelogPage,
    versionPage,
    changesPage,
    changesMarkdown,
    ...(listing === 'none' ? [] : [teamPage]),
    ...(listing === 'all' ? [homePage, sitemap, llms] : []),
  ];
}
