// The schema, step by step. A step that was released is never edited: a change is a new step below it.
import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import {
  CHANGE_TYPES,
  KEY_KINDS,
  KEY_STATES,
  PLANS,
  PUBLICATION_STATES,
  VERSION_STATES,
  VISIBILITIES,
} from '../../domain/model.ts';
import { type SchemaDialect, schemaDialectOf } from '../engine/schema-dialect.ts';
import { TOUCH_RULES } from '../engine/touch-rules.ts';
import { createVersionFacts } from './facts-migration.ts';
import { createImportMarks } from './import-migration.ts';
import { createPublicRows } from './public-rows-migration.ts';

/** As near to `domain/timestamp.ts` as both engines can say it. */
const IS_TIMESTAMP = sql<boolean>`published_at like '____-__-__T__:__:__.___Z'
  and substr(published_at, 1, 4) between '0000' and '9999'
  and substr(published_at, 6, 2) between '01' and '12'
  and substr(published_at, 9, 2) between '01' and '31'
  and substr(published_at, 12, 2) between '00' and '23'
  and substr(published_at, 15, 2) between '00' and '59'
  and substr(published_at, 18, 2) between '00' and '59'`;

export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001_content_and_keys': { up: createContentAndKeys },
  '0002_revisions': { up: createRevisions },
  '0003_key_usage': { up: createKeyUsage },
  '0004_change_counts': { up: keepChangeCounts },
  '0005_version_facts': { up: createVersionFacts },
  '0006_import_marks': { up: createImportMarks },
  '0007_public_rows': { up: createPublicRows },
};

async function createContentAndKeys(db: Kysely<unknown>): Promise<void> {
  const dialect = schemaDialectOf(db);
  await createTeamsAndProducts(db, dialect);
  await createChangelogs(db, dialect);
  await createVersionsAndChanges(db, dialect);
  await createKeys(db, dialect);
  await createStateIndexes(db);
  for (const statement of dialect.guards) await sql.raw(statement).execute(db);
}

/**
 * What nodes ask to learn whether anything they hold is out of date (R29): a number that every write advances, and for
 * each team and product that there is, the number of its last write.
 */
async function createRevisions(db: Kysely<unknown>): Promise<void> {
  const { counter, writeTouchTriggers } = schemaDialectOf(db);
  await db.schema
    .createTable('revision')
    .addColumn('id', 'integer', (column) => column.notNull().primaryKey())
    .addColumn('value', counter, (column) => column.notNull())
    .addCheckConstraint('revision_is_one_row', sql`id = 1`)
    .execute();
  await sql`insert into revision (id, value) values (1, 1)`.execute(db);
  await db.schema
    .createTable('touches')
    .addColumn('team_id', 'integer', (column) => column.notNull())
    .addColumn('product_id', 'integer', (column) => column.notNull())
    .addColumn('revision', counter, (column) => column.notNull())
    .addPrimaryKeyConstraint('touches_pair', ['team_id', 'product_id'])
    .execute();
  await db.schema.createIndex('touches_since').on('touches').column('revision').execute();
  await db.schema.createIndex('touches_of_product').on('touches').column('product_id').execute();
  for (const statement of writeTouchTriggers(TOUCH_RULES)) await sql.raw(statement).execute(db);
}

/** Apart from the keys, so that recording a use is no change to a key. */
async function createKeyUsage(db: Kysely<unknown>): Promise<void> {
  const { text, keyUsageGuards } = schemaDialectOf(db);
  await db.schema
    .createTable('key_usage')
    .addColumn('key_id', text, (column) =>
      column.notNull().primaryKey().references('api_keys.id').onDelete('cascade'),
    )
    .addColumn('last_used_at', text, (column) => column.notNull())
    .execute();
  for (const statement of keyUsageGuards) await sql.raw(statement).execute(db);
}

