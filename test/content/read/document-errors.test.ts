// Errors of a document as a whole: its bytes, its syntax, and duplicates.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { refusalOf } from '../helpers.ts';

const TEAM = 'team: { slug: acme, name: Acme }\n';
const versions = (...lines: string[]) =>
  `${TEAM}products:\n  - slug: p\n    name: P\n    changelog:\n      versions:\n${lines.join('\n')}\n`;

describe('a duplicate', () => {
  it('a duplicate slug is rejected with both lines', () => {
    const text = `${TEAM}products:\n  - { slug: p, name: P }\n  - { slug: q, name: Q }\n  - { slug: p, name: R }\n`;
    assert.match(
      refusalOf(text),
      /^acme\.yaml:5: products\[2\]\.slug: duplicate slug "p" \(also on line 3\); slugs must be unique\.$/,
    );
  });

  it('a duplicate label is rejected with both lines', () => {
    const text = versions('        - { version: 1.0.0, title: A }', '        - { version: 1.0.0, title: B }');
    assert.match(
      refusalOf(text),
      /^acme\.yaml:8: products\[0\]\.changelog\.versions\[1\]\.version: duplicate version "1\.0\.0" \(also on line 7\); labels must be unique\.$/,
    );
  });

  it('a duplicate version id is rejected with both lines', () => {
    const text = versions(
      '        - { id: ver_1, version: 1.0.0, title: A }',
      '        - { id: ver_1, version: 2.0.0, title: B }',
    );
    assert.match(
      refusalOf(text),
      /^acme\.yaml:8: products\[0\]\.changelog\.versions\[1\]\.id: duplicate id "ver_1" \(also on line 7\); ids must be unique\.$/,
    );
  });

  it('a duplicate change id is rejected within a version and across versions', () => {
    const change = '{ id: chg_1, type: added, text: x }';
    const within = versions(
      '        - version: 1.0.0',
      '          title: A',
      '          changes:',
      `            - ${change}`,
      `            - ${change}`,
    );
    assert.match(
      refusalOf(within),
      /^acme\.yaml:11: products\[0\]\.changelog\.versions\[0\]\.changes\[1\]\.id: duplicate id "chg_1" \(also on line 10\)/,
    );
    const across = versions(
      `        - { version: 1.0.0, title: A, changes: [${change}] }`,
      `        - { version: 2.0.0, title: B, changes: [${change}] }`,
    );
    assert.match(
      refusalOf(across),
      /^acme\.yaml:8: products\[0\]\.changelog\.versions\[1\]\.changes\[0\]\.id: duplicate id "chg_1" \(also on line 7\)/,
    );
  });

  it('a duplicate changelog id is rejected with both lines', () => {
    const product = (slug: string) => `  - { slug: ${slug}, name: P, changelog: { id: cl_1 } }\n`;
    assert.match(
      refusalOf(`${TEAM}products:\n${product('p')}${product('q')}`),
      /^acme\.yaml:4: products\[1\]\.changelog\.id: duplicate id "cl_1" \(also on line 3\)/,
    );
  });

  it('two changelogs may have the same label', () => {
    const product = (slug: string) =>
      `  - { slug: ${slug}, name: P, changelog: { versions: [{ version: 1.0.0, title: A }] } }\n`;
    assert.throws(() => refusalOf(`${TEAM}products:\n${product('p')}${product('q')}`), /was taken/);
  });

  it('a duplicate field of a mapping is rejected with its line', () => {
    assert.match(
      refusalOf(`${TEAM}products: []\nproducts: []\n`),
      /^acme\.yaml:3: duplicate field "products"/,
    );
    assert.match(
      refusalOf('{\n"team": {},\n"team": {}\n}', 'acme.json'),
      /^acme\.json:3: duplicate field "team"/,
    );
  });
});

describe('text that a database cannot store', () => {
  it('an escaped NUL is rejected with file, line and field', () => {
    assert.match(refusalOf('team:\n  slug: a\n  name: "a\\0b"\n'), /^acme\.yaml:3: team\.name: .*NUL/);
    assert.match(
      refusalOf('{"team":\n{"slug": "a",\n"name": "\\u0000"}}', 'acme.json'),
      /^acme\.json:3: team\.name: .*NUL/,
    );
  });

  it('half of a surrogate pair is rejected with file, line and field', () => {
    for (const half of ['\\ud83d', '\\ude80', 'a\\ude80\\ud83d']) {
      const text = `{\n"team": {\n"slug": "a",\n"name": "${half}"}}`;
      assert.match(refusalOf(text, 'acme.json'), /^acme\.json:4: team\.name: .*surrogate/);
    }
  });

  it('a NUL byte is rejected with its line', () => {
    assert.match(refusalOf('team:\n  slug: a\n  name: "a\0b"\n'), /^acme\.yaml:3: not text: .*NUL/);
  });

  it('bytes that are not UTF-8 are rejected with the file name', () => {
    const latin1 = Buffer.from('team: { slug: a, name: caf\u00e9 }', 'latin1');
    assert.match(refusalOf(latin1), /^acme\.yaml\b.*not UTF-8/);
    const utf16 = Buffer.from('\uFEFFteam: { slug: a, name: A }', 'utf16le');
    assert.match(refusalOf(utf16), /^acme\.yaml:1: this is UTF-16; save the file as UTF-8/);
  });
});

