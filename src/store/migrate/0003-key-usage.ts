import type { Step } from './step.ts';

/** A separate table, so that recording a use does not change the key. */
export const KEY_USAGE: Step = {
  name: '0003_key_usage',
  sqlite: [
    `create table "key_usage" (\
"key_id" text not null primary key references "api_keys" ("id") on delete cascade, \
"last_used_at" text not null)`,
    `create trigger key_usage_go_with_api_keys after delete on api_keys begin
         delete from key_usage where key_id = old.id; end`,
  ],
  postgres: [
    `create table key_usage (
      key_id text collate "C" not null primary key references api_keys (id) on delete cascade,
      last_used_at text collate "C" not null)`,
  ],
};
