// The target of the campaign: one small world served twice, without and with the gate. All hidden content has markers.

import { type Scope, temporaryFolder } from '../../support/processes/scope.ts';
import { listenApp, type StartedApp } from '../../support/program/app.ts';
import { apply, createKey, runOk, type Sandbox } from '../../support/program/command.ts';
import { KeepAlive, type RawResponse } from './client.ts';

export const SERVERS = ['open', 'gated'] as const;
export type ServerName = (typeof SERVERS)[number];

/** Keys, passwords and ETags differ from run to run; generated requests contain `{name}` instead. */
export const WORDS = [
  'openFull',
  'openSelect',
  'closedFull',
  'disabled',
  'deleted',
  'gate',
  'wrongGate',
  'feedEtag',
  'versionEtag',
  'pageEtag',
  'feedCursor',
  'teamCursor',
  'pageCursor',
] as const;
export type Word = (typeof WORDS)[number];

/** Prefixes of the markers that each key may see. */
export const REACH: Partial<Record<Word, readonly string[]>> = {
  openFull: ['hm-open-'],
  openSelect: ['hm-open-draft'],
  closedFull: ['hm-closed-'],
};

export type World = Readonly<{
  folder: string;
  ports: Record<ServerName, number>;
  words: Record<Word, string>;
  /** Removes and returns the log lines of both servers: a long run must not collect all of them. */
  takeLogLines: () => string[];
  /** Discards the recorded queries: a long run must not collect all of them. */
  forgetQueries: () => void;
}>;

export const FEED = '/api/v1/public/teams/open/products/site/changelog';
const TEAM_FEED = '/api/v1/teams/open/products/site/changelog';
const PAGE = '/changelog/open/site';
/** One path of each kind. */
export const ADDRESSES = [
  FEED,
  `${FEED}?limit=1&q=markdown`,
  ...['versions/ver_site1', 'versions/latest', 'versions/v1.0.0', 'changes?from=1.0.0'],
  'update?from=1.0.0',
  ...['feed.atom', 'feed.rss', 'feed.json', 'CHANGELOG.md'],
  ...['releases.xml', 'latest.txt', 'badge.json', 'badge.svg?label=new'],
  ...[PAGE, `${PAGE}?limit=1&q=markdown`, `${PAGE}/versions/latest`, `${PAGE}/changes`, `${PAGE}/changes.md`],
  ...[
    `${PAGE}.md`,
    `${PAGE}/versions/latest.md`,
    '/index.md',
    '/changelog/open.md',
    '/changelog/open/llms.txt',
  ],
  ...['/', '/changelog/open', '/sitemap.xml', '/llms.txt', '/robots.txt', '/widget.js', '/docs'],
].map((below) => (below.startsWith('/') ? below : `${FEED}/${below}`));
const VERSION = `${FEED}/versions/ver_site1`;

const GATE = { username: 'visitor', password: 'open sesame' };

export async function createWorld(scope: Scope): Promise<World> {
  const sandbox: Sandbox = { folder: temporaryFolder(scope) };
  await apply(sandbox, OPEN_TEAM);
  await apply(sandbox, CLOSED_TEAM);
  const keys = await createKeys(sandbox);
  const open = await listenApp(scope, sandbox, { LISTING: 'all' });
  const gated = await listenApp(scope, sandbox, {
    PASSWORD_PROTECTION: 'true',
    PASSWORD_PROTECTION_USERNAME: GATE.username,
    PASSWORD_PROTECTION_PASSWORD: GATE.password,
    LISTING: 'all',
    // Each request names its own client; otherwise a few wrong passwords would lock out all of them.
    TRUSTED_PROXIES: '127.0.0.0/8',
  });
  return {
    folder: sandbox.folder,
    ports: { open: open.port, gated: gated.port },
    words: {
      ...keys,
      gate: base64(`${GATE.username}:${GATE.password}`),
      wrongGate: base64(`${GATE.username}:guess`),
      feedEtag: await headerOf(open.port, FEED, 'etag'),
      versionEtag: await headerOf(open.port, VERSION, 'etag'),
      pageEtag: await headerOf(open.port, PAGE, 'etag'),
      feedCursor: cursorIn(await headerOf(open.port, `${FEED}?limit=1`, 'link')),
      teamCursor: cursorIn(await headerOf(open.port, `${TEAM_FEED}?limit=1`, 'link', keys.openFull)),
      pageCursor: cursorIn(await bodyOf(open.port, `${PAGE}?limit=1`)),
    },
    takeLogLines: () => [open, gated].flatMap(({ logLines }) => logLines.splice(0)),
    forgetQueries: () => forgetQueries([open, gated]),
  };
}

