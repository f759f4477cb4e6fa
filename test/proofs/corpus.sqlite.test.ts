import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { changelogsIn, tryChangelog } from '../../proofs/imports/corpus.ts';
import { ImportSandbox } from '../../proofs/imports/sandbox.ts';
import { lostWords } from '../../proofs/imports/words.ts';
import { sharedScope } from '../../support/processes/scope.ts';

const SAMPLES = path.resolve(import.meta.dirname, '../../proofs/imports/samples');
const OWN = path.resolve(import.meta.dirname, '../../CHANGELOG.md');

/** The expected content of each sample. */
const COUNTS: Record<string, object> = {
  'changesets.md': { format: 'changesets', versions: 3, drafts: 3, yanked: 0, changes: 4 },
  'conventional.md': { format: 'conventional', versions: 3, drafts: 0, yanked: 0, changes: 6 },
  'github-releases.json': { format: 'github-releases', versions: 3, drafts: 1, yanked: 0, changes: 4 },
  'keep-a-changelog.md': { format: 'keep-a-changelog', versions: 4, drafts: 1, yanked: 1, changes: 8 },
  'release-please.md': { format: 'conventional', versions: 2, drafts: 0, yanked: 0, changes: 4 },
  'underlined.md': { format: 'keep-a-changelog', versions: 3, drafts: 0, yanked: 0, changes: 3 },
};

describe('importing a real-world changelog', () => {
  const scope = sharedScope();
  let sandbox: ImportSandbox;
  before(async () => {
    sandbox = await ImportSandbox.open(scope);
  });

  for (const file of changelogsIn(SAMPLES)) {
    it(`importing ${file} and a Markdown round trip lose no words`, async () => {
      const tried = await tryChangelog(sandbox, file, readFileSync(path.join(SAMPLES, file), 'utf8'));
      assert.deepEqual(tried, { file, ...COUNTS[file], faults: [] });
    });
  }

  it('importing our own CHANGELOG.md and a Markdown round trip lose no words', async () => {
    const { versions, faults } = await tryChangelog(sandbox, 'CHANGELOG.md', readFileSync(OWN, 'utf8'));
    assert.deepEqual(faults, []);
    assert.ok(versions > 0);
  });

  it('lostWords finds a word that the API does not return', () => {
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
    assert.deepEqual(lostWords('## 1.0.0 Lift-off\n\n### Added\n\n- A launch pad.\n', versions), ['launch']);
  });
});
