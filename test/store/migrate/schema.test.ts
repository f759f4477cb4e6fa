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
import { VERSION_PATTERN } from '../../../src/domain/version-order.ts';
import { BODY_CHARACTERS_MAX, POSITION_MAX } from '../../../src/store/engine/dialect.ts';
import { DELIVERY_STATES, type Tables } from '../../../src/store/engine/schema.ts';
import { OF_ANY_STATE } from '../../../src/store/read/page-plans.ts';
import { factsSql } from '../../../src/store/sqlite/facts.ts';
import {
  BEGINNING_CHARACTERS_MAX,
  NEVER_SECONDS,
  NEVER_START,
  SECOND_BITS,
} from '../../../src/store/sqlite/search.ts';
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
  api_key_products: { key_id: 'text', product_id: 'integer', team_id: 'integer', kind: 'text' },
  public_changelogs: {
    team_slug: 'text',
    product_slug: 'text',
    team_id: 'integer',
    product_id: 'integer',
    changelog_id: 'text',
  },
  version_facts: {
    version_id: 'text',
    changelog_id: 'text',
    label: 'text',
    status: 'text',
    sort_key: 'text',
    version_order: 'text or null',
    major: 'text or null',
    is_prerelease: 'integer',
    body: 'text',
  },
  version_counts: {
    changelog_id: 'text',
    status: 'text',
    kind: 'integer',
    level: 'integer',
    place: 'text',
    versions: 'integer',
    changes: 'integer',
    security: 'integer',
    breaking: 'integer',
  },
  version_facets: { changelog_id: 'text', mark: 'text', year: 'text', versions: 'integer' },
  timeline: {
    team_id: 'integer',
    is_public: 'integer',
    is_prerelease: 'integer',
    sort_key: 'text',
    version_id: 'text',
    changelog_id: 'text',
  },
  revision: { id: 'integer', value: 'integer', cursor_key: 'text' },
  touches: { team_id: 'integer', product_id: 'integer', revision: 'integer', public_revision: 'integer' },
  key_usage: { key_id: 'text', last_used_at: 'text' },
  import_marks: { version_id: 'text', mark: 'text' },
  hooks: {
    name: 'text',
    set_up_at: 'text',
    announces_from: 'text',
    revision: 'integer',
    claimed_by: 'text',
    claimed_until: 'text',
    purged_at: 'text or null',
    failure: 'text or null',
  },
  hook_deliveries: {
    hook: 'text',
    version_id: 'text',
    state: 'text',
    message_id: 'text',
    attempts: 'integer',
    due_at: 'text',
    done_at: 'text or null',
    failure: 'text or null',
  },
};