describe('a file that is not a content document', () => {
  const cases: [what: string, text: string, refusal: RegExp][] = [
    ['an empty file', '', /^acme\.yaml:1: document: must be a mapping, not null/],
    ['a file of comments', '# one\n# two\n', /^acme\.yaml:\d: document: must be a mapping, not null/],
    ['a list at the top', '- team: { slug: a, name: A }\n', /^acme\.yaml:1: document: must be a mapping/],
    ['a string at the top', 'acme\n', /^acme\.yaml:1: document: must be a mapping, not "acme"/],
    ['an unclosed bracket', 'team: { slug: a, name: A\nproducts: []\n', /^acme\.yaml:2: /],
    ['an unclosed quote', 'team:\n  slug: "a\n', /^acme\.yaml:[23]: /],
    ['a tab for indentation', 'team:\n\tslug: a\n', /^acme\.yaml:2: /],
    ['bad indentation', 'team:\n  slug: a\n name: A\n', /^acme\.yaml:3: /],
    ['an alias without an anchor', 'team:\n  slug: a\n  name: *nothing\n', /^acme\.yaml:3: .*nothing/],
    ['two documents in one file', `${TEAM}---\n${TEAM}`, /^acme\.yaml:2: .*document/],
  ];
  for (const [what, text, refusal] of cases) {
    it(`a file is rejected with its line: ${what}`, () => {
      assert.match(refusalOf(text), refusal);
      assert.doesNotMatch(refusalOf(text), /\n/);
    });
  }

  it('truncated JSON is rejected with file and line', () => {
    assert.match(refusalOf('{\n"team": {\n"slug": "a",\n', 'acme.json'), /^acme\.json:\d: /);
  });
});

describe('aliases', () => {
  it('aliases that expand without end are rejected immediately', () => {
    const levels = Array.from({ length: 20 }, (_, level) => {
      const items = level === 0 ? '"x"' : `*l${level - 1}`;
      return `l${level}: &l${level} [${Array(10).fill(items).join(', ')}]`;
    });
    const startedAt = performance.now();
    assert.match(refusalOf(`${TEAM}${levels.join('\n')}\n`), /^acme\.yaml\b.*alias/i);
    assert.ok(performance.now() - startedAt < 2_000);
  });

  it('an alias inside of its own anchor is rejected with its line', () => {
    assert.match(refusalOf('team: &team { slug: a, name: *team }\n'), /^acme\.yaml:1: /);
    assert.match(refusalOf(`${TEAM}products: &all\n  - *all\n`), /^acme\.yaml:\d: /);
  });
});

describe('line numbers', () => {
  const json = JSON.stringify(
    { team: { slug: 'acme', name: 'Acme' }, products: [{ slug: 'p', name: 'P', colour: 'red' }] },
    null,
    2,
  );

  it('line numbers are right in JSON', () => {
    assert.match(refusalOf(json, 'acme.json'), /^acme\.json:10: products\[0\]\.colour: /);
  });

  it('line numbers are right with CRLF and with a byte order mark', () => {
    assert.match(refusalOf(json.replaceAll('\n', '\r\n'), 'a.json'), /^a\.json:10: products\[0\]\.colour: /);
    assert.match(refusalOf(`\uFEFF${json}`, 'a.json'), /^a\.json:10: products\[0\]\.colour: /);
    assert.match(refusalOf('\uFEFFteam:\r\n  slug: a\r\n  nam: A\r\n'), /^acme\.yaml:\d: team\.nam/);
  });

  it('line numbers count the lines of block and quoted values', () => {
    const text = versions(
      '        - version: 1.0.0',
      '          title: A',
      '          description: |',
      '            One.',
      '',
      '            Two.',
      '          changes: "x',
      '            y"',
    );
    assert.match(refusalOf(text), /^acme\.yaml:13: products\[0\]\.changelog\.versions\[0\]\.changes: /);
  });
});

describe('several errors', () => {
  it('several errors are reported in one line that shows the first and counts the others', () => {
    const refusal = refusalOf('team: { slug: A, name: 1, plan: gold }\n');
    assert.match(refusal, /^acme\.yaml:1: team\.\w+: .* \(and 2 more\)$/);
    assert.doesNotMatch(refusal, /\n/);
  });

  it('the first error in the order of the document is shown', () => {
    const first = 'team:\n  colour: red\n  slug: A\n  name: Acme\n';
    assert.match(refusalOf(first), /^acme\.yaml:2: team\.colour: .* \(and 1 more\)$/);
    const last = 'team:\n  slug: A\n  name: Acme\n  colour: red\n';
    assert.match(refusalOf(last), /^acme\.yaml:2: team\.slug: .* \(and 1 more\)$/);
    const lower = `${TEAM}products:\n  - slug: P\n    name: P\n  - slug: q\n    name: Q\n    tag: x\n`;
    assert.match(refusalOf(lower), /^acme\.yaml:3: products\[0\]\.slug: .* \(and 1 more\)$/);
  });
});
