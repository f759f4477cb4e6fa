// What JSON.parse and a YAML parser do not tell: the lines of fields, and of fields that appear twice.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dump } from 'js-yaml';
import { JSON_TOKENS_MAX } from '../../../src/content/read/json.ts';
import { YAML_BYTES_MAX, YAML_TOKENS_MAX } from '../../../src/content/read/parse.ts';
import { read, refusalOf } from '../helpers.ts';

const version = (index: number) => ({
  id: `ver_${index}`,
  version: `1.0.${index}`,
  title: `Nümber ${index} "quoted\\" 🚀`,
  publishedAt: '2026-05-04T09:00:00.000Z',
  description: `First line: ${index}\n\n  # indented\n- {x}: [y]\n`,
  changes: [{ id: `chg_${index}`, type: 'added', text: `'a' & *b* # ${index}` }],
});

const documentOf = (count: number) => ({
  team: { slug: 'acme', name: 'Acme' },
  products: [
    { slug: 'bare', name: 'Bare' },
    {
      slug: 'rocket',
      name: 'Rocket',
      changelog: {
        versions: Array.from({ length: count }, (_, index) => version(index)),
        status: 'published',
      },
    },
    { slug: 'sled', name: 'Sled', changelog: { versions: [] } },
  ],
});

const json = (count: number) => JSON.stringify(documentOf(count), null, 1);
const yaml = (count: number) => dump(documentOf(count));
const lineIn = (text: string, wanted: string) => text.slice(0, text.indexOf(wanted)).split('\n').length;

describe('the same content in other words', () => {
  const writings = {
    'JSON in one line': JSON.stringify(documentOf(5)),
    'JSON with Windows line ends': `\uFEFF${json(5).replaceAll('\n', '\r\n')}`,
    YAML: yaml(5),
    'YAML with Windows line ends': `\uFEFF---\r\n${yaml(5).replaceAll('\n', '\r\n')}`,
    'YAML with comments': yaml(5).replaceAll(/^( *)(?=- (?:id|slug):)/gm, '# a comment\n\n$1'),
    'YAML in flow style': dump(documentOf(5), { flowLevel: 1 }),
  };
  for (const [what, text] of Object.entries(writings))
    it(`a document has the same content in ${what}`, () => {
      assert.deepEqual(read(text), read(json(5)));
    });
});

