// Schema steps never change, but the code that uses the schema does. If the two differ, a step is missing.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { SelectType } from 'kysely';
import {
  CHANGE_TYPES,
  KEY_KINDS,
  KEY_STATES,
  PLANS,
  PUBLICATION_STATES,
  VERSION_STATES,
  VISIBILITIES,
} from '../../../src/domain/model.ts';
import { DELIVERY_KINDS, DELIVERY_STATES } from '../../../src/hooks/store/deliveries.ts';
import type { Tables } from '../../../src/store/engine/schema.ts';
import { ENGINE, provideMigrated, query } from '../../../support/databases/engine.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import type { Sandbox } from '../../../support/program/command.ts';
import { TOUCHING_TABLES } from '../triggers/touch-table.ts';

const ADD_A_STEP =
  'the schema of the steps differs from what the code expects; add a schema step (see CONTRIBUTING.md)';

type Kind<Value> = [Value] extends [number] ? 'integer' : [Value] extends [string] ? 'text' : never;
type Described<Value> = null extends Value ? `${Kind<NonNullable<Value>>} or null` : Kind<Value>;
type Columns = { [T in keyof Tables]: { [C in keyof Tables[T]]: Described<SelectType<Tables[T][C]>> } };

/** The columns of `src/store/engine/schema.ts`, checked by the compiler. */
const COLUMNS: Columns = {
  teams: { id: 'integer', slug: 'text', name: 'text', visibility: 'text', plan: 'text' },
  products: {
    id: 'integer',
    team_id: 'integer',
    slug: 'text',
    name: 'text',
    status: 'text',
    home_url: 'text or null',
    base_url: 'text or null',
    repository_url: 'text or null',
    logo: 'text or null',
    image: 'text or null',
    accent: 'text or null',
    domain: 'text or null',
  },
  changelogs: {
    id: 'text',
    product_id: 'integer',
    name: 'text',
    status: 'text',
    language: 'text',
    description: 'text or null',
    description_mark: 'text or null',
  },
  versions: {
    id: 'text',
    changelog_id: 'text',
    label: 'text',
    title: 'text',
    status: 'text',
    published_at: 'text or null',
    description: 'text or null',
    yanked: 'integer',
    created_order: 'integer',
    sort_key: 'text',
    change_count: 'integer',
    types: 'integer',
    breaking: 'integer',
    updated_at: 'text or null',
    publish_at: 'text or null',
    compare_url: 'text or null',
    image: 'text or null',
  },
  changes: {
    id: 'text',
    version_id: 'text',
    position: 'integer',
    type: 'text',
    text: 'text',
    breaking: 'integer',
  },
  api_keys: {
    id: 'text',
    team_id: 'integer',
    kind: 'text',
    status: 'text',
    name: 'text or null',
    hash: 'text',
    created_at: 'text',
    expires_at: 'text or null',
  },
  public_changelogs: {
    team_slug: 'text',
    product_slug: 'text',
    team_id: 'integer',
    product_id: 'integer',
    changelog_id: 'text',
  },
  hook_deliveries: {
    hook: 'text',
    kind: 'text',
    about: 'text',
    state: 'text',
    revision: 'integer',
    message_id: 'text',
    attempts: 'integer',
    due_at: 'text',
    done_at: 'text or null',
    failure: 'text or null',
  },
};

/** Of tables without typed queries. */
const OTHERS = {
  api_key_products: { key_id: 'text', product_id: 'integer', team_id: 'integer', kind: 'text' },
  key_usage: { key_id: 'text', last_used_at: 'text' },
  import_marks: { version_id: 'text', mark: 'text' },
  revision: { id: 'integer', value: 'integer', cursor_key: 'text' },
  touches: { team_id: 'integer', product_id: 'integer', revision: 'integer', public_revision: 'integer' },
};

/** Used only by an engine's triggers or search. */
const OWN = {
  sqlite: {
    changelogs: { number: 'integer' },
    versions: { number: 'integer' },
    changes: { number: 'integer' },
    replaced: { version_text: 'integer or null', change_text: 'integer or null', version_id: 'text' },
  },
  postgres: { search: { version_id: 'text', text_id: 'text', words: 'tsvector' } },
}[ENGINE] as Record<string, Record<string, string>>;

/** The constraint of each column with a fixed list of values, and the list in the code. */
const WORD_LISTS: Record<string, readonly string[]> = {
  teams_visibility_known: VISIBILITIES,
  teams_plan_known: PLANS,
  products_status_known: PUBLICATION_STATES,
  changelogs_status_known: PUBLICATION_STATES,
  versions_status_known: VERSION_STATES,
  changes_type_known: CHANGE_TYPES,
  api_keys_kind_known: KEY_KINDS,
  api_keys_status_known: KEY_STATES,
  api_key_products_kind_known: ['SELECT'],
  hook_deliveries_kind_known: DELIVERY_KINDS,
  hook_deliveries_state_known: DELIVERY_STATES,
};

