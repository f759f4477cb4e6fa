// Whatever a file holds, the import of it ends soon: done, or refused in one line that says where, with nothing written.
import assert from 'node:assert/strict';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { dump } from '../../../support/databases/engine.ts';
import { sharedScope } from '../../../support/processes/scope.ts';
import { apply, run, runOk, type Sandbox } from '../../../support/program/command.ts';
import { documentOf, sandboxOf, versionsByLabel } from '../../cli/helpers.ts';

const GOOD = '# Changelog\n\n## [1.0.0] - 2026-05-04\n\n### Added\n\n- Größer.\n';
const HUGE_BYTES = 200 * 1024 * 1024;
const LONG_LINE_BYTES = 5 * 1024 * 1024;
/** A million take ten times as long, as test/import/markdown/linear.timed.test.ts shows. */
const HEADINGS = 100_000;

const utf16 = (text: string, isBigEndian: boolean) => {
  const bytes = Buffer.from(text, 'utf16le');
  return isBigEndian ? bytes.swap16() : bytes;
};

/** A name, what is in the file, and what must be said of it. */
const REFUSED: readonly (readonly [string, string | Buffer, RegExp])[] = [
  ['an empty file', '', /bad\.md:1: the file is empty/],
  ['only a byte order mark', '\uFEFF', /bad\.md:1: the file is empty/],
  ['only blanks', ' \n\t\r\n \n', /bad\.md:1: the file is empty/],
  [
    'binary data',
    Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xfe', 'latin1'),
    /bad\.md:1: this is a picture/,
  ],
  ['binary data further on', `${GOOD}- A pad.\n\0\n`, /bad\.md:9: not text: it contains a NUL byte/],
  ['UTF-16 LE with a mark', utf16(`\uFEFF${GOOD}`, false), /bad\.md:1: this is UTF-16/],
  ['UTF-16 LE', utf16(GOOD, false), /bad\.md:1: this is UTF-16/],
  ['UTF-16 BE with a mark', utf16(`\uFEFF${GOOD}`, true), /bad\.md:1: this is UTF-16/],
  ['UTF-16 BE', utf16(GOOD, true), /bad\.md:1: this is UTF-16/],
  ['Latin-1', Buffer.from(GOOD, 'latin1'), /bad\.md:7: this line is not UTF-8/],
  [
    'Latin-1 with CRLF',
    Buffer.from(GOOD.replaceAll('\n', '\r\n'), 'latin1'),
    /bad\.md:7: this line is not UTF-8/,
  ],
  [
    'Latin-1 with CR',
    Buffer.from(GOOD.replaceAll('\n', '\r'), 'latin1'),
    /bad\.md:7: this line is not UTF-8/,
  ],
  ['prose', 'Once upon a time.\n', /bad\.md:1: no version headings such as/],
  [
    'duplicate labels',
    `${GOOD}\n## [1.0.0] - 2026-05-05\n`,
    /bad\.md:9: duplicate version "1\.0\.0" \(also on line 3\)/,
  ],
  [
    'a day that is not',
    GOOD.replace('05-04', '02-30'),
    /bad\.md:3: version 1\.0\.0 has an invalid date, 2026-02-30/,
  ],
  [
    'a month that is not',
    GOOD.replace('05-04', '13-01'),
    /bad\.md:3: version 1\.0\.0 has an invalid date, 2026-13-01/,
  ],
  ['headings of no version', '# Heading\n'.repeat(HEADINGS), /bad\.md:1: no version headings such as/],
  [
    'headings of one version',
    '## [1.0.0] - 2026-05-04\n'.repeat(HEADINGS / 10),
    /bad\.md:2: duplicate version "1\.0\.0" /,
  ],
  [
    'a version without end',
    `${GOOD}${'### Heading\n'.repeat(150_000)}`,
    /bad\.md:3: version 1\.0\.0 exceeds/,
  ],
  [
    'a text without end',
    `${GOOD}  ${'x'.repeat(3_000_000)}\n`,
    /bad\.md:3: version "1\.0\.0": changes\[0\]\.text: is too long/,
  ],
  ['a truncated JSON', '[\n{"tag_name":"1.0.0","body":"A p', /bad\.md:2: /],
  ['JSON that is none', '[\n{"tag_name":}\n]\n', /bad\.md:2: /],
  ['JSON of something else', '{"message":"Not Found"}', /bad\.md:1: not releases but an error: "Not Found"/],
  ['JSON without end', '['.repeat(1_000_000), /bad\.md:\d+: /],
];