/** Used only by an engine's triggers or search. */
const OWN = {
  sqlite: {
    version_facts: { number: 'integer', scope: 'text', types: 'text' },
    uncounted: { version_id: 'text' },
    bulk: { id: 'integer', ended: 'integer' },
    public_facts: { number: 'integer' },
    search_words: { is_public: 'integer', word: 'text' },
    team_changelogs: {
      changelog_id: 'text',
      team_id: 'integer',
      product_slug: 'text',
      product_id: 'integer',
      is_public: 'integer',
    },
  },
  postgres: { version_facts: { words: 'tsvector' }, search_words: { word: 'text' } },
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
  const textOf = (type: string, name: string) =>
    created.find((one) => one.type === type && one.name === name)?.text ??
    assert.fail(`${name}: ${ADD_A_STEP}`);
  const triggersOn = (table: string) =>
    created.filter((one) => one.type === 'trigger' && one.table === table);
  const has = (text: string, part: string) => assert.ok(text.includes(part), `${part}: ${ADD_A_STEP}`);

  it('the schema has the tables and columns of src/store/engine/schema.ts and those of the engine', async () => {
    const actual: Record<string, Record<string, string>> = {};
    for (const row of await query(sandbox, COLUMNS_IN)) {
      const { table, column, type, isSet } = row as Record<'table' | 'column' | 'type', string> & {
        isSet: unknown;
      };
      actual[table] = { ...actual[table], [column]: isSet ? type : `${type} or null` };
    }
    const expected: Record<string, Record<string, string>> = { ...OWN };
    for (const [table, columns] of Object.entries(COLUMNS)) expected[table] = { ...columns, ...OWN[table] };
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

  it('the schema has touch triggers for every kind of write to exactly the tables of touch-table.ts', () => {
    const events =
      ENGINE === 'sqlite' ? ['insert', 'update', 'delete'] : ['insert', 'update', 'delete', 'truncate'];
    const actual = created.filter(({ type, name }) => type === 'trigger' && /_touch_on_[a-z]+$/.test(name));
    same(
      actual.map(({ name }) => name).sort(),
      TOUCHING_TABLES.flatMap((table) => events.map((event) => `${table}_touch_on_${event}`)).sort(),
    );
  });

  it('a bulk write turns off all triggers that count changes, record touches, compute facts or set times', () => {
    const triggers = [...triggersOn('versions'), ...triggersOn('changes')];
    assert.ok(triggers.length > 10);
    if (ENGINE === 'sqlite') {
      const others = triggers.filter(({ name }) => !/_(?:touch|count|facts|updated)_on_/.test(name));
      same(others.map(({ name }) => name).sort(), [
        'changes_go_with_versions',
        'import_marks_go_with_versions',
        'version_facts_go_with_versions',
      ]);
      return;
    }
    // A trigger for each row leaves alone what a bulk write sets itself.
    for (const { text } of triggers.filter(({ text }) => text.includes('FOR EACH STATEMENT'))) {
      const [, name = ''] = /EXECUTE FUNCTION (\w+)\(/.exec(text) ?? [];
      has(textOf('function', name), `current_setting('changelog.bulk', true) = 'on' then return null`);
    }
  });

  it('the index for reads of any state has the condition of these reads', () => {
    has(textOf('index', 'version_facts_in_order').replace('::text', ''), OF_ANY_STATE);
  });

  it('the schema computes facts with the limits and patterns of the code', () => {
    if (ENGINE === 'postgres') {
      has(textOf('function', 'version_order'), VERSION_PATTERN);
      has(textOf('function', 'refresh_facts'), ` ${BODY_CHARACTERS_MAX}) as body`);
      has(textOf('function', 'words_of'), `least(place, ${POSITION_MAX})`);
      for (const name of ['advance_revision', 'search_versions']) textOf('function', name);
      return;
    }
    const onInsert = textOf('trigger', 'versions_facts_on_insert');
    has(onInsert, ` ${BODY_CHARACTERS_MAX}), `);
    has(onInsert, `second * ${2 ** SECOND_BITS}) + row_number()`);
    has(textOf('table', 'versions'), `cast(${NEVER_START} + created_order as text)`);
    has(onInsert, `then ${NEVER_SECONDS} + v.created_order`);
    has(textOf('trigger', 'versions_facts_on_update'), factsSql(onInsert, 'v.id = new.id'));
    has(textOf('trigger', 'changes_facts_on_update'), factsSql(onInsert, 'v.id = new.version_id'));
    for (const name of ['public_search', 'hidden_search', 'split_search'])
      has(textOf('table', name), "unicode61 remove_diacritics 0 categories ''Lu Ll Lt Lm N*''");
    const lengths = Array.from({ length: BEGINNING_CHARACTERS_MAX }, (_, index) => index + 1).join(' ');
    for (const name of ['public_search', 'hidden_search'])
      has(textOf('table', name), `prefix = '${lengths}'`);
    has(textOf('trigger', 'version_facts_words_on_insert'), `length(term) > ${BEGINNING_CHARACTERS_MAX}`);
  });

  if (ENGINE === 'sqlite')
    it('a touch trigger fires on an update of any column of a version that is written', () => {
      const [, columns = ''] =
        /after update of (.*) on versions/.exec(textOf('trigger', 'versions_touch_on_update')) ?? [];
      const { sort_key: _made, change_count: _counted, ...written } = COLUMNS.versions;
      same(columns.split(', ').sort(), Object.keys(written).sort());
    });
});
