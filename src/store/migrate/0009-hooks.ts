// The ninth schema step: what each hook has done (R65, R66). What is public is known already, so nothing is added to it.

const tables = (text: string, bigint: string) => [
  `create table hooks (
  name ${text} not null primary key, set_up_at ${text} not null, announces_from ${text} not null,
  revision ${bigint} not null, claimed_by ${text} not null default '', claimed_until ${text} not null default '',
  purged_at ${text}, failure ${text})`,
  `create table hook_deliveries (
  hook ${text} not null, version_id ${text} not null, state ${text} not null, message_id ${text} not null,
  attempts integer not null default 0, due_at ${text} not null, done_at ${text}, failure ${text},
  constraint hook_deliveries_pair primary key (hook, version_id),
  constraint hook_deliveries_state_known check (state in ('known', 'pending', 'sent', 'given_up')))`,
  `create index hook_deliveries_due on hook_deliveries (hook, due_at) where state = 'pending'`,
];

export const SQLITE: readonly string[] = tables('text', 'integer');

export const POSTGRES: readonly string[] = tables('text collate "C"', 'bigint');
