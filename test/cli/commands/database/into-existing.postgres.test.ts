// What else than tables can be in a PostgreSQL database.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { execute, query } from '../../../../support/databases/engine.ts';
import { runOk } from '../../../../support/program/command.ts';
import { expectFailure, sandboxOf } from '../../helpers.ts';

describe('a PostgreSQL database without tables of this program', () => {
  it('is migrated if all that it has belongs to extensions, or is in another schema', async (t) => {
    const sandbox = sandboxOf(t);
    await execute(
      sandbox,
      `create extension pg_stat_statements; create schema app; create table app.teams (id integer);
       create table app.schema_migrations (version text); create function helper() returns integer language sql return 1`,
    );
    assert.match(await runOk(sandbox, ['migrate']), /^Updated the schema: 0001/);
    assert.deepEqual(await query(sandbox, 'select * from app.schema_migrations'), []);
  });

  it('is not migrated if it has a view, or a partitioned or foreign table', async (t) => {
    for (const statement of [
      'create view totals as select 1 as total',
      'create materialized view totals as select 1 as total',
      'create table totals (at date) partition by range (at)',
    ]) {
      const sandbox = sandboxOf(t);
      await execute(sandbox, statement);
      assert.match(await expectFailure(sandbox, ['migrate']), /has tables of another program \(totals\)/);
    }
  });

  it('is not migrated if a function or a type has a name that is needed: nothing is replaced', async (t) => {
    const sandbox = sandboxOf(t);
    await execute(
      sandbox,
      `create function scoped_words(body text) returns text language sql return 'theirs'; create type changes as enum ('a')`,
    );
    assert.match(
      await expectFailure(sandbox, ['migrate']),
      /already has changes and scoped_words of another program, .* Use another database, or a schema of its own \(\?schema=NAME in the URL\)/,
    );
    assert.deepEqual(await query(sandbox, `select scoped_words('x') as said`), [{ said: 'theirs' }]);
  });

  it('an installation stays where it is if a schema with the name of its user is created later', async (t) => {
    const sandbox = sandboxOf(t);
    await runOk(sandbox, ['migrate']);
    const [{ user } = { user: '' }] = await query<{ user: string }>(sandbox, 'select current_user as user');
    await execute(sandbox, `create schema "${user}"`);
    assert.equal(await runOk(sandbox, ['migrate']), 'The schema is up to date.\n');
    await runOk(sandbox, ['apply', '-'], '{"team": {"slug": "acme", "name": "Acme"}}');
    assert.deepEqual(await query(sandbox, 'select slug from public.teams'), [{ slug: 'acme' }]);
  });
});
