// The tenth schema step: keys that expire (R67).
import { timestampForm } from './0001-first-schema/tables.ts';

const statements = (text: string) => [
  `alter table api_keys add column expires_at ${text}
  constraint api_keys_end_form check (${timestampForm('expires_at')})`,
  'drop index api_keys_by_state',
  // A query by status, hash and time never visits an expired key, as it never visits a disabled one (R5).
  `create unique index api_keys_by_state on api_keys (status, hash, coalesce(expires_at, '~'))`,
];

export const SQLITE: readonly string[] = statements('text');

export const POSTGRES: readonly string[] = statements('text collate "C"');
