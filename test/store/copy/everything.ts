// A database with rows in every table, all of its rows, and responses about it.
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import inject from 'light-my-request';
import { ROUTES } from '../../../src/http/routes.ts';
import { COPIED_TABLES } from '../../../src/store/copy/copy.ts';
import type { Writer } from '../../../src/store/engine/engine.ts';
import { engineOf } from '../../../src/store/engine/open.ts';
import { execute } from '../../../support/databases/engine.ts';
import type { Scope } from '../../../support/processes/scope.ts';
import { startApp } from '../../../support/program/app.ts';
import { apply, createKey, runOk, type Sandbox } from '../../../support/program/command.ts';
import { HARD_LABELS, HARD_TEXTS } from './hard-content.ts';

const VERSIONS = [
  {
    id: 'ver_3_0_0',
    version: '3.0.0',
    title: 'One launch file',
    description: 'A hushed draft: *not yet public*.',
    changes: [
      { id: 'chg_300a', type: 'removed', text: '`rocket.toml` is no longer read.', breaking: true },
      { id: 'chg_300b', type: 'added', text: 'A hushed command: `rocket plan`.' },
    ],
  },
  {
    id: 'ver_next',
    version: '3.1.0',
    title: 'A draft without changes',
    publishAt: '2999-01-01T09:00:00.000Z',
  },
  published('3.0.0-rc.1', '2026-06-01T10:00:00.000Z', { title: 'Release candidate' }),
  published('2.1.0', '2026-05-04T09:00:00.000Z', {
    title: 'Faster launches',
    description: 'Launches finish in about **half the time**.',
    image: 'https://rocket.example/210.png',
    links: { compare: 'https://rocket.example/compare' },
    changes: [
      { id: 'chg_210a', type: 'added', text: 'Launches can be paused:\n\n- inspect\n- skip' },
      { id: 'chg_210b', type: 'removed', text: 'The `push` command.', breaking: true },
      { id: 'chg_210c', type: 'security', text: 'Tokens are masked in logs.', breaking: true },
    ],
  }),
  published('2.0.0', '2026-03-02T10:00:00.000Z', { title: 'Environments' }),
  // Two at the same time.
  published('2.0.0-beta.10', '2026-02-01T00:00:00.000Z', { title: 'Tenth beta' }),
  published('2.0.0-beta.2', '2026-02-01T00:00:00.000Z', { title: 'Second beta' }),
  published('1.4.1', '2025-11-18T16:45:00.123Z', { title: 'Withdrawn', yanked: true }),
];

/** Triggers make these from what is copied. */
export const DERIVED = ['public_changelogs'];

const ACME = {
  team: { slug: 'acme', name: 'Acme & Söhne <GmbH>', visibility: 'public', plan: 'paid' },
  products: [
    product('rocket', VERSIONS, {
      domain: 'changes.example',
      logo: 'https://rocket.example/logo.svg',
      image: 'https://rocket.example/cover.png',
      accent: '#4f46e5',
      links: {
        base: 'https://rocket.example/docs/',
        home: 'https://rocket.example/',
        repository: 'https://github.com/acme/rocket',
      },
    }),
    product('labels', HARD_LABELS),
    product('texts', HARD_TEXTS),
    product('secret', hidden('secret'), { status: 'draft' }),
    product('frozen', hidden('frozen'), { status: 'locked' }),
    product('dropped', hidden('dropped')),
    { slug: 'bare', name: 'Bare', status: 'published' },
    { slug: 'imported', name: 'Imported', status: 'published' },
  ],
};

const teamOf = (slug: string, visibility: string) => ({
  team: { slug, name: slug, visibility, plan: 'paid' },
  products: [product(`${slug}-rocket`, hidden(slug))],
});

const IMPORTED = `# Changelog

All notable changes, by date.

## [1.1.0] - 2025-11-30 [YANKED]

- A leak in the lower tank.

## [1.0.0] - 2025-10-01

First flight.
`;

