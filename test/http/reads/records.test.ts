import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HIDDEN, PUBLIC_FEED, TEAM_FEED } from '../../../support/content/world.ts';
import { execute } from '../../../support/databases/engine.ts';
import { temporaryFolder } from '../../../support/processes/scope.ts';
import { startApp } from '../../../support/program/app.ts';
import { apply, createKey, runOk } from '../../../support/program/command.ts';
import { runJson } from '../../cli/helpers.ts';
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

  it('the public changelog is exactly the specified envelope, with its fields in order', async () => {
    const response = await suite.app.inject(PUBLIC_FEED);
    assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(
      response.body,
      JSON.stringify({ data: { object: 'changelog', ...HEAD, versions: PUBLIC_VERSIONS } }),
    );
    assert.ok(!response.body.includes(HIDDEN));
  });

  it('the changelog for a key is the same envelope, with drafts first and publishedAt null', async () => {
    const response = await suite.app.inject({ url: TEAM_FEED, headers: asKeyHolder() });
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
    assert.equal(response.body, JSON.stringify({ data }));
  });

  it('a published changelog without published versions has an empty array', async () => {
    const response = await suite.app.inject('/api/v1/public/teams/acme/products/new/changelog');
    assert.equal(response.statusCode, 200);
    assert.deepEqual(response.json().data.versions, []);
    assert.equal(response.json().data.changelog.name, 'New');
  });

  it('the changelog is formatted as by JSON.stringify, whatever its texts contain', async (t) => {
    const controls = Array.from({ length: 31 }, (_, index) => String.fromCharCode(index + 1)).join('');
    const title = [
      '","label":"x","object":"y"}],[{',
      ',"label":',
      ',\\"label\\":\\',
      `${controls}\u007f\u0080 / </script> é 漢 \u{1f680} \u2028\u2029 \ufeff \ufffd $& \\u0000`,
    ].join(' ');
    const setTitle = (text: string) =>
      execute(
        suite.sandbox,
        `update versions set title = '${text.replaceAll("'", "''")}' where id = 'ver_210'`,
      );
    t.after(() => setTitle('Faster launches'));
    await setTitle(title);
    const [first, ...rest] = PUBLIC_VERSIONS;
    const versions = [{ ...first, title }, ...rest];
    const expected = JSON.stringify({ data: { object: 'changelog', ...HEAD, versions } });
    await becomes(async () => (await suite.app.inject(PUBLIC_FEED)).body, expected);
  });

  it('the status of the changelog for a key may also be draft or locked', async () => {
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

  it('a version has the summary, then the details, then the changes in the author’s order', async () => {
    const response = await suite.app.inject(`${PUBLIC_FEED}/versions/ver_210`);
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
        html: '<p>The fuse. </p>',
        breaking: true,
      },
    ];
    const expected = {
      ...PUBLIC_VERSIONS[0],
      description: 'Optional *Markdown*.',
      descriptionHtml: '<p>Optional <em>Markdown</em>.</p>',
      yanked: false,
      updatedAt: '2026-05-04T09:00:00.000Z',
      ...HEAD,
      changes,
    };
    assert.equal(response.body, JSON.stringify({ data: expected }));
  });

  it('a version has null without a description, an empty array without changes, and true if yanked', async () => {
    const { data } = (await suite.app.inject(`${PUBLIC_FEED}/versions/ver_100`)).json();
    assert.equal(data.description, null);
    assert.equal(data.descriptionHtml, null);
    assert.equal(data.yanked, true);
    assert.deepEqual(data.changes, []);
  });

  it('a description is safe HTML in each record, and does not use up the budget of the changes', async (t) => {
    const sandbox = { folder: temporaryFolder(t) };
    const description = `Safe <script>alert(1)</script> [a](javascript:alert(1))\n${'*a* '.repeat(2_000)}`;
    const changes = Array.from({ length: 4 }, (_, number) => ({
      type: 'added',
      text: `${number} ${'*b* '.repeat(2_400)}`,
    }));
    const versions = [
      { version: '1.0.0', title: '', status: 'published', publishedAt: '2026-05-04', description, changes },
    ];
    await apply(sandbox, {
      team: { slug: 'acme', name: 'Acme', visibility: 'public' },
      products: [
        { slug: 'rocket', name: 'Rocket', status: 'published', changelog: { status: 'published', versions } },
      ],
    });
    const { app } = await startApp(t, sandbox);
    const { data } = (await app.inject(`${PUBLIC_FEED}/versions/1.0.0`)).json();
    const start = '<p>Safe  [a](javascript:alert(1))\n<em>a</em> <em>a</em> ';
    assert.equal(data.descriptionHtml.slice(0, start.length), start);
    for (const { html } of data.changes) assert.match(html, /^<p>\d <em>b<\/em> /);
    assert.deepEqual((await app.inject(`${PUBLIC_FEED}?include=changes`)).json().data.versions, [data]);
    const shown = await runJson<typeof data>(sandbox, ['version', 'show', 'acme/rocket', '1.0.0']);
    assert.equal(shown.descriptionHtml, data.descriptionHtml);
  });

  it('a version has its links and its image after updatedAt, in each record and as plain SQL sets them', async (t) => {
    const sandbox = { folder: temporaryFolder(t) };
    const compare = 'https://a.example/compare/1.0.0...2.0.0';
    const published = { title: '', status: 'published', publishedAt: '2026-05-04' };
    const versions = [
      { version: '2.0.0', ...published, links: { compare } },
      { version: '1.0.0', ...published },
    ];
    await apply(sandbox, {
      team: { slug: 'acme', name: 'Acme', visibility: 'public' },
      products: [
        { slug: 'rocket', name: 'Rocket', status: 'published', changelog: { status: 'published', versions } },
      ],
    });
    const { app } = await startApp(t, sandbox);
    const linksOf = async (label: string) => {
      const { body } = await app.inject(`${PUBLIC_FEED}/versions/${label}`);
      return /"updatedAt":"[^"]*",(.*?)"team":/.exec(body)?.[1];
    };
    assert.equal(await linksOf('2.0.0'), `"links":${JSON.stringify({ compare })},`);
    assert.equal(await linksOf('1.0.0'), '');
    const { body } = await app.inject(`${PUBLIC_FEED}?include=changes`);
    assert.deepEqual(
      JSON.parse(body).data.versions.map(({ links }: { links?: object }) => links),
      [{ compare }, undefined],
    );
    const { updatedAt } = (await app.inject(`${PUBLIC_FEED}/versions/1.0.0`)).json().data;
    await execute(sandbox, `update versions set compare_url = 'https://a.example/1' where label = '1.0.0'`);
    await becomes(async () => await linksOf('1.0.0'), '"links":{"compare":"https://a.example/1"},');
    const later = (await app.inject(`${PUBLIC_FEED}/versions/1.0.0`)).json().data.updatedAt;
    assert.ok(later > updatedAt, later);

    // The image of a product is not that of its versions.
    await execute(sandbox, `update products set image = 'https://a.example/product.png'`);
    await execute(sandbox, `update versions set image = 'https://a.example/1.png' where label = '1.0.0'`);
    const record = async () => (await app.inject(`${PUBLIC_FEED}/versions/1.0.0`)).json().data;
    await becomes(async () => (await record()).image, 'https://a.example/1.png');
    assert.ok((await record()).updatedAt > later);
    const full = (await app.inject(`${PUBLIC_FEED}?include=changes`)).json().data.versions;
    assert.deepEqual(
      full.map(({ image }: { image?: string }) => image),
      [undefined, 'https://a.example/1.png'],
    );
    assert.doesNotMatch((await app.inject(PUBLIC_FEED)).body, /image|product\.png/);
  });

  it('changeCount is exactly the number of changes of the version, on both surfaces', async () => {
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

  it('a draft is returned to a key that may read the product', async () => {
    const headers = { authorization: `Bearer ${suite.world.select}` };
    const { data } = (await suite.app.inject({ url: `${TEAM_FEED}/versions/ver_300`, headers })).json();
    assert.equal(data.status, 'draft');
    assert.equal(data.publishedAt, null);
  });

  it('a version of another product, a malformed id and a product without a changelog are 404', async () => {
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

describe('publication and ids', () => {
  it('only the status decides what is public, and ids have the prefix of their kind (R8, R14)', async (t) => {
    const sandbox = { folder: temporaryFolder(t) };
    await apply(sandbox, {
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
    const { app } = await startApp(t, sandbox);
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
  it('versions are ordered: never-published drafts by creation, then by date, then by id', async (t) => {
    const sandbox = { folder: temporaryFolder(t) };
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
    await apply(sandbox, versions([{ id: 'ver_z', version: 'z', title: 'first draft' }]));
    await apply(
      sandbox,
      versions([
        { id: 'ver_b', version: 'b', title: 'the newest draft, listed first' },
        { id: 'ver_y', version: 'y', title: 'a draft older than the one above' },
        at('ver_tie2', '2026-01-01'),
        at('ver_new', '2026-03-01'),
        at('ver_tie1', '2026-01-01'),
        { ...at('ver_unpublished', '2026-02-01'), status: 'draft' },
      ]),
    );
    const { key } = await createKey(sandbox, 'acme', '--kind', 'FULL');
    const { app } = await startApp(t, sandbox);
    const order = async () => {
      const response = await app.inject({ url: TEAM_FEED, headers: { authorization: `Bearer ${key}` } });
      return response.json().data.versions.map(({ id }: { id: string }) => id);
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

    await runOk({ ...sandbox, now: '2026-02-15T00:00:00.000Z' }, ['version', 'publish', 'acme/rocket', 'y']);
    await becomes(order, ['ver_b', 'ver_z', 'ver_new', 'ver_y', 'ver_unpublished', 'ver_tie1', 'ver_tie2']);
  });
});
