// A database with rows in every table, all of its rows, and responses about it.
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import inject from 'light-my-request';
import { ROUTES } from '../../../src/http/routes.ts';
import { COPIED_TABLES, DERIVED } from '../../../src/store/copy/tables.ts';
import type { Writer } from '../../../src/store/engine/engine.ts';
import { engineOf } from '../../../src/store/engine/open.ts';
import { execute } from '../../../support/databases/engine.ts';
import type { Scope } from '../../../support/processes/scope.ts';
import { startApp } from '../../../support/program/app.ts';
import { runOk, type Sandbox } from '../../../support/program/command.ts';
import { RELEASE_NAMES, readRecording, restoreRelease } from '../migrate/releases.ts';

const [RELEASE = ''] = RELEASE_NAMES;

/** The content of a release, with what its program did not have. */
export async function fillEverything(sandbox: Sandbox): Promise<void> {
  await restoreRelease(sandbox, RELEASE);
  await runOk(sandbox, ['migrate']);
  const time = '2026-06-02T00:00:00.000Z';
  for (const statement of [
    `insert into hooks values ('chat', '${time}', '2026-05-01T00:00:00.000Z', 7, '', '', null, null),
      ('cdn', '${time}', '${time}', 5, 'node', '${time}', '${time}', 'the CDN is down')`,
    `insert into hook_deliveries values ('chat', 'ver_2_1_0', 'sent', 'msg_1', 1, '${time}', '${time}', null),
      ('chat', 'ver_gone', 'known', '', 0, '${time}', null, null),
      ('chat', 'ver_3_0_0-rc_1', 'pending', 'msg_2', 2, '${time}', null, 'HTTP 503')`,
    `update products set domain = 'changes.example', home_url = 'https://rocket.example/', accent = '#4f46e5',
      base_url = 'https://rocket.example/docs/', repository_url = 'https://github.com/acme/rocket',
      logo = 'https://rocket.example/logo.svg', image = 'https://rocket.example/cover.png'
      where id = (select min(id) from products)`,
    `update changelogs set description = 'All *changes*.', description_mark = 'mark' where id = 'cl_rocket'`,
    `update versions set compare_url = 'https://rocket.example/compare', image = 'https://rocket.example/210.png'
      where id = 'ver_2_1_0'`,
    `update api_keys set expires_at = '2999-01-01T00:00:00.000Z' where id = (select min(id) from api_keys)`,
    // A date in the future, and no change since: on PostgreSQL, a trigger would give it a time.
    `update versions set updated_at = null where published_at > '9999'`,
  ])
    await execute(sandbox, statement);
}

/** The columns that both engines have. */
const FACTS = sql`version_id, changelog_id, label, status, sort_key, version_order, major, is_prerelease`;

export type Rows = Record<string, string[]>;

/** Every row that queries see. */
export async function rowsOf(url: string): Promise<Rows> {
  await using db = (await engineOf(url)).openReader(url, {});
  const all: Rows = {};
  for (const table of [...COPIED_TABLES, ...DERIVED, 'revision']) {
    const columns = table === 'version_facts' ? FACTS : sql`*`;
    const query = sql<Record<string, unknown>>`select ${columns} from ${sql.table(table)}`;
    const { rows } = await query.execute(db as unknown as Writer);
    all[table] = rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
  }
  return all;
}

const { keys, responses } = readRecording(RELEASE);
type Request = (typeof responses)[number]['request'];
const valuesOf = (product: string): Record<string, string> => ({
  team: 'acme',
  product,
  versionId: 'ver_2_1_0',
  id: '1',
  tag: '2.1.0',
  label: '2.1.0',
  labels: '2.0.0...2.1.0',
});

/** The recorded requests, and every route for two products, with a key where it takes one. */
export const REQUESTS: readonly Request[] = [
  ...responses.map(({ request }) => request),
  ...ROUTES.filter(({ path }) => !path.includes('*')).flatMap(({ path }) =>
    ['rocket', 'texts'].map((product) => ({
      path: path.replaceAll(/:(\w+)/g, (_, name) => valuesOf(product)[name] ?? ''),
      key: 'full',
    })),
  ),
];

const VARYING = new Set(['date', 'ratelimit', 'x-request-id']);

/** Status, headers and body of each response. */
export async function responsesOf(
  scope: Scope,
  sandbox: Sandbox,
  requests: readonly Request[],
): Promise<string[]> {
  const { app } = await startApp(scope, sandbox, { LISTING: 'all', BASE_URL: 'https://changelog.example' });
  const found: string[] = [];
  for (const request of requests) {
    const { path, key, method = 'GET', headers } = request;
    const credential = key === undefined ? {} : { authorization: `Bearer ${keys[key]}` };
    const response = await inject(app.handle, {
      method: method as 'GET',
      url: path,
      headers: { ...headers, ...credential },
    });
    const lasting = Object.entries(response.headers).filter(([name]) => !VARYING.has(name));
    found.push(JSON.stringify([request, response.statusCode, lasting, response.body]));
  }
  assert.ok(found.some((text) => /,200,.*"etag"/.test(text)));
  return found;
}
