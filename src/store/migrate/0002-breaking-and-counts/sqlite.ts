// The second schema step for SQLite.
import { factsTriggers } from '../0001-first-schema/sqlite.ts';

const MARKS = `type || case breaking when 1 then ' breaking breaking' || type else '' end`;
const { onInsert, onChange, onUpdate } = factsTriggers(MARKS, 'type, text, position, breaking');

/** Versions are also found by `breaking`, and by `breakingremoved` if a change of that type is breaking (R53). */
const BREAKING = [
  'drop trigger versions_facts_on_insert',
  'drop trigger changes_facts_on_update',
  'drop trigger versions_facts_on_update',
  onInsert,
  onChange,
  onUpdate,
  `update version_facts
  set types = (select group_concat(distinct ${MARKS}) from changes where version_id = version_facts.version_id)
  where version_id in (select version_id from changes where breaking = 1)`,
];

export const SQLITE: readonly string[] = [...BREAKING];
