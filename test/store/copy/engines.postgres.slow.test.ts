// Copies from each engine to the other and to itself, one after the other: the last has been through all of them.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { COPIED_TABLES } from '../../../src/store/copy/copy.ts';
import { dialectOf } from '../../../src/store/engine/dialect.ts';
import type { Writer } from '../../../src/store/engine/engine.ts';
import { engineOf } from '../../../src/store/engine/open.ts';
import { databaseUrl } from '../../../support/databases/engine.ts';
import { sqlite } from '../../../support/databases/sqlite.ts';
import { runOk, type Sandbox } from '../../../support/program/command.ts';
import { sandboxOf } from '../../cli/helpers.ts';
import { fillEverything, REQUESTS, responsesOf, rowsOf } from './everything.ts';

/** Each copied table with its columns, without those that the engine computes. */
async function columnsOf(url: string): Promise<string[]> {
  await using db = (await engineOf(url)).openReader(url, {});
  const { columnsOf } = dialectOf(db).catalogue;
  const all: string[] = [];
  for (const table of COPIED_TABLES)
    for (const { name } of (await columnsOf(table).execute(db as unknown as Writer)).rows)
      if (!['number', 'sort_key'].includes(name)) all.push(`${table}.${name}`);
  return all.sort();
}

it('a copy has the same rows and gives the same responses on the other engine, and again on the first', async (t) => {
  const first = sandboxOf(t);
  const key = await fillEverything(first);
  const source = databaseUrl(first);
  const [columns, rows] = [await columnsOf(source), await rowsOf(source)];
  const responses = await responsesOf(t, first, key, REQUESTS);
  let from: Sandbox = first;
  for (const kind of ['sqlite', 'sqlite', 'postgres', 'postgres']) {
    const folder = sandboxOf(t).folder;
    const to: Sandbox =
      kind === 'sqlite' ? { folder, environment: { DATABASE_URL: sqlite.url(folder) } } : { folder };
    const url = to.environment?.DATABASE_URL ?? databaseUrl(to);
    // Creates the empty database that PostgreSQL needs.
    if (kind === 'postgres') await runOk(to, ['migrate']);
    await runOk(from, ['copy', '--to', url]);
    assert.deepEqual(await columnsOf(url), columns, kind);
    assert.deepEqual(await rowsOf(url), rows, kind);
    const found = await responsesOf(t, to, key, REQUESTS);
    for (const [index, response] of found.entries()) assert.equal(response, responses[index], kind);
    from = to;
  }
});
