import { sql } from 'kysely';
import type { SchemaDialect } from './schema-dialect.ts';
import type { TouchRule } from './touch-rules.ts';

/**
 * SQLite holds foreign keys only for connections that ask it to, and the `sqlite3` shell does not. These triggers hold
 * for every connection: what belongs to something goes with it, and a key's products are products of its team.
 */
const GUARDS: readonly string[] = [
  ...[
    ['teams', 'products', 'team_id'],
    ['teams', 'api_keys', 'team_id'],
    ['products', 'changelogs', 'product_id'],
    ['products', 'api_key_products', 'product_id'],
    ['changelogs', 'versions', 'changelog_id'],
    ['versions', 'changes', 'version_id'],
    ['api_keys', 'api_key_products', 'key_id'],
  ].map(
    ([above, below, column]) =>
      `create trigger ${below}_go_with_${above} after delete on ${above} begin
         delete from ${below} where ${column} = old.id; end`,
  ),
  ...['insert', 'update'].map(
    (event) =>
      `create trigger api_key_products_checked_on_${event} before ${event} on api_key_products
         when not exists (
           select 1 from api_keys join products using (team_id)
           where api_keys.id = new.key_id and api_keys.kind = 'SELECT' and products.id = new.product_id
             and products.team_id = new.team_id)
         begin select raise(abort, 'constraint failed: a key takes products of its team, and only a SELECT key does'); end`,
  ),
];

export const SQLITE_SCHEMA: SchemaDialect = {
  text: sql`text`,
  numbered: (column) => column.autoIncrement(),
  counter: sql`integer`,
  guards: GUARDS,
  writeTouchTriggers: (rules) => rules.flatMap(writeTriggers),
};

/** Row by row: SQLite has no other triggers, and no name for a transaction. */
function writeTriggers(rule: TouchRule): string[] {
  const { table, written, deleted, forgotten } = rule;
  const rows = (row: 'new' | 'old') =>
    `(select ${rule.columns.map((column) => `${row}.${column} as ${column}`).join(', ')})`;
  const touch = (selected: string, row: 'new' | 'old') =>
    `insert into touches (team_id, product_id, revision)
       select touched.*, (select value from revision) from (${selected.replace('{rows}', rows(row))}) touched
       where true on conflict (team_id, product_id) do update set revision = excluded.revision;`;
  const trigger = (event: string, body: string) =>
    `create trigger ${table}_touch_on_${event} after ${event} on ${table} begin
       update revision set value = value + 1; ${body} end`;
  const forget =
    forgotten === undefined ? '' : `delete from touches where ${forgotten.replace('{rows}', rows('old'))};`;
  return [
    trigger('insert', touch(written, 'new')),
    trigger('update', touch(written, 'old') + touch(written, 'new')),
    trigger('delete', touch(deleted, 'old') + forget),
  ];
}