describe('an error in a document of many versions', () => {
  for (const [format, write] of Object.entries({ json, yaml })) {
    it(`a wrong type near the end is reported with file, line and field (${format})`, () => {
      const text = write(300).replace(/(title"?: )["'>]?-?\s*Nümber 298[^\n]*?(,?)\n/, '$112$2\n');
      const line = lineIn(text, 'ver_298') + 2;
      assert.match(
        refusalOf(text),
        new RegExp(
          `^acme\\.yaml:${line}: products\\[1\\]\\.changelog\\.versions\\[298\\]\\.title: must be a string, not 12`,
        ),
      );
    });

    it(`a duplicate label is reported with both lines (${format})`, () => {
      const text = write(600).replace('1.0.599', '1.0.3');
      const line = lineIn(text, 'ver_599') + 1;
      assert.match(
        refusalOf(text),
        new RegExp(
          `^acme\\.yaml:${line}: products\\[1\\]\\.changelog\\.versions\\[599\\]\\.version: duplicate version "1\\.0\\.3" \\(also on line ${lineIn(text, 'ver_3') + 1}\\)`,
        ),
      );
    });

    it(`a duplicate field of a version is reported with its line (${format})`, () => {
      const text = write(20).replace(/( *)("?)version"?: "?1\.0\.15"?(,?)\n/, (line) => line + line);
      const line = lineIn(text, 'ver_15') + 2;
      assert.match(refusalOf(text), new RegExp(`^acme\\.yaml:${line}: duplicate field "version"`));
    });

    it(`the problems of all versions and of the rest are told together (${format})`, () => {
      const text = write(300)
        .replace(/title("?: ["'>]?-?\s*Nümber 7 )/, 'titel$1')
        .replace('ver_250', 'ver_249')
        .replace('chg_298', 'chg 298')
        .replace('Sled', "''".slice(format === 'json' ? 2 : 0));
      const lines = refusalOf(text).split('\n');
      assert.deepEqual(
        lines.map((line) => line.replace(/^\S+?:(\d+): (\S+): .*$/, '$1 $2')),
        [
          `${lineIn(text, 'titel')} products[1].changelog.versions[7].titel`,
          `${lineIn(text, '1.0.250') - 1} products[1].changelog.versions[250].id`,
          `${lineIn(text, 'chg 298')} products[1].changelog.versions[298].changes[0].id`,
          `${lineIn(text, 'sled') + 1} products[2].name`,
        ],
      );
      assert.match(lines[1] ?? '', new RegExp(`also on line ${lineIn(text, 'ver_249')}\\)`));
    });

    it(`after 20 problems the others are counted (${format})`, () => {
      const lines = refusalOf(write(300).replaceAll('added', 'new')).split('\n');
      assert.equal(lines.length, 21);
      assert.match(
        lines[19] ?? '',
        /: products\[1\]\.changelog\.versions\[19\]\.changes\[0\]\.type: must be/,
      );
      assert.equal(lines[20], 'and 280 more problems in acme.yaml.');
    });

    it(`bytes that are not UTF-8 are rejected in the middle of a document (${format})`, () => {
      const bytes = Buffer.from(write(50));
      bytes[bytes.indexOf('Nümber 30') + 1] = 0xff;
      assert.match(refusalOf(bytes), /^acme\.yaml is not UTF-8 text/);
    });
  }

  it('JSON that is truncated is rejected with its line, wherever it ends', () => {
    const text = json(3);
    for (let length = 1; length < text.length - 1; length += 7)
      assert.match(refusalOf(text.slice(0, length)), /^acme\.yaml:\d+: /);
  });

  it('a field whose name is escaped is found, and known as a duplicate', () => {
    const text = '{"team": {"slug": "a", "name": "A"},\n"products": [],\n"pro\\u0064ucts": []}';
    assert.match(refusalOf(text), /^acme\.yaml:3: duplicate field; /);
    assert.match(
      refusalOf('{"team": {"slug": "a",\n"n\\u0061me": 1}}'),
      /^acme\.yaml:2: team\.name: must be a string/,
    );
  });

  it('errors in a version with 30,000 changes are reported with line and field', () => {
    const head =
      'team: { slug: acme, name: Acme }\nproducts:\n  - slug: p\n    name: P\n    changelog:\n      versions:\n';
    const many = (last: string) =>
      `${head}        - version: 1.0.0\n          title: A\n          changes:\n${'            - { type: added, text: x }\n'.repeat(30_000)}${last}`;
    assert.match(
      refusalOf(many('            - { type: added, text: x, txt: y }\n')),
      /^acme\.yaml:30010: products\[0\]\.changelog\.versions\[0\]\.changes\[30000\]\.txt: unknown field "txt"; did you mean "text"\?$/,
    );
    assert.match(
      refusalOf(many('            - [\n')),
      /^acme\.yaml:300\d\d: .*a bracket or quote that is not closed/,
    );
  });
});

describe('the limits of a document', () => {
  const padded = (text: string) => text.padEnd(YAML_BYTES_MAX + 1);

  it('YAML of more than 16 MiB is rejected before it is parsed, JSON is not', () => {
    assert.equal(
      refusalOf(padded(yaml(1))),
      'acme.yaml:1: YAML may have at most 16 MiB; split the document by product, or write it as JSON.',
    );
    assert.equal(read(padded(json(1))).team.slug, 'acme');
  });

  it('invalid JSON of more than 16 MiB is rejected with its line', () => {
    const text = json(300);
    const cases: [broken: string, line: number, reason: RegExp][] = [
      [
        text.replace('"1.0.250"', 'what'),
        lineIn(text, '"1.0.250"'),
        /not valid JSON: Unexpected token 'w'\.$/,
      ],
      [
        text.replace('"1.0.250",', '"1.0.250"'),
        lineIn(text, '"1.0.250"') + 1,
        /not valid JSON: Expected ','/,
      ],
      [text.replace('"ver_7",', '"ver_7", // ours'), lineIn(text, '"ver_7"'), /JSON has no comments; /],
    ];
    for (const [broken, line, reason] of cases) {
      const message = refusalOf(padded(broken));
      assert.match(message, reason);
      assert.ok(message.startsWith(`acme.yaml:${line}: `), message);
    }
    assert.match(
      refusalOf(
        padded(text)
          .slice(0, -1)
          .trimEnd()
          .slice(0, -1)
          .padEnd(YAML_BYTES_MAX + 1),
      ),
      /:\d+: /,
    );
  });

  it('what is not a content document is recognised, however large it is', () => {
    const release = { tag_name: 'v1.0.0', body: 'x'.repeat(YAML_BYTES_MAX) };
    assert.match(refusalOf(JSON.stringify([release])), /^acme\.yaml:1: these look like releases of GitHub; /);
    const markdown = `# Changelog\n\n## 1.0.0\n\n${'- a: b\n'.repeat(3_000_000)}`;
    assert.match(refusalOf(markdown), /^acme\.yaml:1: this looks like a Markdown changelog; /);
  });

  it('more values than memory has room for are rejected before they are parsed', () => {
    assert.match(
      refusalOf(`${yaml(1)}other: [${'1,'.repeat(YAML_TOKENS_MAX)}]\n`),
      /^acme\.yaml:1: too many fields and items for YAML; split the document by product, or write it as JSON\.$/,
    );
    assert.match(
      refusalOf(`{"other":[${'1,'.repeat(JSON_TOKENS_MAX)}1]}`),
      /^acme\.yaml:1: too many fields and items; split the document by product\.$/,
    );
    for (const text of [`{"a":${'['.repeat(200)}${']'.repeat(200)}}`, `${'['.repeat(1_000_000)}`])
      assert.match(refusalOf(text), /^acme\.yaml:1: nested too deeply\.$/);
  });
});
