// What PostgreSQL refuses.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  databaseUrl,
  describeDatabase,
  environmentOf,
  execute,
  query,
} from '../../../../support/databases/engine.ts';
import { sqlite } from '../../../../support/databases/sqlite.ts';
import { run, runOk, type Sandbox } from '../../../../support/program/command.ts';
import { documentOf, sandboxOf } from '../../helpers.ts';

const DOCUMENT = documentOf([
  { version: '1.0.0', title: 'First', changes: [{ type: 'added', text: 'A change.' }] },
]);

it('`copy` from SQLite to PostgreSQL names a row that PostgreSQL does not accept, and a user without rights', async (t) => {
  const { folder } = sandboxOf(t);
  const source: Sandbox = { folder, environment: { DATABASE_URL: sqlite.url(folder) } };
  await runOk(source, ['apply', '-'], JSON.stringify(DOCUMENT));
  const target = sandboxOf(t);
  await environmentOf(target);
  const role = `weak-${new URL(databaseUrl(target)).pathname.slice(1)}`;
  await execute(target, `create role "${role}" login password 'hunter2'`);
  t.after(() => execute(target, `drop role "${role}"`));
  const weak = Object.assign(new URL(databaseUrl(target)), { username: role, password: 'hunter2' }).href;
  const refused = await run(source, ['copy', '--to', weak]);
  assert.match(
    refused.stderr,
    /^changelog: permission denied for schema public; the user in the URL of --to cannot create tables: run `changelog migrate` as the owner of the database\.\n$/,
  );

  await sqlite.use(folder, ({ execute }) => execute(`update changes set text = 'a' || char(0) || 'b'`));
  const { stderr } = await run(source, ['copy', '--to', databaseUrl(target)]);
  assert.match(
    stderr,
    /^changelog: a row of changes, from ver_\w+ \d to ver_\w+ \d, cannot be copied: invalid byte sequence for encoding "UTF8": 0x00; nothing was written\. Correct it in the source/,
  );
  assert.deepEqual(await query(target, `select 1 from pg_tables where schemaname = 'public'`), []);
  await sqlite.use(folder, ({ execute }) => execute(`update changes set text = 'ab'`));
  assert.match(
    await runOk(source, ['copy', '--to', databaseUrl(target)]),
    new RegExp(`to ${describeDatabase(target)}: 1 team`),
  );
});
