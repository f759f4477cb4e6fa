// Every route, in matching order, the most frequent first. A line shows what guards its path; without a read or a
// document it is a 404.
import type { Config } from '../config.ts';
import { htmlNotes } from '../present/notes/document.ts';
import { textNotes } from '../present/notes/text.ts';
import { appStream } from '../present/outputs/appstream.ts';
import { atom } from '../present/outputs/atom.ts';
import { jsonFeed } from '../present/outputs/json-feed.ts';
import { changelogMarkdown, markdownNotes } from '../present/outputs/markdown.ts';
import { rss } from '../present/outputs/rss.ts';
import type { Document } from './document.ts';
import { NO_LIST } from './pipeline/path.ts';
import type { Guards } from './pipeline/router.ts';
import type { Read } from './read.ts';
import { llmsTxt, sitemapXml, teamLlmsTxt } from './reads/crawlers.ts';
import {
  demoHtml,
  docsHtml,
  giteaVersion,
  noIcon,
  openApiJson,
  robotsTxt,
  widgetJs,
} from './reads/documents.ts';
import {
  giteaCompareRedirect,
  giteaLatestRedirect,
  giteaLatestRelease,
  giteaProductRedirect,
  giteaRelease,
  giteaReleaseByTag,
  giteaReleases,
  giteaRepository,
  giteaTag,
  giteaTagRedirect,
  giteaTags,
} from './reads/gitea.ts';
import { homeAsMarkdown, homeHtml, teamAsMarkdown, teamHtml } from './reads/list-pages.ts';
import { rangeNotes, versionNotes } from './reads/notes.ts';
import { readOutput, teamFeed } from './reads/outputs.ts';
import {
  changelogAsMarkdown,
  changelogHtml,
  changesHtml,
  changesMarkdown,
  versionHtml,
} from './reads/product-pages.ts';
import { changelogJson, changesJson, updateJson, versionJson } from './reads/records.ts';
import { badgeJson, badgeSvg, latestTxt } from './reads/small-files.ts';
import { productsJson, timelineJson } from './reads/team.ts';

export type RouteLine = Guards &
  Readonly<{
    path: string;
    read?: Read;
    document?: Document;
    /** By default always. */
    isServed?: (config: Config) => boolean;
    /** What guards requests with an API key, where a key is optional (R57). */
    withKey?: Guards;
  }>;

const PUBLIC: Guards = { surface: 'public', limited: true, keyed: false, cors: 'read', gated: true };
const TEAM: Guards = { surface: 'team', limited: false, keyed: 'bearer', cors: 'none', gated: true };
const PAGE: Guards = { surface: 'pages', limited: true, keyed: false, cors: 'none', gated: true };
const LIST: Guards = { ...PAGE, surface: 'lists' };
/** Public without a key; with one, the rules of the team routes hold, unless it is for something else (R57). */
const GITEA = { ...PUBLIC, cors: 'count', withKey: { ...TEAM, keyed: 'token' } } satisfies Partial<RouteLine>;
const OPEN: Guards = { surface: 'open', limited: false, keyed: false, cors: 'none', gated: false };

const listsTeams = ({ listing }: Config) => listing !== 'none';
const listsAll = ({ listing }: Config) => listing === 'all';

