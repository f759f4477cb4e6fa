// Large documents: split wherever a chunk of bytes may end.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Document } from 'yaml';
import { Fingerprints } from '../../../src/content/input/fingerprints.ts';
import { type Input, inputFromBytes, openInput } from '../../../src/content/input/input.ts';
import { Spool, SpoolQuota } from '../../../src/content/input/spool.ts';
import { readDocument } from '../../../src/content/read/read.ts';
import { Refusal } from '../../../src/errors.ts';
import { readInChunks, refusalBy } from '../helpers.ts';

const version = (index: number) => ({
  id: `ver_${index}`,
  version: `1.0.${index}`,
  title: `Nümber ${index} "quoted\\" 🚀`,
  publishedAt: '2026-05-04T09:00:00.000Z',
  description: `First line: ${index}\n\n  # indented\n- {x}: [y]\n`,
  changes: [{ id: `chg_${index}`, type: 'added', text: `'a' & *b* # ${index}` }],
});

const documentOf = (count: number, more: object = {}) => ({
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
  ...more,
});

/** An input whose chunks are this small, so that they end everywhere. */
function inSips(bytes: Uint8Array, sip: number, name = 'a.yaml'): Input {
  const input = inputFromBytes(bytes, name);
  return { ...input, read: (position, length) => input.read(position, length > bytes.length ? sip : length) };
}

function readIn(source: Input) {
  const document = readDocument(source, { wholeBytes: 0 });
  const labels = document.content.products.map(({ changelog }) =>
    changelog ? [...changelog.versions].map((one) => one.version) : null,
  );
  return { ...document, labels };
}

describe('a document that is split into chunks', () => {
  const writings = {
    'JSON in one line': JSON.stringify(documentOf(5)),
    'JSON in lines': JSON.stringify(documentOf(5), null, 2),
    'JSON with Windows line ends': `\uFEFF${JSON.stringify(documentOf(5), null, 2).replaceAll('\n', '\r\n')}`,
    YAML: new Document(documentOf(5)).toString(),
    'YAML with lists not indented': new Document(documentOf(5)).toString({ indentSeq: false }),
    'YAML indented by four': new Document(documentOf(5)).toString({ indent: 4 }),
    'YAML with Windows line ends': `\uFEFF---\r\n${new Document(documentOf(5)).toString().replaceAll('\n', '\r\n')}`,
    'YAML with comments': new Document(documentOf(5))
      .toString()
      .replaceAll(/^( *)(?=- (?:id|slug):)/gm, '# a comment\n\n$1'),
    'YAML with versions in flow style': new Document(documentOf(5))
      .toString()
      .replace(
        / {6}versions:\n.*? {6}status/s,
        () =>
          `      versions: ${JSON.stringify(documentOf(5).products[1]?.changelog?.versions)}\n      status`,
      ),
    'YAML with an anchor in one version and its alias in another': new Document(documentOf(5))
      .toString()
      .replace('version: 1.0.0', 'version: &first 1.0.0')
      .replace(/title: Nümber 3.*/, 'title: *first'),
  };
  for (const [what, text] of Object.entries(writings)) {
    it(`a split document has the same content as one read as a whole: ${what}`, () => {
      const whole = JSON.parse(
        JSON.stringify(readDocument(inputFromBytes(Buffer.from(text), 'a.yaml')).content),
      );
      assert.deepEqual(readInChunks(Buffer.from(text)), whole);
      assert.deepEqual(readIn(inSips(Buffer.from(text), 7)).labels[1]?.length, 5);
    });
  }

  it('a split document may have its fields in any order', () => {
    const { team, products } = documentOf(3);
    for (const text of [JSON.stringify({ products, team }), new Document({ products, team }).toString()])
      assert.deepEqual(readInChunks(Buffer.from(text)).team.slug, 'acme');
  });

  it('a split document may come from a pipe', async () => {
    const bytes = Buffer.from(JSON.stringify(documentOf(10_000)));
    const document = readIn(
      await openInput('-', {
        folder: '.',
        standardInput: () => [bytes.subarray(0, 999), bytes.subarray(999)],
        quota: new SpoolQuota(100),
      }),
    );
    assert.equal(document.labels[1]?.length, 10_000);
    document.close();
  });
});