async function createKeys(sandbox: Sandbox) {
  const openFull = await createKey(sandbox, 'open', '--kind', 'FULL');
  const openSelect = await createKey(sandbox, 'open', '--kind', 'SELECT', '--product', 'hm-open-draft');
  const closedFull = await createKey(sandbox, 'hm-closed-team', '--kind', 'FULL');
  const disabled = await createKey(sandbox, 'open', '--kind', 'FULL');
  const deleted = await createKey(sandbox, 'open', '--kind', 'FULL');
  await runOk(sandbox, ['key', 'disable', disabled.id]);
  await runOk(sandbox, ['key', 'delete', deleted.id, '--yes']);
  return {
    openFull: openFull.key,
    openSelect: openSelect.key,
    closedFull: closedFull.key,
    disabled: disabled.key,
    deleted: deleted.key,
  };
}

async function headerOf(port: number, target: string, name: string, key = ''): Promise<string> {
  return (await get(port, target, key)).headers.get(name) ?? '';
}

async function bodyOf(port: number, target: string): Promise<string> {
  return (await get(port, target, '')).body;
}

async function get(port: number, target: string, key: string): Promise<RawResponse> {
  const client = new KeepAlive(port);
  const head = `GET ${target} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${key}`;
  const response = await client.send(`${head}\r\n\r\n`, 'GET');
  client.close();
  return response;
}

/** In a `Link` header, or in a link of a page. */
function cursorIn(text: string): string {
  const [, cursor] = /cursor=([\w-]+)[>"]/.exec(text) ?? [];
  if (cursor === undefined) throw new Error(`no cursor: ${text}`);
  return cursor;
}

function forgetQueries(apps: readonly StartedApp[]): void {
  for (const { queries } of apps) queries.length = 0;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

const OPEN_TEAM = {
  team: { slug: 'open', name: 'Open', visibility: 'public', plan: 'paid' },
  products: [
    {
      slug: 'site',
      name: 'Site',
      status: 'published',
      changelog: {
        status: 'published',
        versions: [
          hiddenVersion('hm-open-site', 'draft'),
          visibleVersion('site2', '2.0.0'),
          visibleVersion('site1', '1.0.0'),
        ],
      },
    },
    {
      slug: 'quiet',
      name: 'Quiet',
      status: 'published',
      changelog: { status: 'published', versions: [hiddenVersion('hm-open-quiet', 'draft')] },
    },
    hiddenProduct('hm-open-draft', { product: 'draft', changelog: 'published' }),
    hiddenProduct('hm-open-locked', { product: 'locked', changelog: 'published' }),
    hiddenProduct('hm-open-early', { product: 'published', changelog: 'draft' }),
    hiddenProduct('hm-open-frozen', { product: 'published', changelog: 'locked' }),
    { slug: 'hm-open-bare', name: 'hm-open-bare', status: 'published' },
  ],
};

const CLOSED_TEAM = {
  team: { slug: 'hm-closed-team', name: 'hm-closed-team', visibility: 'private', plan: 'paid' },
  products: [hiddenProduct('hm-closed-site', { product: 'published', changelog: 'published' })],
};

function hiddenProduct(mark: string, status: { product: string; changelog: string }) {
  return {
    slug: mark,
    name: mark,
    status: status.product,
    changelog: {
      id: `cl_${mark}`,
      name: mark,
      status: status.changelog,
      versions: [hiddenVersion(mark, 'published')],
    },
  };
}

function hiddenVersion(mark: string, status: string) {
  return {
    id: `ver_${mark}`,
    version: mark,
    title: mark,
    status,
    description: mark,
    changes: [{ id: `chg_${mark}`, type: 'added', text: mark }],
  };
}

function visibleVersion(id: string, version: string) {
  return {
    id: `ver_${id}`,
    version,
    title: `Größe & <b>${version}</b>`,
    status: 'published',
    publishedAt: '2026-05-04T09:00:00.000Z',
    description: 'With *Markdown*.',
    changes: [
      { type: 'added', text: 'A [link](https://example.com) and <script>alert(1)</script>.' },
      { type: 'fixed', text: 'A mistake. 🚀', breaking: true },
    ],
  };
}
