// The third schema step: a version's link to its changes in code, and a changelog's own description.
import {
  datesUpdateOf,
  ON_RESTATE,
  RECORDED,
  touchesOnUpdateOf,
  VERSION_COLUMNS,
} from './0001-first-schema/sqlite.ts';
import { onUpdate } from './0002-breaking-and-counts/sqlite.ts';

const columns = (text: string) => [
  `alter table versions add column compare_url ${text}`,
  `alter table changelogs add column description ${text}`,
  `alter table changelogs add column description_mark ${text}`,
];

/** The last four are created again in their order, because triggers fire in the reverse one. */
export const SQLITE: readonly string[] = [
  ...columns('text'),
  'drop trigger versions_updated_on_update',
  'drop trigger versions_touch_on_update',
  'drop trigger versions_facts_on_restate',
  'drop trigger versions_facts_on_update',
  datesUpdateOf([...RECORDED, 'compare_url']),
  touchesOnUpdateOf(`${VERSION_COLUMNS}, compare_url`),
  ON_RESTATE,
  onUpdate,
];

const recorded = (row: string) => [...RECORDED, 'compare_url'].map((column) => `${row}.${column}`).join(', ');

export const POSTGRES: readonly string[] = [
  ...columns('text collate "C"'),
  'drop trigger versions_updated_on_update on versions',
  `create trigger versions_updated_on_update before update on versions for each row
    when (new.updated_at is not distinct from old.updated_at
        and (${recorded('new')}) is distinct from (${recorded('old')})
      or new.updated_at is null and new.published_at is null)
    execute function date_version()`,
];
