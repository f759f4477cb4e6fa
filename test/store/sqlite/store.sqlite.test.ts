// Promises of the store that only hold on SQLite.
import assert from 'node:assert/strict';
import { chmodSync, readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { messageFor } from '../../../src/cli/cli.ts';
import { openWriter } from '../../../src/store/engine/open.ts';
import { seedWorld } from '../../../support/content/world.ts';
import { databaseUrl } from '../../../support/databases/engine.ts';
import { databasePath } from '../../../support/databases/sqlite.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { apply, createKey, doctor, run, runOk, type Sandbox } from '../../../support/program/command.ts';
import { spawnServer } from '../../../support/program/process.ts';
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

describe('the store on SQLite', () => {
  const scope = sharedScope();
  const sandbox: Sandbox = { folder: temporaryFolder(scope) };
  const file = databasePath(sandbox);
  const filled: Sandbox = { folder: temporaryFolder(scope) };
  before(async () => {
    for (const seeded of [sandbox, filled]) await seedWorld(seeded);
  });

  for (const [state, prepare] of Object.entries(STATES)) {
    it(`every read of the API uses indexes, without a full scan or a sort, ${state}`, async (t) => {
      const database = new Sqlite(databasePath(filled));
      t.after(() => void database.close());
      for (const statement of prepare) database.exec(statement);
      const statements = await listReads(t, filled);
      const plans = statements.map((read) => explain(database, read));
      for (const [index, plan] of plans.entries()) {
        assert.ok(plan.length > 0);
        // `revision` has one row, and `agg` the rows that an inner query found.
        assert.doesNotMatch(
          plan,
          /^SCAN (?!revision$|agg$)|TEMP B-TREE|AUTOMATIC/m,
          `${statements[index]?.sql}\n${plan}`,
        );
      }
      const [publicFeed = '', publicVersion = '', teamFeed = ''] = plans;
      for (const plan of [publicFeed, publicVersion]) {
        assertGoesDown(plan);
        assert.match(
          plan,
          /INDEX versions_(?:by_state|listed) \(changelog_id=\? AND status=\?/,
          'a hidden row must not be touched',
        );
      }
      assert.match(
        plans.at(-1) ?? '',
        /SEARCH api_keys USING INDEX api_keys_by_state \(status=\? AND hash=\? AND <expr>>\?\)/,
      );
      assert.match(publicFeed, /COVERING INDEX versions_listed /, 'a feed reads no rows of versions');
      assert.match(teamFeed, /INDEX versions_in_order /);

      for (const read of await listFutureReads(t, filled))
        assert.match(
          explain(database, read),
          /^SEARCH versions USING COVERING INDEX versions_listed \(changelog_id=\? AND status=\? AND published_at>\?\)/m,
        );

      for (const read of await listListReads(t, filled)) {
        const plan = explain(database, read);
        // Scans and look-ups by number are allowed for rows that an inner query found.
        assert.doesNotMatch(
          plan,
          /^SCAN (?!(?:revision|agg|found|majors|of_team|CONSTANT ROW)$|json_each VIRTUAL)|TEMP B-TREE|AUTOMATIC/m,
          plan,
        );
        assert.match(plan, /SEARCH public_changelogs USING PRIMARY KEY \(\(?team_slug/, plan);
        for (const [line] of plan.matchAll(/^SEARCH (?:f|versions) .*$/gm))
          assert.match(
            line,
            // The newest version, which is a published one, by its id.
            /status=\?|^SEARCH f USING INTEGER PRIMARY KEY|^SEARCH versions .* \(id=\?\)$/,
            `a hidden row must not be touched\n${plan}`,
          );
      }

      for (const read of await listDomainReads(t, filled)) {
        const plan = explain(database, read);
        assert.match(plan, /^(?:SCAN|SEARCH) products USING INDEX products_domain\b/m, plan);
        assert.doesNotMatch(
          plan,
          /^SCAN (?!(?:revision|agg|products USING .*)$)|TEMP B-TREE|AUTOMATIC/m,
          plan,
        );
      }

      for (const read of await listSitemapReads(t, filled)) {
        const plan = explain(database, read);
        // Scans and the sort are of rows that an inner query found, as many as the batch.
        assert.doesNotMatch(
          plan,
          /^SCAN (?!(?:p|steps|counted|each|found|agg)$)|SEARCH q USING PRIMARY KEY \(\(|AUTOMATIC/m,
          plan,
        );
        assert.equal(plan.match(/TEMP B-TREE/g)?.length, 1, plan);
        for (const [line] of plan.matchAll(/^SEARCH f .*$/gm))
          assert.match(line, /status=\? AND sort_key<\?|INTEGER PRIMARY KEY \(rowid=\?\)$/, plan);
      }

      for (const read of await listTimelineReads(t, filled)) {
        const plan = explain(database, read);
        const context = `${read.name}, ${read.surface}\n${plan}`;
        // Scans are allowed over rows that an inner query found, over the full-text index and over the search terms.
        assert.doesNotMatch(
          plan,
          /^SCAN (?!(?:of_team|readable|scanned|chosen|of|changelogs|agg|page|t|f|firsts|each|newest|others|\(subquery-\d+\)|CONSTANT ROW)$|(?:s|every|json_each) VIRTUAL)|AUTOMATIC/m,
          context,
        );
        if (read.surface === 'team') continue;
        assert.doesNotMatch(plan, /hidden_search|touches_of_team_since/, context);
        for (const [line] of plan.matchAll(/^SEARCH (?:f|versions) .*$/gm))
          assert.match(
            line,
            /is_public=\?|status=\?|\((?:version_id|id|rowid)=\?\)$/,
            `a hidden row must not be touched\n${context}`,
          );
      }

      for (const read of await listPartReads(t, filled)) {
        const plan = explain(database, read);
        const context = `${read.name}, ${read.surface}\n${plan}`;
        // Scans are allowed over rows that an inner query found, over the full-text index and over the search terms.
        assert.doesNotMatch(
          plan,
          /^SCAN (?!(?:revision|agg|page|part|edges|r|f|firsts|each|newest|others|sized|\(subquery-\d+\)|CONSTANT ROW)$|(?:s|every) VIRTUAL)|AUTOMATIC/m,
          context,
        );
        const sorts = plan.match(/TEMP B-TREE/g)?.length ?? 0;
        // A team's search reads two indexes and merges their results.
        const searches = plan.match(/^SCAN s /gm)?.length ?? 0;
        const sortsMax = read.surface === 'team' && searches > 0 ? 4 : read.sorts || searches > 0 ? 1 : 0;
        assert.ok(sorts <= sortsMax, context);
        if (read.surface === 'team') continue;
        assertGoesDown(plan);
        assert.doesNotMatch(plan, /hidden_search/, context);
        for (const [line] of plan.matchAll(/^SEARCH (?:f|v) .*$/gm))
          assert.match(
            line,
            /status=\?|^SEARCH f USING INTEGER PRIMARY KEY/,
            `a hidden row must not be touched\n${context}`,
          );
      }
    });
  }

  it('a writer uses WAL, synchronous full and foreign keys', async () => {
    const db = await openWriter(databaseUrl(sandbox), { create: false });
    const pragma = async (name: string) =>
      Object.values(
        (await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db)).rows[0] ?? {},
      )[0];
    assert.equal(await pragma('journal_mode'), 'wal');
    assert.equal(await pragma('synchronous'), 2);
    assert.equal(await pragma('foreign_keys'), 1);
    await db.destroy();
  });

  it('a full disk is reported as one, and the next transaction works', async (t) => {
    const own: Sandbox = { folder: temporaryFolder(t) };
    await runOk(own, ['migrate']);
    const db = await openWriter(databaseUrl(own), { create: false });
    t.after(() => db.destroy());
    const insert = (name: string) =>
      db
        .transaction()
        .execute((trx) =>
          trx
            .insertInto('teams')
            .values({ slug: 'acme', name, visibility: 'public', plan: 'paid' })
            .execute(),
        );
    const limitPages = (pages: number) => sql`pragma max_page_count = ${sql.raw(`${pages}`)}`.execute(db);
    // The limit becomes the current size.
    await limitPages(1);
    await assert.rejects(insert('x'.repeat(100_000)), (error) =>
      /the disk is full; nothing was written\. Free some space/.test(messageFor(error)),
    );
    await limitPages(1_000_000);
    await insert('Acme');
    assert.deepEqual(await db.selectFrom('teams').select('name').execute(), [{ name: 'Acme' }]);
  });

  it('the files of the database never contain an API key', async (t) => {
    // Another connection keeps the database open, so that the WAL is not checkpointed when the command ends.
    const other = new Sqlite(file);
    t.after(() => void other.close());
    other.prepare('select count(*) from teams').get();
    const { id, key } = await createKey(sandbox, 'acme', '--kind', 'FULL');
    const files = ['', '-wal', '-shm'].map((end) => file + end);
    const bytes = Buffer.concat(files.map((file) => readFileSync(file)));
    assert.ok(bytes.includes(id));
    for (const part of [key, key.slice('clk_'.length), key.slice(4, 36)]) assert.ok(!bytes.includes(part));
  });

  it('serve puts a copy made with vacuum into back into WAL mode', async (t) => {
    const own: Sandbox = { folder: temporaryFolder(t) };
    const original = new Sqlite(file);
    original.exec(`vacuum into '${databasePath(own)}'`);
    original.close();
    const { child, exited } = await spawnServer(t, own);
    const copy = new Sqlite(databasePath(own), { readonly: true });
    assert.equal(copy.pragma('journal_mode', { simple: true }), 'wal');
    copy.close();
    child.kill('SIGTERM');
    await exited;
  });

  it('migrate fails in one line if the file of the database cannot be created', async (t) => {
    const environment = { DATABASE_URL: 'sqlite:/dev/null/changelog.db' };
    const { code, stderr } = await run({ folder: temporaryFolder(t), environment }, ['migrate']);
    assert.equal(code, 1);
    assert.match(stderr, /^changelog: the database \/dev\/null\/changelog\.db cannot be opened: [^\n]+\n$/);
  });

  it('doctor checks who can write to the file of the database and its directory', async (t) => {
    const own: Sandbox = { folder: temporaryFolder(t) };
    await runOk(own, ['migrate']);
    assert.equal((await doctor(own)).stdout.match(/^ok {5}permissions /gm)?.length, 2);
    chmodSync(databasePath(own), 0o666);
    const { code, stdout } = await doctor(own);
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^wrong {2}permissions +Every user of this machine may write to .*\. Run chmod o-w on it\.$/m,
    );
  });

  it('an apply that changes no version leaves the schema as it is, so that no reader prepares statements again', async (t) => {
    const own: Sandbox = { folder: temporaryFolder(t) };
    const document = {
      team: { slug: 'acme', name: 'Acme' },
      products: [
        {
          slug: 'rocket',
          name: 'Rocket',
          changelog: {
            versions: [{ version: '1.0.0', title: 'One', changes: [{ type: 'added', text: 'A' }] }],
          },
        },
      ],
    };
    await apply(own, document);
    const database = new Sqlite(databasePath(own), { readonly: true });
    t.after(() => void database.close());
    const schema = database.pragma('schema_version');
    await apply(own, document);
    await apply(own, { ...document, team: { slug: 'acme', name: 'Acme Inc.' } });
    assert.deepEqual(database.pragma('schema_version'), schema);
  });

  it('doctor reports a database that was left in the middle of a bulk write', async (t) => {
    const own: Sandbox = { folder: temporaryFolder(t) };
    await runOk(own, ['migrate']);
    const database = new Sqlite(databasePath(own));
    database.pragma('foreign_keys = off');
    database.exec('insert into bulk (id, ended) values (1, 2)');
    database.close();
    const { code, stdout } = await doctor(own);
    assert.equal(code, 1);
    assert.match(stdout, /^wrong .*rows of bulk refer to rows that do not exist/m);
  });
});

/** From what is public all the way, by the ids that stand there. */
function assertGoesDown(plan: string): void {
  for (const step of [
    /^SEARCH public_changelogs USING PRIMARY KEY \(team_slug=\? AND product_slug=\?\)/m,
    /^SEARCH teams USING INTEGER PRIMARY KEY/m,
    /^SEARCH products USING INTEGER PRIMARY KEY/m,
    /^SEARCH changelogs USING INDEX sqlite_autoindex_changelogs_1 \(id=\?\)/m,
  ])
    assert.match(plan, step);
}

function explain(database: Sqlite.Database, { sql, parameters }: Read): string {
  const steps = database.prepare(`explain query plan ${sql}`).all(...parameters) as { detail: string }[];
  return steps.map(({ detail }) => detail).join('\n');
}
