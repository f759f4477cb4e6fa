// R29 for answers that are held: a write takes away what it has touched, whoever made it, and nothing else.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startApp } from '../support/app.ts';
import { becomes } from '../support/becomes.ts';
import { runOk, type Workplace } from '../support/command.ts';
import { execute, STALE } from '../support/engine.ts';
import { type Scope, temporaryFolder } from '../support/folder.ts';
import { PUBLIC_FEED, seedWorld, TEAM_FEED } from '../support/world.ts';

/** Where a write is seen within a second, a round may take that long. */
const ROUNDS = STALE.msMax === 0 ? 200 : 15;
const HELD_MS_MAX = 5_000;
const VERSION = `${PUBLIC_FEED}/versions/ver_210`;
const OTHER_VERSION = `${PUBLIC_FEED}/versions/ver_100`;
const OTHER_FEED = PUBLIC_FEED.replace('rocket', 'new');

async function startHolding(scope: Scope) {
  const workplace: Workplace = { folder: temporaryFolder(scope) };
  const world = await seedWorld(workplace);
  const { app, queries } = await startApp(scope, workplace);
  const read = (url: string) => app.inject({ url, headers: { authorization: `Bearer ${world.full}` } });
  return {
    workplace,
    world,
    read,
    etag: async (url: string) => (await read(url)).headers.etag,
    /** Reads until the answer comes without a query of its own; that of a key is one. */
    hold: async (url: string) => {
      const isAsked = url.startsWith('/api/v1/teams') ? 1 : 0;
      const outcome = async () => {
        const before = queries.length;
        const { statusCode } = await read(url);
        return [statusCode, queries.length - before];
      };
      await becomes(outcome, [200, isAsked], HELD_MS_MAX);
    },
    queries,
  };
}

describe(`what is held and then written to is read anew ${STALE.words}`, () => {
  it('by the command line, round after round', async (t) => {
    const { workplace, hold, read } = await startHolding(t);
    const feeds = [PUBLIC_FEED, TEAM_FEED];
    for (let round = 0; round < ROUNDS / 5; round++) {
      for (const url of feeds) await hold(url);
      await runOk(workplace, ['product', 'set', 'acme/rocket', '--name', `Rocket ${round}`]);
      for (const url of feeds)
        await becomes(async () => (await read(url)).json().data.product.name, `Rocket ${round}`);
    }
  });

  it('by plain SQL, round after round', async (t) => {
    const { workplace, hold, read } = await startHolding(t);
    for (let round = 0; round < ROUNDS; round++) {
      await hold(VERSION);
      await execute(workplace, `update versions set title = 'Title ${round}' where id = 'ver_210'`);
      await becomes(async () => (await read(VERSION)).json().data.title, `Title ${round}`);
    }
  });

  it('while many read it all the time', async (t) => {
    const { workplace, read } = await startHolding(t);
    let isOver = false;
    const readers = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        assert.equal((await read(PUBLIC_FEED)).statusCode, 200);
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
    for (let round = 0; round < ROUNDS / 3; round++) {
      await execute(workplace, `update teams set name = 'Acme ${round}' where slug = 'acme'`);
      await becomes(async () => (await read(PUBLIC_FEED)).json().data.team.name, `Acme ${round}`);
    }
    isOver = true;
    await Promise.all(readers);
  });

  const rocket = `(select id from products where slug = 'rocket' and team_id = (select id from teams where slug = 'acme'))`;
  const writes: [what: string, url: string, statement: string][] = [
    ['the name of the team', PUBLIC_FEED, `update teams set name = 'A' where slug = 'acme'`],
    ['the name of the product', PUBLIC_FEED, `update products set name = 'R' where id = ${rocket}`],
    ['the name of the changelog', PUBLIC_FEED, `update changelogs set name = 'C' where id = 'cl_rocket'`],
    ['the title of a version', PUBLIC_FEED, `update versions set title = 'T' where id = 'ver_210'`],
    ['a version that is deleted', PUBLIC_FEED, `delete from versions where id = 'ver_100'`],
    [
      'a version that is moved',
      PUBLIC_FEED,
      `update versions set changelog_id = 'cl_new' where id = 'ver_100'`,
    ],
    ['the text of a change', VERSION, `update changes set text = 'X' where id = 'chg_1'`],
    ['a change that is deleted', VERSION, `delete from changes where id = 'chg_1'`],
    [
      'a change that is added',
      VERSION,
      `insert into changes (id, version_id, position, type, text, breaking) values ('chg_9', 'ver_210', 9, 'added', 'X', 0)`,
    ],
    ['a product that is deleted', PUBLIC_FEED, `delete from products where id = ${rocket}`],
    ['a team that is deleted', PUBLIC_FEED, `delete from teams where slug = 'acme'`],
  ];
  for (const [what, url, statement] of writes) {
    it(`whatever was written: ${what}`, async (t) => {
      const { workplace, hold, etag } = await startHolding(t);
      await hold(url);
      const before = await etag(url);
      assert.equal(await execute(workplace, statement), 1);
      await becomes(async () => (await etag(url)) !== before, true);
    });
  }
});

describe('a write to one product', () => {
  it('leaves what is held of the others, and one to a key leaves everything', async (t) => {
    const { workplace, world, hold, queries, read } = await startHolding(t);
    const urls = [PUBLIC_FEED, VERSION, OTHER_VERSION, OTHER_FEED];
    /** What has to be read anew after a write, the one aside that shows when it is seen. */
    const touchedBy = async (write: () => Promise<unknown>, isSeen: () => Promise<unknown>) => {
      for (const url of urls) await hold(url);
      await write();
      await becomes(isSeen, true);
      const touched: string[] = [];
      for (const url of urls) {
        const before = queries.length;
        await read(url);
        if (queries.length > before) touched.push(url);
      }
      return touched;
    };
    let round = 0;
    const retitle = () =>
      execute(workplace, `update versions set title = 'T${++round}' where id = 'ver_210'`);
    const isRetitled = async () => (await read(VERSION)).json().data?.title === `T${round}`;
    const rename = () => execute(workplace, `update products set name = 'N${++round}' where slug = 'new'`);
    const isRenamed = async () => (await read(OTHER_FEED)).json().data?.product.name === `N${round}`;
    const disable = () => runOk(workplace, ['key', 'disable', world.fullId]);
    const isDisabled = async () => (await read(TEAM_FEED)).statusCode === 401;
    // Over a network a node that is held up for a moment reads everything anew, to be sure: that round counts for nothing.
    const lasting = 20 * STALE.msMax;
    await becomes(() => touchedBy(retitle, isRetitled), [PUBLIC_FEED, OTHER_VERSION], lasting);
    await becomes(() => touchedBy(rename, isRenamed), [], lasting);
    await becomes(() => touchedBy(disable, isDisabled), [], lasting);
  });
});
