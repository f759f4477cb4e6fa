import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seedWorld } from '../../../../support/content/world.ts';
import {
  databaseUrl,
  describeDatabase,
  dump,
  ENGINE,
  execute,
  query,
} from '../../../../support/databases/engine.ts';
import { createKey, run, runOk, type Sandbox } from '../../../../support/program/command.ts';
import { addLaterStep } from '../../../store/migrate/later-step.ts';
import { runJson, sandboxOf } from '../../helpers.ts';

/** Runs a copy that must fail with one line, and leave both databases as they were. */
async function expectRefusal(source: Sandbox, target: Sandbox, url = databaseUrl(target)): Promise<string> {
  const before = [await dump(source), await dump(target)];
  const { code, stdout, stderr } = await run(source, ['copy', '--to', url]);
  assert.equal(code, 1, stderr);
  assert.equal(stdout, '');
  assert.match(stderr, /^changelog: [^\n]+\n$/);
  assert.deepEqual([await dump(source), await dump(target)], before);
  return stderr;
}

describe('`changelog copy --to URL`', () => {
  it('creates the tables of an empty database, copies everything, and says what', async (t) => {
    const [source, target] = [sandboxOf(t), sandboxOf(t)];
    await seedWorld(source);
    // An empty database: on PostgreSQL, somebody has to create it.
    await execute(target, 'select 1').catch(() => {});
    assert.equal(
      await runOk(source, ['copy', '--to', databaseUrl(target)]),
      `Copied ${describeDatabase(source)} to ${describeDatabase(target)}: 2 teams, 8 products, 8 versions, 3 changes and 4 API keys.\n`,
    );
    assert.equal(await runOk(target, ['export', 'acme']), await runOk(source, ['export', 'acme']));
    assert.equal(await runOk(target, ['key', 'list', 'acme']), await runOk(source, ['key', 'list', 'acme']));
    const again = await expectRefusal(source, target);
    assert.ok(again.includes(`${describeDatabase(target)} is the source itself, or a copy of it`), again);
  });

  it('--json prints the names and the counts; a list of URLs means the first', async (t) => {
    const [source, target] = [sandboxOf(t), sandboxOf(t)];
    await runOk(source, ['migrate']);
    await runOk(target, ['migrate']);
    const others = ENGINE === 'sqlite' ? '' : ',postgres://nobody:hunter2@127.0.0.1:1/none';
    assert.deepEqual(await runJson(source, ['copy', '--to', databaseUrl(target) + others]), {
      from: describeDatabase(source),
      to: describeDatabase(target),
      teams: 0,
      products: 0,
      versions: 0,
      changes: 0,
      keys: 0,
    });
  });

  it('refuses the source itself, a database with content, and one of another program', async (t) => {
    const [source, other] = [sandboxOf(t), sandboxOf(t)];
    await seedWorld(source);
    assert.match(await expectRefusal(source, source), /is the source itself/);
    await runOk(
      other,
      ['apply', '-'],
      JSON.stringify({ team: { slug: 'acme', name: 'Acme', plan: 'paid' } }),
    );
    await createKey(other, 'acme', '--kind', 'FULL');
    assert.match(
      await expectRefusal(source, other),
      /is not empty: it has rows in teams and api_keys; nothing was written\. .*name another one/,
    );
    const foreign = sandboxOf(t);
    await execute(foreign, 'create table invoices (id integer)');
    assert.match(
      await expectRefusal(source, foreign),
      /has tables of another program \(invoices\).* Set the URL of --to to another database.*`changelog migrate --into-existing`/,
    );
  });

  it('refuses a source without a database or with an older schema', async (t) => {
    const [source, target] = [sandboxOf(t), sandboxOf(t)];
    await runOk(target, ['migrate']);
    assert.match(await expectRefusal(source, target), /there is no database|no tables of this program/);
    await runOk(source, ['migrate']);
    addLaterStep(t);
    await runOk(target, ['migrate']);
    assert.match(await expectRefusal(source, target), /older schema/);
  });

  it('copies to a database that had content, and servers of it notice', async (t) => {
    const [source, target] = [sandboxOf(t), sandboxOf(t)];
    await seedWorld(source);
    await seedWorld(target);
    await execute(target, `update revision set value = 1000, cursor_key = 'other'`);
    await execute(target, 'delete from teams');
    await runOk(source, ['copy', '--to', databaseUrl(target)]);
    const [touch] = await query(target, 'select * from touches where team_id = 0 and revision > 1000');
    const [revision] = await query(target, 'select value from revision');
    assert.equal(touch?.public_revision, revision?.value);
  });

  it('never prints a password', async (t) => {
    const source = sandboxOf(t);
    await runOk(source, ['migrate']);
    const url = 'postgres://someone:hunter2@127.0.0.1:1/none';
    for (const [code, to] of [
      [1, url],
      [2, `${url}/@`],
      [2, 'hunter2@host'],
    ] as const) {
      const result = await run(source, ['copy', '--to', to]);
      assert.equal(result.code, code, result.stderr);
      assert.doesNotMatch(result.stdout + result.stderr, /hunter2/);
      assert.match(
        result.stderr,
        code === 1 ? /127\.0\.0\.1:1\/none: .*check the URL of --to/ : /--to must be/,
      );
    }
  });
});
