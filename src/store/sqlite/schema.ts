import { sql } from 'kysely';
import type { SchemaDialect } from '../engine/schema-dialect.ts';
import { COUNTED_VERSIONS_RULE, type TouchRule } from '../engine/touch-rules.ts';
import { BULK_TABLE, SQLITE_BULK } from './bulk.ts';
import { COUNT_TRIGGERS } from './counts.ts';
import {
  SQLITE_FACTS_OF_ALL,
  SQLITE_FACTS_OF_SOME,
  SQLITE_FACTS_TABLES,
  SQLITE_FACTS_TRIGGERS,
} from './facts.ts';
import { SQLITE_PUBLIC_ROWS } from './public-rows.ts';

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
  ].map(([above = '', below = '', column = '']) => writeGuard(above, below, column)),
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

function writeGuard(above: string, below: string, column: string): string {
  return `create trigger ${below}_go_with_${above} after delete on ${above} begin
         delete from ${below} where ${column} = old.id; end`;
}

export const SQLITE_SCHEMA: SchemaDialect = {
  text: sql`text`,
  numbered: (column) => column.autoIncrement(),
  counter: sql`integer`,
  guards: GUARDS,
  keyUsageGuards: [writeGuard('api_keys', 'key_usage', 'key_id')],
  importMarkGuards: [writeGuard('versions', 'import_marks', 'version_id')],
  publicRows: SQLITE_PUBLIC_ROWS,
  writeTouchTriggers: (rules) => rules.flatMap(writeTriggers),
  writeCountTriggers: () => [
    ...TRIGGER_EVENTS.map((event) => `drop trigger versions_touch_on_${event}`),
    ...writeTriggers(COUNTED_VERSIONS_RULE),
    ...COUNT_TRIGGERS,
    BULK_TABLE,
  ],
  bulk: SQLITE_BULK,
  facts: {
    writeTables: async () => SQLITE_FACTS_TABLES,
    triggers: SQLITE_FACTS_TRIGGERS,
    ofAll: SQLITE_FACTS_OF_ALL,
    ofSome: SQLITE_FACTS_OF_SOME,
  },
};

const TRIGGER_EVENTS = ['insert', 'update', 'delete', 'insert_replacing', 'update_replacing'];

/** Row by row: SQLite has no other triggers, and no name for a transaction. */
function writeTriggers(rule: TouchRule): string[] {
  const { table, columns, written, deleted, forgotten, updateOf } = rule;
  const rows = (row: 'new' | 'old') =>
    `(select ${columns.map((column) => `${row}.${column} as ${column}`).join(', ')})`;
  const trigger = (event: string, body: string) =>
    `create trigger ${table}_touch_on_${event} after ${withColumns(event, updateOf)} on ${table}
       begin ${ADVANCE} ${body} end`;
  const forget =
    forgotten === undefined ? '' : `delete from touches where ${forgotten.replace('{rows}', rows('old'))};`;
  return [
    trigger('insert', touch(written, rows('new'))),
    trigger('update', touch(written, rows('old')) + touch(written, rows('new'))),
    trigger('delete', touch(deleted, rows('old')) + forget),
    ...writeReplaceTriggers(rule),
  ];
}

function withColumns(event: string, updateOf: TouchRule['updateOf']): string {
  return event === 'update' && updateOf !== undefined ? `update of ${updateOf.join(', ')}` : event;
}

const ADVANCE = `${SQLITE_BULK.advanceRevision};`;

const touch = (selected: string, rows: string) =>
  `insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (${selected.replace('{rows}', rows)}) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision;`;

/** With `or replace`, rows that are in the way go without a word: no trigger tells of their deletion. */
function writeReplaceTriggers(rule: TouchRule): string[] {
  const { table, columns, unique, written, updateOf } = rule;
  if (unique === undefined) return [];
  const isShared = unique.map((column) => `${column} = new.${column}`).join(' and ');
  const trigger = (event: string, others: string) => {
    const inTheWay = `from ${table} where (id = new.id or ${isShared}) ${others}`;
    return `create trigger ${table}_touch_on_${event}_replacing before ${withColumns(event, updateOf)} on ${table}
      when exists (select 1 ${inTheWay}) begin ${ADVANCE} ${touch(written, `(select ${columns.join(', ')} ${inTheWay})`)} end`;
  };
  return [trigger('insert', ''), trigger('update', 'and id <> old.id')];
}
