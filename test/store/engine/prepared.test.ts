import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Reader } from '../../../src/store/engine/engine.ts';
import { openReader } from '../../../src/store/engine/open.ts';
import { prepare } from '../../../src/store/engine/prepared.ts';
import { seedWorld } from '../../../support/content/world.ts';
import { databaseUrl } from '../../../support/databases/engine.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import type { Sandbox } from '../../../support/program/command.ts';

const scope = sharedScope();
const sandbox: Sandbox = { folder: temporaryFolder(scope) };
before(() => seedWorld(sandbox));

async function open(): Promise<Reader> {
  const db = await openReader(databaseUrl(sandbox));
  scope.after(() => db.destroy());
  return db;
}

type Shape = Readonly<{ visibility?: 'public' }>;
const PUBLIC: Shape = { visibility: 'public' };
const ALL: Shape = {};

function counting() {
  let builds = 0;
  const find = prepare((db, { slug }: { slug: string }, { visibility }: Shape) => {
    builds++;
    return db
      .selectFrom('teams')
      .where('slug', '=', slug)
      .$call((query) => (visibility ? query.where('visibility', '=', visibility) : query))
      .select('slug');
  });
  return { find, builds: () => builds };
}

describe('a prepared query', () => {
  it('a prepared query runs with the values of each call, also when calls overlap', async () => {
    const { find, builds } = counting();
    const db = await open();
    const slugs = ['acme', 'vault', 'nobody', 'acme'];
    const found = await Promise.all(slugs.map((slug) => find(db, { slug }, ALL)));
    assert.deepEqual(found, [[{ slug: 'acme' }], [{ slug: 'vault' }], [], [{ slug: 'acme' }]]);
    assert.equal(builds(), 1);
  });

  it('a prepared query is built once per shape and database', async () => {
    const { find, builds } = counting();
    for (const db of [await open(), await open()]) {
      for (let round = 0; round < 2; round++) {
        assert.deepEqual(await find(db, { slug: 'vault' }, ALL), [{ slug: 'vault' }]);
        assert.deepEqual(await find(db, { slug: 'vault' }, PUBLIC), []);
      }
    }
    assert.equal(builds(), 4);
  });
});
