// Runs the steps of docs/ci.md that check a changelog, as the CI of another project would.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { load } from 'js-yaml';
import { temporaryFolder } from '../../support/processes/scope.ts';
import { section } from '../support/markdown.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const CI = readFileSync(path.join(ROOT, 'docs/ci.md'), 'utf8');
const OWN = 'OWNER/changelog-read-api@COMMIT';

type Step = { uses?: string; with?: Record<string, string>; env?: Record<string, string>; run?: string };
type Action = { inputs: Record<string, { default?: string }>; runs: { steps: Step[] } };

const ACTION = load(readFileSync(path.join(ROOT, 'action.yml'), 'utf8')) as Action;
const [ACTION_STEP = {}] = ACTION.runs.steps;
const BLOCKS = [...section(CI, '### In GitHub Actions').matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) =>
  load(text ?? ''),
);
const INPUTS = JSON.stringify(BLOCKS).includes(OWN) ? BLOCKS.map(inputsIn) : [];
const GITLAB = load(/```yaml\n([\s\S]*?)```/.exec(section(CI, '### In GitLab CI'))?.[1] ?? '') as Record<
  string,
  { script: string[] }
>;

/** The inputs of the step that uses this action. */
function inputsIn(block: unknown): Record<string, string> {
  const { jobs, steps } = block as { jobs?: Record<string, { steps: Step[] }>; steps?: Step[] };
  const all = steps ?? Object.values(jobs ?? {}).flatMap((job) => job.steps);
  return all.find(({ uses }) => uses === OWN)?.with ?? {};
}

/** A branch of a repository whose main has one version, with this text. */
function repositoryWith(t: TestContext, text: string): string {
  const folder = temporaryFolder(t);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@x.example', ...args], {
      cwd: folder,
      stdio: 'ignore',
    });
  writeFileSync(path.join(folder, 'CHANGELOG.md'), '## 1.0.0 - 2026-05-04\n\n- A change.\n');
  git('init', '-b', 'main');
  git('add', '.');
  git('commit', '-m', 'One');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  writeFileSync(path.join(folder, 'CHANGELOG.md'), text);
  symlinkSync(ROOT, path.join(folder, '.changelog'));
  return folder;
}

function bash(folder: string, script: string, environment: Record<string, string>) {
  const env = {
    PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
    HOME: folder,
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKSPACE: folder,
    GITHUB_ACTION_PATH: ROOT,
    ...environment,
  };
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', script], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

/** The action with these inputs. */
function act(folder: string, inputs: Record<string, string>) {
  const values = { ...inputs, since: inputs.since?.replace(/\$\{\{ github\.base_ref \}\}/, 'main') };
  const environment = Object.entries(ACTION_STEP.env ?? {}).map(([name, value]) => {
    const input = /^\$\{\{ inputs\.(\S+) \}\}$/.exec(value)?.[1] ?? '';
    assert.ok(Object.hasOwn(ACTION.inputs, input), value);
    return [name, (values as Record<string, string>)[input] ?? ACTION.inputs[input]?.default ?? ''];
  });
  return bash(folder, ACTION_STEP.run ?? '', Object.fromEntries(environment));
}

const NEW = '## 1.1.0\n\n- New.\n\n## 1.0.0 - 2026-05-04\n\n- A change.\n';

describe('the steps that check a changelog', () => {
  it('the action takes every input of the documents, and none of them is part of its script', () => {
    assert.equal(INPUTS.length, 2);
    for (const inputs of INPUTS)
      for (const name of Object.keys(inputs)) assert.ok(Object.hasOwn(ACTION.inputs, name), name);
    assert.doesNotMatch(ACTION_STEP.run ?? '', /\$\{\{/);
  });

  it('a good changelog passes, and what was edited since the base is annotated', (t) => {
    const [inputs = {}] = INPUTS;
    const good = act(repositoryWith(t, NEW), inputs);
    assert.deepEqual(good, { status: 0, stdout: 'CHANGELOG.md: no problems in 2 versions\n', stderr: '' });
    const edited = act(repositoryWith(t, `${NEW}- New.\n`), inputs);
    assert.equal(edited.status, 1);
    assert.match(
      edited.stdout,
      /^::error file=CHANGELOG\.md,line=8,title=changed-release::version 1\.0\.0 was already /m,
    );
  });

  it('findings are also written as SARIF, and the check still fails; without a repository no file is left', (t) => {
    const [, inputs = {}] = INPUTS;
    const folder = repositoryWith(t, `${NEW}- New.\n`);
    const { status, stdout } = act(folder, inputs);
    assert.equal(status, 1);
    assert.match(stdout, /^::error /m);
    const { runs } = JSON.parse(readFileSync(path.join(folder, 'changelog.sarif'), 'utf8'));
    assert.equal(runs[0].results[0].ruleId, 'changed-release');
    const other = repositoryWith(t, NEW);
    const failed = act(other, { ...inputs, since: 'nowhere' });
    assert.equal(failed.status, 1);
    assert.match(failed.stderr, /has no commit "nowhere"/);
    assert.ok(!existsSync(path.join(other, 'changelog.sarif')));
  });

  it('the other inputs become options, and another command is refused', (t) => {
    const folder = repositoryWith(t, `${NEW}\n## 0.9.0 - 2026-04-04\n`);
    assert.equal(act(folder, { command: 'check' }).status, 0);
    assert.equal(act(folder, { command: 'check', strict: 'true' }).status, 1);
    writeFileSync(path.join(folder, 'package.json'), '{"version": "1.2.0"}');
    assert.match(
      act(folder, { command: 'check', 'version-from': 'package.json' }).stdout,
      /1\.2\.0 is not in this file/,
    );
    assert.equal(act(folder, { command: '$(touch ran)' }).status, 2);
    assert.ok(!existsSync(path.join(folder, 'ran')));
  });

  it('the line for GitLab checks against the base of the merge request', (t) => {
    const line = Object.values(GITLAB)[0]?.script.at(-1) ?? '';
    const base = { CI_MERGE_REQUEST_DIFF_BASE_SHA: 'main' };
    assert.equal(bash(repositoryWith(t, NEW), line, base).status, 0);
    assert.equal(bash(repositoryWith(t, `${NEW}- New.\n`), line, base).status, 1);
  });
});