/** Every kind of content. Returns an API key that reads all of the team `acme`. */
export async function fillEverything(sandbox: Sandbox): Promise<string> {
  for (const document of [ACME, teamOf('vault', 'private'), teamOf('gone', 'public')])
    await apply(sandbox, document);
  await runOk(sandbox, ['import', 'acme/imported', '-', '--format', 'keep-a-changelog'], IMPORTED);
  const { id, key } = await createKey(sandbox, 'acme', '--kind', 'FULL', '--name', 'Ünïcode 钥匙');
  await createKey(sandbox, 'acme', '--kind', 'SELECT', '--product', 'rocket', '--expires', '2999-01-01');
  for (const args of [
    ['changelog', 'set', 'acme/imported', '--status', 'published'],
    ['version', 'unpublish', 'acme/imported', '1.1.0'],
    ['version', 'delete', 'acme/rocket', '2.0.0-beta.10', '--yes'],
    ['product', 'delete', 'acme/dropped', '--yes'],
    ['team', 'delete', 'gone', '--yes'],
  ])
    await runOk(sandbox, args);
  const time = '2026-06-02T00:00:00.000Z';
  for (const statement of [
    `insert into key_usage values ('${id}', '${time}')`,
    `insert into hook_deliveries values ('chat', 'watch', '', 'known', 7, '', 0, '${time}', '${time}', null),
      ('cdn', 'watch', '', 'known', 5, '', 0, '${time}', '${time}', null),
      ('cdn', 'purge', '1/3', 'pending', 3, 'msg_3', 2, '${time}', null, 'the CDN is down'),
      ('chat', 'announcement', 'ver_2_1_0', 'sent', 0, 'msg_1', 1, '${time}', '${time}', null),
      ('chat', 'announcement', 'ver_gone', 'known', 0, '', 0, '${time}', null, null),
      ('chat', 'announcement', 'ver_3_0_0-rc_1', 'pending', 0, 'msg_2', 2, '${time}', null, 'HTTP 503')`,
  ])
    await execute(sandbox, statement);
  return key;
}

export type Rows = Record<string, string[]>;

/** Every row that queries see, without the numbers that SQLite gives them. */
export async function rowsOf(url: string): Promise<Rows> {
  await using db = (await engineOf(url)).openReader(url, {});
  const all: Rows = {};
  for (const table of [...COPIED_TABLES, ...DERIVED, 'revision']) {
    const query = sql<Record<string, unknown>>`select * from ${sql.table(table)}`;
    const { rows } = await query.execute(db as unknown as Writer);
    all[table] = rows.map(({ number: _, ...row }) => JSON.stringify(Object.entries(row).sort())).sort();
  }
  return all;
}

const valuesOf = (product: string): Record<string, string> => ({
  team: 'acme',
  product,
  versionId: 'ver_2_1_0',
  id: '1',
  tag: '2.1.0',
  label: '2.1.0',
  labels: '2.0.0...2.1.0',
});

const QUERIES = {
  rocket: [
    'limit=2&include=changes',
    'since=2026-02-01&until=2026-05-04',
    'from=1.4.1&to=2.1.0',
    'type=security&prerelease=false',
    'breaking=true',
    'q=launch',
  ],
  texts: ['include=changes', 'q=cafe', 'q=火箭', 'q=запуск', 'q=σίσυφος', 'q=istanbul', 'q=node.js 2.1'],
  labels: ['limit=7', 'from=0.9&to=3', 'until=2024-12-31', 'q=1.0.0'],
};

/** Every route for two products, and filters, on both surfaces. */
export const REQUESTS: readonly string[] = [
  ...ROUTES.filter(({ path }) => !path.includes('*')).flatMap(({ path }) =>
    ['rocket', 'texts'].map((product) =>
      path.replaceAll(/:(\w+)/g, (_, name) => valuesOf(product)[name] ?? ''),
    ),
  ),
  ...Object.entries(QUERIES).flatMap(([product, queries]) =>
    queries.flatMap((query) =>
      ['public/', ''].map(
        (surface) => `/api/v1/${surface}teams/acme/products/${product}/changelog?${encodeURI(query)}`,
      ),
    ),
  ),
  ...HARD_LABELS.map(
    ({ version }) =>
      `/api/v1/public/teams/acme/products/labels/changelog/versions/${encodeURIComponent(version ?? '')}`,
  ),
];

const VARYING = new Set(['date', 'ratelimit', 'x-request-id']);

/** Status, headers and body of each response. */
export async function responsesOf(
  scope: Scope,
  sandbox: Sandbox,
  key: string,
  requests: readonly string[],
): Promise<string[]> {
  const { app } = await startApp(scope, sandbox, { LISTING: 'all', BASE_URL: 'https://changelog.example' });
  const found: string[] = [];
  for (const url of requests) {
    const response = await inject(app.handle, { url, headers: { authorization: `Bearer ${key}` } });
    const lasting = Object.entries(response.headers).filter(([name]) => !VARYING.has(name));
    found.push(JSON.stringify([url, response.statusCode, lasting, response.body]));
  }
  assert.ok(found.some((text) => /,200,.*"etag"/.test(text)));
  return found;
}

function product(slug: string, versions: readonly object[], more: object = {}) {
  const changelog = { id: `cl_${slug}`, name: `News of ${slug}`, status: 'published', versions };
  return { slug, name: slug, status: 'published', changelog, ...more };
}

function published(version: string, publishedAt: string, more: object) {
  return { id: `ver_${version.replaceAll('.', '_')}`, version, status: 'published', publishedAt, ...more };
}

function hidden(name: string) {
  const changes = [{ id: `chg_${name}`, type: 'added', text: `hushed ${name}` }];
  return [published('1.0.0', '2026-01-01', { id: `ver_${name}`, title: `Of ${name}`, changes })];
}
