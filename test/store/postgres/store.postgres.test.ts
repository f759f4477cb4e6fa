// Promises of the store that only hold on PostgreSQL.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { freePort } from '../../../cluster/port.ts';
import type { QueryEvent, Writer } from '../../../src/store/engine/engine.ts';
import { prepare } from '../../../src/store/engine/prepared.ts';
import { seedWorld } from '../../../support/content/world.ts';
import { databaseUrl, execute, query } from '../../../support/databases/engine.ts';
import { openReader, openWriter } from '../../../support/databases/open.ts';
import { type Scope, sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { run, type Sandbox } from '../../../support/program/command.ts';
import { PUBLIC_READS } from '../read/public-reads.ts';

/** So many that the planner takes indexes. */
const MANY_ROWS = [
  `insert into teams (slug, name, visibility, plan) select 't' || n, 'T', 'private', 'free' from generate_series(1, 2000) n`,
  `insert into products (team_id, slug, name, status) select id, 'p', 'P', 'draft' from teams where slug like 't%'`,
  `insert into changelogs (id, product_id, name, status) select 'cl_p' || id, id, 'P', 'draft' from products where slug = 'p'`,
  `insert into versions (id, changelog_id, label, title, status, published_at, yanked, created_order)
    select 'ver_n' || n, case when n % 2 = 0 then 'cl_rocket' else 'cl_p' || (select min(id) from products where slug = 'p') + n % 2000 end,
      '1.' || n, 'Hidden', 'draft', '2026-01-01T00:00:00.000Z', 0, n from generate_series(1, 20000) n`,
  'analyze',
];

describe('the store on PostgreSQL', () => {
  const scope = sharedScope();
  const sandbox: Sandbox = { folder: temporaryFolder(scope) };
  const filled: Sandbox = { folder: temporaryFolder(scope) };
  before(async () => {
    for (const seeded of [sandbox, filled]) await seedWorld(seeded);
    for (const statement of MANY_ROWS) await execute(filled, statement);
  });

  for (const [name, read] of Object.entries(PUBLIC_READS))
    it(`the public ${name} visits no hidden version (R9), in a large database`, async (t) => {
      const statements: QueryEvent['query'][] = [];
      const db = await openReader(databaseUrl(filled), { onQuery: ({ query }) => statements.push(query) });
      t.after(() => db.destroy());
      await read(db);
      assert.ok(statements.length > 0);
      // By its id, it was found before.
      for (const plan of await explain(t, filled, statements))
        for (const [scan] of plan.matchAll(/ on versions\b.*\n.*$/gm))
          assert.match(scan, /Index Cond: .*(?:status = 'published'|\(id = )/, plan);
    });

  it('text sorts by its bytes, whatever the locale of the database', async (t) => {
    const own: Sandbox = { folder: temporaryFolder(t) };
    await seedWorld(own);
    for (const slug of ['a-b', 'a0', 'ab', 'aa'])
      await execute(
        own,
        `insert into teams (slug, name, visibility, plan) values ('${slug}', 'x', 'private', 'free')`,
      );
    const rows = await query<{ slug: string }>(own, `select slug from teams where name = 'x' order by slug`);
    assert.deepEqual(
      rows.map(({ slug }) => slug),
      ['a-b', 'a0', 'aa', 'ab'],
    );
  });

  for (const [when, kind] of [
    ['while it writes', 'trigger'],
    ['when it commits', 'constraint trigger'],
  ] as const) {
    it(`a command whose server has a full disk ${when} says that nothing was written`, async (t) => {
      const own: Sandbox = { folder: temporaryFolder(t) };
      await seedWorld(own);
      await execute(
        own,
        `create function fill_disk() returns trigger language plpgsql as $$ begin
          raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`,
      );
      const deferred = kind === 'trigger' ? '' : 'deferrable initially deferred';
      await execute(
        own,
        `create ${kind} fill_disk after update on teams ${deferred} for each row execute function fill_disk()`,
      );
      const { code, stdout, stderr } = await run(own, ['team', 'set', 'acme', '--name', 'Other']);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(
        stderr,
        /^changelog: the database failed: could not extend file: [^;]+; the disk is full; nothing was written\. [^\n]+\n$/,
      );
    });
  }

  it('a column that gets another type is read as that, and the connections that knew the old one are replaced', async (t) => {
    await execute(sandbox, 'create view shown as select 7::bigint as value');
    const db = await openReader(databaseUrl(sandbox), { connectionsMax: 2 });
    t.after(() => db.destroy());
    const find = prepare(() => sql<{ value: unknown }>`select value from shown`);
    const findTwice = () => Promise.allSettled([find(db, {}), find(db, {})]);
    assert.deepEqual(await find(db, {}), [{ value: 7 }]);
    await execute(sandbox, `drop view shown; create view shown as select 'seven' as value`);
    const [onOld, onNew] = await findTwice();
    assert.match(String((onOld as PromiseRejectedResult).reason), /cached plan/);
    assert.deepEqual(onNew, { status: 'fulfilled', value: [{ value: 'seven' }] });
    assert.deepEqual(await findTwice(), [onNew, onNew]);
    await execute(sandbox, 'drop view shown');
  });

  it('a command that loses its connection reports that, and not that it cannot roll back', async (t) => {
    const own: Sandbox = { folder: temporaryFolder(t) };
    await seedWorld(own);
    const db = await openWriter(databaseUrl(own), { create: false });
    t.after(() => db.destroy());
    const lost = db.transaction().execute(async (trx) => {
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx);
    });
    await assert.rejects(lost, /terminating connection due to administrator command/);
  });

  const problems: Record<string, { with: () => Promise<Partial<URL>>; message: RegExp }> = {
    'the password is wrong': {
      with: async () => ({ password: 'hunter2' }),
      message: /password authentication failed .*; check the user and the password in DATABASE_URL\.$/,
    },
    'the database does not exist': {
      with: async () => ({ pathname: '/nowhere' }),
      message: /database "nowhere" does not exist; create it with `createdb`, or check DATABASE_URL\.$/,
    },
    'no server is listening': {
      with: async () => ({ port: String(await freePort()) }),
      message: /ECONNREFUSED.*; check DATABASE_URL, and that the database is running and reachable\.$/,
    },
  };
  for (const [what, { with: change, message }] of Object.entries(problems)) {
    for (const args of [['migrate'], ['team', 'list'], ['serve', '--port', '0']]) {
      it(`\`${args.join(' ')}\` fails in one line without the password if ${what}`, async () => {
        const { password } = new URL(databaseUrl(sandbox));
        const url = Object.assign(new URL(databaseUrl(sandbox)), await change());
        const { code, stdout, stderr } = await run(
          { ...sandbox, environment: { DATABASE_URL: url.href } },
          args,
        );
        assert.deepEqual([code, stdout], [1, '']);
        assert.match(stderr, /^changelog: [^\n]+\n$/);
        assert.match(stderr.trimEnd(), message);
        for (const secret of [password, decodeURIComponent(password), 'hunter2'])
          assert.ok(!stderr.includes(secret), 'the password is in the message');
      });
    }
  }
});

/** The plans on a connection with the settings of the server. */
async function explain(
  scope: Scope,
  sandbox: Sandbox,
  reads: readonly QueryEvent['query'][],
): Promise<string[]> {
  const db = await openReader(databaseUrl(sandbox));
  scope.after(() => db.destroy());
  const ask = async (statement: string) =>
    (await sql.raw<{ 'QUERY PLAN': string }>(statement).execute(db as unknown as Writer)).rows;
  const plans: string[] = [];
  for (const [index, { sql, parameters }] of reads.entries()) {
    await ask(`prepare read_${index} as ${sql}`);
    const values = parameters.map((value) => `'${String(value).replaceAll("'", "''")}'`);
    const rows = await ask(`explain (costs off) execute read_${index} (${values})`);
    await ask(`deallocate read_${index}`);
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
  }
  return plans;
}
