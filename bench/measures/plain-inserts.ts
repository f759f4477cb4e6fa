// The baseline of `apply`: prepared statements insert the same rows into the same schema, in one transaction. The rows
// are built before the measurement. Prints the time in milliseconds.
import Sqlite from 'better-sqlite3';
import { newId } from '../../src/store/write/ids.ts';
import { TEAM } from '../data/datasets.ts';
import { products } from '../data/document.ts';

const [file = '', versions = '0'] = process.argv.slice(2);
const database = new Sqlite(file);
database.pragma('journal_mode = wal');
database.pragma('synchronous = full');

const TABLES = {
  teams: ['id', 'slug', 'name', 'visibility', 'plan'],
  products: ['id', 'team_id', 'slug', 'name', 'status'],
  changelogs: ['id', 'product_id', 'name', 'status'],
  versions: [
    'id',
    'changelog_id',
    'label',
    'title',
    'status',
    'published_at',
    'description',
    'yanked',
    'created_order',
  ],
  changes: ['id', 'version_id', 'position', 'type', 'text', 'breaking'],
};
type Table = keyof typeof TABLES;
type Row = readonly [table: Table, values: unknown[]];

const rows: Row[] = [['teams', [1, TEAM, 'Bench', 'public', 'paid']]];
for (const { number, fields } of products(Number(versions))) {
  const changelog = newId('changelog');
  rows.push(['products', [number, 1, fields.slug, fields.name, fields.status]]);
  rows.push(['changelogs', [changelog, number, fields.name, fields.changelog.status]]);
  for (const [order, version] of fields.changelog.versions.entries()) {
    const { version: label, title, status, publishedAt, description, changes } = version;
    const id = newId('version');
    rows.push(['versions', [id, changelog, label, title, status, publishedAt, description, 0, order]]);
    for (const [position, { type, text }] of changes.entries())
      rows.push(['changes', [newId('change'), id, position, type, text, 0]]);
  }
}
const statements = Object.fromEntries(
  Object.entries(TABLES).map(([table, columns]) => [
    table,
    database.prepare(`insert into ${table} (${columns}) values (${columns.map(() => '?')})`),
  ]),
) as Record<Table, Sqlite.Statement>;

const startedAt = performance.now();
database.transaction(() => {
  for (const [table, values] of rows) statements[table].run(values);
})();
process.stdout.write(`${performance.now() - startedAt}\n`);
database.close();
