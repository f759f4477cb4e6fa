// How the number of a version's changes is kept on PostgreSQL, statement by statement.
import { ENTER_BULK, IS_IN_BULK, LEAVE_BULK } from './bulk.ts';

/**
 * Its argument selects the versions whose changes are to be counted, anew instead of by one more or less: that is right
 * whatever happened before. Its own update is written as if in bulk, and so starts nothing further.
 */
const COUNT = `create function count_changes() returns trigger language plpgsql set search_path from current as $$
declare
  counted text[];
begin
  if ${IS_IN_BULK} then return null; end if;
  execute format('select array_agg(distinct id) from (%s) every (id)', tg_argv[0]) into counted;
  if counted is null then return null; end if;
  -- Whoever else writes waits here, and what they wrote before is seen by the statement below.
  perform advance_revision();
  perform ${ENTER_BULK};
  update versions set change_count = every.number
    from (select one, (select count(*) from changes where version_id = one) from unnest(counted) one) every (id, number)
    where versions.id = every.id and change_count <> every.number;
  perform ${LEAVE_BULK};
  return null;
end $$`;

export const COUNT_TRIGGERS: readonly string[] = [
  COUNT,
  trigger('changes', 'insert', 'select version_id from new_rows'),
  trigger('changes', 'delete', 'select version_id from old_rows'),
  trigger(
    'changes',
    'update',
    `select unnest(array[o.version_id, n.version_id]) from old_rows o full join new_rows n using (id)
       where o.version_id is distinct from n.version_id`,
  ),
  trigger('changes', 'truncate', 'select id from versions where change_count <> 0'),
  trigger('versions', 'insert', 'select id from new_rows where change_count <> 0'),
  trigger(
    'versions',
    'update',
    `select n.id from new_rows n left join old_rows o using (id) where n.change_count is distinct from o.change_count`,
  ),
];

function trigger(table: string, event: string, counted: string): string {
  const rows = {
    insert: 'referencing new table as new_rows',
    delete: 'referencing old table as old_rows',
    update: 'referencing old table as old_rows new table as new_rows',
  }[event];
  return `create trigger ${table}_count_on_${event} after ${event} on ${table} ${rows ?? ''}
    for each statement execute function count_changes('${counted}')`;
}