/** The number of a version's changes is kept with it, so that a feed counts no rows. */
async function keepChangeCounts(db: Kysely<unknown>): Promise<void> {
  const { writeCountTriggers, bulk } = schemaDialectOf(db);
  await db.schema
    .alterTable('versions')
    .addColumn('change_count', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  for (const statement of writeCountTriggers()) await sql.raw(statement).execute(db);
  // What answers are made from stays the same: nobody need be told of it.
  const end = await bulk.begin(db);
  await sql`update versions set change_count =
    (select count(*) from changes where version_id = versions.id)`.execute(db);
  await end();
}

async function createTeamsAndProducts(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void> {
  const { text, numbered } = dialect;
  await db.schema
    .createTable('teams')
    .addColumn('id', 'integer', (column) => numbered(column.primaryKey()))
    .addColumn('slug', text, (column) => column.notNull().unique())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('visibility', text, (column) => column.notNull())
    .addColumn('plan', text, (column) => column.notNull())
    .$call(mustBeSlug('teams'))
    .$call(mustBeOneOf('teams', 'visibility', VISIBILITIES))
    .$call(mustBeOneOf('teams', 'plan', PLANS))
    .execute();

  await db.schema
    .createTable('products')
    .addColumn('id', 'integer', (column) => numbered(column.primaryKey()))
    .addColumn('team_id', 'integer', (column) => column.notNull().references('teams.id').onDelete('cascade'))
    .addColumn('slug', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('status', text, (column) => column.notNull())
    .addUniqueConstraint('products_slug', ['team_id', 'slug'])
    // Lets a key's products be tied to the key's own team.
    .addUniqueConstraint('products_team', ['id', 'team_id'])
    .$call(mustBeSlug('products'))
    .$call(mustBeOneOf('products', 'status', PUBLICATION_STATES))
    .execute();
}

async function createChangelogs(db: Kysely<unknown>, { text }: SchemaDialect): Promise<void> {
  await db.schema
    .createTable('changelogs')
    .addColumn('id', text, (column) => column.notNull().primaryKey())
    .addColumn('product_id', 'integer', (column) =>
      column.notNull().unique().references('products.id').onDelete('cascade'),
    )
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('status', text, (column) => column.notNull())
    .$call(mustBeOneOf('changelogs', 'status', PUBLICATION_STATES))
    .execute();
}

async function createVersionsAndChanges(db: Kysely<unknown>, { text }: SchemaDialect): Promise<void> {
  await db.schema
    .createTable('versions')
    .addColumn('id', text, (column) => column.notNull().primaryKey())
    .addColumn('changelog_id', text, (column) =>
      column.notNull().references('changelogs.id').onDelete('cascade').onUpdate('cascade'),
    )
    .addColumn('label', text, (column) => column.notNull())
    .addColumn('title', text, (column) => column.notNull())
    .addColumn('status', text, (column) => column.notNull())
    .addColumn('published_at', text)
    .addColumn('description', text)
    .addColumn('yanked', 'integer', (column) => column.notNull())
    .addColumn('created_order', 'integer', (column) => column.notNull())
    // One text to sort by, greatest first: versions that never were published, the last created on top (`~` is above
    // every digit), then the others by date. An index on it serves the order without a sort.
    .addColumn('sort_key', text, (column) =>
      column
        .generatedAlwaysAs(sql`coalesce(published_at, '~' || cast(1000000000000 + created_order as text))`)
        .stored(),
    )
    .addUniqueConstraint('versions_label', ['changelog_id', 'label'])
    .addCheckConstraint('versions_published_has_date', sql`status <> 'published' or published_at is not null`)
    .addCheckConstraint('versions_date_form', IS_TIMESTAMP)
    .$call(mustBeOneOf('versions', 'status', VERSION_STATES))
    .$call(mustBeBit('versions', 'yanked'))
    .execute();
  await db.schema
    .createIndex('versions_in_order')
    .on('versions')
    .columns(['changelog_id', 'sort_key desc', 'id'])
    .execute();

  await db.schema
    .createTable('changes')
    .addColumn('id', text, (column) => column.notNull().primaryKey())
    .addColumn('version_id', text, (column) =>
      column.notNull().references('versions.id').onDelete('cascade').onUpdate('cascade'),
    )
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('type', text, (column) => column.notNull())
    .addColumn('text', text, (column) => column.notNull())
    .addColumn('breaking', 'integer', (column) => column.notNull())
    .addUniqueConstraint('changes_position', ['version_id', 'position'])
    .$call(mustBeOneOf('changes', 'type', CHANGE_TYPES))
    .$call(mustBeBit('changes', 'breaking'))
    .execute();
}

async function createKeys(db: Kysely<unknown>, { text }: SchemaDialect): Promise<void> {
  await db.schema
    .createTable('api_keys')
    .addColumn('id', text, (column) => column.notNull().primaryKey())
    .addColumn('team_id', 'integer', (column) => column.notNull().references('teams.id').onDelete('cascade'))
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('status', text, (column) => column.notNull())
    .addColumn('name', text)
    .addColumn('hash', text, (column) => column.notNull().unique())
    .addColumn('created_at', text, (column) => column.notNull())
    .addUniqueConstraint('api_keys_team_kind', ['id', 'team_id', 'kind'])
    .$call(mustBeOneOf('api_keys', 'kind', KEY_KINDS))
    .$call(mustBeOneOf('api_keys', 'status', KEY_STATES))
    .execute();
  await db.schema
    .createIndex('api_keys_of_team')
    .on('api_keys')
    .columns(['team_id', 'created_at', 'id'])
    .execute();

  // The team and the kind are repeated so that the constraints can hold them: an attached product belongs to the
  // key's own team, and a FULL key has none.
  await db.schema
    .createTable('api_key_products')
    .addColumn('key_id', text, (column) => column.notNull())
    .addColumn('product_id', 'integer', (column) => column.notNull())
    .addColumn('team_id', 'integer', (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('api_key_products_pair', ['key_id', 'product_id'])
    .addForeignKeyConstraint(
      'api_key_products_key',
      ['key_id', 'team_id', 'kind'],
      'api_keys',
      ['id', 'team_id', 'kind'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .addForeignKeyConstraint(
      'api_key_products_product',
      ['product_id', 'team_id'],
      'products',
      ['id', 'team_id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .$call(mustBeOneOf('api_key_products', 'kind', ['SELECT']))
    .execute();
  await db.schema
    .createIndex('api_key_products_of_product')
    .on('api_key_products')
    .column('product_id')
    .execute();
}

/**
 * Indexes with the state before the name: a public read looks up `public` or `published` together with what it wants,
 * so that a hidden row is never touched and costs exactly what a missing one does (R9).
 */
async function createStateIndexes(db: Kysely<unknown>): Promise<void> {
  const states = [
    ['teams_by_state', 'teams', ['visibility', 'slug']],
    ['products_by_state', 'products', ['team_id', 'status', 'slug']],
    ['changelogs_by_state', 'changelogs', ['product_id', 'status']],
    ['versions_by_state', 'versions', ['changelog_id', 'status', 'id']],
    ['versions_by_state_in_order', 'versions', ['changelog_id', 'status', 'sort_key desc', 'id']],
  ] as const;
  for (const [name, table, columns] of states) {
    await db.schema
      .createIndex(name)
      .unique()
      .on(table)
      .columns([...columns])
      .execute();
  }
}

type AnyTable = CreateTableBuilder<string, string>;

function mustBeSlug(table: string) {
  return <T extends AnyTable>(builder: T): T =>
    builder.addCheckConstraint(
      `${table}_slug_form`,
      sql`length(slug) between 1 and 64 and slug = lower(slug)
        and slug not like '%/%' and slug not like '% %' and slug not like '-%' and slug not like '%-'`,
    ) as T;
}

function mustBeOneOf(table: string, column: string, values: readonly string[]) {
  const list = sql.join(values.map((value) => sql.lit(value)));
  return <T extends AnyTable>(builder: T): T =>
    builder.addCheckConstraint(`${table}_${column}_known`, sql`${sql.ref(column)} in (${list})`) as T;
}

function mustBeBit(table: string, column: string) {
  return <T extends AnyTable>(builder: T): T =>
    builder.addCheckConstraint(`${table}_${column}_bit`, sql`${sql.ref(column)} in (0, 1)`) as T;
}
