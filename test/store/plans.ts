// The statements of the API, to look at how an engine would answer them.
import assert from 'node:assert/strict';
import { visibleRows } from '../../src/domain/visibility.ts';
import { findVersion } from '../../src/store/names.ts';
import { openReader } from '../../src/store/open.ts';
import { findFeed, findKey } from '../../src/store/reads.ts';
import type { Workplace } from '../support/command.ts';
import { databaseUrl } from '../support/engine.ts';
import type { Scope } from '../support/folder.ts';

export type Read = Readonly<{ sql: string; parameters: readonly unknown[] }>;

/** The public feed, a public version, the same two of a team, and a key. */
export async function listReads(scope: Scope, workplace: Workplace): Promise<Read[]> {
  const reads: Read[] = [];
  const db = await openReader(databaseUrl(workplace), { onQuery: ({ query }) => void reads.push(query) });
  scope.after(() => db.destroy());
  const asked = { team: 'acme', product: 'rocket', versionId: 'ver_210' };
  for (const surface of ['public', 'team'] as const) {
    await findFeed(db, asked, visibleRows(surface));
    await findVersion(db, asked, 'ver_210', visibleRows(surface));
  }
  await findKey(db, 'x');
  assert.equal(reads.length, 5);
  return reads;
}

/** 500 teams, each with a product that has 10 versions with a change each. */
export const MANY_ROWS: readonly string[] = [
  `insert into teams (id, slug, name, visibility, plan)
     select 1000 + n, 'team-' || n, 'Team', 'public', 'paid' from (${numbers(500)}) every`,
  `insert into products (id, team_id, slug, name, status)
     select 1000 + n, 1000 + n, 'product', 'Product', 'published' from (${numbers(500)}) every`,
  `insert into changelogs (id, product_id, name, status)
     select 'cl_' || n, 1000 + n, 'Changelog', 'published' from (${numbers(500)}) every`,
  `insert into versions (id, changelog_id, label, title, status, published_at, yanked, created_order)
     select 'ver_many_' || n, 'cl_' || (n % 500), n, 'Version', 'published', '2026-01-01T00:00:00.000Z', 0, n
     from (${numbers(5_000)}) every`,
  `insert into changes (id, version_id, position, type, text, breaking)
     select 'chg_many_' || n, 'ver_many_' || n, 1, 'added', 'Text', 0 from (${numbers(5_000)}) every`,
];

/** From 0 on, in words that both engines know. */
function numbers(count: number): string {
  return `with recursive counted (n) as (select 0 union all select n + 1 from counted where n < ${count - 1})
    select n from counted`;
}
