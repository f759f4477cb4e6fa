import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HIDDEN, PUBLIC_FEED, TEAM_FEED } from '../../../support/content/world.ts';
import { temporaryFolder } from '../../../support/processes/scope.ts';
import { startApp } from '../../../support/program/app.ts';
import { apply, createKey, runOk } from '../../../support/program/command.ts';
import { becomes } from '../../support/becomes.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const PUBLIC_VERSIONS = [
  {
    id: 'ver_210',
    object: 'changelog.version',
    version: '2.1.0',
    title: 'Faster launches',
    status: 'published',
    publishedAt: '2026-05-04T09:00:00.000Z',
    changeCount: 2,
  },
  {
    id: 'ver_100',
    object: 'changelog.version',
    version: '1.0.0',
    title: 'Lift-off',
    status: 'published',
    publishedAt: '2025-01-01T00:00:00.000Z',
    changeCount: 0,
  },
];

const HEAD = {
  team: { slug: 'acme', name: 'Acme' },
  product: { slug: 'rocket', name: 'Rocket' },
  changelog: { id: 'cl_rocket', name: 'Rocket changelog', status: 'published' },
};

describe('GET …/changelog', () => {
  const suite = suiteWithWorld();
  const asKeyHolder = () => ({ authorization: `Bearer ${suite.world.full}` });

  it('answers the public with exactly the specified envelope, fields in order', async () => {
    const answer = await suite.app.inject(PUBLIC_FEED);
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(
      answer.body,
      JSON.stringify({ data: { object: 'changelog', ...HEAD, versions: PUBLIC_VERSIONS } }),
    );
    assert.ok(!answer.body.includes(HIDDEN));
  });

  it('answers a key with the same envelope, drafts on top with publishedAt null', async () => {
    const answer = await suite.app.inject({ url: TEAM_FEED, headers: asKeyHolder() });
    const draft = {
      id: 'ver_300',
      object: 'changelog.version',
      version: '3.0.0',
      title: HIDDEN,
      status: 'draft',
      publishedAt: null,
      changeCount: 1,
    };
    const data = { object: 'changelog', ...HEAD, versions: [draft, ...PUBLIC_VERSIONS] };
    assert.equal(answer.body, JSON.stringify({ data }));
  });

  it('answers a published changelog without published versions with an empty array', async () => {
    const answer = await suite.app.inject('/api/v1/public/teams/acme/products/new/changelog');
    assert.equal(answer.statusCode, 200);
    assert.deepEqual(answer.json().data.versions, []);
    assert.equal(answer.json().data.changelog.name, 'New');
  });

  it('widens the status of the changelog for a key to draft and locked', async () => {
    for (const [slug, status] of [
      ['quiet', 'draft'],
      ['still', 'locked'],
    ]) {
      const url = `/api/v1/teams/acme/products/${slug}/changelog`;
      assert.equal(
        (await suite.app.inject({ url, headers: asKeyHolder() })).json().data.changelog.status,
        status,
      );
    }
  });
});

describe('GET …/changelog/versions/{versionId}', () => {
  const suite = suiteWithWorld();

  it('answers with the summary, then the details, then the changes in the author’s order', async () => {
    const answer = await suite.app.inject(`${PUBLIC_FEED}/versions/ver_210`);
    const changes = [
      {
        id: 'chg_1',
        object: 'changelog.change',
        type: 'added',
        text: 'A countdown, in *Markdown*.',
        html: '<p>A countdown, in <em>Markdown</em>.</p>',
        breaking: false,
      },
      {
        id: 'chg_2',
        object: 'changelog.change',
        type: 'removed',
        text: 'The fuse. <script>alert(1)</script>',
        html: '<p>The fuse. &lt;script&gt;alert(1)&lt;/script&gt;</p>',
        breaking: true,
      },
    ];
    const expected = {
      ...PUBLIC_VERSIONS[0],
      description: 'Optional *Markdown*.',
      yanked: false,
      ...HEAD,
      changes,
    };
    assert.equal(answer.body, JSON.stringify({ data: expected }));
  });

  it('says null for no description, an empty array for no changes, and true for yanked', async () => {
    const { data } = (await suite.app.inject(`${PUBLIC_FEED}/versions/ver_100`)).json();
    assert.equal(data.description, null);
    assert.equal(data.yanked, true);
    assert.deepEqual(data.changes, []);
  });

  it('counts in the feed exactly the changes that the version has, on both surfaces', async () => {
    for (const [feed, headers] of [
      [PUBLIC_FEED, {}],
      [TEAM_FEED, { authorization: `Bearer ${suite.world.full}` }],
    ] as const) {
      const { data } = (await suite.app.inject({ url: feed, headers })).json();
      assert.ok(data.versions.length > 0);
      for (const { id, changeCount } of data.versions) {
        const version = (await suite.app.inject({ url: `${feed}/versions/${id}`, headers })).json().data;
        assert.equal(version.changes.length, changeCount);
      }
    }
  });

  it('gives a draft to a key that may read the product', async () => {
    const headers = { authorization: `Bearer ${suite.world.select}` };
    const { data } = (await suite.app.inject({ url: `${TEAM_FEED}/versions/ver_300`, headers })).json();
    assert.equal(data.status, 'draft');
    assert.equal(data.publishedAt, null);
  });

  it('404 for a version of another product, a malformed id and a product without a changelog', async () => {
    const headers = { authorization: `Bearer ${suite.world.full}` };
    for (const url of [
      `${TEAM_FEED}/versions/ver_secret`,
      `${TEAM_FEED}/versions/ver_vault`,
      `${TEAM_FEED}/versions/210`,
      `${TEAM_FEED}/versions/VER_210`,
      '/api/v1/teams/acme/products/bare/changelog',
      '/api/v1/teams/acme/products/bare/changelog/versions/ver_210',
    ]) {
      assert.equal((await suite.app.inject({ url, headers })).statusCode, 404, url);
    }
  });
});

