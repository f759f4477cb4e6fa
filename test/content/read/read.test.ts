import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_APPEARANCE } from '../../../src/domain/content/appearance.ts';
import { CHANGE_TYPES } from '../../../src/domain/model.ts';
import { deadline } from '../../../support/processes/busy.ts';
import { threadCpuMs } from '../../../support/processes/usage.ts';
import { read, written } from '../helpers.ts';

const FULL = `
team: { slug: acme, name: Acme, visibility: public, plan: paid }   # a comment
products:
  - slug: rocket
    name: Rocket
    status: published
    domain: Changes.Rocket.example
    links:
      home: https://rocket.example
      base: https://rocket.example/docs/
      repository: https://github.com/acme/rocket.git
    image: https://rocket.example/cover.png
    logo: https://rocket.example/logo.svg
    accent: "#4f46e5"
    changelog:
      id: cl_1
      name: Rocket changelog
      description: All *notable* changes.
      language: de-CH
      status: locked
      versions:
        - id: ver_1
          version: 2.1.0
          title: Faster launches
          status: published
          publishedAt: 2026-05-04T09:00:00.000Z
          updatedAt: 2026-06-01T10:00:00.000Z
          description: Optional Markdown.
          links: { compare: https://rocket.example/compare/2.0.0...2.1.0 }
          image: data:image/svg+xml,<svg/>
          yanked: true
          changes:
            - { id: chg_1, type: added, text: "A countdown, in *Markdown*.", breaking: true }
`;

