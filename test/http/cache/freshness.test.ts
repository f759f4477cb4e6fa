// R29: what any process commits, a running server sees: at its next request, or within a second over a network.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { PUBLIC_FEED, seedWorld, TEAM_FEED, type World } from '../../../support/content/world.ts';
import { execute, STALE } from '../../../support/databases/engine.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { run, runOk, type Workplace } from '../../../support/program/command.ts';
import { type ServerProcess, spawnServer } from '../../../support/program/process.ts';
import { becomes } from '../../support/becomes.ts';

/** Plain SQL past all of our tools; the server is a process of its own. */
async function plainSql(workplace: Workplace, statement: string): Promise<void> {
  assert.equal(await execute(workplace, statement), 1, statement);
}

describe(`a running server sees ${STALE.words}`, () => {
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
  const listed = async (field: 'version' | 'title') => {
    const { data } = (await (await fetch(server.address + PUBLIC_FEED)).json()) as {
      data: { versions: Record<typeof field, string>[] };
    };
    return data.versions.map((version) => version[field]);
  };
  const publicLabels = () => listed('version');

  it('a key that was disabled, and enabled again', async () => {
    for (let round = 0; round < 5; round++) {
      await runOk(workplace, ['key', 'disable', world.fullId]);
      await becomes(keyStatus, 401);
      await runOk(workplace, ['key', 'enable', world.fullId]);
      await becomes(keyStatus, 200);
    }
  });

  it('a team that was made private, and public again', async () => {
    for (let round = 0; round < 5; round++) {
      await runOk(workplace, ['team', 'set', 'acme', '--visibility', 'private']);
      await becomes(publicStatus, 404);
      await runOk(workplace, ['team', 'set', 'acme', '--visibility', 'public']);
      await becomes(publicStatus, 200);
    }
  });

  it('a version that was published, and unpublished', async () => {
    for (let round = 0; round < 5; round++) {
      await runOk(workplace, ['version', 'publish', 'acme/rocket', '3.0.0']);
      await becomes(publicLabels, ['3.0.0', '2.1.0', '1.0.0']);
      await becomes(() => publicStatus('/versions/ver_300'), 200);
      await runOk(workplace, ['version', 'unpublish', 'acme/rocket', '3.0.0']);
      await becomes(publicLabels, ['2.1.0', '1.0.0']);
      await becomes(() => publicStatus('/versions/ver_300'), 404);
    }
  });

  it('a product or a changelog that was locked, and attached products', async () => {
    await runOk(workplace, ['product', 'set', 'acme/rocket', '--status', 'locked']);
    await becomes(publicStatus, 404);
    await runOk(workplace, ['product', 'set', 'acme/rocket', '--status', 'published']);
    await runOk(workplace, ['changelog', 'set', 'acme/rocket', '--status', 'draft']);
    await becomes(publicStatus, 404);
    await runOk(workplace, ['changelog', 'set', 'acme/rocket', '--status', 'published']);
    await becomes(publicStatus, 200);
    const { stdout } = await run(workplace, ['key', 'list', 'acme', '--json']);
    const select = JSON.parse(stdout).find(({ kind }: { kind: string }) => kind === 'SELECT');
    await runOk(workplace, ['key', 'detach', select.id, 'rocket']);
    await becomes(() => keyStatus(world.select), 403);
    await runOk(workplace, ['key', 'attach', select.id, 'rocket']);
    await becomes(() => keyStatus(world.select), 200);
  });

  it('what plain SQL in another process committed', async () => {
    await plainSql(workplace, `update api_keys set status = 'disabled' where id = '${world.fullId}'`);
    await becomes(keyStatus, 401);
    await plainSql(workplace, `update api_keys set status = 'active' where id = '${world.fullId}'`);
    await becomes(keyStatus, 200);
    await plainSql(workplace, `update teams set visibility = 'private' where slug = 'acme'`);
    await becomes(publicStatus, 404);
    await plainSql(workplace, `update teams set visibility = 'public' where slug = 'acme'`);
    await becomes(publicStatus, 200);
    await plainSql(workplace, `update versions set status = 'draft' where id = 'ver_210'`);
    await becomes(publicLabels, ['1.0.0']);
    await plainSql(workplace, `update versions set status = 'published' where id = 'ver_210'`);
    await becomes(publicLabels, ['2.1.0', '1.0.0']);
    await plainSql(workplace, `update versions set title = 'Renamed' where id = 'ver_210'`);
    await becomes(() => listed('title'), ['Renamed', 'Lift-off']);
  });
});
