// R29: a write invalidates what it touches, and nothing else.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { seedWorld, type World } from '../../../support/content/world.ts';
import { execute } from '../../../support/databases/engine.ts';
import { until } from '../../../support/processes/poll.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { type StartedApp, startApp } from '../../../support/program/app.ts';
import { apply, runOk } from '../../../support/program/command.ts';

const URLS = {
  rocket: '/api/v1/public/teams/acme/products/rocket/changelog',
  new: '/api/v1/public/teams/acme/products/new/changelog',
  other: '/api/v1/public/teams/other/products/thing/changelog',
  'page of rocket': '/changelog/acme/rocket',
  'page of a version': '/changelog/acme/rocket/versions/1.0.0',
  'page of new': '/changelog/acme/new',
  'page of other': '/changelog/other/thing',
  'list of acme': '/changelog/acme',
  'list of other': '/changelog/other',
  'list of all': '/',
  sitemap: '/sitemap.xml',
  llms: '/llms.txt',
};
type Name = keyof typeof URLS;
const NAMES = Object.keys(URLS) as Name[];
const OF_ROCKET: readonly Name[] = ['rocket', 'page of rocket', 'page of a version'];
const LISTS_OF_ACME: readonly Name[] = ['list of acme', 'list of all', 'sitemap', 'llms'];

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
    // Only now: a server that has seen these writes rereads nothing because of them.
    ({ app, queries } = await startApp(scope, sandbox, { LISTING: 'all' }));
  });

  /** Those whose response was read from the database since the list was last cleared. */
  const readAnew = new Set<Name>();
  const ask = async (name: Name) => {
    const asked = queries.length;
    const { body } = await app.inject(URLS[name]);
    if (queries.slice(asked).some(({ query }) => query.sql.includes('public_changelogs'))) readAnew.add(name);
    return body;
  };
  const allAreCached = async () => {
    readAnew.clear();
    for (const name of NAMES) await ask(name);
    return readAnew.size === 0;
  };

  /** Which of the URLs are reread once the write is visible. */
  async function readAnewAfter(
    write: () => Promise<unknown>,
    isShown: () => Promise<boolean>,
  ): Promise<Name[]> {
    await until('everything is cached', allAreCached);
    await write();
    await until('it is shown', isShown);
    for (const name of NAMES) await ask(name);
    return NAMES.filter((name) => readAnew.has(name));
  }
  const shows = (name: Name, text: string) => async () => (await ask(name)).includes(text);

  it('a write to a product leaves other products cached', async () => {
    const write = () => execute(sandbox, `update versions set title = 'Renamed' where id = 'ver_210'`);
    assert.deepEqual(await readAnewAfter(write, shows('rocket', '"Renamed"')), [
      ...OF_ROCKET,
      ...LISTS_OF_ACME,
    ]);
  });

  it('a write to a team leaves other teams cached', async () => {
    const write = () => runOk(sandbox, ['team', 'set', 'acme', '--name', 'Acme Two']);
    assert.deepEqual(await readAnewAfter(write, shows('new', '"Acme Two"')), [
      'rocket',
      'new',
      'page of rocket',
      'page of a version',
      'page of new',
      ...LISTS_OF_ACME,
    ]);
  });

  it('a write to a key leaves everything cached', async () => {
    const { full, fullId } = world;
    const headers = { authorization: `Bearer ${full}` };
    const isRefused = async () => {
      const url = URLS.rocket.replace('/public', '');
      return (await app.inject({ url, headers })).statusCode === 401;
    };
    const write = () => runOk(sandbox, ['key', 'disable', fullId]);
    assert.deepEqual(await readAnewAfter(write, isRefused), []);
  });
});
