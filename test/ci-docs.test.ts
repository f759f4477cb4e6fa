// Runs the steps of docs/ci.md as the CI of another project would: in a repository with tags, with a server.
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { load } from 'js-yaml';
import { databaseUrl } from '../support/databases/engine.ts';
import { temporaryFolder } from '../support/processes/scope.ts';
import { listenApp } from '../support/program/app.ts';
import { apply, runOk } from '../support/program/command.ts';
import { codeBlock, section } from './support/markdown.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const CI = readFileSync(path.join(ROOT, 'docs/ci.md'), 'utf8');
const FEED = '/api/v1/public/teams/acme/products/rocket/changelog';

type Step = { uses?: string; with?: Record<string, unknown>; env?: Record<string, string>; run?: string };
type Workflow = { on: { push: { tags?: string[] } }; jobs: Record<string, { steps: Step[] }> };
type Action = { inputs: Record<string, { default?: string }>; runs: { steps: Step[] } };
type GitlabJob = { variables?: Record<string, unknown>; script: string[] };

type Answer = { data: { versions: { version: string; publishedAt: string }[] } };

const WORKFLOW = load(codeBlock(section(CI, '### GitHub Actions'), 'yaml')) as Workflow;
const STEPS = Object.values(WORKFLOW.jobs).flatMap(({ steps }) => steps);
const CHECKOUT = STEPS.find(({ uses }) => uses?.startsWith('actions/checkout@')) ?? {};
const OWN_STEP = STEPS.find(({ uses }) => uses === 'OWNER/changelog-read-api@COMMIT') ?? {};
const ACTION = load(readFileSync(path.join(ROOT, 'action.yml'), 'utf8')) as Action;
const [ACTION_STEP = {}] = ACTION.runs.steps;
const GITLAB = Object.values(
  load(codeBlock(section(CI, '### GitLab CI'), 'yaml')) as Record<string, GitlabJob>,
)[0];
const LINE = codeBlock(section(CI, '### Any other CI'), 'sh');
/** The commands that run in a container, without what starts it. */
const IN_CONTAINERS = [
  ...section(CI, '## A container').matchAll(/changelog(?::TAG)? (import acme\/rocket \S+)/g),
];

const DOCUMENT = {
  team: { slug: 'acme', name: 'Acme', visibility: 'public' },
  products: [{ slug: 'rocket', name: 'Rocket', status: 'published', changelog: { status: 'published' } }],
};

/** In the style of changesets, which has no dates. */
const writeChangelog = (...versions: string[]) =>
  [
    '# @acme/rocket',
    ...versions.map((version) => `## ${version}\n\n### Minor Changes\n\n- 1a2b3c4: A change.`),
  ].join('\n\n');

describe('docs/ci.md', () => {
  it('the workflow runs on every tag with all tags fetched, a pinned version, and the secret only in the environment', () => {
    assert.deepEqual(WORKFLOW.on.push.tags, ['*']);
    assert.equal(CHECKOUT.with?.['fetch-depth'], 0);
    assert.deepEqual(Object.keys(OWN_STEP.with ?? {}).sort(), ['database-url', 'product']);
    assert.match(String(OWN_STEP.with?.['database-url']), /^\$\{\{ secrets\.DATABASE_URL \}\}$/);
    assert.doesNotMatch(`${ACTION_STEP.run}${LINE}`, /\$\{\{|secrets|DATABASE_URL|:\/\//);
    assert.equal(GITLAB?.variables?.GIT_DEPTH, 0);
    assert.equal(GITLAB?.script.at(-1), LINE.trim());
  });

  it('the workflow imports the versions of a tagged repository, and changes nothing the second time', async (t) => {
    const sandbox = { folder: temporaryFolder(t) };
    await apply(sandbox, DOCUMENT);
    const { address } = await listenApp(t, sandbox);
    const repository = path.join(sandbox.folder, 'rocket');
    mkdirSync(repository);
    symlinkSync(ROOT, path.join(repository, '.changelog'));

    const release = (version: string, date: string, ...before: string[]) => {
      writeFileSync(path.join(repository, 'CHANGELOG.md'), writeChangelog(version, ...before));
      const moment = `${date}T12:00:00Z`;
      const names = {
        GIT_AUTHOR_NAME: 'A',
        GIT_AUTHOR_EMAIL: 'a@x',
        GIT_COMMITTER_NAME: 'A',
        GIT_COMMITTER_EMAIL: 'a@x',
      };
      const env = { ...process.env, ...names, GIT_AUTHOR_DATE: moment, GIT_COMMITTER_DATE: moment };
      const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, env, stdio: 'ignore' });
      git('init');
      git('add', 'CHANGELOG.md');
      git('commit', '-m', version);
      git('tag', `v${version}`);
    };
    /** The inputs of the action, and the secret. */
    const inputs: Record<string, unknown> = {
      ...Object.fromEntries(Object.entries(ACTION.inputs).map(([name, input]) => [name, input.default])),
      ...OWN_STEP.with,
      'database-url': databaseUrl(sandbox),
    };
    const actionEnv = Object.fromEntries(
      Object.entries(ACTION_STEP.env ?? {}).map(([name, value]) => [
        name,
        value.replace(/^\$\{\{ inputs\.(\S+) \}\}$/, (_, input: string) => String(inputs[input])),
      ]),
    );
    const runScript = async (script: string): Promise<string> => {
      const env = {
        PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
        HOME: repository,
        GITHUB_ACTION_PATH: ROOT,
        ...actionEnv,
      };
      return (await promisify(execFile)('bash', ['-e', '-c', script], { cwd: repository, env })).stdout;
    };
    const read = async () => {
      const response = await fetch(`${address}${FEED}`);
      const { data } = (await response.json()) as Answer;
      return {
        etag: response.headers.get('etag'),
        versions: data.versions.map(({ version, publishedAt }) => `${version} ${publishedAt}`),
      };
    };

    release('1.0.0', '2026-01-15');
    const file = path.join(repository, 'CHANGELOG.md');
    await runOk(sandbox, ['import', 'acme/rocket', file, '--dates-from-git', repository]);
    release('1.1.0', '2026-03-02', '1.0.0');
    assert.match(
      await runScript(ACTION_STEP.run ?? ''),
      /^Done: 1 created, 0 changed, 0 deleted, 1 unchanged/m,
    );
    const after = await read();
    assert.deepEqual(after.versions, ['1.1.0 2026-03-02T12:00:00.000Z', '1.0.0 2026-01-15T12:00:00.000Z']);
    assert.match(await runScript(LINE), /^Nothing to do: .* 2 unchanged/m);
    assert.deepEqual(await read(), after);

    assert.equal(IN_CONTAINERS.length, 3);
    for (const [, command = ''] of IN_CONTAINERS) {
      const args = command.replace('CHANGELOG.md', file).split(' ');
      assert.match(await runOk(sandbox, args, readFileSync(file, 'utf8')), /^Nothing to do: .* 2 unchanged/m);
    }
    assert.deepEqual(await read(), after);
  });
});
