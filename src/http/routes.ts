// Every route, in matching order, the most frequent first. A line shows what guards its path; without a read or a
// document it is a 404.
import type { Config } from '../config.ts';
import { htmlNotes } from '../present/notes/html.ts';
import { textNotes } from '../present/notes/text.ts';
import { appStream } from '../present/outputs/appstream.ts';
import { atom } from '../present/outputs/atom.ts';
import { jsonFeed } from '../present/outputs/json-feed.ts';
import { changelogMarkdown, markdownNotes } from '../present/outputs/markdown.ts';
import { rss } from '../present/outputs/rss.ts';
import { NO_LIST } from './pipeline/path.ts';
import type { Guards } from './pipeline/router.ts';
import { HTML_TYPE, MARKDOWN_TYPE } from './pipeline/send.ts';
import type { Read } from './read.ts';
import * as documents from './reads/documents.ts';
import * as gitea from './reads/gitea.ts';
import * as outputs from './reads/outputs.ts';
import * as pages from './reads/pages.ts';
import * as records from './reads/records.ts';

export type RouteLine = Guards &
  Readonly<{
    path: string;
    read?: Read;
    document?: documents.Document;
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
const PUBLIC_LIST = { ...PUBLIC, isServed: listsTeams };

/** On both surfaces, below the path of a changelog. */
// biome-ignore format: a table
const CHANGELOG: readonly (readonly [path: string, read: Read])[] = [
  ['', records.changelogJson],
  ['/versions/:versionId', records.versionJson],
  ['/changes', records.changesJson],
  ['/update', records.updateJson],
  ['/versions/:versionId/notes.md', outputs.versionNotes(markdownNotes)],
  ['/versions/:versionId/notes.txt', outputs.versionNotes(textNotes)],
  ['/versions/:versionId/notes.html', outputs.versionNotes(htmlNotes)],
  ['/changes.md', outputs.rangeNotes(markdownNotes)],
  ['/changes.txt', outputs.rangeNotes(textNotes)],
  ['/changes.html', outputs.rangeNotes(htmlNotes)],
];

/** Public ones alone. */
// biome-ignore format: a table
const OUTPUTS: typeof CHANGELOG = [
  ['/feed.atom', outputs.readOutput(atom)],
  ['/feed.rss', outputs.readOutput(rss)],
  ['/feed.json', outputs.readOutput(jsonFeed)],
  ['/CHANGELOG.md', outputs.readOutput(changelogMarkdown)],
  ['/releases.xml', outputs.readOutput(appStream)],
  ['/latest.txt', outputs.latestTxt],
  ['/badge.json', outputs.badgeJson],
  ['/badge.svg', outputs.badgeSvg],
];

const below = (base: string, reads: typeof CHANGELOG, guards: Guards): RouteLine[] =>
  reads.map(([path, read]) => ({ path: base + path, ...guards, read }));

// biome-ignore format: a table
export const ROUTES: readonly RouteLine[] = [
  ...below('/api/v1/public/teams/:team/products/:product/changelog', [...CHANGELOG, ...OUTPUTS], PUBLIC),
  ...below('/api/v1/teams/:team/products/:product/changelog', CHANGELOG, TEAM),
  { path: '/api/v1/public/teams/:team/versions', ...PUBLIC_LIST, read: records.timelineJson },
  { path: '/api/v1/public/teams/:team/products', ...PUBLIC_LIST, read: records.productsJson },
  { path: '/api/v1/public/teams/:team/feed.atom', ...PUBLIC_LIST, read: outputs.teamFeed(atom) },
  { path: '/api/v1/public/teams/:team/feed.rss', ...PUBLIC_LIST, read: outputs.teamFeed(rss) },
  { path: '/api/v1/public/teams/:team/feed.json', ...PUBLIC_LIST, read: outputs.teamFeed(jsonFeed) },
  { path: '/api/v1/teams/:team/versions', ...TEAM, read: records.timelineJson },
  { path: '/api/v1/teams/:team/products', ...TEAM, read: records.productsJson },
  { path: '/api/openapi.json', ...TEAM, keyed: false, cors: 'read', document: documents.openApi },

  { path: '/api/v1/repos/:team/:product', ...GITEA, read: gitea.repository },
  { path: '/api/v1/repos/:team/:product/releases', ...GITEA, read: gitea.releases },
  { path: '/api/v1/repos/:team/:product/releases/latest', ...GITEA, read: gitea.latestRelease },
  { path: '/api/v1/repos/:team/:product/releases/tags/:tag', ...GITEA, read: gitea.releaseByTag },
  { path: '/api/v1/repos/:team/:product/releases/:id', ...GITEA, read: gitea.release },
  { path: '/api/v1/repos/:team/:product/tags', ...GITEA, read: gitea.tags },
  { path: '/api/v1/repos/:team/:product/tags/:tag', ...GITEA, read: gitea.tag },
  { path: '/api/v1/version', ...GITEA, document: documents.giteaVersion },

  { path: '/changelog/:team/llms.txt', ...PAGE, read: pages.llmsTxt, isServed: listsTeams },
  { path: '/changelog/:team/:product.md', ...PAGE, read: pages.changelogAs(MARKDOWN_TYPE) },
  { path: '/changelog/:team/:product', ...PAGE, read: pages.changelogAs(HTML_TYPE) },
  { path: '/changelog/:team/:product/versions/:versionId', ...PAGE, read: pages.version },
  { path: '/changelog/:team/:product/changes', ...PAGE, read: pages.changes },
  { path: '/changelog/:team/:product/changes.md', ...PAGE, read: pages.changesMarkdown },
  { path: '/changelog/:team.md', ...PAGE, read: pages.teamAs(MARKDOWN_TYPE), isServed: listsTeams },
  { path: '/changelog/:team', ...PAGE, read: pages.teamAs(HTML_TYPE), isServed: listsTeams },
  { path: '/', ...PAGE, read: pages.homeAs(HTML_TYPE), isServed: listsAll },
  { path: '/index.md', ...PAGE, read: pages.homeAs(MARKDOWN_TYPE), isServed: listsAll },
  { path: '/sitemap.xml', ...LIST, read: pages.sitemapXml, isServed: listsAll },
  { path: '/llms.txt', ...LIST, read: pages.llmsTxt, isServed: listsAll },

  { path: '/docs', ...OPEN, document: documents.docsPage },
  { path: '/robots.txt', ...OPEN, document: documents.robots },
  { path: '/widget.js', ...OPEN, cors: 'embed', document: documents.widget },
  { path: '/favicon.ico', ...OPEN, document: documents.noIcon },
  { path: '/demo', ...OPEN, document: documents.demo, isServed: ({ demoPage }) => demoPage !== null },

  // Unknown paths have the same guards as their neighbours (R25, R38).
  { path: '/api/v1/public/*', ...PUBLIC },
  { path: '/api/v1/repos/*', ...GITEA },
  { path: '/api/*', ...TEAM },
  { path: '/changelog/*', ...PAGE },
  { path: NO_LIST, ...LIST },

  // Links that clients of Gitea make (R57): after everything else that begins with a name.
  { path: '/:team/:product', ...PAGE, read: gitea.productRedirect },
  { path: '/:team/:product/releases', ...PAGE, read: gitea.productRedirect },
  { path: '/:team/:product/releases/latest', ...PAGE, read: gitea.latestRedirect },
  { path: '/:team/:product/releases/tag/:label', ...PAGE, read: gitea.tagRedirect },
  { path: '/:team/:product/compare/:labels', ...PAGE, read: gitea.compareRedirect },
  { path: '/:team/:product/releases/tag/*', ...PAGE },
  { path: '/:team/:product/compare/*', ...PAGE },
  { path: '/*', ...OPEN },
];
