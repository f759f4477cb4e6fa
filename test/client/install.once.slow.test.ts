// The package of the client, installed from its tarball on the Node.js of the machine, however old. Without a registry:
// it has no dependencies.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { sharedScope, temporaryFolder } from '../../support/processes/scope.ts';
import { startStandIn } from './stand-in.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const node = machineNode();

/** Each command refuses a package whose `engines` exclude this Node.js; pnpm does so only when it has a lockfile. */
const MANAGERS: Record<string, (tarball: string) => string[][]> = {
  npm: (tarball) => [['npm', 'install', '--engine-strict', '--no-audit', tarball]],
  pnpm: (tarball) => [
    [node, path.join(ROOT, 'node_modules/pnpm/bin/pnpm.cjs'), 'add', '--lockfile-only', tarball],
    [node, path.join(ROOT, 'node_modules/pnpm/bin/pnpm.cjs'), 'install', '--frozen-lockfile'],
  ],
  yarn: (tarball) => [[node, path.join(ROOT, 'node_modules/yarn/bin/yarn.js'), 'add', tarball]],
};

const SCRIPT = `
import { createRequire } from 'node:module';
import { ChangelogClient } from 'changelog-read-client';
import 'changelog-read-client/widget';
if (process.features.require_module) {
  const required = createRequire(import.meta.url)('changelog-read-client');
  if (required.ChangelogClient !== ChangelogClient) throw new Error('require returns another client');
}
const client = new ChangelogClient({ baseUrl: process.argv[2], team: 'acme', product: 'rocket' });
console.log((await client.latest()).version);
`;

describe('the package of the client', { concurrency: true }, () => {
  const scope = sharedScope();
  const folder = temporaryFolder(scope);
  const environment = {
    PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}`,
    HOME: folder,
    npm_config_engine_strict: 'true',
    npm_config_registry: 'http://127.0.0.1:9/',
  };
  let tarball: string;
  let address: string;

  before(async () => {
    ({ address } = await startStandIn(scope, () => ({ body: { data: { version: '2.1.0' } } })));
    const args = ['pack', '--silent', '--pack-destination', folder];
    const { stdout } = await run('npm', args, { cwd: path.join(ROOT, 'client'), env: environment });
    tarball = path.join(folder, stdout.trim());
  });

  for (const [manager, commandsFor] of Object.entries(MANAGERS)) {
    it(`${manager} installs it from its tarball with strict engine checks, and it reads`, async () => {
      const cwd = path.join(folder, manager);
      mkdirSync(cwd);
      writeFileSync(path.join(cwd, 'package.json'), '{ "private": true }');
      writeFileSync(path.join(cwd, 'script.mjs'), SCRIPT);
      for (const [program = '', ...args] of commandsFor(tarball))
        await run(program, args, { cwd, env: environment });
      const { stdout } = await run(node, ['script.mjs', address], { cwd, env: environment });
      assert.equal(stdout, '2.1.0\n');
    });
  }
});

/** The first `node` on the PATH that does not belong to this project, which needs a newer one than the client. */
function machineNode(): string {
  const found = (process.env.PATH ?? '')
    .split(path.delimiter)
    .map((place) => path.join(place, 'node'))
    .filter((file) => existsSync(file) && !realpathSync(file).startsWith(ROOT + path.sep));
  return found[0] ?? process.execPath;
}
