import { type Kysely, sql } from 'kysely';
import type { SchemaDialect } from '../engine/schema-dialect.ts';
import type { TouchRule } from '../engine/touch-rules.ts';
import { IS_IN_BULK, POSTGRES_BULK } from './bulk.ts';
import { COUNT_TRIGGERS } from './counts.ts';
import {
  POSTGRES_FACTS_OF_ALL,
  POSTGRES_FACTS_OF_SOME,
  POSTGRES_FACTS_TRIGGERS,
  postgresFactsTables,
} from './facts.ts';
import { POSTGRES_PUBLIC_ROWS } from './public-rows.ts';

export const POSTGRES_SCHEMA: SchemaDialect = {
  text: sql`text collate "C"`,
  numbered: (column) => column.generatedByDefaultAsIdentity(),
  counter: sql`bigint`,
  guards: [],
  keyUsageGuards: [],
  importMarkGuards: [],
  publicRows: POSTGRES_PUBLIC_ROWS,
  writeTouchTriggers: (rules) => [ADVANCE, writeTouchFunction('create', ''), ...rules.flatMap(writeTriggers)],
  writeCountTriggers: () => [writeTouchFunction('create or replace', STANDING_ASIDE), ...COUNT_TRIGGERS],
  bulk: POSTGRES_BULK,
  facts: {
    writeTables: async (db) => postgresFactsTables(await knowsUnicode(db)),
    triggers: POSTGRES_FACTS_TRIGGERS,
    ofAll: POSTGRES_FACTS_OF_ALL,
    ofSome: POSTGRES_FACTS_OF_SOME,
  },
};

/** Servers that were built without it know only the letters of their own language. */
async function knowsUnicode(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_collation where collname = 'und-x-icu'`.execute(db);
  return rows.length > 0;
}

/**
 * The revision of this transaction: one more than the last, taken at its first write. The row stays locked until the
 * transaction ends, so that revisions become visible in their order and nobody who looks for later ones misses any.
 */
const ADVANCE = `create function advance_revision() returns bigint language plpgsql set search_path from current as $$
declare
  taken text := current_setting('changelog.revision', true);
  advanced bigint;
begin
  if taken <> '' then return taken::bigint; end if;
  update revision set value = value + 1 returning value into advanced;
  perform set_config('changelog.revision', advanced::text, true);
  return advanced;
end $$`;

const STANDING_ASIDE = `if tg_table_name in ('versions', 'changes') and ${IS_IN_BULK} then return null; end if;`;

/** Its arguments are the parts of a rule; a statement that wrote many rows is one call. */
const writeTouchFunction = (create: string, first: string) => `${create} function touch_rows()
returns trigger language plpgsql set search_path from current as $$
declare
  selected text := case when tg_op = 'DELETE' then tg_argv[1] else tg_argv[0] end;
  rows text;
begin
  ${first}
  if tg_op = 'TRUNCATE' then selected := 'select 0, 0'; end if;
  foreach rows in array case tg_op
    when 'INSERT' then array['new_rows']
    when 'UPDATE' then array['old_rows', 'new_rows']
    else array['old_rows'] end
  loop
    execute format(
      'insert into touches (team_id, product_id, revision)
         select touched.*, advance_revision() from (select distinct * from (%s) every) touched
         on conflict (team_id, product_id) do update set revision = excluded.revision
         where touches.revision <> excluded.revision',
      replace(selected, '{rows}', rows));
  end loop;
  if tg_op = 'DELETE' and tg_argv[2] <> '' then
    execute 'delete from touches where ' || replace(tg_argv[2], '{rows}', 'old_rows');
  end if;
  -- Everything includes whatever was touched before.
  if tg_op = 'TRUNCATE' then delete from touches where team_id <> 0; end if;
  return null;
end $$`;

function writeTriggers({ table, written, deleted, forgotten = '' }: TouchRule): string[] {
  const call = `for each statement execute function touch_rows('${written}', '${deleted}', '${forgotten}')`;
  const trigger = (event: string, transition: string) =>
    `create trigger ${table}_touch_on_${event} after ${event} on ${table} ${transition} ${call}`;
  return [
    trigger('insert', 'referencing new table as new_rows'),
    trigger('update', 'referencing old table as old_rows new table as new_rows'),
    trigger('delete', 'referencing old table as old_rows'),
    trigger('truncate', ''),
  ];
}
