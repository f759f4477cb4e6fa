// Runs the steps of docs/ci.md that take notes from a changelog, as the CI of another project would.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { load } from 'js-yaml';
import { temporaryFolder } from '../../../../support/processes/scope.ts';
import { section } from '../../../support/markdown.ts';

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const CI = readFileSync(path.join(ROOT, 'docs/ci.md'), 'utf8');
const OWN = 'OWNER/changelog-read-api@COMMIT';

type Step = { uses?: string; with?: Record<string, string>; env?: Record<string, string>; run?: string };
type Action = { inputs: Record<string, { default?: string }>; runs: { steps: Step[] } };
type Blocks = [{ jobs: { release: { steps: Step[] } } }, { release: { script: string[] } }];

const ACTION = load(readFileSync(path.join(ROOT, 'action.yml'), 'utf8')) as Action;
const [ACTION_STEP = {}] = ACTION.runs.steps;
const [GITHUB, GITLAB] = [...section(CI, '## Notes for a release').matchAll(/```yaml\n([\s\S]*?)```/g)].map(
  ([, text = '']) => load(text),
) as Blocks;
const INPUTS = GITHUB.jobs.release.steps.find(({ uses }) => uses === OWN)?.with ?? {};

const FILE = '## 1.1.0 - 2026-05-04\n\n### Added\n\n- A.\n\n## 1.0.0 - 2026-01-01\n';

function folderWith(t: TestContext): string {
  const folder = temporaryFolder(t);
  writeFileSync(path.join(folder, 'CHANGELOG.md'), FILE);
  symlinkSync(ROOT, path.join(folder, '.changelog'));
  return folder;
}

function bash(folder: string, script: string, environment: object) {
  const env = {
    PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
    HOME: folder,
    GITHUB_ACTION_PATH: ROOT,
    ...environment,
  };
  const options = { cwd: folder, env, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', script], options);
  return { status, stdout, stderr };
}

/** The action with these inputs. */
function act(folder: string, inputs: Record<string, string>) {
  const environment = Object.entries(ACTION_STEP.env ?? {}).map(([name, value]) => {
    const input = /^\$\{\{ inputs\.(\S+) \}\}$/.exec(value)?.[1] ?? '';
    assert.ok(Object.hasOwn(ACTION.inputs, input), value);
    return [name, inputs[input] ?? ACTION.inputs[input]?.default ?? ''];
  });
  return bash(folder, ACTION_STEP.run ?? '', Object.fromEntries(environment));
}

describe('the steps that take notes from a changelog', () => {
  it('the action writes the notes of the tag, and fails if there are none', (t) => {
    const folder = folderWith(t);
    assert.match(INPUTS.version ?? '', /^\$\{\{ github\.ref_name \}\}$/);
    assert.deepEqual(act(folder, { ...INPUTS, version: 'v1.1.0' }), {
      status: 0,
      stdout: 'notes.md: the notes of 1.1.0\n',
      stderr: '',
    });
    assert.equal(readFileSync(path.join(folder, 'notes.md'), 'utf8'), '### Added\n\n- A.\n');
    assert.match(act(folder, { ...INPUTS, version: 'v1.0.0' }).stderr, /1\.0\.0 has no notes/);
    assert.match(act(folder, { ...INPUTS, version: 'v9.0.0' }).stderr, /has no version "v9\.0\.0"/);
  });

  it('every input becomes an option, and none is run or read as another option', (t) => {
    const folder = folderWith(t);
    const notes = { command: 'notes' };
    assert.equal(act(folder, notes).stdout, '### Added\n\n- A.\n');
    assert.equal(
      act(folder, { ...notes, from: '1.0.0', format: 'txt' }).stdout,
      '1.1.0 (2026-05-04)\n\nAdded\n- A.\n',
    );
    assert.equal(act(folder, { ...notes, version: '1.0.0', 'allow-empty': 'true' }).stdout, '');
    const store = {
      ...notes,
      for: 'fdroid',
      'version-code': '7',
      out: 'meta',
      language: 'de',
      url: 'https://a.example',
    };
    assert.equal(act(folder, store).status, 0);
    assert.ok(existsSync(path.join(folder, 'meta/de/changelogs/7.txt')));
    assert.equal(act(folder, { ...notes, version: '--out=ran' }).status, 1);
    assert.equal(act(folder, { ...notes, version: '$(touch ran)', from: '`touch ran`' }).status, 1);
    assert.ok(!existsSync(path.join(folder, 'ran')));
  });

  it('the line for GitLab writes the notes of the tag', (t) => {
    const folder = folderWith(t);
    const line = GITLAB.release.script.at(-1) ?? '';
    assert.equal(bash(folder, line, { CI_COMMIT_TAG: 'v1.1.0' }).status, 0);
    assert.equal(readFileSync(path.join(folder, 'notes.md'), 'utf8'), '### Added\n\n- A.\n');
  });
});
