// The lists of public products (R40).
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { visibleRows } from '../../../../src/domain/access/visibility.ts';
import type { FeedPosition } from '../../../../src/domain/feed-query.ts';
import type { Reader } from '../../../../src/store/engine/engine.ts';
import { findRevision, listTouches } from '../../../../src/store/engine/revisions.ts';
import { ALL_TEAMS, affects, touchesOn } from '../../../../src/store/engine/touches.ts';
import { findAllList, findTeamList, listDomains } from '../../../../src/store/read/lists/listing.ts';
import { HIDDEN, seedWorld } from '../../../../support/content/world.ts';
import { databaseUrl, execute } from '../../../../support/databases/engine.ts';
import { openReader } from '../../../../support/databases/open.ts';
import { sharedScope, temporaryFolder } from '../../../../support/processes/scope.ts';
import { apply, type Sandbox } from '../../../../support/program/command.ts';

const ofAcme = `team_id = (select id from teams where slug = 'acme')`;
const FIRST = { after: null, limit: 10 };

const scope = sharedScope();
const sandbox: Sandbox = { folder: temporaryFolder(scope) };
let db: Reader;
before(async () => {
  await seedWorld(sandbox);
  db = await openReader(databaseUrl(sandbox));
  scope.after(() => db.destroy());
});

const LISTED = [
  {
    teamSlug: 'acme',
    teamName: 'Acme',
    productSlug: 'new',
    productName: 'New',
    changelogName: 'New',
    logo: null,
    accent: null,
    domain: null,
    language: 'en',
    newest: null,
  },
  {
    teamSlug: 'acme',
    teamName: 'Acme',
    productSlug: 'rocket',
    productName: 'Rocket',
    changelogName: 'Rocket changelog',
    logo: null,
    accent: null,
    domain: null,
    language: 'en',
    newest: {
      id: 'ver_210',
      label: '2.1.0',
      title: 'Faster launches',
      status: 'published',
      publishedAt: '2026-05-04T09:00:00.000Z',
      changeCount: 2,
      yanked: 0,
    },
  },
];

describe('the list of a team', () => {
  it('has the published products of the team, each with its newest version, and nothing hidden', async () => {
    const { revision, found } = await findTeamList(db, { team: 'acme', ...FIRST });
    assert.equal(revision, await findRevision(db));
    assert.deepEqual(found?.team, { slug: 'acme', name: 'Acme' });
    assert.equal(typeof found?.teamId, 'number');
    assert.ok(found?.cursorKey);
    assert.deepEqual(found?.products, LISTED);
    assert.equal(found?.end, null);
    assert.doesNotMatch(JSON.stringify(found), new RegExp(HIDDEN));
  });

  it('continues after the last product of a page', async () => {
    const { found: first } = await findTeamList(db, { team: 'acme', after: null, limit: 1 });
    assert.deepEqual([first?.products, first?.end], [LISTED.slice(0, 1), { sortKey: 'acme', id: 'new' }]);
    const after = first?.end ?? null;
    const { found: second } = await findTeamList(db, { team: 'acme', after, limit: 1 });
    assert.deepEqual([second?.products, second?.end], [LISTED.slice(1), null]);
  });

  it('is found without products if all after the cursor are gone', async () => {
    const after = { sortKey: 'acme', id: 'zzz' };
    const { found } = await findTeamList(db, { team: 'acme', after, limit: 1 });
    assert.deepEqual([found?.team.name, found?.products, found?.end], ['Acme', [], null]);
  });

  it('is not found for a private team, an unknown one, or one without a public product', async () => {
    await apply(sandbox, {
      team: { slug: 'quiet', name: HIDDEN, visibility: 'public', plan: 'paid' },
      products: [
        { slug: 'draft', name: HIDDEN, status: 'draft', changelog: { status: 'published' } },
        { slug: 'bare', name: HIDDEN, status: 'published' },
        { slug: 'inner', name: HIDDEN, status: 'published', changelog: { status: 'draft' } },
      ],
    });
    for (const team of ['vault', 'nobody', 'quiet', ''])
      assert.deepEqual(await findTeamList(db, { team, ...FIRST }), {
        revision: await findRevision(db),
        found: undefined,
      });
  });
});

