// The revision that each read of the API returns.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { hashApiKey } from '../../../src/domain/access/api-key.ts';
import { visibleRows } from '../../../src/domain/access/visibility.ts';
import type { MaybePromise } from '../../../src/domain/maybe-promise.ts';
import type { Reader } from '../../../src/store/engine/engine.ts';
import { findRevision } from '../../../src/store/engine/revisions.ts';
import { findFeed } from '../../../src/store/read/find-feed.ts';
import { findVersion } from '../../../src/store/read/find-version.ts';
import { type AtRevision, findKey } from '../../../src/store/read/reads.ts';
import { seedWorld, type World } from '../../../support/content/world.ts';
import { databaseUrl, execute, query } from '../../../support/databases/engine.ts';
import { openReader } from '../../../support/databases/open.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import type { Sandbox } from '../../../support/program/command.ts';

const NOW = '2026-06-01T00:00:00.000Z';

const scope = sharedScope();
const sandbox: Sandbox = { folder: temporaryFolder(scope) };
let world: World;
let db: Reader;
before(async () => {
  world = await seedWorld(sandbox);
  db = await openReader(databaseUrl(sandbox));
  scope.after(() => db.destroy());
});

const ROCKET = { team: 'acme', product: 'rocket' };
const SEEN_BY_ALL = visibleRows('public');
const SEEN_BY_TEAM = visibleRows('team');

describe('a read returns its revision', () => {
  const reads: Record<string, () => MaybePromise<AtRevision<unknown>>> = {
    'a feed was found': () => findFeed(db, ROCKET, SEEN_BY_ALL),
    'a feed is empty': () => findFeed(db, { team: 'acme', product: 'new' }, SEEN_BY_ALL),
    'a version was found': () => findVersion(db, ROCKET, 'ver_210', SEEN_BY_ALL),
    'a key was found': () => findKey(db, hashApiKey(world.full), NOW),
    'the team does not exist': () => findFeed(db, { team: 'nobody', product: 'rocket' }, SEEN_BY_ALL),
    'the product does not exist': () => findFeed(db, { team: 'acme', product: 'none' }, SEEN_BY_TEAM),
    'the version does not exist': () => findVersion(db, ROCKET, 'ver_none', SEEN_BY_TEAM),
    'the key does not exist': () => findKey(db, 'none', NOW),
    'the team is private': () => findFeed(db, { team: 'vault', product: 'rocket' }, SEEN_BY_ALL),
    'the product is a draft': () => findFeed(db, { team: 'acme', product: 'secret' }, SEEN_BY_ALL),
    'the changelog is locked': () => findFeed(db, { team: 'acme', product: 'still' }, SEEN_BY_ALL),
    'the product has no changelog': () => findFeed(db, { team: 'acme', product: 'bare' }, SEEN_BY_TEAM),
    'the version is a draft': () => findVersion(db, ROCKET, 'ver_300', SEEN_BY_ALL),
    'the version is of another product': () => findVersion(db, ROCKET, 'ver_secret', SEEN_BY_TEAM),
  };
  for (const [what, read] of Object.entries(reads)) {
    it(`a read returns its revision if ${what}`, async () => {
      await execute(sandbox, `update teams set name = name where slug = 'vault'`);
      const { revision, found } = await read();
      assert.equal(revision, await findRevision(db));
      assert.equal(found !== undefined, /found|empty/.test(what));
    });
  }
});

it('findKey returns the team of the key, whose touches invalidate it', async () => {
  const [team] = await query<{ id: number }>(sandbox, `select id from teams where slug = 'acme'`);
  const { found } = await findKey(db, hashApiKey(world.select), NOW);
  assert.deepEqual(
    { ...found, id: '' },
    {
      id: '',
      teamId: team?.id,
      team: 'acme',
      kind: 'SELECT',
      status: 'active',
      products: ['rocket'],
      expiresAt: null,
    },
  );
  assert.deepEqual((await findKey(db, hashApiKey(world.full), NOW)).found, {
    id: world.fullId,
    teamId: team?.id,
    team: 'acme',
    kind: 'FULL',
    status: 'active',
    expiresAt: null,
  });
});

it('a feed has every version in its place, also with a title that is too long for an index', async (t) => {
  const write = (where: string, title: string) =>
    execute(sandbox, `update versions set title = '${title}' where ${where}`);
  const summaries = async (): Promise<{ id: string; title: string }[]> =>
    JSON.parse((await findFeed(db, ROCKET, SEEN_BY_ALL)).found?.versions ?? '[]');
  const short = await summaries();
  const changed = short.at(-1);
  assert.ok(short.length > 1 && changed !== undefined);
  t.after(() => write(`id = '${changed.id}'`, changed.title));
  // Of text that compresses well, more would fit.
  const long = Array.from({ length: 1_000 }, () => String.fromCodePoint(0x4e00 + randomInt(20_000))).join('');
  await write(`id = '${changed.id}'`, long);
  assert.deepEqual(await summaries(), [...short.slice(0, -1), { ...changed, title: long }]);
});
