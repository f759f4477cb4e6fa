// Words of what is deleted are nowhere, and words of what is hidden are in no index for searches.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import Sqlite from 'better-sqlite3';
import { dump, ENGINE, query } from '../../../support/databases/engine.ts';
import { databasePath } from '../../../support/databases/sqlite.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { apply, runOk, type Sandbox } from '../../../support/program/command.ts';

/** The first letters differ: an index may leave out those that a word has in common with the one before it. */
const [VERSION, EDITED, REMOVED, CHANGELOG, PRODUCT, TEAM, REWRITTEN] = [
  'aardvarkish',
  'bombastically',
  'crystallise',
  'dandelionlike',
  'eavesdroppers',
  'fascinatingly',
  'lackadaisically',
];
const [UNPUBLISHED, LOCKED, HIDDEN, PRIVATE] = [
  'gobbledygook',
  'hullabaloos',
  'ichthyologist',
  'jabberwockies',
];

const version = (label: string, word: string) => ({
  version: label,
  title: `The title of ${word}`,
  description: `Text\n\n${word}`,
  status: 'published',
  publishedAt: '2026-05-04',
  changes: [
    { type: 'added', text: `A ${word} change` },
    { type: 'fixed', text: 'A fuse' },
  ],
});
const product = (slug: string, versions: readonly object[]) => ({
  slug,
  name: slug,
  status: 'published',
  changelog: { id: `cl_${slug}`, name: slug, status: 'published', versions },
});
const team = (slug: string, products: readonly object[]) => ({
  team: { slug, name: slug, visibility: 'public', plan: 'paid' },
  products,
});

const scope = sharedScope();
const sandbox: Sandbox = { folder: temporaryFolder(scope) };

const KEPT_VERSION = version('1.0.0', REMOVED);

before(async () => {
  await apply(
    sandbox,
    team('acme', [
      product('rocket', [
        version('3.0.0', VERSION),
        version('2.0.0', EDITED),
        KEPT_VERSION,
        version('0.9.0', UNPUBLISHED),
      ]),
      product('unwritten', [version('1.0.0', CHANGELOG)]),
      product('dropped', [version('1.0.0', PRODUCT)]),
      product('locked', [version('1.0.0', LOCKED)]),
      product('hidden', [version('1.0.0', HIDDEN)]),
      product('rewritten', [version('1.0.0', REWRITTEN)]),
    ]),
  );
  await apply(sandbox, team('gone', [product('rocket-gone', [version('1.0.0', TEAM)])]));
  await apply(sandbox, team('vault', [product('rocket-vault', [version('1.0.0', PRIVATE)])]));
});

const SEARCHED = {
  sqlite: ['version_search', 'change_search'].map((table) => `select body as words from ${table}`),
  postgres: [`select words::text as words from search`],
}[ENGINE];

async function searchedWords(): Promise<string> {
  const found: string[] = [];
  for (const statement of SEARCHED)
    for (const { words } of await query<{ words: string }>(sandbox, statement)) found.push(words);
  return found.join('\n');
}

/** All rows of all tables, also of those that the engine keeps for a full-text index; on SQLite, also the file. */
async function everythingStored(): Promise<string> {
  const tables = JSON.stringify(await dump(sandbox));
  return ENGINE === 'sqlite' ? tables + bytesOfFile() : tables;
}

function bytesOfFile(): string {
  const database = new Sqlite(databasePath(sandbox));
  database.pragma('wal_checkpoint(truncate)');
  database.close();
  return readFileSync(databasePath(sandbox), 'latin1');
}

const found = (text: string, words: readonly string[]) =>
  words.filter((word) => text.toLowerCase().includes(word));

describe('the words of a search', () => {
  const deleted = [VERSION, EDITED, REMOVED, CHANGELOG, PRODUCT, TEAM, REWRITTEN];
  const hidden = [UNPUBLISHED, LOCKED, HIDDEN, PRIVATE];

  it('are those of public versions', async () => {
    assert.deepEqual(found(await searchedWords(), [...deleted, ...hidden]), [...deleted, ...hidden]);
  });

  it('are forgotten when their version, changelog, product or team is hidden', async () => {
    for (const args of [
      ['version', 'unpublish', 'acme/rocket', '0.9.0'],
      ['changelog', 'set', 'acme/locked', '--status', 'locked'],
      ['product', 'set', 'acme/hidden', '--status', 'draft'],
      ['team', 'set', 'vault', '--visibility', 'private'],
    ])
      await runOk(sandbox, args);
    assert.deepEqual(found(await searchedWords(), [...deleted, ...hidden]), deleted);
  });

  it('are nowhere in the database, nor in a backup, when their text was deleted or replaced', async () => {
    for (const args of [
      ['version', 'delete', 'acme/rocket', '3.0.0', '--yes'],
      ['changelog', 'delete', 'acme/unwritten', '--yes'],
      ['product', 'delete', 'acme/dropped', '--yes'],
      ['team', 'delete', 'gone', '--yes'],
    ])
      await runOk(sandbox, args);
    const [, keptChange] = KEPT_VERSION.changes;
    const edited = { ...KEPT_VERSION, title: 'Lift-off', description: null, changes: [keptChange] };
    await apply(
      sandbox,
      team('acme', [
        product('rocket', [version('2.0.0', 'kilowatt'), edited]),
        // All of its versions.
        product('rewritten', [version('1.0.0', 'mellifluously')]),
      ]),
    );
    const stored = await everythingStored();
    assert.deepEqual(found(stored, deleted), []);
    const kept = ['kilowatt', 'mellifluously', ...hidden];
    assert.deepEqual(found(stored, kept), kept, 'the others are there');
    assert.deepEqual(found(await searchedWords(), kept), ['kilowatt', 'mellifluously']);
    if (ENGINE === 'postgres') return;
    const copy = path.join(sandbox.folder, 'backup.db');
    await runOk(sandbox, ['backup', copy]);
    assert.deepEqual(found(readFileSync(copy, 'latin1'), deleted), []);
  });
});
