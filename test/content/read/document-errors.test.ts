// Errors of a document as a whole: its bytes, its syntax, and duplicates.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDocument } from '../../../src/content/read/read.ts';
import { deadline } from '../../../support/processes/busy.ts';
import { threadCpuMs } from '../../../support/processes/usage.ts';
import { read, refusalBy, refusalOf } from '../helpers.ts';

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

  it('a duplicate domain is rejected with both lines, however it is written', () => {
    const text = `${TEAM}products:\n  - { slug: p, name: P, domain: a.example }\n  - slug: q\n    name: Q\n    domain: A.EXAMPLE.\n`;
    assert.match(
      refusalOf(text),
      /^acme\.yaml:6: products\[1\]\.domain: duplicate domain "a\.example" \(also on line 3\); domains must be unique\.$/,
    );
  });

  it('a duplicate label is rejected with both lines', () => {
    const text = versions('        - { version: 1.0.0, title: A }', '        - { version: 1.0.0, title: B }');
    assert.match(
      refusalOf(text),
      /^acme\.yaml:8: products\[0\]\.changelog\.versions\[1\]\.version: duplicate version "1\.0\.0" \(also on line 7\); labels must be unique\.$/,
    );
  });

  it('a copy of a version is one problem: its ids are not reported as well', () => {
    const copy =
      '        - { id: ver_1, version: 1.0.0, title: A, changes: [{ id: chg_1, type: added, text: x }] }';
    assert.match(refusalOf(versions(copy, copy)), /^acme\.yaml:8: \S+\.version: duplicate version [^\n]*$/);
    const renamed = copy.replace('1.0.0', '2.0.0');
    assert.deepEqual(linesAndFields(refusalOf(versions(copy, renamed))), [
      '8 products[0].changelog.versions[1].id',
      '8 products[0].changelog.versions[1].changes[0].id',
    ]);
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

const EMPTY = /^acme\.yaml:1: the file is empty, or has only comments; write a content document/;

describe('a file that is not a content document', () => {
  const cases: [what: string, text: string, refusal: RegExp][] = [
    ['an empty file', '', EMPTY],
    ['blank lines', '\uFEFF\n \n\r\n', EMPTY],
    ['a file of comments', '# one\n# two\n', EMPTY],
    ['a document without content', '---\n# one\n...\n', EMPTY],
    ['nothing but null', 'null\n', EMPTY],
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

describe('comments in JSON', () => {
  const cases: [where: string, text: string, line: number][] = [
    ['at the start', '// ours\n{"team": {"slug": "a", "name": "A"}}\n', 1],
    ['at the start, after a blank line', '\uFEFF\n/* ours */ {"team": {"slug": "a", "name": "A"}}\n', 2],
    ['right after a colon', '{"team":// ours\n{"slug": "a", "name": "A"}}', 1],
    ['before a field', '{\n  // ours\n  "team": {"slug": "a", "name": "A"}\n}\n', 2],
    ['after a comma', '{"team": {"slug": "a", // ours\n "name": "A"}}\n', 1],
    ['before a value', '{"team": {"slug": "a",\n "name": /* ours */ "A"}}\n', 2],
    ['instead of a value', '{"team": {"slug": "a",\n "name": // ours\n "A"}}\n', 2],
    ['after a value', '{"team": {"slug": "a", "name": "A"}, "products": [\n] // none\n}', 2],
    ['with quotes and brackets', '{\n// "}] don\'t\n"team": {"slug": "a", "name": "A"}}\n', 2],
    ['of several lines', '{\n/* "a\n{ */\n"team": {"slug": "a", "name": "A"}}\n', 2],
    ['without an end', '{"team": {"slug": "a", "name": "A"}}\n/* ours\n', 2],
    ['at the end', '{"team": {"slug": "a", "name": "A"}}\n// ours\n', 2],
    ['next to another problem', '{\n// ours\n"team": {"slug": "a", "nam": "A"}}', 2],
    ['next to a syntax error', '{\n// ours\n"team": {"slug": "a" "name": "A"}}', 2],
    [
      'in a version',
      `{"team": {"slug": "a", "name": "A"}, "products": [{"slug": "p", "name": "P", "changelog": {"versions": [
        {"version": "1", "title": "", "yanked": false // not yet
        }]}}]}`,
      2,
    ],
  ];
  for (const [where, text, line] of cases)
    it(`a comment in JSON is rejected with its line: ${where}`, () =>
      assert.equal(
        refusalOf(text, 'a.json'),
        `a.json:${line}: JSON has no comments; remove it, or save the file as YAML, whose comments begin with #.`,
      ));

  it('slashes in texts are not comments', () => {
    assert.equal(read('{"team": {"slug": "a", "name": "// \\" /* x */"}}').team.name, '// " /* x */');
    assert.equal(read('{ team: { slug: a, name: A // B } }').team.name, 'A // B');
    assert.equal(read('{ team: { slug: a, name: "A" } } # ours').team.name, 'A');
    assert.match(
      refusalOf('{ team: { slug: a, nam: http://x } }'),
      /^acme\.yaml:1: team\.nam: unknown field/,
    );
  });

  it('a comma before a closing bracket is accepted, as in YAML', () => {
    const text = `{"team": {"slug": "a", "name": "A",}, "products": [{"slug": "p", "name": "P",
      "changelog": {"versions": [{"version": "1", "title": "",},],},},],}`;
    assert.equal(read(text).products[0]?.changelog?.versions.length, 1);
  });
});

describe('a changelog of another format', () => {
  const markdown = [
    '# Changelog\n\n## [1.0.0] - 2026-05-04\n\n### Added\n\n- A countdown.\n',
    '# Changelog\n\nAll notable changes: see below.\n\n## [Unreleased]\n\n- *x*: y\n',
    '## 1.0.0 (2026-05-04)\n\n### Features\n\n* **a:** b ([#1](https://example.com/1))\n',
    '# @acme/rocket\n\n## 1.1.0\n\n### Minor Changes\n\n- abc1234: A countdown.\n',
    '## Version 1.0\r\n\r\n- a\r\n',
    '[1.0.0] - 2026-05-04\n--------------------\n\n- a\n',
    '# v1.0.0\n',
  ];
  const LOOKS = (what: string, it: string) =>
    new RegExp(`^[\\w.]+:1: ${what}; import ${it} with \`changelog import TEAM/PRODUCT FILE\`\\.$`);

  for (const text of markdown)
    it(`Markdown is recognised: ${JSON.stringify(text.slice(0, 30))}`, () => {
      assert.match(refusalOf(text, 'changes'), LOOKS('this looks like a Markdown changelog', 'it'));
    });

  it('Markdown is recognised by the name of the file', () => {
    const said = LOOKS('this looks like a Markdown changelog', 'it');
    for (const text of ['# Changelog\n', 'Hello: world\n', '[a](https://example.com/x): y', '* a\n* b\n'])
      assert.match(refusalOf(text, 'CHANGES.MD'), said, text);
    assert.match(refusalOf('', 'CHANGELOG.md'), /: the file is empty/);
    assert.equal(read(TEAM, 'CHANGELOG.md').team.slug, 'acme');
  });

  it('releases of GitHub are recognised', () => {
    const said = LOOKS('these look like releases of GitHub', 'them');
    const release = { url: 'https://example.com', tag_name: 'v1.0.0', name: 'One', body: '## 1.0.0\n\n- a' };
    for (const value of [release, [release], [[release, release], [release]]]) {
      assert.match(refusalOf(JSON.stringify(value), 'releases.json'), said);
      assert.match(refusalOf(JSON.stringify(value, null, 2), 'releases.json'), said);
    }
    const lines = `${JSON.stringify(release)}\n${JSON.stringify(release)}\n`;
    assert.match(refusalOf(lines, 'releases.json'), said);
  });

  it('an invalid content document with versions in its comments is not taken for Markdown', () => {
    for (const text of [
      `# 1.0.0\n## [2.0.0]\n${TEAM}colour: red\n`,
      '# 1.0.0\nteams: { slug: a, name: A }\n',
      '# Unreleased\n---\nproducts: 1\n',
    ])
      assert.match(refusalOf(text), /^acme\.yaml:\d: (?:colour|teams|team|products): /, text);
  });
});

describe('aliases', () => {
  it('aliases that expand without end are rejected immediately', () => {
    const levels = Array.from({ length: 20 }, (_, level) => {
      const items = level === 0 ? '"x"' : `*l${level - 1}`;
      return `l${level}: &l${level} [${Array(10).fill(items).join(', ')}]`;
    });
    const refuse = () => assert.match(refusalOf(`${TEAM}${levels.join('\n')}\n`), /^acme\.yaml\b.*alias/i);
    assert.ok(threadCpuMs(refuse) < deadline(2_000));
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

describe('several problems', () => {
  it('every problem has a line of its own, in the order of the document', () => {
    assert.deepEqual(refusalOf('team:\n  slug: A\n  name: 1\n  plan: gold\n').split('\n'), [
      'acme.yaml:2: team.slug: "A" is not valid; use 1 to 64 of a-z, 0-9 and -, with no - at either end.',
      'acme.yaml:3: team.name: must be a string, not 1; put it in quotes.',
      'acme.yaml:4: team.plan: must be one of free, paid, not "gold".',
    ]);
    const json = '{"team": {\n"plan": "gold",\n"name": 1,\n"slug": "A"}}';
    assert.deepEqual(linesAndFields(refusalOf(json)), ['2 team.plan', '3 team.name', '4 team.slug']);
  });

  it('unknown fields come first', () => {
    const text = versions(
      '        - version: 1.0.0',
      '          title: 1',
      '          date: 2026-05-04',
      '        - { version: 2.0.0, title: "", kind: x }',
    );
    assert.deepEqual(linesAndFields(refusalOf(text)), [
      '9 products[0].changelog.versions[0].date',
      '10 products[0].changelog.versions[1].kind',
      '8 products[0].changelog.versions[0].title',
    ]);
  });

  it('a misspelt field is one problem: it is not missing as well', () => {
    const text = versions('        - version: 1.0.0', '          titel: One');
    assert.equal(
      refusalOf(text),
      'acme.yaml:8: products[0].changelog.versions[0].titel: unknown field "titel"; did you mean "title"?',
    );
    const other = versions('        - version: 1.0.0', '          heading: One');
    assert.deepEqual(linesAndFields(refusalOf(other)), [
      '8 products[0].changelog.versions[0].heading',
      '7 products[0].changelog.versions[0].title',
    ]);
  });

  it('problems of every kind are told together, one for each field', () => {
    const text = `${versions(
      '        - { version: 1.0.0, title: "a\\0b", titel: x }',
      '        - { version: 1.0.0, title: "", publishedAt: yesterday, updatedAt: today }',
      '        - { version: "", title: "", status: open }',
      '        - { version: "", title: "", changes: [{ id: chg_1, type: added, text: x }] }',
      '        - { version: 2, title: "", changes: [{ id: chg_1, type: added, text: "" }, 7] }',
      '        - { version: 2, title: "" }',
    )}  - { slug: p, name: "" }\n`;
    const version = (index: number, field: string) =>
      `${index + 7} products[0].changelog.versions[${index}].${field}`;
    assert.deepEqual(linesAndFields(refusalOf(text)), [
      version(0, 'titel'),
      version(0, 'title'),
      version(1, 'publishedAt'),
      version(1, 'updatedAt'),
      version(1, 'version'),
      version(2, 'version'),
      version(2, 'status'),
      version(3, 'version'),
      version(4, 'version'),
      version(4, 'changes[0].text'),
      version(4, 'changes[1]'),
      version(4, 'changes[0].id'),
      version(5, 'version'),
      '13 products[1].name',
      '13 products[1].slug',
    ]);
  });

  it('at most 20 problems are shown, and the others are counted', () => {
    const products = (count: number) =>
      `${TEAM}products:\n${Array.from({ length: count }, (_, at) => `  - { slug: p${at}, name: 1 }\n`).join('')}`;
    const whole = (count: number) =>
      refusalBy(() =>
        readDocument({ bytes: Buffer.from(products(count)), name: 'a.yaml' }, import.meta.dirname),
      ).split('\n');
    assert.equal(whole(20).length, 20);
    assert.deepEqual(whole(21).slice(19), [
      'a.yaml:22: products[19].name: must be a string, not 1; put it in quotes.',
      'and 1 more problem in a.yaml.',
    ]);
    assert.equal(whole(500).at(-1), 'and 480 more problems in a.yaml.');
    assert.equal(whole(5_000).at(-1), 'and at least 980 more problems in a.yaml.');
    assert.equal(whole(5_000).length, 21);
  });
});

/** The line and the field of each line of an error. */
function linesAndFields(refusal: string): string[] {
  return refusal.split('\n').map((line) => line.replace(/^\S+?:(\d+): (\S+): .*$/, '$1 $2'));
}
