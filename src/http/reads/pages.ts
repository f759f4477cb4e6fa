import type { Config } from '../../config.ts';
import { changelogPage } from './changelog-html.ts';
import { changesMarkdown, changesPage } from './changes-html.ts';
import { homePage, teamPage } from './list-html.ts';
import { llms } from './llms-txt.ts';
import type { PageResource } from './page-route.ts';
import { sitemap } from './sitemap-xml.ts';
import { versionPage } from './version-html.ts';

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
