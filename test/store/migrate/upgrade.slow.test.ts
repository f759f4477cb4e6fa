// Databases of earlier releases are upgraded with their content.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openSender, type Response, SETTINGS } from '../../../scripts/release-fixture/fixture.ts';
import { visibleRows } from '../../../src/domain/access/visibility.ts';
import { NO_FILTER } from '../../../src/domain/feed-query.ts';
import { openReader } from '../../../src/store/engine/open.ts';
import { findPage, type PageRow } from '../../../src/store/read/pages.ts';
import { TEAM_FEED } from '../../../support/content/world.ts';
import { type Dump, databaseUrl, dump, execute, query } from '../../../support/databases/engine.ts';
import { type Scope, temporaryFolder } from '../../../support/processes/scope.ts';
import { startApp } from '../../../support/program/app.ts';
import { apply, runOk, type Sandbox } from '../../../support/program/command.ts';
import { spawnServer } from '../../../support/program/process.ts';
import { expectFailure, runJson } from '../../cli/helpers.ts';
import { becomes } from '../../support/becomes.ts';
import { checkTimeline } from '../triggers/check-timeline.ts';
import { addLaterStep, LATER } from './later-step.ts';
import {
  DIFFERENCES,
  type Difference,
  expectedNow,
  RELEASE_NAMES,
  readRecording,
  restoreRelease,
  rewritten,
} from './releases.ts';

const CONTENT = ['teams', 'products', 'changelogs', 'versions', 'changes'];
const KEYS = ['api_keys', 'api_key_products', 'key_usage'];
const KEPT = [...CONTENT, ...KEYS, 'import_marks', 'revision', 'touches'];

/** Every row that users, commands and the server wrote; with `before`, only the columns that it had then. */
async function contentOf(sandbox: Sandbox, before?: Dump): Promise<Dump> {
  const tables = Object.entries((await dump(sandbox)) ?? {}).filter(([name]) =>
    before === undefined ? KEPT.includes(name) : name in before,
  );
  return Object.fromEntries(
    tables.map(([name, rows]) => {
      const columns = Object.keys(before?.[name]?.[0] ?? rows[0] ?? {});
      const kept = rows.map((row) => JSON.stringify(columns.map((column) => [column, row[column]])));
      return [name, kept.sort().map((row) => Object.fromEntries(JSON.parse(row)))];
    }),
  );
}

it('test/releases has a fixture', () => {
  assert.ok(
    RELEASE_NAMES.length > 0,
    'test/releases has no fixture: restore them, or make the first with `npm run generate fixture COMMIT`',
  );
});