describe('the list for a key', () => {
  const slugsOf = async (query: Partial<Parameters<typeof findTeamList>[1]>) => {
    const { found } = await findTeamList(db, { team: 'acme', ...FIRST, ...query }, visibleRows('team'));
    return found && [...found.products.map(({ productSlug }) => productSlug), found.end?.id ?? null];
  };

  it('has every product with a changelog, whatever its state, each with its newest published version', async () => {
    const { found } = await findTeamList(db, { team: 'acme', ...FIRST }, visibleRows('team'));
    assert.deepEqual(found?.team, { slug: 'acme', name: 'Acme' });
    assert.deepEqual(
      found?.products.map(({ productSlug, newest }) => [productSlug, newest?.id, newest?.status]),
      [
        ['frozen', 'ver_frozen', 'published'],
        ['new', undefined, undefined],
        ['quiet', 'ver_quiet', 'published'],
        ['rocket', 'ver_210', 'published'],
        ['secret', 'ver_secret', 'published'],
        ['still', 'ver_still', 'published'],
      ],
    );
  });

  it('continues after the last product of a page', async () => {
    assert.deepEqual(await slugsOf({ limit: 4 }), ['frozen', 'new', 'quiet', 'rocket', 'rocket']);
    const after = { sortKey: 'acme', id: 'rocket' };
    assert.deepEqual(await slugsOf({ after, limit: 4 }), ['secret', 'still', null]);
  });

  it('has only the products that the key is limited to', async () => {
    assert.deepEqual(await slugsOf({ products: ['rocket', 'quiet', 'bare', 'nothing'] }), [
      'quiet',
      'rocket',
      null,
    ]);
    assert.deepEqual(await slugsOf({ products: [] }), [null]);
  });

  it('is found for every team that exists', async () => {
    assert.deepEqual(await slugsOf({ team: 'vault' }), ['rocket', null]);
    assert.equal(await slugsOf({ team: 'nobody' }), undefined);
  });
});

describe('the list of all teams', () => {
  it('has the public products of all teams by team and product, page by page', async () => {
    await apply(sandbox, {
      team: { slug: 'zoo', name: 'Zoo', visibility: 'public', plan: 'free' },
      products: ['ape', 'bee'].map((slug) => ({
        slug,
        name: slug.toUpperCase(),
        status: 'published',
        changelog: { status: 'published' },
      })),
    });
    const pages: string[][] = [];
    let after: FeedPosition | null = null;
    do {
      const { found } = await findAllList(db, { after, limit: 3 });
      pages.push((found?.products ?? []).map(({ teamSlug, productSlug }) => `${teamSlug}/${productSlug}`));
      after = found?.end ?? null;
    } while (after !== null);
    assert.deepEqual(pages, [['acme/new', 'acme/rocket', 'zoo/ape'], ['zoo/bee']]);
    assert.doesNotMatch(JSON.stringify(await findAllList(db, FIRST)), new RegExp(HIDDEN));
  });

  it('has the first changes of the newest versions, if they are wanted', async () => {
    const { found } = await findAllList(db, { ...FIRST, withChanges: true });
    const changes = found?.products.map(({ productSlug, newestChanges }) => [productSlug, newestChanges]);
    assert.deepEqual(changes?.slice(0, 2), [
      ['new', undefined],
      [
        'rocket',
        [
          { type: 'added', text: 'A countdown, in *Markdown*.' },
          { type: 'removed', text: 'The fuse. <script>alert(1)</script>' },
        ],
      ],
    ]);
    assert.doesNotMatch(JSON.stringify(found), new RegExp(HIDDEN));
  });

  it('is found also if it is empty', async () => {
    const { found } = await findAllList(db, { after: { sortKey: 'zzz', id: 'zzz' }, limit: 1 });
    assert.deepEqual([found?.products, found?.end], [[], null]);
  });
});

describe('the list of domains', () => {
  it('has those of public products by name, and nothing of hidden ones', async (t) => {
    const own: Sandbox = { folder: temporaryFolder(t) };
    await seedWorld(own);
    const declare = (slug: string) =>
      execute(
        own,
        `update products set domain = slug || '.example.com' where slug = '${slug}' and ${ofAcme}`,
      );
    for (const slug of ['secret', 'frozen', 'quiet', 'still', 'bare']) await declare(slug);
    await execute(
      own,
      `update products set domain = 'vault.example.com' where not ${ofAcme} and slug = 'rocket'`,
    );
    const reader = await openReader(databaseUrl(own));
    t.after(() => reader.destroy());
    const read = async () => (await listDomains(reader)).found;
    assert.deepEqual(await read(), []);
    await declare('rocket');
    await declare('new');
    assert.deepEqual(await listDomains(reader), {
      revision: await findRevision(reader),
      found: [
        { domain: 'new.example.com', team: 'acme', product: 'new' },
        { domain: 'rocket.example.com', team: 'acme', product: 'rocket' },
      ],
    });
    const { found } = await findTeamList(reader, { team: 'acme', ...FIRST });
    assert.deepEqual(
      found?.products.map(({ domain }) => domain),
      ['new.example.com', 'rocket.example.com'],
    );
    await execute(own, `update teams set visibility = 'private' where slug = 'acme'`);
    assert.deepEqual(await read(), []);
  });
});

