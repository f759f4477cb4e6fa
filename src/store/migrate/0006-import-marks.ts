import type { Step } from './step.ts';

/** A separate table, so that marking a version does not change it. */
export const IMPORT_MARKS: Step = {
  name: '0006_import_marks',
  sqlite: [
    `create table "import_marks" (\
"version_id" text not null primary key references "versions" ("id") on delete cascade on update cascade, \
"mark" text not null)`,
    `create trigger import_marks_go_with_versions after delete on versions begin
         delete from import_marks where version_id = old.id; end`,
  ],
  postgres: [
    `create table import_marks (
      version_id text collate "C" not null primary key references versions (id) on delete cascade on update cascade,
      mark text collate "C" not null)`,
  ],
};
