// Promises of the store that only hold on SQLite.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { messageFor } from '../../../src/cli/cli.ts';
import type { QueryEvent } from '../../../src/store/engine/engine.ts';
import { seedWorld } from '../../../support/content/world.ts';
import { databaseUrl } from '../../../support/databases/engine.ts';
import { openReader, openWriter } from '../../../support/databases/open.ts';
import { databasePath } from '../../../support/databases/sqlite.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { apply, createKey, doctor, run, runOk, type Sandbox } from '../../../support/program/command.ts';
import { spawnServer } from '../../../support/program/process.ts';
import { PUBLIC_READS } from '../read/public-reads.ts';

/** A step of a plan, by the names that queries have for the table. */
const OF_VERSIONS = /^(?:SEARCH|SCAN) (?:versions|v|own|sized)\b.*$/gm;
/** The timeline has the same name for the rows that it has chosen. */
const isOfTable = ([line]: readonly string[]) => line !== 'SCAN versions';

describe('the store on SQLite', () => {
  const scope = sharedScope();
  const sandbox: Sandbox = { folder: temporaryFolder(scope) };
  const file = databasePath(sandbox);
  before(() => seedWorld(sandbox));

  for (const [name, read] of Object.entries(PUBLIC_READS))
    it(`the public ${name} visits no hidden version (R9)`, async (t) => {
      const database = new Sqlite(file);
      t.after(() => void database.close());
      const statements: QueryEvent['query'][] = [];
      const db = await openReader(databaseUrl(sandbox), { onQuery: ({ query }) => statements.push(query) });
      t.after(() => db.destroy());
      await read(db);
      assert.ok(statements.length > 0);
      // By its number or id, it was found before.
      for (const statement of statements)
        for (const [line] of explain(database, statement).matchAll(OF_VERSIONS).filter(isOfTable))
          assert.match(line, /\bstatus=\?|PRIMARY KEY \(rowid=\?\)|\(id=\?\)/, `${line}\n${statement.sql}`);
    });

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

  it('doctor checks whether this user can write to the file of the database and its directory', async (t) => {
    const own: Sandbox = { folder: temporaryFolder(t) };
    await runOk(own, ['migrate']);
    assert.equal((await doctor(own)).stdout.match(/^ok {5}permissions /gm)?.length, 2);
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
});

function explain(database: Sqlite.Database, { sql, parameters }: QueryEvent['query']): string {
  const steps = database.prepare(`explain query plan ${sql}`).all(...parameters) as { detail: string }[];
  return steps.map(({ detail }) => detail).join('\n');
}
