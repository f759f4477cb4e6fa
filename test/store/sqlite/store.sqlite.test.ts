// What only a database in a file can show.
import assert from 'node:assert/strict';
import { chmodSync, readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { openWriter } from '../../../src/store/engine/open.ts';
import { seedWorld } from '../../../support/content/world.ts';
import { databaseUrl } from '../../../support/databases/engine.ts';
import { databasePath } from '../../../support/databases/sqlite.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { createKey, doctor, run, runOk, type Workplace } from '../../../support/program/command.ts';
import { spawnServer } from '../../../support/program/process.ts';
import { listPartReads, listReads, MANY_ROWS, type Read } from '../read/plans.ts';

/** Each adds to the one before. */
const STATES = {
  'with little in it': [],
  'with much in it': MANY_ROWS,
  'when the engine knows how much': ['analyze'],
};

describe('the store on SQLite', () => {
  const scope = sharedScope();
  const workplace: Workplace = { folder: temporaryFolder(scope) };
  const file = databasePath(workplace);
  const filled: Workplace = { folder: temporaryFolder(scope) };
  before(async () => {
    for (const seeded of [workplace, filled]) await seedWorld(seeded);
  });

  for (const [state, prepare] of Object.entries(STATES)) {
    it(`reads by index alone, in order, ${state}: no full scan and no sort in any plan of the API`, async (t) => {
      const database = new Sqlite(databasePath(filled));
      t.after(() => void database.close());
      for (const statement of prepare) database.exec(statement);
      const statements = await listReads(t, filled);
      const plans = statements.map((read) => explain(database, read));
      for (const [index, plan] of plans.entries()) {
        assert.ok(plan.length > 0);
        // These are one row, and the rows that an inner query has found already.
        assert.doesNotMatch(
          plan,
          /^SCAN (?!revision$|agg$)|TEMP B-TREE|AUTOMATIC/m,
          `${statements[index]?.sql}\n${plan}`,
        );
      }
      const [publicFeed = '', publicVersion = '', teamFeed = ''] = plans;
      for (const plan of [publicFeed, publicVersion]) {
        assertGoesDown(plan);
        assert.match(plan, /INDEX versions_by_state/, 'a hidden row must not be touched');
      }
      assert.match(
        plans.at(-1) ?? '',
        /SEARCH api_keys USING INDEX api_keys_by_state \(status=\? AND hash=\?\)/,
      );
      assert.match(publicFeed, /INDEX versions_by_state_in_order /);
      assert.match(teamFeed, /INDEX versions_in_order /);

      for (const read of await listPartReads(t, filled)) {
        const plan = explain(database, read);
        const told = `${read.name}, ${read.surface}\n${plan}`;
        // Besides rows that were found or made already: words, which the index has, and those that were asked for.
        assert.doesNotMatch(
          plan,
          /^SCAN (?!(?:revision|agg|page|f|firsts|each|last|\(subquery-\d+\)|CONSTANT ROW)$|(?:s|every) VIRTUAL)|AUTOMATIC/m,
          told,
        );
        const sorts = plan.match(/TEMP B-TREE/g)?.length ?? 0;
        // A team's words are in two indexes, and what is found in each is put together.
        const searches = plan.match(/^SCAN s /gm)?.length ?? 0;
        const sortsMax = read.surface === 'team' && searches > 0 ? 4 : read.sorts || searches > 0 ? 1 : 0;
        assert.ok(sorts <= sortsMax, told);
        if (read.surface === 'team') continue;
        assertGoesDown(plan);
        assert.doesNotMatch(plan, /hidden_search/, told);
        for (const [line] of plan.matchAll(/^SEARCH (?:f|v) .*$/gm))
          assert.match(
            line,
            /status=\?|INTEGER PRIMARY KEY \(rowid=\?\)$/,
            `a hidden row must not be touched\n${told}`,
          );
      }
    });
  }

  it('writes durably: WAL, synchronous full, foreign keys on', async () => {
    const db = await openWriter(databaseUrl(workplace), { create: false });
    const pragma = async (name: string) =>
      Object.values(
        (await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db)).rows[0] ?? {},
      )[0];
    assert.equal(await pragma('journal_mode'), 'wal');
    assert.equal(await pragma('synchronous'), 2);
    assert.equal(await pragma('foreign_keys'), 1);
    await db.destroy();
  });

  it('keeps the secret of a key out of its files', async (t) => {
    // Somebody else has the database open, so that the log is not folded into it when the command ends.
    const other = new Sqlite(file);
    t.after(() => void other.close());
    other.prepare('select count(*) from teams').get();
    const { id, key } = await createKey(workplace, 'acme', '--kind', 'FULL');
    const files = ['', '-wal', '-shm'].map((end) => file + end);
    const bytes = Buffer.concat(files.map((file) => readFileSync(file)));
    assert.ok(bytes.includes(id));
    for (const part of [key, key.slice('clk_'.length), key.slice(4, 36)]) assert.ok(!bytes.includes(part));
  });

  it('serves a copy made by vacuum into as a database of its own kind', async (t) => {
    const own: Workplace = { folder: temporaryFolder(t) };
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

  it('is refused where its file cannot be made', async (t) => {
    const environment = { DATABASE_URL: 'sqlite:/dev/null/changelog.db' };
    const { code, stderr } = await run({ folder: temporaryFolder(t), environment }, ['migrate']);
    assert.equal(code, 1);
    assert.match(stderr, /^changelog: the database \/dev\/null\/changelog\.db cannot be opened: [^\n]+\n$/);
  });

  it('is examined by `doctor` for who may write its file and its folder', async (t) => {
    const own: Workplace = { folder: temporaryFolder(t) };
    await runOk(own, ['migrate']);
    assert.equal((await doctor(own)).stdout.match(/^ok {5}permissions /gm)?.length, 2);
    chmodSync(databasePath(own), 0o666);
    const { code, stdout } = await doctor(own);
    assert.equal(code, 1);
    assert.match(stdout, /^wrong {2}permissions +Anybody on this machine may write .*: chmod o-w it\.$/m);
  });

  it('is found wrong by `doctor` if somebody left it as if in the middle of bulk writing', async (t) => {
    const own: Workplace = { folder: temporaryFolder(t) };
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