describe('a file that is not a changelog', () => {
  const scope = sharedScope();
  const sandbox: Sandbox = sandboxOf(scope);
  const file = path.join(sandbox.folder, 'bad.md');
  before(() => apply(sandbox, documentOf([])));

  for (const [name, content, expected] of REFUSED) {
    it(`import rejects ${name}`, async () => {
      writeFileSync(file, content);
      assert.match(await refused(sandbox, 'bad.md'), expected);
    });
  }

  it('import rejects 200 MB of zeros early', async () => {
    writeFileSync(file, '');
    truncateSync(file, HUGE_BYTES);
    assert.match(await refused(sandbox, 'bad.md'), /bad\.md:1: not text: it contains a NUL byte/);
  });

  it('import rejects a line of more than 4 MiB', async () => {
    writeFileSync(file, `## 1.0.0\n${'x'.repeat(LONG_LINE_BYTES)}`);
    assert.match(await refused(sandbox, 'bad.md'), /bad\.md:2: line exceeds 4 MiB/);
  });

  it('import rejects a directory and a missing file', async () => {
    mkdirSync(path.join(sandbox.folder, 'folder'));
    assert.match(await refused(sandbox, 'folder'), /folder cannot be read: /);
    assert.match(await refused(sandbox, 'nowhere.md'), /nowhere\.md cannot be read: no such file/);
    // It can be opened, and that is all.
    assert.match(await refused(sandbox, '/proc/self/mem'), /\/proc\/self\/mem cannot be read: /);
  });
});

/** In one line, with nothing written. */
async function refused(sandbox: Sandbox, file: string): Promise<string> {
  const had = await dump(sandbox);
  const { code, stdout, stderr } = await run(sandbox, ['import', 'acme/rocket', file]);
  assert.equal(code, 1, stdout + stderr);
  assert.equal(stdout, '');
  // A command that takes ten seconds also says how far it is.
  const refusal = stderr.replaceAll(/^changelog: reading [^\n]+ %, [^\n]+\n/gm, '');
  assert.match(refusal, /^changelog: [^\n]+\n$/);
  assert.deepEqual(await dump(sandbox), had, 'a refusal must leave everything as it was');
  return refusal;
}

describe('import of a version with very many changes', () => {
  it('very many changes are imported and removed', async (t) => {
    const sandbox = sandboxOf(t);
    await apply(sandbox, documentOf([]));
    const items = Array.from({ length: 10_000 }, (_, index) => `- ${index}\n`).join('');
    for (const text of [items, '- 1\n'])
      await runOk(sandbox, ['import', 'acme/rocket', '-'], `## 1.0.0 - 2026-05-04\n\n${text}`);
    assert.equal((await versionsByLabel(sandbox)).get('1.0.0')?.changes?.length, 1);
  });
});

describe('import of a changelog from another system', () => {
  const FORMS = {
    CRLF: GOOD.replaceAll('\n', '\r\n'),
    CR: GOOD.replaceAll('\n', '\r'),
    'a byte order mark': `\uFEFF${GOOD}`,
    'no line end at the end': GOOD.trimEnd(),
  };

  for (const [name, text] of Object.entries(FORMS)) {
    it(`a changelog from another system is read: ${name}`, async (t) => {
      const sandbox = sandboxOf(t);
      await apply(sandbox, documentOf([]));
      await runOk(sandbox, ['import', 'acme/rocket', '-'], text);
      const version = (await versionsByLabel(sandbox)).get('1.0.0');
      assert.deepEqual(
        version?.changes?.map(({ type, text }) => ({ type, text })),
        [{ type: 'added', text: 'Größer.' }],
      );
      assert.equal(version?.publishedAt, '2026-05-04T00:00:00.000Z');
    });
  }
});
