// R29 for answers that are held: what is hot is read anew as soon as it was written to, whoever wrote.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PUBLIC_FEED, seedWorld, TEAM_FEED } from '../../../support/content/world.ts';
import { execute, STALE } from '../../../support/databases/engine.ts';
import { type Scope, temporaryFolder } from '../../../support/processes/scope.ts';
import { startApp } from '../../../support/program/app.ts';
import { runOk, type Workplace } from '../../../support/program/command.ts';
import { becomes } from '../../support/becomes.ts';

/** Where a write is seen within a second, a round may take that long. */
const ROUNDS = STALE.msMax === 0 ? 200 : 15;
const HELD_MS_MAX = 5_000;
const VERSION = `${PUBLIC_FEED}/versions/ver_210`;

async function startHolding(scope: Scope) {
  const workplace: Workplace = { folder: temporaryFolder(scope) };
  const world = await seedWorld(workplace);
  const { app, queries } = await startApp(scope, workplace);
  const read = (url: string) => app.inject({ url, headers: { authorization: `Bearer ${world.full}` } });
  return {
    workplace,
    read,
    queries,
    /** Reads until the answer comes without a query. */
    hold: async (url: string) => {
      const outcome = async () => {
        const before = queries.length;
        const { statusCode } = await read(url);
        return [statusCode, queries.length - before];
      };
      await becomes(outcome, [200, 0], HELD_MS_MAX);
    },
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
});

/** Writes that nothing public shows, and how the team's surface shows that they are known. */
const UNSEEN: Record<string, readonly [statement: string, url: string, shown: RegExp]> = {
  'a draft is edited': [
    `update versions set title = 'Unseen' where id = 'ver_300'`,
    `${TEAM_FEED}/versions/ver_300`,
    /Unseen/,
  ],
  'a draft gets a change': [
    `insert into changes (id, version_id, position, type, text, breaking)
      values ('chg_unseen', 'ver_300', 9, 'added', 'Unseen', 0)`,
    `${TEAM_FEED}/versions/ver_300`,
    /Unseen/,
  ],
  'a draft goes': [`delete from versions where id = 'ver_300'`, TEAM_FEED, /^(?!.*ver_300)/],
  'a draft product is renamed': [
    `update products set name = 'Unseen' where slug = 'secret'`,
    TEAM_FEED.replace('rocket', 'secret'),
    /Unseen/,
  ],
  'a locked changelog is edited': [
    `update changelogs set name = 'Unseen' where id in
      (select c.id from changelogs c join products p on p.id = c.product_id where p.slug = 'still')`,
    TEAM_FEED.replace('rocket', 'still'),
    /Unseen/,
  ],
};

describe('what nothing public shows', () => {
  for (const [what, [statement, url, shown]] of Object.entries(UNSEEN)) {
    it(`leaves public responses cached, and misses known: ${what}`, async (t) => {
      const { workplace, hold, read, queries } = await startHolding(t);
      for (const path of [PUBLIC_FEED, VERSION, `${PUBLIC_FEED}?limit=1`, url]) await hold(path);
      const missing = `${PUBLIC_FEED}/versions/ver_300`;
      assert.equal((await read(missing)).statusCode, 404);
      const etag = (await read(PUBLIC_FEED)).headers.etag;
      await execute(workplace, statement);
      await becomes(async () => shown.test((await read(url)).body), true);
      const before = queries.length;
      for (const path of [PUBLIC_FEED, VERSION, `${PUBLIC_FEED}?limit=1`])
        assert.equal((await read(path)).statusCode, 200);
      assert.equal((await read(missing)).statusCode, 404);
      assert.equal((await read(PUBLIC_FEED)).headers.etag, etag);
      assert.equal(queries.length, before);
    });
  }
});
