// Runs the steps of docs/static.md as the CI of another project would.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { load } from 'js-yaml';
import { temporaryFolder } from '../../support/processes/scope.ts';
import { codeBlock, section } from '../support/markdown.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const STATIC = readFileSync(path.join(ROOT, 'docs/static.md'), 'utf8');

type Step = {
  id?: string;
  uses?: string;
  with?: Record<string, string>;
  env?: Record<string, string>;
  run?: string;
};
type Workflow = { permissions: Record<string, string>; jobs: Record<string, { steps: Step[] }> };
type Action = { inputs: Record<string, { default?: string }>; runs: { steps: Step[] } };
type GitlabJob = { script: string[]; artifacts: { paths: string[] } };

const CHANGELOG =
  '# Rocket\n\n## [1.1.0] - 2026-03-02\n\n### Added\n\n- Pause.\n\n## [1.0.0] - 2026-01-15\n\n- First.\n';

/** A project with a changelog, and this program next to it. */
function project(t: Parameters<typeof temporaryFolder>[0]): string {
  const folder = path.join(temporaryFolder(t), 'rocket');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'CHANGELOG.md'), CHANGELOG);
  symlinkSync(ROOT, path.join(folder, '.changelog'));
  symlinkSync(path.join(ROOT, 'bin'), path.join(folder, 'bin'));
  return folder;
}

async function runScript(
  folder: string,
  script: string,
  variables: Record<string, string> = {},
): Promise<void> {
  const env = {
    PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
    HOME: folder,
    GITHUB_ACTION_PATH: ROOT,
    ...variables,
  };
  await promisify(execFile)('bash', ['-e', '-c', script], { cwd: folder, env });
}

const read = (folder: string, file: string) => readFileSync(path.join(folder, file), 'utf8');

describe('docs/static.md', () => {
  it('the first commands make a site, and one with a base', async (t) => {
    const folder = project(t);
    const [, first = '', second = ''] = STATIC.split('```sh\n').map((part) => part.split('```')[0]);
    await runScript(folder, first);
    assert.match(read(folder, 'site/index.html'), /<title>Rocket/);
    assert.ok(!existsSync(path.join(folder, 'site/sitemap.xml')));
    await runScript(folder, second);
    assert.match(
      read(folder, 'site/sitemap.xml'),
      /<loc>https:\/\/acme\.github\.io\/rocket\/versions\/1\.1\.0\.html</,
    );
  });

  it('the workflow for GitHub Pages uploads what the action has built', async (t) => {
    const folder = project(t);
    const workflow = load(codeBlock(section(STATIC, '## GitHub Pages'), 'yaml')) as Workflow;
    const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
    const own = steps.find(({ uses }) => uses === 'OWNER/changelog-read-api@COMMIT')?.with ?? {};
    const upload = steps.find(({ uses }) => uses?.startsWith('actions/upload-pages-artifact@'));
    const action = load(read(ROOT, 'action.yml')) as Action;
    for (const name of Object.keys(own)) assert.ok(name in action.inputs, name);
    const [step = {}] = action.runs.steps;
    const inputs = {
      ...Object.fromEntries(
        Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? '']),
      ),
      ...own,
    };
    const variables = Object.fromEntries(
      Object.entries(step.env ?? {}).map(([name, value]) => [
        name,
        value.replace(/^\$\{\{ inputs\.(\S+) \}\}$/, (_, input: keyof typeof inputs) => inputs[input] ?? ''),
      ]),
    );
    await runScript(folder, step.run ?? '', variables);
    assert.match(
      read(folder, `${upload?.with?.path}/feed.atom`),
      /href="https:\/\/acme\.github\.io\/rocket\//,
    );
    assert.deepEqual(workflow.permissions, { contents: 'read', pages: 'write', 'id-token': 'write' });
  });

  it('the job for GitLab Pages builds the folder that GitLab publishes', async (t) => {
    const folder = project(t);
    const { pages } = load(codeBlock(section(STATIC, '## GitLab Pages'), 'yaml')) as { pages: GitlabJob };
    await runScript(folder, pages.script.at(-1) ?? '', { CI_PAGES_URL: 'https://acme.gitlab.io/rocket' });
    assert.deepEqual(pages.artifacts.paths, ['public']);
    assert.match(read(folder, 'public/robots.txt'), /https:\/\/acme\.gitlab\.io\/rocket\/sitemap\.xml/);
  });

  it('the table has every file of a site', async (t) => {
    const folder = project(t);
    await runScript(folder, 'bin/changelog build CHANGELOG.md --out site --base https://x.example');
    const listed = section(STATIC, '## What is in it')
      .replaceAll('2.1.0', '1.1.0')
      .replaceAll('2.0.0', '1.0.0');
    const { files } = JSON.parse(read(folder, 'site/.changelog-site.json')) as { files: string[] };
    assert.ok(files.length > 30);
    for (const file of files) {
      const name = file
        .replace(/^versions\/(?:1\.0\.0|latest)/, 'versions/1.1.0')
        .replace(/^type-\w+/, 'type-security')
        .replace(/^versions\/1\.1\.0\/(notes\.(?:txt|html))$/, '$1');
      assert.ok(listed.includes(`\`${name}\``), file);
    }
  });
});
