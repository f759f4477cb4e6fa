// The two packages as people get them: the server's, and the client's.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const CLIENT = path.join(ROOT, 'client');
const TSC = path.join(ROOT, 'node_modules/typescript/bin/tsc');
const run = promisify(execFile);

/** Somebody's code for browsers: what it says of types is checked, those of the package included. */
const PAGE = `
import { ChangelogClient, ChangelogError, type Version } from 'changelog-read-client';
const client = new ChangelogClient({ baseUrl: location.origin, team: 'acme', product: 'rocket', fetch });
export const titles: Promise<string[]> = client.feed().then(({ versions }) => versions.map(({ title }) => title));
export const full: AsyncIterable<Version> = client.versions({ include: 'changes', type: ['fixed'] });
export const isMissing = (error: unknown) => error instanceof ChangelogError && error.is('not_found');
new ChangelogClient({ baseUrl: location.origin, static: true });
// @ts-expect-error: without a static site, the team is needed.
new ChangelogClient({ baseUrl: location.origin, product: 'rocket' });
const team = new ChangelogClient({ baseUrl: location.origin, team: 'acme' });
export const slugs: Promise<string[]> = team.products().then(({ products }) => products.map(({ slug }) => slug));
export const names = async () => {
  for await (const { product } of team.teamVersions({ type: 'security' })) return product.name satisfies string;
};
// @ts-expect-error: a static site takes no key.
new ChangelogClient({ baseUrl: location.origin, static: true, apiKey: 'secret' });
// @ts-expect-error: no such type of change.
client.feed({ type: 'improved' });
// @ts-expect-error: a summary has no changes.
client.feed().then(({ versions }) => versions[0].changes);
`;

const scope = sharedScope();
const folder = temporaryFolder(scope);

describe('the package of the server', () => {
  const installed = path.join(folder, 'node_modules/changelog-read-api');
  before(() => unpack(ROOT, installed));

  it('the package of the server contains every file that it exports, and its program', () => {
    const targets = targetsOf(installed);
    assert.equal(targets.length, 3);
    for (const target of targets) assert.ok(existsSync(path.join(installed, target)), target);
  });

  it('the package of the server contains the code of the client, but does not export it', async () => {
    assert.ok(existsSync(path.join(installed, 'client/index.js')));
    assert.equal(existsSync(path.join(installed, 'client/README.md')), false);
    const script = path.join(folder, 'server.mjs');
    writeFileSync(
      script,
      `import schema from 'changelog-read-api/schema/content.schema.json' with { type: 'json' };
      const { code } = await import('changelog-read-api/client').catch((error) => error);
      console.log(schema.type, code);`,
    );
    const { stdout } = await run(process.execPath, [script]);
    assert.equal(stdout, 'object ERR_PACKAGE_PATH_NOT_EXPORTED\n');
  });
});

describe('the package of the client', () => {
  const installed = path.join(folder, 'node_modules/changelog-read-client');
  before(() => unpack(CLIENT, installed));

  it('both packages have the same version and license', () => {
    const [server, client] = [ROOT, CLIENT].map(manifestOf);
    assert.equal(client.version, server.version);
    assert.equal(client.license, server.license);
    assert.equal(read(CLIENT, 'LICENSE'), read(ROOT, 'LICENSE'));
  });

  it('the package of the client has no dependencies and runs on Node.js 18', () => {
    const manifest = manifestOf(CLIENT);
    for (const field of Object.keys(manifest)) assert.doesNotMatch(field, /dependencies|scripts/i);
    assert.deepEqual(manifest.engines, { node: '>=18' });
    // Importing the widget defines an element; bundlers must not drop that.
    assert.deepEqual(manifest.sideEffects, ['./widget.js']);
  });

  it('the package of the client contains every file that it exports, with types, README and license', () => {
    const targets = targetsOf(installed);
    for (const file of ['./index.js', './index.d.ts', './widget.js', './widget.d.ts'])
      assert.ok(targets.includes(file), file);
    for (const target of [...targets, 'records.d.ts', 'README.md', 'LICENSE'])
      assert.ok(existsSync(path.join(installed, target)), target);
  });

  it('the types of the client need no types of Node.js, for bundlers and for Node.js', async () => {
    const file = path.join(folder, 'page.mts');
    writeFileSync(file, PAGE);
    const check = async (modules: string) => {
      const flags = `--noEmit --strict --module ${modules} --target es2022 --lib es2022,dom`;
      const args = [...flags.split(' '), '--types', '', '--skipLibCheck', 'false', file];
      await run(process.execPath, [TSC, ...args], { cwd: folder }).catch(({ stdout }) => assert.fail(stdout));
    };
    await Promise.all(['esnext --moduleResolution bundler', 'nodenext'].map(check));
  });
});

async function unpack(source: string, target: string): Promise<void> {
  mkdirSync(target, { recursive: true });
  await run('tar', ['-xzf', await pack(source, folder), '-C', target, '--strip-components=1']);
}

/** Packs the folder, without its scripts: what the server's would build is the server. */
async function pack(source: string, destination: string): Promise<string> {
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', destination];
  const { stdout } = await run('npm', args, { cwd: source });
  return path.join(destination, stdout.trim());
}

/** The files that a package promises: those it exports, and its program. */
function targetsOf(installed: string): string[] {
  const { exports, bin } = manifestOf(installed);
  const targets = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(targets);
  return [...targets(exports), ...targets(bin)];
}

function manifestOf(place: string) {
  return JSON.parse(read(place, 'package.json'));
}

function read(place: string, file: string): string {
  return readFileSync(path.join(place, file), 'utf8');
}
