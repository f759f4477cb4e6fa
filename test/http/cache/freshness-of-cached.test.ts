// R29 for cached responses: they are reread after any write, whoever wrote.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CHANGES_PAGE, LISTS, PAGES, PRODUCT_PAGE, VERSION_PAGE } from '../../../support/content/pages.ts';
import { PUBLIC_FEED, seedWorld, TEAM_FEED } from '../../../support/content/world.ts';
import { execute, STALE } from '../../../support/databases/engine.ts';
import { type Scope, temporaryFolder } from '../../../support/processes/scope.ts';
import { startApp } from '../../../support/program/app.ts';
import { runOk, type Sandbox } from '../../../support/program/command.ts';
import { becomes } from '../../support/becomes.ts';

/** If a write is visible only within a second, a round may take that long. */
const ROUNDS = STALE.msMax === 0 ? 60 : 15;
const CACHED_MS_MAX = 5_000;
const VERSION = `${PUBLIC_FEED}/versions/ver_210`;

async function startCaching(scope: Scope) {
  const sandbox: Sandbox = { folder: temporaryFolder(scope) };
  const world = await seedWorld(sandbox);
  const { app, queries } = await startApp(scope, sandbox, { LISTING: 'all' });
  const read = (url: string) => app.inject({ url, headers: { authorization: `Bearer ${world.full}` } });
  return {
    sandbox,
    read,
    queries,
    /** Reads until the response needs no query. */
    cache: async (url: string) => {
      const outcome = async () => {
        const before = queries.length;
        const { statusCode } = await read(url);
        return [statusCode, queries.length - before];
      };
      await becomes(outcome, [200, 0], CACHED_MS_MAX);
    },
  };
}

describe(`a cached response is reread after a write ${STALE.words}`, () => {
  it('a cached response is reread after every write by the command line', async (t) => {
    const { sandbox, cache, read } = await startCaching(t);
    const [feeds, pages] = [
      [PUBLIC_FEED, TEAM_FEED],
      [PRODUCT_PAGE, '/changelog/acme', '/'],
    ];
    for (let round = 0; round < ROUNDS / 5; round++) {
      const urls = round < ROUNDS / 10 ? feeds : pages;
      for (const url of urls) await cache(url);
      const name = `Rocket (${round})`;
      await runOk(sandbox, ['product', 'set', 'acme/rocket', '--name', name]);
      for (const url of urls) await becomes(async () => (await read(url)).body.includes(name), true);
    }
  });

  it('a cached response is reread after every write by plain SQL', async (t) => {
    const { sandbox, cache, read } = await startCaching(t);
    for (let round = 0; round < ROUNDS; round++) {
      const url = round < ROUNDS / 2 ? VERSION : VERSION_PAGE;
      await cache(url);
      await execute(sandbox, `update versions set title = 'Title (${round})' where id = 'ver_210'`);
      await becomes(async () => (await read(url)).body.includes(`Title (${round})`), true);
    }
  });

  it('a cached response is reread after every write while many clients read it', async (t) => {
    const { sandbox, read } = await startCaching(t);
    let isOver = false;
    const readers = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        assert.equal((await read(PUBLIC_FEED)).statusCode, 200);
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
    for (let round = 0; round < ROUNDS / 3; round++) {
      await execute(sandbox, `update teams set name = 'Acme ${round}' where slug = 'acme'`);
      await becomes(async () => (await read(PUBLIC_FEED)).json().data.team.name, `Acme ${round}`);
    }
    isOver = true;
    await Promise.all(readers);
  });
});

/** Writes to hidden content, and how the team surface shows them. */
const HIDDEN_WRITES: Record<string, readonly [statement: string, url: string, shown: RegExp]> = {
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
  'a draft is deleted': [`delete from versions where id = 'ver_300'`, TEAM_FEED, /^(?!.*ver_300)/],
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

const SHOWN = [
  ...[PUBLIC_FEED, VERSION, `${PUBLIC_FEED}?limit=1`],
  ...[...PAGES, ...LISTS, `${PRODUCT_PAGE}?q=countdown`, `${CHANGES_PAGE}?from=1.0.0`],
];
const MISSING = [
  ...[`${PUBLIC_FEED}/versions/ver_300`, '/changelog/vault', '/changelog/acme/secret'],
  ...[`${PRODUCT_PAGE}/versions/3.0.0`, '/changelog/acme/still?q=unseen'],
];

describe('a write to hidden content', () => {
  for (const [what, [statement, url, shown]] of Object.entries(HIDDEN_WRITES)) {
    it(`public responses and 404s stay cached when ${what}`, async (t) => {
      const { sandbox, cache, read, queries } = await startCaching(t);
      for (const path of [...SHOWN, url]) await cache(path);
      for (const path of MISSING) assert.equal((await read(path)).statusCode, 404);
      const seen = async () => {
        const etags: unknown[] = [];
        for (const path of SHOWN) etags.push((await read(path)).headers.etag);
        return etags;
      };
      const etags = await seen();
      await execute(sandbox, statement);
      await becomes(async () => shown.test((await read(url)).body), true);
      const before = queries.length;
      assert.deepEqual(await seen(), etags);
      for (const path of MISSING) assert.equal((await read(path)).statusCode, 404);
      assert.equal(queries.length, before);
    });
  }
});