describe('what the clock and the makers of ids may not decide', () => {
  it('status alone says what is public, and ids are prefixed by kind (R8, R14)', async (t) => {
    const workplace = { folder: temporaryFolder(t) };
    await apply(workplace, {
      team: { slug: 'acme', name: 'Acme', visibility: 'public' },
      products: [
        {
          slug: 'rocket',
          name: 'Rocket',
          status: 'published',
          changelog: {
            status: 'published',
            versions: [
              {
                version: 'future',
                title: '',
                status: 'published',
                publishedAt: '2999-01-01',
                changes: [{ type: 'other', text: 'x' }],
              },
              { version: 'past', title: '', status: 'draft', publishedAt: '1999-01-01' },
            ],
          },
        },
      ],
    });
    const { app } = await startApp(t, workplace);
    const { data } = (await app.inject(PUBLIC_FEED)).json();
    assert.deepEqual(
      data.versions.map(({ version }: { version: string }) => version),
      ['future'],
    );
    const version = (await app.inject(`${PUBLIC_FEED}/versions/${data.versions[0].id}`)).json().data;
    assert.match(data.changelog.id, /^cl_[\w-]+$/);
    assert.match(version.id, /^ver_[\w-]+$/);
    assert.match(version.changes[0].id, /^chg_[\w-]+$/);
  });
});

describe('the order of versions (R12)', () => {
  it('is never-published drafts by creation, then by date, then by id', async (t) => {
    const workplace = { folder: temporaryFolder(t) };
    const versions = (list: object[]) => ({
      team: { slug: 'acme', name: 'Acme', plan: 'paid' },
      products: [{ slug: 'rocket', name: 'Rocket', changelog: { versions: list } }],
    });
    const at = (id: string, publishedAt: string) => ({
      id,
      version: id,
      title: '',
      status: 'published',
      publishedAt,
    });
    await apply(workplace, versions([{ id: 'ver_z', version: 'z', title: 'first draft' }]));
    await apply(
      workplace,
      versions([
        { id: 'ver_b', version: 'b', title: 'the newest draft, listed first' },
        { id: 'ver_y', version: 'y', title: 'a draft older than the one above' },
        at('ver_tie2', '2026-01-01'),
        at('ver_new', '2026-03-01'),
        at('ver_tie1', '2026-01-01'),
        { ...at('ver_unpublished', '2026-02-01'), status: 'draft' },
      ]),
    );
    const { key } = await createKey(workplace, 'acme', '--kind', 'FULL');
    const { app } = await startApp(t, workplace);
    const order = async () => {
      const answer = await app.inject({ url: TEAM_FEED, headers: { authorization: `Bearer ${key}` } });
      return answer.json().data.versions.map(({ id }: { id: string }) => id);
    };
    assert.deepEqual(await order(), [
      'ver_b',
      'ver_y',
      'ver_z',
      'ver_new',
      'ver_unpublished',
      'ver_tie1',
      'ver_tie2',
    ]);

    await runOk({ ...workplace, now: '2026-02-15T00:00:00.000Z' }, [
      'version',
      'publish',
      'acme/rocket',
      'y',
    ]);
    await becomes(order, ['ver_b', 'ver_z', 'ver_new', 'ver_y', 'ver_unpublished', 'ver_tie1', 'ver_tie2']);
  });
});
