// The fourth schema step: a product's repository, and the images of products and versions.
import {
  datesUpdateOf,
  ON_RESTATE,
  RECORDED,
  touchesOnUpdateOf,
  VERSION_COLUMNS,
} from './0001-first-schema/sqlite.ts';
import { onUpdate } from './0002-breaking-and-counts/sqlite.ts';

const SHOWN = [...RECORDED, 'compare_url', 'image'];

const columns = (text: string) => [
  `alter table products add column repository_url ${text}`,
  `alter table products add column image ${text}`,
  `alter table versions add column image ${text}`,
];

/** The last four are created again in their order, because triggers fire in the reverse one. */
export const SQLITE: readonly string[] = [
  ...columns('text'),
  'drop trigger versions_updated_on_update',
  'drop trigger versions_touch_on_update',
  'drop trigger versions_facts_on_restate',
  'drop trigger versions_facts_on_update',
  datesUpdateOf(SHOWN),
  touchesOnUpdateOf(`${VERSION_COLUMNS}, compare_url, image`),
  ON_RESTATE,
  onUpdate,
];

const shown = (row: string) => SHOWN.map((column) => `${row}.${column}`).join(', ');

export const POSTGRES: readonly string[] = [
  ...columns('text collate "C"'),
  'drop trigger versions_updated_on_update on versions',
  `create trigger versions_updated_on_update before update on versions for each row
    when (new.updated_at is not distinct from old.updated_at
        and (${shown('new')}) is distinct from (${shown('old')})
      or new.updated_at is null and new.published_at is null)
    execute function date_version()`,
];
