// Copies within one engine; engines.postgres.slow.test.ts copies from each engine to the other.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { addDeliveries } from '../../../src/hooks/store/deliveries.ts';
import { COPIED_TABLES, copyRows, type OnCopied } from '../../../src/store/copy/copy.ts';
import { engineOf } from '../../../src/store/engine/open.ts';
import { databaseUrl, ENGINE, execute, provideMigrated, query } from '../../../support/databases/engine.ts';
import { openWriter } from '../../../support/databases/open.ts';
import { type Scope, sharedScope } from '../../../support/processes/scope.ts';
import type { Sandbox } from '../../../support/program/command.ts';
import { sandboxOf } from '../../cli/helpers.ts';
import { DERIVED, fillEverything, REQUESTS, responsesOf, rowsOf } from './everything.ts';

async function copy(source: Sandbox, target: Sandbox, onCopied: OnCopied = () => {}): Promise<void> {
  await using reader = (await engineOf(databaseUrl(source))).openReader(databaseUrl(source), {});
  await using writer = await openWriter(databaseUrl(target), { create: false });
  await writer.transaction().execute((trx) => copyRows(reader, trx, onCopied));
}

async function emptyTarget(scope: Scope): Promise<Sandbox> {
  const target = sandboxOf(scope);
  await provideMigrated(target);
  return target;
}

/** What each engine has for its triggers and its search, and what its migrations have. */
const OWN = /^(?:schema_migrations|search|replaced|\w+_search)/;

describe('a copy of a database', () => {
  const scope = sharedScope();
  const source = sandboxOf(scope);
  let key: string;
  before(async () => {
    key = await fillEverything(source);
  });

  it('has every table: its rows are copied, or made from those that are', async () => {
    const tables =
      ENGINE === 'sqlite'
        ? `select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`
        : `select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'`;
    const names = (await query<{ name: string }>(source, tables)).map(({ name }) => name);
    assert.deepEqual(
      names.filter((name) => !OWN.test(name)).sort(),
      [...COPIED_TABLES, ...DERIVED, 'revision'].sort(),
      'add a new table to src/store/copy/copy.ts, and rows of it to everything.ts',
    );
    const rows = await rowsOf(databaseUrl(source));
    assert.deepEqual(
      Object.keys(rows).filter((table) => rows[table]?.length === 0),
      [],
      'everything.ts has no row of these',
    );
    const unset = Object.entries(rows).flatMap(([table, texts]) => {
      const all = texts.map((text) => new Map<string, unknown>(JSON.parse(text)));
      const columns = [...(all[0]?.keys() ?? [])];
      return columns
        .filter((column) => all.every((row) => row.get(column) === null))
        .map((column) => `${table}.${column}`);
    });
    assert.deepEqual(unset, [], 'everything.ts has no value of these');
  });

  it('has the same rows and gives the same responses', async (t) => {
    const target = await emptyTarget(t);
    await copy(source, target);
    assert.deepEqual(await rowsOf(databaseUrl(target)), await rowsOf(databaseUrl(source)));
    // The slow test compares all of them.
    const some = REQUESTS.filter((_, index) => index % 20 === 0);
    assert.deepEqual(await responsesOf(t, target, key, some), await responsesOf(t, source, key, some));
  });

  it('is one state of the source, whatever is written meanwhile', async (t) => {
    const target = await emptyTarget(t);
    const rows = await rowsOf(databaseUrl(source));
    const written: Promise<unknown>[] = [];
    await copy(source, target, () => {
      if (written.length === 0)
        written.push(execute(source, `update versions set title = 'later' where id = 'ver_2_0_0'`));
    });
    await Promise.all(written);
    assert.deepEqual(await rowsOf(databaseUrl(target)), rows);
    await execute(source, `update versions set title = 'Environments' where id = 'ver_2_0_0'`);
  });

  it('is written as a whole or not at all, and the next one starts again', async (t) => {
    const target = await emptyTarget(t);
    const empty = await rowsOf(databaseUrl(target));
    let calls = 0;
    const stop = () => {
      if (calls++ > 8) throw new Error('stopped');
    };
    await assert.rejects(copy(source, target, stop), /stopped/);
    assert.deepEqual(await rowsOf(databaseUrl(target)), empty);
    await copy(source, target);
    assert.deepEqual(await rowsOf(databaseUrl(target)), await rowsOf(databaseUrl(source)));
  });

  it('goes on where the source was: ids of deleted rows are not used again, and nothing is announced again', async (t) => {
    const target = await emptyTarget(t);
    await copy(source, target);
    for (const sandbox of [source, target])
      await execute(
        sandbox,
        `insert into teams (slug, name, visibility, plan) values ('new', 'New', 'private', 'free')`,
      );
    const idOf = async (sandbox: Sandbox) =>
      (await query(sandbox, `select id from teams where slug = 'new'`))[0]?.id;
    assert.equal(await idOf(target), await idOf(source));
    await using db = (await engineOf(databaseUrl(target))).openRecorder(databaseUrl(target));
    const hook = {
      name: 'chat',
      kind: 'slack',
      url: 'http://127.0.0.1:1',
      secret: null,
      only: {},
      maxAgeHours: 1e6,
    } as const;
    await addDeliveries(db, hook, 0);
    const deliveries = await query(
      target,
      `select about, state from hook_deliveries where hook = 'chat' and kind = 'announcement'`,
    );
    assert.ok(deliveries.length > 3);
    assert.deepEqual(
      deliveries.filter(({ about }) => about === 'ver_2_1_0').map(({ state }) => state),
      ['sent'],
    );
    await execute(source, `delete from teams where slug = 'new'`);
  });
});
