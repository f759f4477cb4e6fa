// Renovate, configured as the documents say, and another client of Gitea read the releases of the demo.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Scope, temporaryFolder } from '../../cluster/scope.ts';
import { startDemo } from './clients.ts';
import { installPackages } from './generate.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FOLDER = path.join(import.meta.dirname, 'gitea');
const execute = promisify(execFile);

const [FROM, TO] = ['1.4.0', '2.1.0'];
const SHOWN_URL = 'https://changes.example.com';

type Noted = Readonly<{ version: string; url: string; compareUrl: string; name: string; body: string }>;
type Seen = Readonly<{
  releases: readonly string[];
  tags: readonly string[];
  notes: readonly Noted[] | null;
}>;
type Version = Readonly<{ version: string; title: string; changes: readonly Readonly<{ text: string }>[] }>;

export async function readWithGiteaClients(scope: Scope): Promise<string[]> {
  await installPackages(FOLDER, 'Renovate and gitea-js');
  const { baseUrl, key } = await startDemo(scope);
  const query = `from=${FROM}&to=${TO}&prerelease=false&include=changes`;
  const changelog = `${baseUrl}/api/v1/public/teams/acme/products/rocket/changelog`;
  const { data } = (await (await fetch(`${changelog}?${query}`)).json()) as { data: { versions: Version[] } };
  await validateConfig(scope);
  for (const token of [undefined, key]) assertNotes(await askRenovate(baseUrl, token), data.versions);
  await assertLinks(await askRenovate(baseUrl, undefined));
  assert.equal(
    (await askRenovate(baseUrl, `${key}x`)).notes?.some(({ body }) => body !== ''),
    false,
  );
  const listed = await listWithGiteaJs(baseUrl);
  return [
    `Renovate ${versionOf('renovate')}: ${data.versions.length} versions between ${FROM} and ${TO} with their texts, without and with a key`,
    `gitea-js ${versionOf('gitea-js')}: lists ${listed} releases`,
  ];
}

/** The lines of the documents, for another host. */
function configFor(baseUrl: string): string {
  const [, section = ''] = readFileSync(path.join(ROOT, 'docs/outputs.md'), 'utf8').split('## Renovate');
  const [, config = ''] = /```json\n([\s\S]*?)```/.exec(section) ?? [];
  assert.ok(config.includes(SHOWN_URL));
  return config.replaceAll(SHOWN_URL, baseUrl);
}

async function validateConfig(scope: Scope): Promise<void> {
  const file = path.join(temporaryFolder(scope), 'renovate.json');
  writeFileSync(file, configFor(SHOWN_URL));
  await runProgram(['node_modules/renovate/dist/config-validator.js', '--strict', file]);
}

async function askRenovate(baseUrl: string, token: string | undefined): Promise<Seen> {
  const asked = { baseUrl, token, from: FROM, to: TO, config: JSON.parse(configFor(baseUrl)) };
  return JSON.parse(await runProgram(['renovate.ts', JSON.stringify(asked)]));
}

/** Renovate changes the level of headings, nothing else. */
function assertNotes({ releases, tags, notes }: Seen, versions: readonly Version[]): void {
  assert.deepEqual(releases, tags);
  assert.deepEqual(
    notes?.map(({ version, name }) => [version, name]).sort(),
    versions.map(({ version, title }) => [version, title]).sort(),
  );
  for (const { version, changes } of versions) {
    assert.ok(changes.length > 0);
    const body = notes?.find((noted) => noted.version === version)?.body ?? '';
    for (const { text } of changes)
      assert.ok(body.includes(text.split('\n', 1)[0] ?? ''), `${version}: ${text}`);
  }
}

async function assertLinks({ notes }: Seen): Promise<void> {
  for (const { url, compareUrl } of notes ?? []) {
    const pages = await Promise.all([fetch(url), fetch(compareUrl)]);
    assert.deepEqual(
      pages.map(({ ok, redirected }) => [ok, redirected]),
      [
        [true, true],
        [true, true],
      ],
    );
  }
}

async function listWithGiteaJs(baseUrl: string): Promise<number> {
  const { releases, total } = JSON.parse(await runProgram(['gitea-js.ts', baseUrl]));
  assert.equal(releases.length, total);
  assert.ok(releases.includes(TO));
  return total;
}

async function runProgram(args: readonly string[]): Promise<string> {
  const env = { ...process.env, LOG_LEVEL: 'fatal' };
  const { stdout } = await execute(process.execPath, [...args], { cwd: FOLDER, env });
  return stdout;
}

function versionOf(name: string): string {
  return JSON.parse(readFileSync(path.join(FOLDER, 'node_modules', name, 'package.json'), 'utf8')).version;
}