/** On SQLite an integer primary key is never null, and neither are the generated columns of this schema. */
const COLUMNS_IN = {
  sqlite: `select m.name as "table", c.name as "column", lower(c.type) as "type", c."notnull" or c.pk or c.hidden as "isSet"
    from sqlite_master m, pragma_table_xinfo(m.name) c
    where m.type = 'table' and m.name not glob '*_search*' and m.name not glob 'sqlite_*'
      and m.name not glob 'schema_migrations*'`,
  postgres: `select relname as "table", attname as "column",
      case atttypid::regtype::text when 'bigint' then 'integer' else atttypid::regtype::text end as "type",
      attnotnull or attgenerated <> '' as "isSet"
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
      and relname not like 'schema_migrations%'`,
}[ENGINE];

/** Tables, triggers, indexes, functions and constraints, with the text that the engine stores. */
const TEXTS = {
  sqlite: 'select type, name, tbl_name as "table", sql as text from sqlite_master where sql is not null',
  postgres: `select 'function' as type, proname as name, '' as "table", prosrc as text
      from pg_proc where pronamespace = current_schema()::regnamespace
    union all select 'trigger', tgname, tgrelid::regclass::text, pg_get_triggerdef(oid)
      from pg_trigger where not tgisinternal
    union all select 'index', indexname, tablename, indexdef from pg_indexes where schemaname = current_schema()
    union all select 'constraint', conname, conrelid::regclass::text, pg_get_constraintdef(oid)
      from pg_constraint where contype = 'c'`,
}[ENGINE];

type Created = Readonly<{ type: string; name: string; table: string; text: string }>;

function same(actual: unknown, expected: unknown): void {
  try {
    assert.deepEqual(actual, expected);
  } catch (error) {
    assert.fail(`${ADD_A_STEP}\n${(error as Error).message}`);
  }
}

describe('the schema', () => {
  const sandbox: Sandbox = { folder: temporaryFolder(sharedScope()) };
  let created: readonly Created[];
  before(async () => {
    await provideMigrated(sandbox);
    created = await query<Created>(sandbox, TEXTS);
  });
  it('the schema has the tables and columns of src/store/engine/schema.ts and those of the engine', async () => {
    const actual: Record<string, Record<string, string>> = {};
    for (const row of await query(sandbox, COLUMNS_IN)) {
      const { table, column, type, isSet } = row as Record<'table' | 'column' | 'type', string> & {
        isSet: unknown;
      };
      actual[table] = { ...actual[table], [column]: isSet ? type : `${type} or null` };
    }
    const expected: Record<string, Record<string, string>> = { ...OWN };
    for (const [table, columns] of Object.entries({ ...COLUMNS, ...OTHERS }))
      expected[table] = { ...columns, ...OWN[table] };
    same(actual, expected);
  });

  it('the schema accepts exactly the values of each list in src/domain/model.ts', () => {
    const checks =
      ENGINE === 'sqlite'
        ? created.flatMap(({ text }) => [
            ...text.matchAll(/constraint (?<name>\w+_known)\s+check \(.*? in \((?<words>.*?)\)\)/g),
          ])
        : created
            .filter(({ type, name }) => type === 'constraint' && name.endsWith('_known'))
            .map(({ name, text }) => ({ groups: { name, words: text } }));
    const actual = Object.fromEntries(
      checks.map(({ groups }) => [
        groups?.name,
        [...(groups?.words ?? '').matchAll(/'(\w+)'/g)].map(([, word]) => word),
      ]),
    );
    same(actual, WORD_LISTS);
  });

  it('the schema has triggers for every kind of write to the tables of touch-table.ts, and few others', () => {
    const events =
      ENGINE === 'sqlite' ? ['insert', 'update', 'delete'] : ['insert', 'update', 'delete', 'truncate'];
    const triggers = created.filter(({ type }) => type === 'trigger').map(({ name }) => name);
    for (const table of TOUCHING_TABLES)
      for (const event of events) assert.ok(triggers.includes(`${table}_on_${event}`), `${table} ${event}`);
    if (ENGINE === 'sqlite') assert.ok(triggers.length <= 30, `${triggers.length} triggers`);
    const functions = created.filter(({ type }) => type === 'function').length;
    assert.ok(functions <= 10, `${functions} functions`);
  });
});
