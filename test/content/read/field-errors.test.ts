// Errors of single fields.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { refusalOf } from '../helpers.ts';

const TEAM = 'team: { slug: acme, name: Acme }\n';
const HEAD = `${TEAM}products:
  - slug: rocket
    name: Rocket
    changelog:
      versions:
        - version: 1.0.0
          title: One
`;
/** The line that comes after HEAD. */
const NEXT = 9;
const VERSION = 'products[0].changelog.versions[0]';

function assertRefused(text: string | Uint8Array, line: number, field: string, message: RegExp): void {
  const refusal = refusalOf(text);
  const start = `acme.yaml:${line}: ${field}: `;
  assert.ok(refusal.startsWith(start), `${JSON.stringify(refusal)} should start with ${start}`);
  assert.match(refusal.slice(start.length), message);
  assert.doesNotMatch(refusal, /\n/);
}

describe('an unknown field', () => {
  const cases: [where: string, text: string, line: number, field: string][] = [
    ['of the document', `${TEAM}colour: red\n`, 2, 'colour'],
    ['of the team', 'team:\n  slug: a\n  colour: red\n  name: A\n', 3, 'team.colour'],
    ['of a product', `${TEAM}products:\n  - slug: p\n    name: P\n    tag: x\n`, 5, 'products[0].tag'],
    [
      'of a changelog',
      `${TEAM}products:\n  - slug: p\n    name: P\n    changelog:\n      title: x\n`,
      6,
      'products[0].changelog.title',
    ],
    ['of a version', `${HEAD}          date: 2026-05-04\n`, NEXT, `${VERSION}.date`],
    [
      'of a change',
      `${HEAD}          changes:\n            - type: added\n              text: x\n              kind: y\n`,
      NEXT + 3,
      `${VERSION}.changes[0].kind`,
    ],
    ['without a value', `${TEAM}colour:\n`, 2, 'colour'],
    ['with a mapping as its value', `${TEAM}colour:\n  red: 1\n  blue: 2\n`, 2, 'colour'],
    ['with a list as its value', `${TEAM}colours:\n  - red\n`, 2, 'colours'],
    ['whose name is a number', `${TEAM}1: red\n`, 2, '1'],
    ['called __proto__', `${TEAM}__proto__: { a: b }\n`, 2, '__proto__'],
    ['that other YAML versions merge', `${TEAM}<<: { products: [] }\n`, 2, '<<'],
  ];
  for (const [where, text, line, field] of cases) {
    it(`an unknown field ${where} is rejected with file, line and field`, () =>
      assertRefused(text, line, field, /^unknown field "/));
  }
});

describe('the advice for an unknown field', () => {
  const cases: [text: string, advice: string][] = [
    ['teem: { slug: a, name: A }', 'did you mean "team"?'],
    [`${TEAM}product: []`, 'did you mean "products"?'],
    ['team: { slug: a, name: A, Visibility: public }', 'did you mean "visibility"?'],
    [`${HEAD}          published_at: 2026-05-04`, 'did you mean "publishedAt"?'],
    [`${HEAD}          desc: x`, 'did you mean "description"?'],
    [`${HEAD}          visibility: public`, 'it belongs in team.'],
    [`${TEAM}products: [{ slug: p, name: P, versions: [] }]`, 'it belongs in products[].changelog.'],
    [`${TEAM}versions: []`, 'it belongs in products[].changelog.'],
    ['team: { slug: a, name: A, products: [] }', 'it belongs in the document.'],
    [
      'team: { slug: a, name: A, status: published }',
      'it belongs in products[], products[].changelog or products[].changelog.versions[].',
    ],
    [`${HEAD}          date: 2026-05-04`, 'check its spelling or remove it.'],
    [`${TEAM}constructor: 1`, 'check its spelling or remove it.'],
  ];
  for (const [text, advice] of cases)
    it(`an unknown field comes with advice: ${advice}`, () => {
      const refusal = refusalOf(text);
      assert.ok(refusal.endsWith(`"; ${advice}`), refusal);
    });
});

describe('a misspelt value', () => {
  const cases: [field: string, text: string, meant: string | null][] = [
    ['status', `${HEAD}          status: publish`, 'published'],
    ['status', `${HEAD}          status: Published`, 'published'],
    ['status', `${TEAM}products: [{ slug: p, name: P, status: lock }]`, 'locked'],
    ['type', `${HEAD}          changes: [{ type: fix, text: x }]`, 'fixed'],
    ['type', `${HEAD}          changes: [{ type: depreciated, text: x }]`, 'deprecated'],
    ['visibility', 'team: { slug: a, name: A, visibility: PUBLIC }', 'public'],
    ['plan', 'team: { slug: a, name: A, plan: payd }', 'paid'],
    ['plan', 'team: { slug: a, name: A, plan: gold }', null],
    ['type', `${HEAD}          changes: [{ type: feature, text: x }]`, null],
  ];
  for (const [field, text, meant] of cases)
    it(`a misspelt ${field} comes with the nearest value, if there is one: ${meant}`, () => {
      const advice = meant === null ? '\\.' : `; did you mean "${meant}"\\?`;
      assert.match(refusalOf(text), new RegExp(`${field}: must be one of [a-z, ]+, not "\\w+"${advice}$`));
    });
});

describe('a wrong type', () => {
  const cases: [what: string, text: string, line: number, field: string, message: RegExp][] = [
    ['a string for the team', 'team: acme\n', 1, 'team', /must be a mapping, not "acme"/],
    ['a mapping for the products', `${TEAM}products: {}\n`, 2, 'products', /must be a list/],
    ['nothing for the products', `${TEAM}products:\n`, 2, 'products', /must be a list, not null/],
    ['a number for a name', 'team:\n  slug: a\n  name: 12\n', 3, 'team.name', /a string, not 12; .*quotes/],
    ['a boolean for a name', 'team:\n  slug: a\n  name: true\n', 3, 'team.name', /quotes/],
    ['a list for a name', 'team:\n  slug: a\n  name: [x]\n', 3, 'team.name', /must be a string/],
    [
      'a string for yanked',
      `${HEAD}          yanked: yes\n`,
      NEXT,
      `${VERSION}.yanked`,
      /boolean, not "yes"/,
    ],
    ['a number for a date', `${HEAD}          publishedAt: 2026\n`, NEXT, `${VERSION}.publishedAt`, /string/],
    ['a string for the changes', `${HEAD}          changes: none\n`, NEXT, `${VERSION}.changes`, /a list/],
    [
      'a string for a change',
      `${HEAD}          changes:\n            - x\n`,
      NEXT + 1,
      `${VERSION}.changes[0]`,
      /map/,
    ],
    ['an unknown state', `${HEAD}          status: locked\n`, NEXT, `${VERSION}.status`, /draft, published/],
    [
      'an unknown visibility',
      'team: { slug: a, name: A, visibility: open }',
      1,
      'team.visibility',
      /private/,
    ],
    [
      'an unknown plan',
      'team: { slug: a, name: A, plan: gold }',
      1,
      'team.plan',
      /must be one of free, paid/,
    ],
    [
      'an unknown type of change',
      `${HEAD}          changes: [{ type: new, text: x }]\n`,
      NEXT,
      `${VERSION}.changes[0].type`,
      /added, changed, deprecated, removed, fixed, security, other, not "new"/,
    ],
  ];
  for (const [what, text, line, field, message] of cases) {
    it(`${what} is rejected with file, line and field`, () => assertRefused(text, line, field, message));
  }

  it('a label that YAML reads as a number is rejected with the advice to quote it', () => {
    for (const label of ['1.10', '2', '1e3', '0x10', '.5', 'null', 'true']) {
      assertRefused(
        `${HEAD}        - version: ${label}\n          title: Two\n`,
        NEXT,
        'products[0].changelog.versions[1].version',
        label === 'null' ? /must be a string, not null/ : /must be a string, not .+; put it in quotes/,
      );
    }
  });
});

describe('a missing field', () => {
  const cases: [text: string, line: number, field: string][] = [
    ['# nothing but products\nproducts: []\n', 2, 'team'],
    ['# ours\nteam: { name: Acme }\n', 2, 'team.slug'],
    ['# ours\nteam: { slug: acme }\n', 2, 'team.name'],
    [`${TEAM}products:\n  - slug: p\n`, 3, 'products[0].name'],
    [`${HEAD}        - title: Two\n`, NEXT, 'products[0].changelog.versions[1].version'],
    [`${HEAD}        - version: 2.0.0\n`, NEXT, 'products[0].changelog.versions[1].title'],
    [`${HEAD}          changes:\n            - text: x\n`, NEXT + 1, `${VERSION}.changes[0].type`],
    [`${HEAD}          changes:\n            - type: added\n`, NEXT + 1, `${VERSION}.changes[0].text`],
  ];
  for (const [text, line, field] of cases)
    it(`the missing field ${field} is reported with the line of its parent`, () =>
      assertRefused(text, line, field, /is missing/));
});

describe('an invalid value', () => {
  it('an invalid slug is rejected with file, line and field (R15)', () => {
    for (const slug of ['Acme', '-a', 'a-', 'a_b', 'a b', 'é', 'a/b', '""', `${'a'.repeat(65)}`]) {
      assertRefused(`team:\n  name: A\n  slug: ${slug}\n`, 3, 'team.slug', /a-z, 0-9 and -/);
    }
  });

  it('an id of another kind or with other characters is rejected (R14)', () => {
    for (const id of ['ver1', 'cl_1', 'ver_', 'ver_a/b', 'ver_é', `ver_${'a'.repeat(61)}`]) {
      assertRefused(`${HEAD}          id: ${id}\n`, NEXT, `${VERSION}.id`, /prefix/);
    }
  });

  it('a label that is empty, has spaces at an end, or contains a line break is rejected', () => {
    for (const label of ['""', '" 1.0"', '"1.0 "', '"1\\n0"', '"\\t"']) {
      const text = `${HEAD}        - version: ${label}\n          title: Two\n`;
      assertRefused(text, NEXT, 'products[0].changelog.versions[1].version', /is not valid/);
    }
  });

  it('an empty name and one of 201 characters are rejected', () => {
    assertRefused('team:\n  slug: a\n  name: ""\n', 3, 'team.name', /must not be empty/);
    assertRefused(`team:\n  slug: a\n  name: ${'x'.repeat(201)}\n`, 3, 'team.name', /at most 200 characters/);
  });

  const wanted: [field: string, values: string[], message: RegExp][] = [
    [
      'links.home',
      ['http://a.example', 'a.example', '5', 'https://u:hidden@a.example'],
      /^must be an absolute https: URL/,
    ],
    [
      'domain',
      ['https://a.example', 'a.example:80', 'localhost', '127.0.0.1', '"*.a.example"', '""', '[]', '1'],
      /^must be a host name such as changes\.example\.com, without https:\/\/, a port or a path\.$/,
    ],
    ['domain', [`${'a.'.repeat(127)}example`], /^is too long; at most 253 characters/],
    ['links.base', ['/docs/', '"https://a b"', 'https://a:99999/', '[]'], /^must be an absolute https: URL/],
    [
      'logo',
      [
        'logo',
        'logo.bmp',
        'data:text/html;base64,AAAA',
        '{}',
        'https://u:hidden@a.example',
        '//u:hidden@a/b.svg',
      ],
      /^must be an https: URL/,
    ],
    ['image', ['cover', 'http://a.example/a.png'], /^must be an https: URL.* or the path of such a file/],
    ['image', ['cover.png'], /^"cover\.png" cannot be read: no such file; its path starts at the folder/],
    [
      'links.repository',
      [
        'http://a.example/a',
        'https://a.example',
        'https://a.example/.git',
        'https://u:hidden@a.example/a',
        'a/b',
      ],
      /^must be the https: URL of a repository/,
    ],
    ['logo', [`data:image/png;base64,${'A'.repeat(40_000)}`], /^is too long; at most 32,768 characters/],
    [
      'accent',
      ['#4f46e5', '4f46e5', 'red', '123456', '"#4f46e5ff"'],
      /^must be a colour in the form #rgb or #rrggbb, .*quotes/,
    ],
    [
      'changelog.language',
      ['english', 'en_US', 'en-US-US', '~'],
      /^must be a BCP 47 language tag, such as en/,
    ],
    ['changelog.description', ['5', '[a]'], /^must be a string/],
  ];
  for (const [field, values, message] of wanted)
    it(`an invalid ${field} is rejected with file, line and field, and is not repeated`, () => {
      const [first = '', second] = field.split('.');
      for (const value of values) {
        const lines =
          second === undefined ? `    ${first}: ${value}\n` : `    ${first}:\n      ${second}: ${value}\n`;
        const text = `${TEAM}products:\n  - slug: rocket\n    name: Rocket\n${lines}`;
        assertRefused(text, second === undefined ? 5 : 6, `products[0].${field}`, message);
        assert.doesNotMatch(refusalOf(text), /hidden/);
      }
    });

  it('an invalid link of a version is rejected with file, line and field, and is not repeated', () => {
    for (const url of [
      '/compare/v1...v2',
      'ftp://a.example',
      'https://u:hidden@a.example',
      'https://a:99999/',
      '5',
    ]) {
      const text = `${HEAD}          links:\n            compare: ${url}\n`;
      assertRefused(text, NEXT + 1, `${VERSION}.links.compare`, /^must be an absolute https: or http: URL/);
      assert.doesNotMatch(refusalOf(text), /hidden/);
    }
  });

  it('an invalid image of a version is rejected with file, line and field', () => {
    for (const [image, message] of [
      ['http://a.example/a.png', /^must be an https: URL/],
      ['../package.svg', /^"\.\.\/package\.svg" is outside of the folder/],
    ] as const)
      assertRefused(`${HEAD}          image: ${image}\n`, NEXT, `${VERSION}.image`, message);
  });

  it('a mistyped field of the appearance comes with the right name', () => {
    const product = (line: string) => `${TEAM}products:\n  - slug: p\n    name: P\n    ${line}\n`;
    assert.match(refusalOf(product('link: {}')), /did you mean "links"\?$/);
    assert.match(refusalOf(product('color: "#fff"')), /unknown field "color"/);
    assert.match(refusalOf(product('home: https://a.example')), /it belongs in products\[\]\.links\.$/);
    assert.match(refusalOf(product('language: de')), /it belongs in products\[\]\.changelog\.$/);
  });

  for (const date of [
    '2026-02-30',
    '2026-02-30T09:00:00.000Z',
    '2025-02-29',
    '2026-13-01',
    '2026-05-04T25:00:00Z',
    '2026-05-04T09:00:61Z',
    '2026-05-04T09:00:00',
    '2026-05-04 09:00:00Z',
    '04.05.2026',
    'yesterday',
    '9999-12-31T23:59:59-01:00',
    '""',
  ]) {
    it(`the invalid date ${date} is rejected with file, line and field`, () => {
      const text = `${HEAD}          status: published\n          publishedAt: ${date}\n`;
      assertRefused(
        text,
        NEXT + 1,
        `${VERSION}.publishedAt`,
        /is not an ISO 8601 timestamp; write it like 2026-/,
      );
      const updated = text.replace('publishedAt', 'updatedAt');
      assertRefused(updated, NEXT + 1, `${VERSION}.updatedAt`, /is not an ISO 8601 timestamp; write it like/);
    });
  }
});

describe('a wrong time to publish a draft', () => {
  const refused = (field: string, problem: RegExp) =>
    assertRefused(
      `${HEAD}          status: draft\n          ${field}\n`,
      NEXT + 1,
      `${VERSION}.publishAt`,
      problem,
    );
  const ADVICE = 'write it like 2026-12-01T09:00\\+01:00 or 2026-12-01T08:00Z\\.$';
  const CASES: Record<string, readonly string[]> = {
    'has no time zone': ['2026-12-01T09:00', '2026-12-01T09:00:00', '2026-12-01T09:00:00.123'],
    'has no time of day': ['2026-12-01'],
    'is not an ISO 8601 timestamp': [
      '2026-02-30T09:00Z',
      '2026-12-01T25:00Z',
      '2026-12-01 09:00Z',
      '2026-12-01T09:00+0100',
      '2026-12-01T09:00 Europe/Berlin',
      '9999-12-31T23:59:59-01:00',
      'tomorrow',
      '""',
    ],
  };
  for (const [problem, times] of Object.entries(CASES))
    for (const time of times)
      it(`${time} ${problem}, and is rejected with file, line and field`, () => {
        refused(
          `publishAt: ${time}`,
          new RegExp(`^"${time.replaceAll(/[+".]/g, '.?')}" ${problem}; ${ADVICE}`),
        );
      });

  it('a published version does not wait for a time', () => {
    const text = `${HEAD}          publishAt: 2026-12-01T09:00Z\n          status: published\n`;
    assertRefused(
      text,
      NEXT,
      `${VERSION}.publishAt`,
      /^a published version cannot have publishAt; write status: draft to .*, or remove publishAt\.$/,
    );
    assertRefused(
      JSON.stringify(
        {
          team: { slug: 'a', name: 'A' },
          products: [
            {
              slug: 'p',
              name: 'P',
              changelog: {
                versions: [{ version: '1', title: '', status: 'published', publishAt: '2026-12-01T09:00Z' }],
              },
            },
          ],
        },
        null,
        1,
      ),
      16,
      `${VERSION}.publishAt`,
      /^a published version cannot/,
    );
    refused('publishAt: 2026', /string/);
  });
});
