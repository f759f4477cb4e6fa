// R29 on the embedded database: what any process commits, the very next request sees.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { run, runOk, type Workplace } from '../support/command.ts';
import { sharedScope, temporaryFolder } from '../support/folder.ts';
import { type ServerProcess, spawnServer } from '../support/process.ts';
import { PUBLIC_FEED, seedWorld, TEAM_FEED, type World } from '../support/world.ts';

const SQLITE = path.resolve(import.meta.dirname, '../../node_modules/better-sqlite3/lib/index.js');

/** Runs a statement in a process of its own, past all of our tools. */
function plainSql({ folder }: Workplace, statement: string): void {
  const script = `const Database = require(${JSON.stringify(SQLITE)});
    const db = new Database(${JSON.stringify(`${folder}/changelog.db`)});
    if (db.prepare(process.argv[1]).run().changes === 0) process.exit(1);`;
  execFileSync(process.execPath, ['-e', script, statement]);
}

describe('a running server sees at its next request', () => {
  const scope = sharedScope();
  const workplace: Workplace = { folder: temporaryFolder(scope) };
  let server: ServerProcess;
  let world: World;

  before(async () => {
    world = await seedWorld(workplace);
    server = await spawnServer(scope, workplace, { PUBLIC_RATE_LIMIT: '100000', LOG_LEVEL: 'silent' });
  });

  const publicStatus = async (rest = '') => (await fetch(server.address + PUBLIC_FEED + rest)).status;
  const keyStatus = async (key = world.full) =>
    (await fetch(server.address + TEAM_FEED, { headers: { authorization: `Bearer ${key}` } })).status;
  const publicLabels = async () => {
    const { data } = (await (await fetch(server.address + PUBLIC_FEED)).json()) as {
      data: { versions: { version: string }[] };
    };
    return data.versions.map(({ version }) => version);
  };

  it('a key that was disabled, and enabled again', async () => {
    for (let round = 0; round < 5; round++) {
      await runOk(workplace, ['key', 'disable', world.fullId]);
      assert.equal(await keyStatus(), 401);
      await runOk(workplace, ['key', 'enable', world.fullId]);
      assert.equal(await keyStatus(), 200);
    }
  });

  it('a team that was made private, and public again', async () => {
    for (let round = 0; round < 5; round++) {
      await runOk(workplace, ['team', 'set', 'acme', '--visibility', 'private']);
      assert.equal(await publicStatus(), 404);
      await runOk(workplace, ['team', 'set', 'acme', '--visibility', 'public']);
      assert.equal(await publicStatus(), 200);
    }
  });

  it('a version that was published, and unpublished', async () => {
    for (let round = 0; round < 5; round++) {
      await runOk(workplace, ['version', 'publish', 'acme/rocket', '3.0.0']);
      assert.deepEqual(await publicLabels(), ['3.0.0', '2.1.0', '1.0.0']);
      assert.equal(await publicStatus('/versions/ver_300'), 200);
      await runOk(workplace, ['version', 'unpublish', 'acme/rocket', '3.0.0']);
      assert.deepEqual(await publicLabels(), ['2.1.0', '1.0.0']);
      assert.equal(await publicStatus('/versions/ver_300'), 404);
    }
  });

  it('a product or a changelog that was locked, and attached products', async () => {
    await runOk(workplace, ['product', 'set', 'acme/rocket', '--status', 'locked']);
    assert.equal(await publicStatus(), 404);
    await runOk(workplace, ['product', 'set', 'acme/rocket', '--status', 'published']);
    await runOk(workplace, ['changelog', 'set', 'acme/rocket', '--status', 'draft']);
    assert.equal(await publicStatus(), 404);
    await runOk(workplace, ['changelog', 'set', 'acme/rocket', '--status', 'published']);
    assert.equal(await publicStatus(), 200);
    const { stdout } = await run(workplace, ['key', 'list', 'acme', '--json']);
    const select = JSON.parse(stdout).find(({ kind }: { kind: string }) => kind === 'SELECT');
    await runOk(workplace, ['key', 'detach', select.id, 'rocket']);
    assert.equal(await keyStatus(world.select), 403);
    await runOk(workplace, ['key', 'attach', select.id, 'rocket']);
    assert.equal(await keyStatus(world.select), 200);
  });

  it('what plain SQL in another process committed', async () => {
    plainSql(workplace, `update api_keys set status = 'disabled' where id = '${world.fullId}'`);
    assert.equal(await keyStatus(), 401);
    plainSql(workplace, `update api_keys set status = 'active' where id = '${world.fullId}'`);
    assert.equal(await keyStatus(), 200);
    plainSql(workplace, `update teams set visibility = 'private' where slug = 'acme'`);
    assert.equal(await publicStatus(), 404);
    plainSql(workplace, `update teams set visibility = 'public' where slug = 'acme'`);
    assert.equal(await publicStatus(), 200);
    plainSql(workplace, `update versions set status = 'draft' where id = 'ver_210'`);
    assert.deepEqual(await publicLabels(), ['1.0.0']);
    plainSql(workplace, `update versions set status = 'published' where id = 'ver_210'`);
    assert.deepEqual(await publicLabels(), ['2.1.0', '1.0.0']);
    plainSql(workplace, `update versions set title = 'Renamed' where id = 'ver_210'`);
    assert.match(await (await fetch(server.address + PUBLIC_FEED)).text(), /"Renamed"/);
  });
});