describe('a stale row in `public_changelogs`', () => {
  const HIDE: Record<string, string> = {
    'of a private team': `update teams set visibility = 'private' where slug = 'acme'`,
    'of a draft product': `update products set status = 'draft' where slug = 'rocket'`,
    'of a locked changelog': `update changelogs set status = 'locked' where id = 'cl_rocket'`,
  };
  for (const [what, statement] of Object.entries(HIDE)) {
    it(`a stale row ${what} reveals nothing in a list`, async (t) => {
      const own: Sandbox = { folder: temporaryFolder(t) };
      await seedWorld(own);
      await execute(own, `delete from changelogs where id = 'cl_new'`);
      await execute(
        own,
        `update products set domain = 'stale.example.com' where slug = 'rocket' and ${ofAcme}`,
      );
      await execute(own, statement);
      await execute(
        own,
        `insert into public_changelogs (team_slug, product_slug, team_id, product_id, changelog_id)
           select 'acme', 'rocket', team_id, id, 'cl_rocket' from products
           where slug = 'rocket' and team_id = (select id from teams where slug = 'acme')`,
      );
      const stale = await openReader(databaseUrl(own));
      t.after(() => stale.destroy());
      assert.equal((await findTeamList(stale, { team: 'acme', ...FIRST })).found, undefined);
      assert.deepEqual((await findAllList(stale, FIRST)).found?.products, []);
      assert.deepEqual((await listDomains(stale)).found, []);
    });
  }
});

describe('a write', () => {
  /** Whether the lists show something else after a statement, and whether its touches say so. */
  async function effectOf(statement: string) {
    const read = async () => ({
      team: (await findTeamList(db, { team: 'acme', ...FIRST })).found,
      all: (await findAllList(db, FIRST)).found,
    });
    const { team, all } = await read();
    const since = await findRevision(db);
    await execute(sandbox, statement);
    const touches = touchesOn('public', await listTouches(db, since));
    const after = await read();
    const list = { teamId: team?.teamId ?? after.team?.teamId ?? 0, productId: null };
    return {
      shown: [!isDeepStrictEqual(team, after.team), !isDeepStrictEqual(all, after.all)],
      affected: [list, ALL_TEAMS].map((origin) => touches.some((touch) => affects(touch, origin))),
      isPublic: touches.length > 0,
    };
  }

  const VISIBLE: Record<string, string> = {
    'renames a product': `update products set name = 'Rocket 2' where slug = 'rocket' and ${ofAcme}`,
    'moves a product': `update products set slug = 'rocket-2' where slug = 'rocket' and ${ofAcme}`,
    'gives a product a domain': `update products set domain = 'changes.example.com' where slug = 'rocket-2'`,
    'publishes a product': `update products set status = 'published' where slug = 'secret'`,
    'hides a product': `update products set status = 'draft' where slug = 'secret'`,
    'publishes a version': `update versions set status = 'published', published_at = '9999-12-31T23:59:59.999Z'
      where id = 'ver_300'`,
    'deletes a version': `delete from versions where id = 'ver_300'`,
    'locks a changelog': `update changelogs set status = 'locked' where id = 'cl_new'`,
    'deletes a product': `delete from products where slug = 'rocket-2'`,
    'adds a product to the list': `update changelogs set status = 'published' where id = 'cl_new'`,
    'makes the team private': `update teams set visibility = 'private' where slug = 'acme'`,
    'makes the team public': `update teams set visibility = 'public' where slug = 'acme'`,
    'renames the team': `update teams set name = 'Acme 2' where slug = 'acme'`,
  };
  const HIDDEN_WRITES: Record<string, string> = {
    'edits a draft': `update versions set title = 'x' where id = 'ver_300'`,
    'edits a product that is a draft': `update products set name = 'x' where slug = 'secret'`,
    'gives a draft product a domain': `update products set domain = 'secret.example.com' where slug = 'secret'`,
    'edits a private team': `update teams set name = 'x' where slug = 'vault'`,
    'edits a version in a private team': `update versions set title = 'x' where id = 'ver_vault'`,
  };
  for (const [what, statement] of Object.entries(HIDDEN_WRITES)) {
    it(`a write that ${what} affects no list`, async () => {
      const { shown, isPublic } = await effectOf(statement);
      assert.deepEqual({ shown, isPublic }, { shown: [false, false], isPublic: false });
    });
  }
  for (const [what, statement] of Object.entries(VISIBLE)) {
    it(`a write that ${what} affects both lists`, async () => {
      const { shown, affected } = await effectOf(statement);
      assert.deepEqual({ shown, affected }, { shown: [true, true], affected: [true, true] });
    });
  }
});
