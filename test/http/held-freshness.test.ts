// R29 for answers that are held: what is hot is read anew as soon as it was written to, whoever wrote.
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

async function startHolding(scope: Scope) {
  const workplace: Workplace = { folder: temporaryFolder(scope) };
  const world = await seedWorld(workplace);
  const { app, queries } = await startApp(scope, workplace);
  const read = (url: string) => app.inject({ url, headers: { authorization: `Bearer ${world.full}` } });
  return {
    workplace,
    read,
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
