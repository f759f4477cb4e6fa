// What only a database server can show.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import pg from 'pg';
import { freePort } from '../../cluster/port.ts';
import { visibleRows } from '../../src/domain/visibility.ts';
import { openReader } from '../../src/store/open.ts';
import { findFeed, findKey, findVersion } from '../../src/store/reads.ts';
import { run, type Workplace } from '../support/command.ts';
import { databaseUrl, execute, query } from '../support/engine.ts';
import { type Scope, sharedScope, temporaryFolder } from '../support/folder.ts';
import { seedWorld } from '../support/world.ts';

describe('the store on PostgreSQL', () => {
  const scope = sharedScope();
  const workplace: Workplace = { folder: temporaryFolder(scope) };
  before(() => seedWorld(workplace));

  it('can read by index alone: no full scan in any plan of the API', async (t) => {
    const statements: { sql: string; parameters: readonly unknown[] }[] = [];
    const db = await openReader(databaseUrl(workplace), {
      onQuery: ({ query }) => void statements.push(query),
    });
    t.after(() => db.destroy());
    const asked = { team: 'acme', product: 'rocket', versionId: 'ver_210' };
    for (const surface of ['public', 'team'] as const) {
      await findFeed(db, asked, visibleRows(surface));
      await findVersion(db, asked, visibleRows(surface));
    }
    await findKey(db, 'x');
    assert.equal(statements.length, 5);

    const plans = await explain(t, workplace, statements);
    for (const plan of plans) assert.doesNotMatch(plan, /Seq Scan/, plan);
    const [publicFeed = '', publicVersion = ''] = plans;
    for (const table of ['teams', 'products', 'changelogs'])
      for (const plan of [publicFeed, publicVersion])
        assert.match(plan, new RegExp(`${table}_by_state`), `a hidden row must not be touched\n${plan}`);
    assert.match(publicFeed, /versions_by_state/, publicFeed);
  });

  it('sorts by bytes, whatever language the database is in', async (t) => {
    const own: Workplace = { folder: temporaryFolder(t) };
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

  const wrongs: Record<string, { with: () => Promise<Partial<URL>>; message: RegExp }> = {
    'the password is wrong': {
      with: async () => ({ password: 'hunter2' }),
      message: /password authentication failed .*; check the user and the password in DATABASE_URL\.$/,
    },
    'there is no such database': {
      with: async () => ({ pathname: '/nowhere' }),
      message: /database "nowhere" does not exist; make it with `createdb`, or check DATABASE_URL\.$/,
    },
    'nobody listens': {
      with: async () => ({ port: String(await freePort()) }),
      message:
        /ECONNREFUSED.*; check DATABASE_URL, and that the database runs and can be reached from here\.$/,
    },
  };
  for (const [what, { with: change, message }] of Object.entries(wrongs)) {
    for (const args of [['migrate'], ['team', 'list'], ['serve', '--port', '0']]) {
      it(`is refused to \`${args.join(' ')}\` in one line where ${what}, without the password`, async () => {
        const { password } = new URL(databaseUrl(workplace));
        const url = Object.assign(new URL(databaseUrl(workplace)), await change());
        const { code, stdout, stderr } = await run(
          { ...workplace, environment: { DATABASE_URL: url.href } },
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

/** The plans that the server would have if the tables were large. */
async function explain(
  scope: Scope,
  workplace: Workplace,
  statements: readonly { sql: string; parameters: readonly unknown[] }[],
): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl(workplace) });
  scope.after(() => client.end());
  await client.connect();
  for (const way of ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'])
    await client.query(`set enable_${way} = off`);
  const plans: string[] = [];
  for (const { sql, parameters } of statements) {
    const { rows } = await client.query({ text: `explain (costs off) ${sql}`, values: [...parameters] });
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
  }
  return plans;
}
