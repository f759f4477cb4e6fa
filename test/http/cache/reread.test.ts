// R29: a write invalidates what it touches, and nothing else.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { seedWorld, type World } from '../../../support/content/world.ts';
import { execute } from '../../../support/databases/engine.ts';
import { until } from '../../../support/processes/poll.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { type StartedApp, startApp } from '../../../support/program/app.ts';
import { apply, runOk } from '../../../support/program/command.ts';

const FEEDS = {
  rocket: '/api/v1/public/teams/acme/products/rocket/changelog',
  new: '/api/v1/public/teams/acme/products/new/changelog',
  other: '/api/v1/public/teams/other/products/thing/changelog',
};
type Name = keyof typeof FEEDS;
const NAMES = Object.keys(FEEDS) as Name[];

const OTHER = {
  team: { slug: 'other', name: 'Other', visibility: 'public', plan: 'paid' },
  products: [
    { slug: 'thing', name: 'Thing', status: 'published', changelog: { id: 'cl_thing', status: 'published' } },
  ],
};

describe('a write', () => {
  const scope = sharedScope();
  const sandbox = { folder: temporaryFolder(scope) };
  let world: World;
  let app: StartedApp['app'];
  let queries: StartedApp['queries'];
  before(async () => {
    world = await seedWorld(sandbox);
    await apply(sandbox, OTHER);
    // Only now: a server that has seen these writes has nothing to reread because of them.
    ({ app, queries } = await startApp(scope, sandbox));
  });

  const ask = async (name: Name) => (await app.inject(FEEDS[name])).body;
  const isReadAnew = async (name: Name) => {
    const asked = queries.length;
    await ask(name);
    return queries.length > asked;
  };
  const isHeld = async (name: Name) => !(await isReadAnew(name));
  const allAreCached = async () => (await Promise.all(NAMES.map(isHeld))).every(Boolean);

  /** Which of the feeds are read again once the write is visible. */
  async function readAnewAfter(
    write: () => Promise<unknown>,
    isShown: () => Promise<boolean>,
  ): Promise<Name[]> {
    await until('everything is cached', allAreCached);
    const asked = queries.length;
    await write();
    await until('it is shown', isShown);
    for (const name of NAMES) await ask(name);
    const questions = queries.slice(asked).map(({ query }) => query.parameters);
    return NAMES.filter((name) => questions.some((parameters) => isAbout(name, parameters)));
  }
  const isAbout = (name: Name, parameters: readonly unknown[]) => {
    const [, team, product] = /teams\/(\w+)\/products\/(\w+)/.exec(FEEDS[name]) ?? [];
    return parameters.includes(team) && parameters.includes(product);
  };
  const shows = (name: Name, text: string) => async () => (await ask(name)).includes(text);

  it('a write to a product leaves other products cached', async () => {
    const write = () => execute(sandbox, `update versions set title = 'Renamed' where id = 'ver_210'`);
    assert.deepEqual(await readAnewAfter(write, shows('rocket', '"Renamed"')), ['rocket']);
  });

  it('a write to a team leaves other teams cached', async () => {
    const write = () => runOk(sandbox, ['team', 'set', 'acme', '--name', 'Acme Two']);
    assert.deepEqual(await readAnewAfter(write, shows('new', '"Acme Two"')), ['rocket', 'new']);
  });

  it('a write to a key leaves everything cached', async () => {
    const { full, fullId } = world;
    const headers = { authorization: `Bearer ${full}` };
    const isRefused = async () => {
      const url = FEEDS.rocket.replace('/public', '');
      return (await app.inject({ url, headers })).statusCode === 401;
    };
    const write = () => runOk(sandbox, ['key', 'disable', fullId]);
    assert.deepEqual(await readAnewAfter(write, isRefused), []);
  });
});
