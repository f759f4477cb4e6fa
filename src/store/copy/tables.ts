// Which rows a copy of a database takes, and which it makes again.
import type { Tables } from '../engine/schema.ts';

/**
 * In an order in which rows refer only to earlier ones. Pages are read by the key, which has a unique index on both
 * engines. That of `versions` keeps those of a changelog together: counting them again is then faster.
 */
export const COPIED = {
  teams: ['id'],
  products: ['id'],
  changelogs: ['id'],
  versions: ['changelog_id', 'label'],
  changes: ['version_id', 'position'],
  import_marks: ['version_id'],
  api_keys: ['id'],
  api_key_products: ['key_id', 'product_id'],
  key_usage: ['key_id'],
  hooks: ['name'],
  hook_deliveries: ['hook', 'version_id'],
  // Last: the triggers of the tables above write to it.
  touches: ['team_id', 'product_id'],
} as const satisfies Partial<{ [T in keyof Tables]: readonly (keyof Tables[T])[] }>;

export type CopiedTable = keyof typeof COPIED;
export const COPIED_TABLES = Object.keys(COPIED) as CopiedTable[];

/** What an engine computes from the rest of the row. */
export const GENERATED: Partial<Record<CopiedTable, readonly string[]>> = { versions: ['sort_key'] };

/** Triggers make these from what is copied, on each engine in its own way. */
export const DERIVED: readonly Exclude<keyof Tables, CopiedTable>[] = [
  'public_changelogs',
  'version_facts',
  'version_counts',
  'version_facets',
  'timeline',
];
