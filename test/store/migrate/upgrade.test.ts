// Databases of earlier releases and of earlier schema steps are upgraded with their content.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openSender, type Response, SETTINGS } from '../../../scripts/release-fixture/fixture.ts';
import { TEAM_FEED } from '../../../support/content/world.ts';
import { type Dump, dump, execute, query } from '../../../support/databases/engine.ts';
import { type Scope, temporaryFolder } from '../../../support/processes/scope.ts';
import { startApp } from '../../../support/program/app.ts';
import { runOk, type Sandbox } from '../../../support/program/command.ts';
import { spawnServer } from '../../../support/program/process.ts';
import { expectFailure, runJson } from '../../cli/helpers.ts';
import { becomes } from '../../support/becomes.ts';
import { makeEarlier } from './earlier.ts';
import {
  DIFFERENCES,
  type Difference,
  expectedNow,
  PAGES_NOW,
  RELEASE_NAMES,
  readRecording,
  restoreRelease,
} from './releases.ts';

const TOUCHES = 'select team_id, product_id, revision from touches order by team_id, product_id';
const COUNTS = 'select id, change_count from versions order by id';

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

it('test/releases has the fixture of the first release', () => {
  assert.ok(
    RELEASE_NAMES.includes('5e494ce'),
    'test/releases/5e494ce is missing; restore it, and never make it again',
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
        const now = await ask(withEtag(request, etags));
        etags.set(response.headers.etag ?? '', now.headers.etag ?? '');
        if (PAGES_NOW.includes(request.path)) assert.equal(now.status, response.status, request.path);
        else if (response.status === 304) assert.deepEqual(now, withEtag(response, etags), request.path);
