// The second schema step for PostgreSQL.
import { refreshFacts } from '../0001-first-schema/postgres.ts';

/** Versions are also found by `breaking`, and by `breakingremoved` if a change of that type is breaking (R53). */
const BREAKING = [
  refreshFacts(
    'create or replace',
    `' ''#' || type || '''' || case breaking when 1 then ' ''#breaking'' ''#breaking' || type || '''' else '' end`,
  ),
  `select refresh_facts(array(select distinct version_id from changes where breaking = 1))`,
];

export const POSTGRES: readonly string[] = [...BREAKING];