for (const release of RELEASE_NAMES) {
  describe(`a database of ${release}`, () => {
    const restored = async (scope: Scope): Promise<Sandbox> => {
      const sandbox: Sandbox = { folder: temporaryFolder(scope) };
      await restoreRelease(sandbox, release);
      return sandbox;
    };
    const upgraded = async (scope: Scope): Promise<Sandbox> => {
      const sandbox = await restored(scope);
      await runOk(sandbox, ['migrate']);
      return sandbox;
    };
    const recording = readRecording(release);

    it(`migrate keeps every row of a database of ${release}, and runs once`, async (t) => {
      const sandbox = await restored(t);
      const before = await contentOf(sandbox);
      await runOk(sandbox, ['migrate']);
      assert.deepEqual(await contentOf(sandbox, before), before);
      const after = await dump(sandbox);
      assert.equal(await runOk(sandbox, ['migrate']), 'The schema is up to date.\n');
      assert.deepEqual(await dump(sandbox), after);
    });

    it(`serve rejects a database of ${release} that was not migrated, unless its schema is the same`, async (t) => {
      const { steps } = await runJson<{ steps: string[] }>(await restored(t), ['migrate']);
      const sandbox = await restored(t);
      const manual = { ...sandbox, environment: { AUTO_MIGRATE: 'false' } };
      if (steps.length > 0)
        assert.match(await expectFailure(manual, ['serve', '--port', '0']), /older schema/);
      else await runOk(manual, ['team', 'list']);
    });

    it(`a database of ${release} gives the same responses and exports as then`, async (t) => {
      const sandbox = await upgraded(t);
      const used = new Set<Difference>();
      // Commands first, because requests record the use of their key.
      for (const { args, input, stdout } of recording.commands) {
        const expected = expectedNow(release, args.join(' '), stdout, used);
        assert.equal(await runOk(sandbox, args, input), expected, args.join(' '));
      }
      const server = await spawnServer(t, sandbox, SETTINGS);
      using ask = openSender(server.address, recording.keys);
      const etags = new Map<string, string>();
      for (const { request, response } of recording.responses) {
        const body = expectedNow(release, request.path, response.body, used);
        const now = await ask(withValues(request, etags));
        etags.set(response.headers.etag ?? '', now.headers.etag ?? '');
        const other = rewritten(release, request.path, used);
        if (other !== undefined) assert.equal(now.status, other.status ?? response.status, request.path);
        else if (response.status === 304) assert.deepEqual(now, withValues(response, etags), request.path);
        else if (body === response.body) assert.deepEqual(now, response, JSON.stringify(request));
        else assertEdited(now, response, body);
      }
      const unused = DIFFERENCES.filter((one) => one.releases.includes(release) && !used.has(one));
      assert.deepEqual(unused, [], 'a listed difference does not occur');
    });

    it(`a database of ${release} accepts exactly the keys that were active`, async (t) => {
      const { app } = await startApp(t, await upgraded(t));
      const statusOf = async (name: string) => {
        const headers = { authorization: `Bearer ${recording.keys[name]}` };
        return (await app.inject({ url: TEAM_FEED, headers })).statusCode;
      };
      for (const name of ['full', 'select', 'enabled', 'unused'])
        assert.equal(await statusOf(name), 200, name);
      for (const name of ['disabled', 'deleted', 'gone']) assert.equal(await statusOf(name), 401, name);
    });

    it(`a database of ${release} shows and finds a product that plain SQL publishes after the upgrade`, async (t) => {
      const sandbox = await upgraded(t);
      const { app } = await startApp(t, sandbox);
      const search = async () => {
        const response = await app.inject('/api/v1/public/teams/acme/products/secret/changelog?q=hushed');
        return response.json().data?.versions.length ?? response.statusCode;
      };
      assert.equal(await search(), 404);
      await execute(sandbox, `update products set status = 'published' where slug = 'secret'`);
      await becomes(search, 1);
    });

    it(`a database of ${release} finds its breaking changes after the upgrade`, async (t) => {
      const sandbox = await upgraded(t);
      const db = await openReader(databaseUrl(sandbox));
      t.after(() => db.destroy());
      const path = { team: 'acme', product: 'rocket' };
      const filter = { ...NO_FILTER, isBreaking: true, withChanges: true };
      const idsOf = (versions: readonly PageRow[] = []) => versions.map(({ id }) => id);
      const { found } = await findPage(db, path, visibleRows('team'), filter);
      const { found: all } = await findPage(db, path, visibleRows('team'), { ...filter, isBreaking: false });
      const expected = all?.versions.filter(({ changes }) => changes.some(({ breaking }) => breaking === 1));
      assert.ok(expected !== undefined && expected.length > 1);
      assert.deepEqual(idsOf(found?.versions), idsOf(expected));
    });

    it(`a database of ${release} has the timeline of each team after the upgrade`, async (t) => {
      const sandbox = await upgraded(t);
      await checkTimeline(
        { rows: async (text) => (await query(sandbox, text)).map(Object.values) },
        'migrate',
      );
    });

    it(`the recording of ${release} has responses of every status`, () => {
      const statuses = new Set(recording.responses.map(({ response }) => response.status));
      const expected = new Set([200, 204, 304, 400, 401, 403, 404, 405]);
      assert.deepEqual([...expected.difference(statuses)], []);
    });
  });
}

/** With the header values of today: a text that was changed on purpose has another ETag. */
function withValues<T extends { headers?: Record<string, string> }>(
  sent: T,
  values: ReadonlyMap<string, string>,
): T {
  if (sent.headers === undefined) return sent;
  const headers = Object.entries(sent.headers).map(([name, value]) => [name, values.get(value) ?? value]);
  return { ...sent, headers: Object.fromEntries(headers) };
}

/** A text that was changed on purpose has another length and ETag; everything else is the same. */
function assertEdited(now: Response, before: Response, body: string): void {
  const { etag, ...headers } = before.headers;
  const { etag: etagNow, ...headersNow } = now.headers;
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  assert.deepEqual({ ...now, headers: headersNow }, { ...before, body, headers: { ...headers, ...length } });
  assert.equal(etagNow === undefined, etag === undefined);
  if (etag !== undefined) assert.notEqual(etagNow, etag);
}

it('migrate runs only the steps that a database does not have yet, and keeps its rows', async (t) => {
  const sandbox: Sandbox = { folder: temporaryFolder(t) };
  await apply(sandbox, { team: { slug: 'acme', name: 'Acme', plan: 'paid' } });
  const before = await contentOf(sandbox);
  addLaterStep(t);
  assert.deepEqual((await runJson<{ steps: string[] }>(sandbox, ['migrate'])).steps, [LATER.name]);
  assert.deepEqual(await contentOf(sandbox, before), before);
  assert.deepEqual(await query(sandbox, 'select slug, later from teams'), [{ slug: 'acme', later: 1 }]);
});