// biome-ignore format: a table
export const ROUTES: readonly RouteLine[] = [
  { path: '/api/v1/public/teams/:team/products/:product/changelog', ...PUBLIC, read: changelogJson },
  { path: '/api/v1/public/teams/:team/products/:product/changelog/versions/:versionId', ...PUBLIC, read: versionJson },
  { path: '/api/v1/public/teams/:team/products/:product/changelog/changes', ...PUBLIC, read: changesJson },
  { path: '/api/v1/public/teams/:team/products/:product/changelog/update', ...PUBLIC, read: updateJson },
  { path: '/api/v1/public/teams/:team/products/:product/changelog/versions/:versionId/notes.md', ...PUBLIC, read: versionNotes(markdownNotes) },
  { path: '/api/v1/public/teams/:team/products/:product/changelog/versions/:versionId/notes.txt', ...PUBLIC, read: versionNotes(textNotes) },
  { path: '/api/v1/public/teams/:team/products/:product/changelog/versions/:versionId/notes.html', ...PUBLIC, read: versionNotes(htmlNotes) },
  { path: '/api/v1/public/teams/:team/products/:product/changelog/changes.md', ...PUBLIC, read: rangeNotes(markdownNotes) },
  { path: '/api/v1/public/teams/:team/products/:product/changelog/changes.txt', ...PUBLIC, read: rangeNotes(textNotes) },
  { path: '/api/v1/public/teams/:team/products/:product/changelog/changes.html', ...PUBLIC, read: rangeNotes(htmlNotes) },
  { path: '/api/v1/public/teams/:team/products/:product/changelog/feed.atom', ...PUBLIC, read: readOutput(atom) },
  { path: '/api/v1/public/teams/:team/products/:product/changelog/feed.rss', ...PUBLIC, read: readOutput(rss) },
  { path: '/api/v1/public/teams/:team/products/:product/changelog/feed.json', ...PUBLIC, read: readOutput(jsonFeed) },
  { path: '/api/v1/public/teams/:team/products/:product/changelog/CHANGELOG.md', ...PUBLIC, read: readOutput(changelogMarkdown) },
  { path: '/api/v1/public/teams/:team/products/:product/changelog/releases.xml', ...PUBLIC, read: readOutput(appStream) },
  { path: '/api/v1/public/teams/:team/products/:product/changelog/latest.txt', ...PUBLIC, read: latestTxt },
  { path: '/api/v1/public/teams/:team/products/:product/changelog/badge.json', ...PUBLIC, read: badgeJson },
  { path: '/api/v1/public/teams/:team/products/:product/changelog/badge.svg', ...PUBLIC, read: badgeSvg },
  { path: '/api/v1/teams/:team/products/:product/changelog', ...TEAM, read: changelogJson },
  { path: '/api/v1/teams/:team/products/:product/changelog/versions/:versionId', ...TEAM, read: versionJson },
  { path: '/api/v1/teams/:team/products/:product/changelog/changes', ...TEAM, read: changesJson },
  { path: '/api/v1/teams/:team/products/:product/changelog/update', ...TEAM, read: updateJson },
  { path: '/api/v1/teams/:team/products/:product/changelog/versions/:versionId/notes.md', ...TEAM, read: versionNotes(markdownNotes) },
  { path: '/api/v1/teams/:team/products/:product/changelog/versions/:versionId/notes.txt', ...TEAM, read: versionNotes(textNotes) },
  { path: '/api/v1/teams/:team/products/:product/changelog/versions/:versionId/notes.html', ...TEAM, read: versionNotes(htmlNotes) },
  { path: '/api/v1/teams/:team/products/:product/changelog/changes.md', ...TEAM, read: rangeNotes(markdownNotes) },
  { path: '/api/v1/teams/:team/products/:product/changelog/changes.txt', ...TEAM, read: rangeNotes(textNotes) },
  { path: '/api/v1/teams/:team/products/:product/changelog/changes.html', ...TEAM, read: rangeNotes(htmlNotes) },
  { path: '/api/v1/public/teams/:team/versions', ...PUBLIC, read: timelineJson, isServed: listsTeams },
  { path: '/api/v1/public/teams/:team/products', ...PUBLIC, read: productsJson, isServed: listsTeams },
  { path: '/api/v1/public/teams/:team/feed.atom', ...PUBLIC, read: teamFeed(atom), isServed: listsTeams },
  { path: '/api/v1/public/teams/:team/feed.rss', ...PUBLIC, read: teamFeed(rss), isServed: listsTeams },
  { path: '/api/v1/public/teams/:team/feed.json', ...PUBLIC, read: teamFeed(jsonFeed), isServed: listsTeams },
  { path: '/api/v1/teams/:team/versions', ...TEAM, read: timelineJson },
  { path: '/api/v1/teams/:team/products', ...TEAM, read: productsJson },
  { path: '/api/openapi.json', ...TEAM, keyed: false, cors: 'read', document: openApiJson },

  { path: '/api/v1/repos/:team/:product', ...GITEA, read: giteaRepository },
  { path: '/api/v1/repos/:team/:product/releases', ...GITEA, read: giteaReleases },
  { path: '/api/v1/repos/:team/:product/releases/latest', ...GITEA, read: giteaLatestRelease },
  { path: '/api/v1/repos/:team/:product/releases/tags/:tag', ...GITEA, read: giteaReleaseByTag },
  { path: '/api/v1/repos/:team/:product/releases/:id', ...GITEA, read: giteaRelease },
  { path: '/api/v1/repos/:team/:product/tags', ...GITEA, read: giteaTags },
  { path: '/api/v1/repos/:team/:product/tags/:tag', ...GITEA, read: giteaTag },
  { path: '/api/v1/version', ...GITEA, document: giteaVersion },

  { path: '/changelog/:team/llms.txt', ...PAGE, read: teamLlmsTxt, isServed: listsTeams },
  { path: '/changelog/:team/:product.md', ...PAGE, read: changelogAsMarkdown },
  { path: '/changelog/:team/:product', ...PAGE, read: changelogHtml },
  { path: '/changelog/:team/:product/versions/:versionId', ...PAGE, read: versionHtml },
  { path: '/changelog/:team/:product/changes', ...PAGE, read: changesHtml },
  { path: '/changelog/:team/:product/changes.md', ...PAGE, read: changesMarkdown },
  { path: '/changelog/:team.md', ...PAGE, read: teamAsMarkdown, isServed: listsTeams },
  { path: '/changelog/:team', ...PAGE, read: teamHtml, isServed: listsTeams },
  { path: '/', ...PAGE, read: homeHtml, isServed: listsAll },
  { path: '/index.md', ...PAGE, read: homeAsMarkdown, isServed: listsAll },
  { path: '/sitemap.xml', ...LIST, read: sitemapXml, isServed: listsAll },
  { path: '/llms.txt', ...LIST, read: llmsTxt, isServed: listsAll },

  { path: '/docs', ...OPEN, document: docsHtml },
  { path: '/robots.txt', ...OPEN, document: robotsTxt },
  { path: '/widget.js', ...OPEN, cors: 'embed', document: widgetJs },
  { path: '/favicon.ico', ...OPEN, document: noIcon },
  { path: '/demo', ...OPEN, document: demoHtml, isServed: ({ demoPage }) => demoPage !== null },

  // Unknown paths have the same guards as their neighbours (R25, R38).
  { path: '/api/v1/public/*', ...PUBLIC },
  { path: '/api/v1/repos/*', ...GITEA },
  { path: '/api/*', ...TEAM },
  { path: '/changelog/*', ...PAGE },
  { path: NO_LIST, ...LIST },

  // Links that clients of Gitea make (R57): after everything else that begins with a name.
  { path: '/:team/:product', ...PAGE, read: giteaProductRedirect },
  { path: '/:team/:product/releases', ...PAGE, read: giteaProductRedirect },
  { path: '/:team/:product/releases/latest', ...PAGE, read: giteaLatestRedirect },
  { path: '/:team/:product/releases/tag/:label', ...PAGE, read: giteaTagRedirect },
  { path: '/:team/:product/compare/:labels', ...PAGE, read: giteaCompareRedirect },
  { path: '/*', ...OPEN },
];
