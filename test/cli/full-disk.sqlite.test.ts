// A full disk: the error says so, and nothing is left behind.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import Sqlite from 'better-sqlite3';
import { MAIN } from '../../cluster/nodes.ts';
import { dump, environmentOf, query } from '../../support/databases/engine.ts';
import { databasePath } from '../../support/databases/sqlite.ts';
import { sharedScope } from '../../support/processes/scope.ts';
import { apply, createKey, runOk, type Sandbox } from '../../support/program/command.ts';
import { documentOf, sandboxOf } from './helpers.ts';

const NOTHING_WRITTEN = /^changelog: the database .*the disk is full[^\n]*; nothing was written\. [^\n]+\n$/;
const DISK_IS_FULL = /^changelog: [^\n]*the disk is full[^\n]*; [^\n]+\n$/;
const LONG = documentOf(
  Array.from({ length: 50 }, (_, at) => ({ version: `1.${at}.0`, title: 'x'.repeat(1_000) })),
);
const CHANGELOG = Array.from(
  { length: 50 },
  (_, at) => `## 1.${at}.0 - 2026-01-01\n\n- ${'x'.repeat(2_000)}`,
);

/** No file may grow beyond this size, in KiB, which stands in for a full disk and needs no privileges. */
const ROOM = { none: 4, 'some pages': 150 };

/** Runs a command that can write files of at most this size. */
async function runWithin(kib: number, sandbox: Sandbox, args: readonly string[], input = '') {
  // In blocks of 512 bytes.
  const limited = ['-c', `ulimit -f ${kib * 2}; exec "$0" "$@"`, process.execPath, MAIN, ...args];
  const env = { PATH: process.env.PATH, ...(await environmentOf(sandbox)) };
  const child = spawn('/bin/sh', limited, { cwd: sandbox.folder, env });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'exit'),
    child.stdout.toArray(),
    child.stderr.toArray(),
  ]);
  return { code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
}

describe('a full disk', () => {
  const scope = sharedScope();
  const sandbox = sandboxOf(scope);
  let keyId = '';
  before(async () => {
    await apply(sandbox, documentOf([{ version: '0.1.0', title: 'First' }]));
    ({ id: keyId } = await createKey(sandbox, 'acme', '--kind', 'FULL'));
  });

  const commands: Record<string, [args: () => string[], input?: string]> = {
    apply: [() => ['apply', '-'], JSON.stringify(LONG)],
    import: [() => ['import', 'acme/rocket', '-'], `# Changelog\n\n${CHANGELOG.join('\n\n')}\n`],
    'key create --out': [() => ['key', 'create', 'acme', '--kind', 'FULL', '--out', 'new.key']],
    'key disable': [() => ['key', 'disable', keyId]],
    'team delete': [() => ['team', 'delete', 'acme', '--yes']],
  };
  for (const [name, [args, input]] of Object.entries(commands)) {
    it(`\`${name}\` says that the disk is full, and writes nothing`, async () => {
      const files = readdirSync(sandbox.folder);
      const rows = await dump(sandbox);
      const { code, stdout, stderr } = await runWithin(ROOM.none, sandbox, args(), input);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, NOTHING_WRITTEN);
      assert.deepEqual(await dump(sandbox), rows);
      assert.deepEqual(readdirSync(sandbox.folder), files);
    });
  }

  for (const [name, args, input] of [
    ['apply', ['apply', '-'], JSON.stringify(LONG)],
    ['migrate', ['migrate']],
    ['init', ['init', '--yes', '--team', 'Acme', '--product', 'Rocket']],
    ['serve', ['serve', '--port', '0']],
  ] as const) {
    it(`\`${name}\` says that the disk is full if there is no room for a new database, and leaves no file`, async (t) => {
      const own = sandboxOf(t);
      const { code, stdout, stderr } = await runWithin(ROOM['some pages'], own, args, input);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, NOTHING_WRITTEN);
      const left = readdirSync(own.folder, { recursive: true, withFileTypes: true });
      assert.deepEqual(
        left.filter((entry) => entry.isFile()),
        [],
      );
    });
  }

  it('a transaction that fails when it is committed says so, and leaves neither key nor file', async () => {
    const rows = await dump(sandbox);
    // The files of an open database have their size already, so that only the commit needs room.
    const other = new Sqlite(databasePath(sandbox));
    try {
      other.prepare('select 1 from teams').get();
      const args = ['key', 'create', 'acme', '--kind', 'FULL', '--out', 'new.key'];
      const { code, stdout, stderr } = await runWithin(ROOM.none, sandbox, args);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, NOTHING_WRITTEN);
    } finally {
      other.close();
    }
    assert.ok(!existsSync(path.join(sandbox.folder, 'new.key')));
    assert.deepEqual(await dump(sandbox), rows);
  });

  it('`backup` says that the disk is full, and leaves the older copy and no temporary file', async (t) => {
    const own = sandboxOf(t);
    await apply(own, documentOf([]));
    const copy = path.join(own.folder, 'copy.db');
    writeFileSync(copy, '');
    const other = new Sqlite(databasePath(own));
    t.after(() => void other.close());
    other.prepare('select 1 from teams').get();
    const files = readdirSync(own.folder);
    const { code, stdout, stderr } = await runWithin(ROOM['some pages'], own, ['backup', 'copy.db']);
    assert.deepEqual([code, stdout, readFileSync(copy, 'utf8')], [1, '', '']);
    assert.match(stderr, DISK_IS_FULL);
    assert.deepEqual(readdirSync(own.folder), files);
  });

  it('`restore` says that the disk is full, and leaves the database and no temporary file', async (t) => {
    const own = sandboxOf(t);
    await apply(own, documentOf([]));
    await runOk(own, ['backup', 'copy.db']);
    await apply(own, { team: { slug: 'later', name: 'Later' } });
    const rows = await dump(own);
    const files = readdirSync(own.folder);
    // There is room for the copy, but not for the log of the transaction.
    const room = Math.ceil(statSync(path.join(own.folder, 'copy.db')).size / 1024);
    for (const kib of [ROOM['some pages'], room]) {
      const { code, stdout, stderr } = await runWithin(kib, own, ['restore', 'copy.db', '--yes']);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, DISK_IS_FULL);
      assert.deepEqual(await dump(own), rows);
      assert.deepEqual(readdirSync(own.folder), files);
    }
  });

  it('apply says which documents it had applied before the disk was full', async (t) => {
    const own = sandboxOf(t);
    await apply(own, { team: { slug: 'first', name: 'Before' } });
    writeFileSync(path.join(own.folder, 'a.json'), '{"team":{"slug":"first","name":"After"}}');
    writeFileSync(path.join(own.folder, 'b.json'), JSON.stringify(LONG));
    const { code, stderr } = await runWithin(ROOM['some pages'], own, ['apply', 'a.json', 'b.json']);
    assert.equal(code, 1);
    assert.match(stderr, /^changelog: applied a\.json, but not b\.json: [^\n]* the disk is full[^\n]*\n$/);
    assert.deepEqual(await query(own, 'select slug, name from teams'), [{ slug: 'first', name: 'After' }]);
  });
});
