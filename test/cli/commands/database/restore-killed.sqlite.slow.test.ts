// A restore that is killed at any time.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { MAIN } from '../../../../cluster/nodes.ts';
import { seedWorld } from '../../../../support/content/world.ts';
import { environmentOf, execute } from '../../../../support/databases/engine.ts';
import { databasePath } from '../../../../support/databases/sqlite.ts';
import { runOk } from '../../../../support/program/command.ts';
import { sandboxOf } from '../../helpers.ts';

const PADDING = ['create table padding (bytes blob)', 'insert into padding values (randomblob(60000000))'];
const KILLS = 12;

describe('a restore that is killed', () => {
  it('leaves the database as it was, or has replaced all of it, and the next one succeeds', async (t) => {
    const sandbox = sandboxOf(t);
    await seedWorld(sandbox);
    for (const statement of PADDING) await execute(sandbox, statement);
    const rename = (name: string) => execute(sandbox, `update teams set name = '${name}'`);
    await rename('Before');
    await runOk(sandbox, ['backup', 'copy.db']);
    await rename('After');
    const env = { PATH: process.env.PATH, ...(await environmentOf(sandbox)) };
    const start = () =>
      spawn(process.execPath, [MAIN, 'restore', 'copy.db', '--yes'], {
        cwd: sandbox.folder,
        env,
        stdio: 'ignore',
      });
    // A reader, such as a server, keeps the log from being removed with the process that was killed.
    const reader = new Sqlite(databasePath(sandbox), { readonly: true });
    t.after(() => void reader.close());
    const look = () => {
      assert.equal(reader.pragma('integrity_check', { simple: true }), 'ok');
      const names = reader.prepare('select distinct name from teams').pluck().all();
      assert.equal(names.length, 1);
      return names[0];
    };
    const startedAt = performance.now();
    await once(start(), 'exit');
    const wholeMs = performance.now() - startedAt;
    assert.equal(look(), 'Before');

    const seen = new Set<unknown>();
    for (let kill = 1; kill <= KILLS; kill++) {
      await rename('After');
      const child = start();
      const ended = once(child, 'exit');
      await setTimeout((wholeMs * kill) / KILLS);
      child.kill('SIGKILL');
      await ended;
      const name = look();
      assert.ok(name === 'Before' || name === 'After');
      seen.add(name);
    }
    assert.ok(seen.has('After'), 'one was killed before the end');
    await runOk(sandbox, ['restore', 'copy.db', '--yes']);
    assert.equal(look(), 'Before');
  });
});