const FULL_CONTENT = {
  team: { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' },
  products: [
    {
      slug: 'rocket',
      name: 'Rocket',
      status: 'published',
      domain: 'changes.rocket.example',
      links: {
        home: 'https://rocket.example',
        base: 'https://rocket.example/docs/',
        repository: 'https://github.com/acme/rocket',
      },
      image: 'https://rocket.example/cover.png',
      logo: 'https://rocket.example/logo.svg',
      accent: '#4f46e5',
      changelog: {
        id: 'cl_1',
        name: 'Rocket changelog',
        description: 'All *notable* changes.',
        language: 'de-CH',
        status: 'locked',
        versions: [
          {
            id: 'ver_1',
            version: '2.1.0',
            title: 'Faster launches',
            status: 'published',
            publishedAt: '2026-05-04T09:00:00.000Z',
            publishAt: null,
            updatedAt: '2026-06-01T10:00:00.000Z',
            description: 'Optional Markdown.',
            links: { compare: 'https://rocket.example/compare/2.0.0...2.1.0' },
            image: 'data:image/svg+xml,%3Csvg/%3E',
            yanked: true,
            changes: [{ id: 'chg_1', type: 'added', text: 'A countdown, in *Markdown*.', breaking: true }],
          },
        ],
      },
    },
  ],
};

const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
const withVersion = (lines: string) =>
  [
    ...(read(`team: { slug: a, name: A }
products:
  - slug: p
    name: P
    changelog:
      versions:
        - version: 1.0.0
          title: One
${lines}`).products[0]?.changelog?.versions ?? []),
  ][0];

describe('a content document', () => {
  it('a content document is read with all of its fields', () => {
    assert.deepEqual(plain(read(FULL)), FULL_CONTENT);
  });

  it('a content document in JSON has the same content as in YAML', () => {
    assert.deepEqual(read(JSON.stringify(FULL_CONTENT, null, 2), 'acme.json'), read(FULL));
    assert.deepEqual(read(JSON.stringify(FULL_CONTENT, null, '\t'), 'acme.json'), read(FULL));
    assert.deepEqual(read(JSON.stringify(FULL_CONTENT), 'acme.json'), read(FULL));
  });

  it('escapes in JSON are read, including surrogate pairs', () => {
    const text = '{"team":{"slug":"a","name":"\\ud83d\\ude80 \\"\\\\\\/\\u00e9"}}';
    assert.equal(read(text).team.name, '🚀 "\\/é');
  });

  it('CRLF and a byte order mark do not change the content', () => {
    assert.deepEqual(read(FULL.replaceAll('\n', '\r\n')), read(FULL));
    assert.deepEqual(read(`\uFEFF${FULL}`), read(FULL));
    assert.deepEqual(read(`\uFEFF${JSON.stringify(FULL_CONTENT)}`), read(FULL));
  });

  it('a content document may name its schema in a comment or in JSON', () => {
    assert.deepEqual(read(`# yaml-language-server: $schema=content.schema.json\n${FULL}`), read(FULL));
    assert.deepEqual(read(JSON.stringify({ $schema: 'content.schema.json', ...FULL_CONTENT })), read(FULL));
  });

  it('a content document may use anchors and aliases', () => {
    const { products } = read(`team: { slug: a, name: &name Same }
products:
  - { slug: p, name: *name }
  - { slug: q, name: *name }`);
    assert.deepEqual(
      products.map(({ name }) => name),
      ['Same', 'Same'],
    );
  });

  it('a closing bracket may be aligned with the field that it belongs to, and stays as it is in texts', () => {
    const version = withVersion(`          changes: [
            { type: added, text: "[
            ]" },
            {
              type: fixed, text: x
            },
          ]
          description: |
            }
            [
            ]
`);
    assert.deepEqual(
      version?.changes.map(({ text }) => text),
      ['[ ]', 'x'],
    );
    assert.equal(version?.description, '}\n[\n]\n');
    const blocks = withVersion(`          changes:
            - text: |
                }
                ]
              type: added
            - { type: fixed, text: x
            }
`);
    assert.deepEqual(
      blocks?.changes.map(({ text }) => text),
      ['}\n]\n', 'x'],
    );
    assert.equal(read('team: {\r\n  slug: a,\r\n  name: A\r\n}\r\n').team.name, 'A');
  });

  it('brackets after a line with many spaces and comment signs are found in linear time', () => {
    const line = ` #${'x '.repeat(50_000)}${' '.repeat(50_000)}`;
    const text = `team: { slug: a, name: A }\nproducts: [\n${line}\n]\n`;
    assert.ok(threadCpuMs(() => assert.deepEqual(read(text).products, [])) < deadline(5_000));
  });

  it('texts are kept as they are written', () => {
    const description = withVersion('          description: |\n            # Yes\n\n              "1.0" ~\n');
    assert.equal(description?.description, '# Yes\n\n  "1.0" ~\n');
    assert.equal(withVersion('          description: ""')?.description, '');
  });
});

describe('the defaults of a content document', () => {
  it('a team is private by default, on the free plan and without products', () => {
    assert.deepEqual(read('team: { slug: a, name: A }'), {
      team: { slug: 'a', name: 'A', visibility: 'private', plan: 'free' },
      products: [],
    });
  });

  it('a product is a draft by default, without domain, links, image, logo, accent colour and changelog', () => {
    const { products } = read('team: { slug: a, name: A }\nproducts: [{ slug: p, name: P }]');
    assert.deepEqual(products, [
      { slug: 'p', name: 'P', status: 'draft', ...NO_APPEARANCE, changelog: null },
    ]);
  });

  it('a changelog is a draft in English by default, named like its product and without versions', () => {
    const { products } = read('team: { slug: a, name: A }\nproducts: [{ slug: p, name: P, changelog: {} }]');
    assert.deepEqual(plain(products[0]?.changelog), {
      name: 'P',
      description: null,
      language: 'en',
      status: 'draft',
      versions: [],
    });
  });

  it('a version is a draft by default, without date, description, image or changes, and not yanked', () => {
    assert.deepEqual(plain(withVersion('')), {
      version: '1.0.0',
      title: 'One',
      status: 'draft',
      publishedAt: null,
      publishAt: null,
      updatedAt: null,
      description: null,
      image: null,
      yanked: false,
      changes: [],
    });
  });

  it('a published version without a date has none until it is applied', () => {
    assert.equal(withVersion('          status: published')?.publishedAt, null);
    assert.equal(withVersion('          status: published\n          publishedAt: null')?.publishedAt, null);
  });

  it('a change of any type is not breaking by default', () => {
    for (const type of CHANGE_TYPES) {
      assert.deepEqual(plain(withVersion(`          changes: [{ type: ${type}, text: x }]`)?.changes), [
        { type, text: 'x', breaking: false },
      ]);
    }
  });
});

describe('a date', () => {
  const cases = {
    '2026-05-04T09:00:00.000Z': '2026-05-04T09:00:00.000Z',
    '2026-05-04T09:00:00Z': '2026-05-04T09:00:00.000Z',
    '2026-05-04T09:00Z': '2026-05-04T09:00:00.000Z',
    '2026-05-04T09:00:00.123456789Z': '2026-05-04T09:00:00.123Z',
    '2026-05-04T11:00:00+02:00': '2026-05-04T09:00:00.000Z',
    '2026-05-04': '2026-05-04T00:00:00.000Z',
    '2024-02-29': '2024-02-29T00:00:00.000Z',
  };
  for (const [written, meant] of Object.entries(cases)) {
    it(`the date ${written} is stored as ${meant}`, () => {
      assert.equal(withVersion(`          publishedAt: ${written}`)?.publishedAt, meant);
      assert.equal(withVersion(`          publishedAt: "${written}"`)?.publishedAt, meant);
    });
  }
});

describe('the time to publish a draft', () => {
  for (const [written, meant] of Object.entries({
    '2026-12-01T09:00+01:00': '2026-12-01T08:00:00.000Z',
    '2026-12-01T08:00Z': '2026-12-01T08:00:00.000Z',
    '2026-12-01T08:00:00.5-00:30': '2026-12-01T08:30:00.500Z',
  }))
    it(`the time ${written} is stored as ${meant}`, () => {
      for (const text of [written, `"${written}"`])
        assert.equal(withVersion(`          publishAt: ${text}`)?.publishAt, meant);
      assert.equal(withVersion(`          status: published\n          publishAt: null`)?.publishAt, null);
    });
});

describe('a written document', () => {
  it('a written document reads back as the same content in both formats', async () => {
    for (const format of ['yaml', 'json'] as const) {
      assert.deepEqual(read(await written(read(FULL), format), `acme.${format}`), read(FULL));
    }
  });

  it('a written YAML document names its schema for editors', async () => {
    assert.match(
      await written(read(FULL), 'yaml'),
      /^# yaml-language-server: \$schema=\S+schema\/content\.schema\.json\n/,
    );
  });
});
