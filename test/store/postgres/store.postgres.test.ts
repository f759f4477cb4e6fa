// Promises of the store that only hold on PostgreSQL.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { freePort } from '../../../cluster/port.ts';
import type { Writer } from '../../../src/store/engine/engine.ts';
import { openReader, openWriter } from '../../../src/store/engine/open.ts';
import { prepare } from '../../../src/store/engine/prepared.ts';
import { seedWorld } from '../../../support/content/world.ts';
import { databaseUrl, execute, query } from '../../../support/databases/engine.ts';
import { type Scope, sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { run, type Sandbox } from '../../../support/program/command.ts';
import {
  listDomainReads,
  listFutureReads,
  listListReads,
  listPartReads,
  listReads,
  listSitemapReads,
  listTimelineReads,
  MANY_ROWS,
  type Read,
} from '../read/plans.ts';

/** Each adds to the one before it. */
const STATES = {
  'in a small database': [],
  'in a large database': MANY_ROWS,
  'in a large database with statistics': ['analyze'],
};

describe('the store on PostgreSQL', () => {
  const scope = sharedScope();
  const sandbox: Sandbox = { folder: temporaryFolder(scope) };
  const filled: Sandbox = { folder: temporaryFolder(scope) };
  before(async () => {
    for (const seeded of [sandbox, filled]) await seedWorld(seeded);
  });

  for (const [state, prepare] of Object.entries(STATES)) {
    it(`every read of the API uses indexes, without a full scan or a sort, ${state}`, async (t) => {
      for (const statement of prepare) await execute(filled, statement);
      const plans = await explain(t, filled, await listReads(t, filled));
      for (const plan of plans) assert.doesNotMatch(plan, /Seq Scan|Bitmap|Sort|Hash|Merge/, plan);
      const [publicFeed = '', publicVersion = '', teamFeed = ''] = plans;
      for (const plan of [publicFeed, publicVersion]) assertGoesDown(plan);
      assert.match(
        publicVersion,
        /Index (?:Only )?Scan using versions_by_state on versions v\n/,
        publicVersion,
      );
      assert.match(
        publicVersion,
        /Index Scan using versions_pkey on versions\n.*Index Cond: \(id = COALESCE/,
      );
      assert.match(plans.at(-1) ?? '', /Index Scan using api_keys_by_state on api_keys\n/, plans.at(-1));
      assert.match(
        publicFeed,
        /Index Only Scan using versions_listed on versions \w+\n *Index Cond: .*$/,
        'a feed reads no rows of versions',
      );
      assert.match(publicFeed, /versions_too_long/, publicFeed);
      assert.match(publicFeed, /versions_by_state_in_order/, publicFeed);
      assert.match(teamFeed, /versions_in_order/, teamFeed);

      for (const plan of await explain(t, filled, await listFutureReads(t, filled)))
        assert.match(
          plan,
          /Scan using versions_by_state_in_order on versions\n.*Index Cond: .*changelog_id = .*published_at > /,
          plan,
        );

      for (const plan of await explain(t, filled, await listListReads(t, filled))) {
        assert.doesNotMatch(plan, /Seq Scan|Bitmap|Sort|Hash|Merge/, plan);
        assert.match(
          plan,
          /Scan using public_changelogs_pkey on public_changelogs.*\n.*Index Cond: .*team_slug/,
        );
        for (const [scan] of plan.matchAll(/ on version(?:s|_facts) .*\n.*$/gm))
          assert.match(
            scan,
            // The newest version, which is a published one, by its id.
            /status = 'published'|Index Cond: \(id = (?:COALESCE\(|f\w*\.version_id\)$)/,
            `a hidden row must not be touched\n${plan}`,
          );
      }

      for (const plan of await explain(t, filled, await listDomainReads(t, filled))) {
        assert.doesNotMatch(plan, /Seq Scan|Bitmap|Sort|Hash|Merge/, plan);
        assert.match(plan, /Index Scan using products_domain on products\n/, plan);
      }

      for (const plan of await explain(t, filled, await listSitemapReads(t, filled))) {
        assert.doesNotMatch(plan, /Seq Scan|Bitmap|Hash|Merge|Incremental/, plan);
        // Of the rows of the batch.
        assert.equal(plan.match(/-> +Sort/g)?.length, 1, plan);
        for (const [scan] of plan.matchAll(/ on version_facts .*\n.*$/gm))
          assert.match(scan, /status = 'published'.* AND \(sort_key <= /, plan);
      }

      const timelines = await listTimelineReads(t, filled);
      for (const [index, plan] of (await explain(t, filled, timelines)).entries()) {
        const { name, surface } = timelines[index] as (typeof timelines)[number];
        const context = `${name}, ${surface}\n${plan}`;
        assert.doesNotMatch(plan, /Seq Scan|Bitmap|Hash (?:Semi )?Join|Merge Join/, context);
        for (const [scan] of plan.matchAll(/ on timeline .*\n.*$/gm))
          assert.match(
            scan,
            /Index Cond: \(\(team_id = .* AND \(is_public = [01]\) AND \(is_prerelease = [01]\)/,
            context,
          );
        if (surface === 'team') continue;
        assert.doesNotMatch(plan, /is_public = 0|touches_of_team_since/, context);
        for (const [scan] of plan.matchAll(/(?:on version_facts |Function Scan on search_versions).*\n.*$/gm))
          assert.match(
            scan,
            /version_id = |status = 'published'/,
            `a hidden row must not be touched\n${context}`,
          );
      }

      const reads = await listPartReads(t, filled);
      for (const [index, plan] of (await explain(t, filled, reads)).entries()) {
        const { name, surface, sorts } = reads[index] as (typeof reads)[number];
        const context = `${name}, ${surface}\n${plan}`;
        assert.doesNotMatch(plan, /Seq Scan|Bitmap|Hash|Merge|Incremental/, context);
        assert.ok((plan.match(/-> +Sort/g)?.length ?? 0) <= (sorts ? 1 : 0), context);
        if (surface === 'team') continue;
        assertGoesDown(plan);
        for (const [scan] of plan.matchAll(
          /(?:on version_facts (?!last)|Function Scan on search_versions) .*\n.*$/gm,
        ))
          assert.match(scan, /status = 'published'/, `a hidden row must not be touched\n${context}`);
      }
    });
  }

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
    const find = prepare((db) => db.selectFrom(sql<{ value: unknown }>`shown`.as('shown')).select('value'));
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

/** The plan starts from `public_changelogs`, and finds the other rows by the ids in it. */
function assertGoesDown(plan: string): void {
  for (const step of [
    /Scan using public_changelogs_pkey on public_changelogs\n.*Index Cond: \(\(team_slug = .*\) AND \(product_slug = /,
    /Scan using teams_pkey on teams\n/,
    /Scan using products_(?:pkey|team) on products\n.*Index Cond: \(id = public_changelogs/,
    /Scan using changelogs_pkey on changelogs\n/,
  ])
    assert.match(plan, step, `a hidden row must not be touched\n${plan}`);
}

/** The plans on a connection with the settings of the server. */
async function explain(scope: Scope, sandbox: Sandbox, reads: readonly Read[]): Promise<string[]> {
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