describe('an error in a large document', () => {
  const json = (count: number) => JSON.stringify(documentOf(count), null, 1);
  const yaml = (count: number) => new Document(documentOf(count)).toString();
  const refusal = (text: string | Uint8Array) =>
    refusalBy(() => readIn(inputFromBytes(typeof text === 'string' ? Buffer.from(text) : text, 'a.yaml')));
  const lineIn = (text: string, wanted: string) => text.slice(0, text.indexOf(wanted)).split('\n').length;

  for (const [format, write] of Object.entries({ json, yaml })) {
    it(`a wrong type near the end is reported with file, line and field (${format})`, () => {
      const text = write(300).replace(/(title"?: )"?Nümber 298[^\n]*?(,?)\n/, '$112$2\n');
      const line = lineIn(text, 'ver_298') + 2;
      assert.match(
        refusal(text),
        new RegExp(
          `^a\\.yaml:${line}: products\\[1\\]\\.changelog\\.versions\\[298\\]\\.title: must be a string, not 12`,
        ),
      );
    });

    it(`a duplicate label is reported with both lines (${format})`, () => {
      const text = write(600).replace('1.0.599', '1.0.3');
      const line = lineIn(text, 'ver_599') + 1;
      assert.match(
        refusal(text),
        new RegExp(
          `^a\\.yaml:${line}: products\\[1\\]\\.changelog\\.versions\\[599\\]\\.version: duplicate version "1\\.0\\.3" \\(also on line ${lineIn(text, 'ver_3') + 1}\\)`,
        ),
      );
    });

    it(`a duplicate field of a version is reported with its line (${format})`, () => {
      const text = write(20).replace(/( *)("?)version"?: "?1\.0\.15"?(,?)\n/, (line) => line + line);
      const line = lineIn(text, 'ver_15') + 2;
      assert.match(refusal(text), new RegExp(`^a\\.yaml:${line}: duplicate field "version"`));
    });

    it(`errors after the versions are reported with file, line and field (${format})`, () => {
      const text = write(20)
        .replace(/Sled/, '')
        .replace(/slug("?): "?sled"?/, 'slug$1: "-sled"');
      const line = lineIn(text, '-sled');
      assert.match(
        refusal(text),
        new RegExp(
          `^a\\.yaml:${line}: products\\[2\\]\\.slug: .*\na\\.yaml:${line + 1}: products\\[2\\]\\.name: .*$`,
        ),
      );
    });

    it(`the problems of all versions and of the rest are told together (${format})`, () => {
      const text = write(300)
        .replace(/title("?: "?Nümber 7 )/, 'titel$1')
        .replace('ver_250', 'ver_249')
        .replace('chg_298', 'chg 298')
        .replace('Sled', '');
      const lines = refusal(text).split('\n');
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

    it(`after 20 problems the rest is not checked, and the last line says so (${format})`, () => {
      const text = write(300).replaceAll('added', 'new');
      const lines = refusal(text).split('\n');
      assert.equal(lines.length, 21);
      assert.match(
        lines[19] ?? '',
        /: products\[1\]\.changelog\.versions\[19\]\.changes\[0\]\.type: must be/,
      );
      assert.match(
        lines[20] ?? '',
        /^There may be more problems in a\.yaml: it was checked up to line \d+\.$/,
      );
    });

    it(`bytes that are not UTF-8 are rejected in the middle of a document (${format})`, () => {
      const bytes = Buffer.from(write(50));
      bytes[bytes.indexOf('Nümber 30') + 1] = 0xff;
      assert.match(refusal(bytes), /^a\.yaml is not UTF-8 text/);
    });

    it(`a truncated document is rejected wherever it ends (${format})`, () => {
      const bytes = Buffer.from(write(3));
      for (let length = 1; length < bytes.length - 1; length += 7) {
        const cut = bytes.subarray(0, length);
        const whole = () => readDocument(inputFromBytes(cut, 'a.yaml'));
        if (format === 'json') assert.match(refusal(cut), /^a\.yaml(?::\d+: | is not UTF-8)/);
        else
          assert.equal(
            outcomeOf(() => readInChunks(cut, 'a.yaml')),
            outcomeOf(whole),
          );
      }
    });
  }

  it('16 MiB after the first problem the rest is not checked, and the last line says so', () => {
    const document = documentOf(25);
    const { changelog } = document.products[1] as { changelog: { versions: object[] } };
    changelog.versions = changelog.versions.map((one, at) => ({
      ...one,
      description: 'x'.repeat(900_000),
      ...((at === 1 || at === 24) && { status: 'open' }),
    }));
    const text = JSON.stringify(document, null, 1);
    const lines = refusal(text).split('\n');
    assert.equal(lines.length, 2);
    assert.match(lines[0] ?? '', /: products\[1\]\.changelog\.versions\[1\]\.status: must be one of/);
    const line = lineIn(text, 'ver_20') - 1;
    assert.equal(lines[1], `There may be more problems in a.yaml: it was checked up to line ${line - 1}.`);
  });

  it('comments and commas that JSON does not have are named, however large the document is', () => {
    const text = json(2).replace('Nümber 0', 'x'.repeat(2_100_000));
    const comment = 'JSON has no comments; remove it, or save the file as YAML, whose comments begin with #.';
    const comma = 'JSON has no comma before a closing bracket; remove it.';
    const cases: [text: string, line: number, message: string][] = [
      [`// "ours\n${text}`, 1, comment],
      [text.replace('"team"', '// "ours\n"team"'), 2, comment],
      [text.replace('"title"', '/* {" */ "title"'), lineIn(text, '"title"'), comment],
      [text.replace('"1.0.1"', '"1.0.1" // "ours'), lineIn(text, '"1.0.1"'), comment],
      [text.replace('"1.0.1",', '"1.0.1", # "ours'), lineIn(text, '"1.0.1"'), comment],
      [`${text}// ours\n`, text.split('\n').length, comment],
      [text.replace(/# 1"\n/, '# 1",\n'), lineIn(text, '# 1"'), comma],
      [text.replace(/\}\n +\],\n +"status"/, '},\n],\n"status"'), lineIn(text, '"status"') - 1, comma],
    ];
    for (const [each, line, message] of cases) assert.equal(refusal(each), `a.yaml:${line}: ${message}`);
  });

  it('what is not a content document is recognised, however large it is', () => {
    const release = { tag_name: 'v1.0.0', body: 'x'.repeat(2_100_000) };
    assert.match(refusal(JSON.stringify([release])), /^a\.yaml:1: these look like releases of GitHub; /);
    assert.match(refusal(JSON.stringify(release)), /^a\.yaml:1: these look like releases of GitHub; /);
    const markdown = `# Changelog\n\n## 1.0.0\n\n${'- a: b\n'.repeat(300_000)}`;
    assert.match(refusal(markdown), /^a\.yaml:1: this looks like a Markdown changelog; /);
    assert.match(
      refusal('# nothing\n'.repeat(300_000)),
      /^a\.yaml:1: the file is empty, or has only comments; /,
    );
  });

  it('a version of more than 16 MiB is rejected', () => {
    const bytes = Buffer.from(json(2).replace('Nümber 1', 'x'.repeat(33 * 1024 * 1024)));
    assert.match(refusal(bytes), /^a\.yaml:\d+: a version exceeds 16 MiB; shorten it\./);
  });

  it('a version may have long texts full of syntax characters', () => {
    const text = 'a\n-\n'.repeat(6_600);
    const changes = Array.from({ length: 400 }, () => ({ type: 'other', text }));
    const document = JSON.parse(json(1));
    const [, { changelog }] = document.products;
    changelog.versions = [{ ...changelog.versions[0], changes }];
    const { products } = readInChunks(Buffer.from(JSON.stringify(document)));
    assert.equal([...(products[1]?.changelog?.versions ?? [])][0]?.changes.length, 400);
  });

  it('errors in a version with 30,000 changes are reported with line and field', () => {
    const head =
      'team: { slug: acme, name: Acme }\nproducts:\n  - slug: p\n    name: P\n    changelog:\n      versions:\n';
    const write = (last: string) =>
      `${head}        - version: 1.0.0\n          title: A\n          changes:\n${'            - { type: added, text: x }\n'.repeat(30_000)}${last}`;
    assert.match(
      refusal(write('            - { type: added, text: x, txt: y }\n')),
      /^a\.yaml:30010: products\[0\]\.changelog\.versions\[0\]\.changes\[30000\]\.txt: unknown field "txt"; did you mean "text"\?$/,
    );
    assert.match(
      refusal(write('            - [\n')),
      /^a\.yaml:300\d\d: .*a bracket or quote that is not closed/,
    );
    assert.match(
      refusal(write('        - version: 1.0.0\n          title: B\n')),
      /^a\.yaml:30010: products\[0\]\.changelog\.versions\[1\]\.version: duplicate version "1\.0\.0" \(also on line 7\)/,
    );
    const outline = `${head}        - { version: 1.0.0, title: A }\nother:\n${'- 1\n'.repeat(100_000)}`;
    assert.match(
      refusal(outline),
      /^a\.yaml:8: other: unknown field "other"; check its spelling or remove it\.$/,
    );
    assert.match(refusal(`${outline}${'- 1\n'.repeat(300_000)}`), /^a\.yaml:1: too many fields/);
  });

  const outcomeOf = (read: () => unknown) => {
    try {
      read();
      return 'taken';
    } catch (error) {
      return error instanceof Refusal ? [error.message, ...error.more].join('\n') : String(error);
    }
  };
});

describe('a set of fingerprints', () => {
  it('a set of fingerprints contains every text that was added, and no other', () => {
    const met = new Fingerprints();
    for (let index = 0; index < 50_000; index++) met.add(`ver_${index}`);
    for (let index = 0; index < 50_000; index++) assert.ok(met.has(`ver_${index}`));
    for (let index = 50_000; index < 100_000; index++) assert.ok(!met.has(`ver_${index}`));
  });
});

describe('a spool', () => {
  it('a spool returns its lines from any position, from memory and from its file', () => {
    const spool = new Spool();
    const lines = Array.from({ length: 5_000 }, (_, index) => `${index} ${'ü🚀'.repeat(index % 40)}`);
    for (const line of lines) spool.write(line);
    assert.equal(spool.length, lines.length);
    for (const start of [0, 1, 17, 2_500, 4_998, 4_999])
      assert.deepEqual([...spool.lines(start)], lines.slice(start));
    spool.close();
  });
});
