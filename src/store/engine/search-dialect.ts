import type { RawBuilder } from 'kysely';
import type { ChangeType } from '../../domain/model.ts';
import type { VersionBlock } from '../../domain/version-order.ts';

export type Sql<T = unknown> = RawBuilder<T>;

/** How an engine finds versions by their words and the types of their changes. */
export type SearchDialect = Readonly<{
  /** Whether its index answers in the order in which versions are shown. One that does not is asked for little. */
  isInOrder: boolean;
  /** What is looked for, in the engine's own language, which the words of users are never part of. */
  writeMatch: (wanted: Wanted) => string;
  /** The same for the index over words, where that has a language of its own. */
  writeKeys: (wanted: Wanted) => string;
  /** Does a row `f` of `version_facts` have it? Only where the index is not in order. */
  hasMatch: (match: Sql) => Sql<boolean>;
  /** Are all the texts of a JSON array in the body of `f`? */
  holdsAll: (texts: Sql) => Sql<boolean>;
  /** Selects `version_id` and `sort_key` of what a condition, order and limit leave of `f` for each row of `each`. */
  selectOfEach: (each: Sql, rest: Sql) => Sql;
  /** Selects `version_id` and `sort_key` of what is found, in order. */
  selectMatches: (search: Search) => Sql;
}>;

export type Wanted = Readonly<{
  types: readonly ChangeType[];
  phrases: readonly (readonly string[])[];
  /** The versions are in one of these; null: in any. */
  blocks: readonly VersionBlock[] | null;
}>;

export type Search = Readonly<{
  match: Sql;
  keys: Sql;
  /** Only what is published, or what is in any of these states? */
  isPublished: boolean;
  /** On `f`, a row of `version_facts`. */
  conditions: readonly Sql<boolean>[];
  /** Bounds of `sort_key`, both included, for an index that is in order. */
  newest: Sql<string> | null;
  oldest: Sql<string> | null;
  limit: Sql | null;
}>;
