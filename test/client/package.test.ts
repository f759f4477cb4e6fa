// The client as those get it who install the package.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const TSC = path.join(ROOT, 'node_modules/typescript/bin/tsc');
const run = promisify(execFile);

/** Somebody's code for browsers: what it says of types is checked, those of the package included. */
const PAGE = `
import { ChangelogClient, ChangelogError, type Version } from 'changelog-read-api/client';
const client = new ChangelogClient({ baseUrl: location.origin, team: 'acme', product: 'rocket', fetch });
export const titles: Promise<string[]> = client.feed().then(({ versions }) => versions.map(({ title }) => title));
export const full: AsyncIterable<Version> = client.versions({ include: 'changes', type: ['fixed'] });
export const isMissing = (error: unknown) => error instanceof ChangelogError && error.is('not_found');
// @ts-expect-error: no such type of change.
client.feed({ type: 'improved' });
// @ts-expect-error: a summary has no changes.
client.feed().then(({ versions }) => versions[0].changes);
`;

describe('the package', () => {
  const scope = sharedScope();
  const folder = temporaryFolder(scope);
  const installed = path.join(folder, 'node_modules/changelog-read-api');

  before(async () => {
    mkdirSync(installed, { recursive: true });
    // What would be built is the server.
    const { stdout } = await run(
      'npm',
      ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder],
      {
        cwd: ROOT,
      },
    );
    await run('tar', ['-xzf', path.join(folder, stdout.trim()), '-C', installed, '--strip-components=1']);
  });

  it('the package contains the client with its types and README', () => {
    for (const file of ['index.js', 'index.d.ts', 'records.d.ts', 'README.md'])
      assert.ok(existsSync(path.join(installed, 'client', file)), file);
  });

  it('the package contains every file that it exports', () => {
    const { exports, bin } = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
    const targets = [...Object.values(exports), bin].flatMap((target) =>
      typeof target === 'string' ? target : Object.values(target as object),
    );
    assert.equal(targets.length, 5);
    for (const target of targets) assert.ok(existsSync(path.join(installed, target)), target);
  });

  it('the client can be imported from the package', async () => {
    const script = path.join(folder, 'script.mjs');
    writeFileSync(
      script,
      `import * as client from 'changelog-read-api/client';
      import schema from 'changelog-read-api/schema/content.schema.json' with { type: 'json' };
      console.log(import.meta.resolve('changelog-read-api/client'), Object.keys(client).join(), schema.type);`,
    );
    const { stdout } = await run(process.execPath, [script]);
    const [address = '', ...rest] = stdout.trim().split(' ');
    assert.match(address, /node_modules\/changelog-read-api\/client\/index\.js$/);
    assert.deepEqual(rest, ['ChangelogClient,ChangelogError', 'object']);
  });

  it('the types of the client need no types of Node.js', async () => {
    const file = path.join(folder, 'page.mts');
    writeFileSync(file, PAGE);
    const flags =
      '--noEmit --strict --module esnext --moduleResolution bundler --target es2022 --lib es2022,dom';
    const args = [...flags.split(' '), '--types', '', '--skipLibCheck', 'false', file];
    await run(process.execPath, [TSC, ...args], { cwd: folder }).catch(({ stdout }) => assert.fail(stdout));
  });
});
