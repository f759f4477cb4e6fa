import assert from 'node:assert/strict';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { changelogsIn, tryChangelog } from '../../proofs/imports/corpus.ts';
import { findUnread } from '../../proofs/imports/headings.ts';
import { ImportSandbox } from '../../proofs/imports/sandbox.ts';
import { lostLines, lostWords } from '../../proofs/imports/words.ts';
import { misread } from '../../support/content/plain-text.ts';
import { sharedScope } from '../../support/processes/scope.ts';

const SAMPLES = path.resolve(import.meta.dirname, '../../proofs/imports/samples');
const OWN = path.resolve(import.meta.dirname, '../../CHANGELOG.md');

/** The expected content of each sample. */
const COUNTS: Record<string, object> = {
  'changesets.md': { format: 'changesets', versions: 3, drafts: 3, yanked: 0, changes: 4 },
  'conventional.md': { format: 'conventional', versions: 3, drafts: 0, yanked: 0, changes: 6 },
  'github-releases.json': { format: 'github-releases', versions: 3, drafts: 1, yanked: 0, changes: 4 },
  'gitlab-releases.json': { format: 'github-releases', versions: 2, drafts: 1, yanked: 0, changes: 2 },
  'history.rdoc': { format: 'rdoc', versions: 2, drafts: 0, yanked: 0, changes: 4 },
  'keep-a-changelog.md': { format: 'keep-a-changelog', versions: 4, drafts: 1, yanked: 1, changes: 8 },
  'outline.org': { format: 'org', versions: 2, drafts: 0, yanked: 0, changes: 4 },
  'plain.txt': { format: 'text', versions: 2, drafts: 0, yanked: 0, changes: 3 },
  'release-please.md': { format: 'conventional', versions: 2, drafts: 0, yanked: 0, changes: 4 },
  'restructured.rst': { format: 'rst', versions: 2, drafts: 0, yanked: 0, changes: 4 },
  'titles.adoc': { format: 'asciidoc', versions: 2, drafts: 0, yanked: 0, changes: 3 },
  'underlined.md': { format: 'keep-a-changelog', versions: 3, drafts: 0, yanked: 0, changes: 3 },
};

describe('importing a real-world changelog', () => {
  const scope = sharedScope();
  let sandbox: ImportSandbox;
  before(async () => {
    sandbox = await ImportSandbox.open(scope);
  });

  it('has every sample', () => {
    assert.deepEqual(
      changelogsIn([SAMPLES]).map((file) => path.basename(file)),
      Object.keys(COUNTS),
    );
  });

  for (const [name, expected] of Object.entries(COUNTS)) {
    it(`importing ${name} and a Markdown round trip lose no text`, async () => {
      const tried = await tryChangelog(sandbox, path.join(SAMPLES, name));
      const { format, versions, drafts, yanked, changes, unread, faults } = tried;
      assert.deepEqual({ format, versions, drafts, yanked, changes }, expected);
      assert.deepEqual([...unread, ...faults], []);
    });
  }

  it('importing our own CHANGELOG.md and a Markdown round trip lose no text', async () => {
    const { versions, faults } = await tryChangelog(sandbox, OWN);
    assert.deepEqual(faults, []);
    assert.ok(versions > 0);
  });

  it('a refused file is told from a broken promise', async () => {
    const { refusal, versions, faults } = await tryChangelog(sandbox, import.meta.filename);
    assert.match(refusal ?? '', /corpus\.sqlite\.test\.ts:1: no version headings/);
    assert.deepEqual([versions, faults], [0, []]);
  });

  it('headings that look like versions and were not read are found', () => {
    const source = '# Rocket\n\n## [1.2.0] - 2026-05-04\n\n### Added\n\n## Rocket v1.1.0\n\n1.0.0\n-----\n';
    assert.deepEqual(findUnread(source, ['1.2.0']), ['7: Rocket v1.1.0', '9: 1.0.0']);
    assert.deepEqual(findUnread(source, ['v1.2.0', 'Rocket v1.1.0', '1.0.0']), []);
  });

  it('lostWords and lostLines find text that was not read back', () => {
    const version = {
      version: '1.0.0',
      title: 'Lift-off',
      status: 'published',
      publishedAt: null,
      yanked: false,
    };
    const versions = [
      { ...version, description: null, changes: [{ type: 'added', text: 'A pad.', breaking: false }] },
    ];
    const source =
      '# Rocket\n\nHow we fly.\n\n## [1.0.0] Lift-off\n\n### Added\n\n- A launch pad.\n\n[1.0.0]: https://x.example/a...b\n';
    const links = { compare: 'https://x.example/a...b' };
    assert.deepEqual(lostWords(source, { description: 'How we.', versions }), [
      ...['fly', 'launch', 'https', 'x', 'example', 'b'],
    ]);
    const linked = versions.map((each) => ({ ...each, links }));
    assert.deepEqual(lostWords(source, { description: 'How we fly.', versions: linked }), ['launch']);
    const signed = '1.0.0 2026-05-04  Ann Lee <ann@x.example>\n\n- A pad by Bo Lee <bo@x.example>.\n';
    assert.deepEqual(lostWords(signed, { description: null, versions }), ['by', 'bo', 'lee', 'x', 'example']);
    const text = 'The pad is a [new](https://x.example) one, and the old one is gone.';
    const moved = [{ ...version, description: text, changes: [] }];
    const lines = `- ${text}\n- Gone is the old one, and a pad one.\n`;
    const lost = ['- Gone is the old one, and a pad one.'];
    assert.deepEqual(lostLines(lines, { description: null, versions: moved }), lost);
    assert.deepEqual(lostLines(lines, { description: lost[0] ?? '', versions: moved }), []);
    const heading = 'The five major changes in 1.0.0 (Sat Dec 8 12:01:43 2007)';
    assert.deepEqual(lostLines(heading, { description: null, versions }), []);
    assert.deepEqual(lostLines(heading.replace('1.0.0', '2.0.0'), { description: null, versions }), [
      heading.replace('1.0.0', '2.0.0'),
    ]);
  });

  it('misread finds markup that is left, and text that is lost or added', () => {
    const markdown = '**Pads** are [new](https://x.example):\n\n1. `one`\n2. ![two](2.png)';
    const text = 'Pads are new (https://x.example):\n\n1. one\n2. two (2.png)';
    assert.equal(misread(markdown, text), null);
    assert.equal(misread('a\fb', 'a\\x0cb'), null);
    for (const wrong of ['**Pads**', 'Pads [new]', 'Pads or', 'Pad', ''])
      assert.match(misread(markdown, text.replace('Pads', wrong)) ?? '', /became/, wrong);
    assert.match(misread(markdown, text.slice(0, -8)) ?? '', /became/);
    assert.match(misread(markdown, `${text}!`) ?? '', /became/);
  });
});
