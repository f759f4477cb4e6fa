// Commands load only the packages that they use: a start should be quick.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { spawnProgram, startNode } from '../../cluster/nodes.ts';
import { environmentOf } from '../../support/databases/engine.ts';
import { type Scope, temporaryFolder } from '../../support/processes/scope.ts';

/** Prints the URL of each loaded module when the process exits. */
const HOOK = `
import { registerHooks } from 'node:module';
const urls = [];
registerHooks({ load: (url, context, next) => { urls.push(url); return next(url, context); } });
process.on('exit', () => process.stderr.write(urls.map((url) => 'loaded ' + url + '\\n').join('')));`;
const ENVIRONMENT = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(HOOK)}` };
/** A bundle has the packages in files of its own. */
const SOURCES = path.resolve(import.meta.dirname, '../../src/main.ts');

async function optionsIn(folder: string) {
  return { folder, main: SOURCES, environment: { ...(await environmentOf({ folder })), ...ENVIRONMENT } };
}

async function packagesOf(scope: Scope, args: readonly string[]): Promise<Set<string>> {
  const { child, exited, output } = spawnProgram(scope, args, await optionsIn(temporaryFolder(scope)));
  child.stdin.end();
  assert.equal((await exited).code, 0, output().stderr);
  return packagesIn(output().stderr);
}

function packagesIn(log: string): Set<string> {
  const names = log.matchAll(/^loaded \S+\/node_modules\/((?:@[^/\s]+\/)?[^/\s]+)/gm);
  return new Set([...names].map(([, name = '']) => name));
}

describe('the packages that a command loads', () => {
  it('`mcp` loads the SDK, and neither the query builder nor a database driver', async (t) => {
    const packages = await packagesOf(t, ['mcp']);
    assert.ok(packages.has('@modelcontextprotocol/server'));
    for (const name of ['kysely', 'better-sqlite3', 'pg', 'pino']) assert.ok(!packages.has(name), name);
  });

  it('`check` loads what reads a changelog, and of the store only what every command does', async (t) => {
    const { child, exited, output } = spawnProgram(
      t,
      ['check', path.resolve(SOURCES, '../../CHANGELOG.md')],
      await optionsIn(temporaryFolder(t)),
    );
    child.stdin.end();
    assert.equal((await exited).code, 0, output().stderr);
    const packages = packagesIn(output().stderr);
    for (const name of ['kysely', 'better-sqlite3', 'pg', 'pino', 'js-yaml'])
      assert.ok(!packages.has(name), name);
    const store = [...output().stderr.matchAll(/^loaded \S+\/src\/(store\/\S+)/gm)].map(([, file]) => file);
    assert.deepEqual(store.sort(), ['store/engine/failures.ts', 'store/engine/open.ts']);
  });

  it('`notes` loads the parser that reads the file, and nothing of a database', async (t) => {
    const folder = temporaryFolder(t);
    const file = path.join(folder, 'CHANGELOG.md');
    writeFileSync(file, '## 1.0.0 - 2026-01-01\n\n- A change.\n');
    for (const format of ['md', 'txt', 'html', 'json']) {
      const packages = await packagesOf(t, ['notes', file, '--format', format]);
      assert.ok(packages.has('markdown-it'));
      for (const name of ['kysely', 'better-sqlite3', 'pg', 'pino', 'ajv', 'js-yaml'])
        assert.ok(!packages.has(name), `${format}: ${name}`);
    }
  });

  it('no other command loads the SDK, and `--version` only what reads the command line', async (t) => {
    assert.deepEqual([...(await packagesOf(t, ['--version']))].sort(), ['commander', 'ipaddr.js']);
    const all = await packagesOf(t, ['--help']);
    assert.ok(all.has('kysely'));
    assert.deepEqual(
      [...all].filter((name) => /modelcontext|zod/.test(name)),
      [],
    );
  });

  it('`serve` starts without the SDK', async (t) => {
    const server = await startNode(t, await optionsIn(temporaryFolder(t)));
    await server.stop();
    const packages = packagesIn(server.output().stderr);
    assert.ok(packages.has('kysely') && packages.has('pino'));
    assert.deepEqual(
      [...packages].filter((name) => /modelcontext|zod/.test(name)),
      [],
    );
  });
});
