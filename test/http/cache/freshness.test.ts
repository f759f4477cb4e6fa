// R29: a running server sees any process's commit at the next request, or within a second over a network.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { PRODUCT_PAGE } from '../../../support/content/pages.ts';
import { PUBLIC_FEED, seedWorld, TEAM_FEED, type World } from '../../../support/content/world.ts';
import { execute, STALE } from '../../../support/databases/engine.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { run, runOk, type Sandbox } from '../../../support/program/command.ts';
import { type ServerProcess, spawnServer } from '../../../support/program/process.ts';
import { becomes } from '../../support/becomes.ts';

/** A product in a list, and its newest version. */
type Listed = readonly [name: string | undefined, newest: string | null];

/** Plain SQL without our tools; the server is a separate process. */
async function plainSql(sandbox: Sandbox, statement: string): Promise<void> {
  assert.equal(await execute(sandbox, statement), 1, statement);
}

describe(`a running server sees ${STALE.words}`, () => {
  const scope = sharedScope();
  const sandbox: Sandbox = { folder: temporaryFolder(scope) };
  let server: ServerProcess;
  let world: World;

  before(async () => {
    world = await seedWorld(sandbox);
    server = await spawnServer(scope, sandbox, {
      PUBLIC_RATE_LIMIT: '100000',
      LOG_LEVEL: 'silent',
      LISTING: 'all',
    });
  });

  const page = async (path: string) => await (await fetch(server.address + path)).text();
  /** In the public API; the page with the same content must have it too. */
  const publicStatus = async (rest = '') => {
    const paths = [PUBLIC_FEED, PRODUCT_PAGE].map((path) => server.address + path + rest);
    const [status, other] = await Promise.all(paths.map(async (path) => (await fetch(path)).status));
    return status === other ? status : `${status}, but ${other} for the page`;
  };
  const keyStatus = async (key = world.full) =>
    (await fetch(server.address + TEAM_FEED, { headers: { authorization: `Bearer ${key}` } })).status;
  const listed = async (field: 'version' | 'title') => {
    const { data } = (await (await fetch(server.address + PUBLIC_FEED)).json()) as {
      data: { versions: Record<typeof field, string>[] };
    };
    const shown = data.versions.map((version) => version[field]);
    const html = await page(PRODUCT_PAGE);
    return shown.every((text) => html.includes(text)) ? shown : 'the page does not show them';
  };
  /** The products in a list, each with its newest version. */
  const productsOf = async (path: string): Promise<Listed[]> => {
    const items = (await page(path))
      .split('<li class="item')
      .slice(1)
      .map((item) => item.slice(0, item.indexOf('</ul>')));
    return items.map((item) => [
      /<h[23]>.*?>([^<]+)<\/a>/s.exec(item)?.[1],
      /\b\d+\.\d+\.\d+\b/.exec(item)?.[0] ?? null,
    ]);
  };
  const publicLabels = () => listed('version');

  it('a running server sees that a key was disabled, and enabled again', async () => {
    for (let round = 0; round < 5; round++) {
      await runOk(sandbox, ['key', 'disable', world.fullId]);
      await becomes(keyStatus, 401);
      await runOk(sandbox, ['key', 'enable', world.fullId]);
      await becomes(keyStatus, 200);
    }
  });

  it('a running server sees that a team was made private, and public again', async () => {
    for (let round = 0; round < 5; round++) {
      await runOk(sandbox, ['team', 'set', 'acme', '--visibility', 'private']);
      await becomes(publicStatus, 404);
      await runOk(sandbox, ['team', 'set', 'acme', '--visibility', 'public']);
      await becomes(publicStatus, 200);
    }
  });

  it('a running server sees that a version was published, and unpublished', async () => {
    for (let round = 0; round < 5; round++) {
      await runOk(sandbox, ['version', 'publish', 'acme/rocket', '3.0.0']);
      await becomes(publicLabels, ['3.0.0', '2.1.0', '1.0.0']);
      await becomes(() => publicStatus('/versions/ver_300'), 200);
      await runOk(sandbox, ['version', 'unpublish', 'acme/rocket', '3.0.0']);
      await becomes(publicLabels, ['2.1.0', '1.0.0']);
      await becomes(() => publicStatus('/versions/ver_300'), 404);
    }
  });

  it('a running server sees that a product or a changelog was locked, and which products a key may read', async () => {
    await runOk(sandbox, ['product', 'set', 'acme/rocket', '--status', 'locked']);
    await becomes(publicStatus, 404);
    await runOk(sandbox, ['product', 'set', 'acme/rocket', '--status', 'published']);
    await runOk(sandbox, ['changelog', 'set', 'acme/rocket', '--status', 'draft']);
    await becomes(publicStatus, 404);
    await runOk(sandbox, ['changelog', 'set', 'acme/rocket', '--status', 'published']);
    await becomes(publicStatus, 200);
    const { stdout } = await run(sandbox, ['key', 'list', 'acme', '--json']);
    const select = JSON.parse(stdout).find(({ kind }: { kind: string }) => kind === 'SELECT');
    await runOk(sandbox, ['key', 'detach', select.id, 'rocket']);
    await becomes(() => keyStatus(world.select), 403);
    await runOk(sandbox, ['key', 'attach', select.id, 'rocket']);
    await becomes(() => keyStatus(world.select), 200);
  });

  it('a running server lists what was published, renamed and hidden', async () => {
    const lists = async () => [await productsOf('/changelog/acme'), await productsOf('/')];
    const both = (...products: Listed[]) => [products, products];
    await becomes(lists, both(['Rocket', '2.1.0'], ['New', null]));
    await runOk(sandbox, ['version', 'publish', 'acme/rocket', '3.0.0']);
    await becomes(lists, both(['Rocket', '3.0.0'], ['New', null]));
    await runOk(sandbox, ['version', 'unpublish', 'acme/rocket', '3.0.0']);
    await becomes(lists, both(['Rocket', '2.1.0'], ['New', null]));
    await runOk(sandbox, ['product', 'set', 'acme/secret', '--status', 'published', '--name', 'Shown']);
    await becomes(lists, both(['Rocket', '2.1.0'], ['Shown', '1.0.0'], ['New', null]));
    await runOk(sandbox, ['product', 'set', 'acme/secret', '--status', 'draft']);
    await runOk(sandbox, ['product', 'set', 'acme/new', '--name', 'Newer']);
    await becomes(lists, both(['Rocket', '2.1.0'], ['Newer', null]));
    await runOk(sandbox, ['team', 'set', 'acme', '--name', 'Acme Two']);
    await becomes(async () => (await page('/changelog/acme')).includes('Acme Two'), true);
    await runOk(sandbox, ['changelog', 'set', 'acme/new', '--status', 'locked']);
    // The home page of a server with one product is that product's page.
    const only = async () => [
      await productsOf('/changelog/acme'),
      /aria-current="page"[^>]*>([^<]*)/.exec(await page('/'))?.[1],
    ];
    await becomes(only, [[['Rocket', '2.1.0']], 'Rocket']);
    await runOk(sandbox, ['team', 'set', 'acme', '--visibility', 'private']);
    await becomes(async () => (await fetch(`${server.address}/changelog/acme`)).status, 404);
    await becomes(() => productsOf('/'), []);
    await runOk(sandbox, ['team', 'set', 'acme', '--visibility', 'public', '--name', 'Acme']);
    await plainSql(sandbox, `update products set name = 'By hand' where name = 'Rocket'`);
    await becomes(only, [[['By hand', '2.1.0']], 'By hand']);
  });

  it('a running server sees what plain SQL in another process committed', async () => {
    await plainSql(sandbox, `update api_keys set status = 'disabled' where id = '${world.fullId}'`);
    await becomes(keyStatus, 401);
    await plainSql(sandbox, `update api_keys set status = 'active' where id = '${world.fullId}'`);
    await becomes(keyStatus, 200);
    await plainSql(sandbox, `update teams set visibility = 'private' where slug = 'acme'`);
    await becomes(publicStatus, 404);
    await plainSql(sandbox, `update teams set visibility = 'public' where slug = 'acme'`);
    await becomes(publicStatus, 200);
    await plainSql(sandbox, `update versions set status = 'draft' where id = 'ver_210'`);
    await becomes(publicLabels, ['1.0.0']);
    await plainSql(sandbox, `update versions set status = 'published' where id = 'ver_210'`);
    await becomes(publicLabels, ['2.1.0', '1.0.0']);
    await plainSql(sandbox, `update versions set title = 'Renamed' where id = 'ver_210'`);
    await becomes(() => listed('title'), ['Renamed', 'Lift-off']);
  });
});
