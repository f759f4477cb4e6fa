// A database file that does not exist: who creates it and says so, and who refuses.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { run, type Sandbox } from '../../support/program/command.ts';
import { spawnProgram, spawnServer } from '../../support/program/process.ts';
import { documentOf, expectFailure, sandboxOf } from './helpers.ts';

const DOCUMENT = JSON.stringify(documentOf([]));
const CHANGELOG = '# Changelog\n\n## 1.0.0 - 2026-05-04\n\n- A change.\n';
const IMPORT = ['import', 'acme/rocket', '-'];
const WARNING = /created sqlite:(\S+); was that meant\? If there is another database, set DATABASE_URL to it/;

const fileOf = ({ folder }: Sandbox) => path.join(folder, 'changelog.db');

describe('a command without a database', () => {
  for (const [name, args, input] of [
    ['import', IMPORT, CHANGELOG],
    ['import --dry-run', [...IMPORT, '--dry-run'], CHANGELOG],
    ['key create', ['key', 'create', 'acme', '--kind', 'FULL', '--out', 'acme.key']],
    ['key disable', ['key', 'disable', 'key_1']],
    ['team set', ['team', 'set', 'acme', '--plan', 'free']],
    ['team delete', ['team', 'delete', 'acme', '--yes']],
    ['version publish', ['version', 'publish', 'acme/rocket', '1.0.0']],
    ['team list', ['team', 'list']],
    ['export', ['export', 'acme']],
  ] as const) {
    it(`\`${name}\` refuses, says where it looked, and creates nothing`, async (t) => {
      const sandbox = sandboxOf(t);
      const message = await expectFailure(sandbox, args, input);
      assert.ok(message.includes(`there is no database at ${fileOf(sandbox)}. `));
      assert.match(message, /use the DATABASE_URL, the directory and the user of that server; /);
      assert.match(message, /; `changelog migrate` would create a new one\.$/m);
      assert.ok(!existsSync(fileOf(sandbox)));
    });
  }

  it('a file that cannot be looked at is not reported as missing', async (t) => {
    const sandbox = sandboxOf(t);
    symlinkSync('changelog.db', fileOf(sandbox));
    for (const args of [['team', 'list'], ['team', 'set', 'acme', '--plan', 'free'], ['migrate']]) {
      const { code, stderr } = await run(sandbox, args);
      assert.equal(code, 1);
      assert.match(stderr, /^changelog: the database \S+ cannot be opened: [^\n]+\n$/);
    }
  });
});

describe('a command that creates the database', () => {
  const created = async (t: TestContext, args: readonly string[], input: string) => {
    const sandbox = sandboxOf(t);
    const first = await run(sandbox, args, input);
    assert.equal(first.code, 0, first.stderr);
    const second = await run(sandbox, args, input);
    assert.doesNotMatch(second.stdout + second.stderr, /created sqlite/i);
    return { ...first, file: fileOf(sandbox) };
  };

  it('`apply` and `import --create` say so on standard error', async (t) => {
    for (const [args, input] of [
      [['apply', '-'], DOCUMENT],
      [[...IMPORT, '--create'], CHANGELOG],
    ] as const) {
      const { stderr, file } = await created(t, args, input);
      assert.equal(WARNING.exec(stderr)?.[1], file);
      assert.match(stderr, /^changelog: created /);
    }
  });

  it('`migrate` and `init` say so in their output', async (t) => {
    const migrated = await created(t, ['migrate'], '');
    assert.ok(migrated.stdout.startsWith(`Created ${migrated.file} with the schema: 0001`), migrated.stdout);
    assert.match((await created(t, ['init', '--yes'], '')).stdout, /^\+ database changelog\.db$/m);
  });

  it('a dry run creates nothing', async (t) => {
    const sandbox = sandboxOf(t);
    for (const [args, input] of [
      [['apply', '-', '--dry-run'], DOCUMENT],
      [[...IMPORT, '--create', '--dry-run'], CHANGELOG],
    ] as const) {
      const { code, stderr } = await run(sandbox, args, input);
      assert.deepEqual([code, stderr, existsSync(fileOf(sandbox))], [0, '', false]);
    }
  });

  it('`serve` warns in its log once, and `demo` does not', async (t) => {
    const sandbox = sandboxOf(t);
    for (const expected of [1, 0]) {
      const server = await spawnServer(t, sandbox, { LOG_LEVEL: 'warn' });
      await server.stop();
      const lines = server.log.all.filter((line) => WARNING.test(line));
      assert.equal(lines.length, expected, server.output().stderr);
      for (const line of lines) {
        const { level, msg } = JSON.parse(line);
        assert.deepEqual([level, WARNING.exec(msg)?.[1]], ['warn', fileOf(sandbox)]);
      }
    }
    const demo = await spawnProgram(t, sandboxOf(t), ['demo', '--port', '0'], { LOG_LEVEL: 'warn' });
    await once(demo.child.stdout, 'data');
    demo.child.kill('SIGTERM');
    await demo.exited;
    assert.equal(demo.output().stderr, '');
  });
});
