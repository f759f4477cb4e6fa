import type { Step } from './step.ts';

/**
 * The number of changes of each version, so that a feed need not count rows. Triggers recount instead of adding or
 * subtracting one, which is right whatever happened before. Filling in the numbers does not advance the revision.
 */
export const CHANGE_COUNTS: Step = {
  name: '0004_change_counts',
  sqlite: [
    `alter table "versions" add column "change_count" integer default 0 not null`,
    `drop trigger versions_touch_on_update`,
    `drop trigger versions_touch_on_update_replacing`,
    // Versions that may lose a change to `or replace`: recorded before, recounted after.
    `create table uncounted (version_id text not null primary key)`,
    // A row of this table refers to one that never exists: no transaction can commit before it is deleted.
    `create table bulk (
  id integer not null primary key check (id = 1),
  ended integer not null check (ended = 2) references bulk (id) deferrable initially deferred)`,
    `update versions set change_count =
    (select count(*) from changes where version_id = versions.id)`,
    `create trigger versions_touch_on_update after update of id, changelog_id, label, title, status, published_at, description, yanked, created_order on versions
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select p.team_id, p.id \
from (select old.changelog_id as changelog_id) r join changelogs c on c.id = r.changelog_id join products p on p.id = c.product_id) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision;insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select p.team_id, p.id \
from (select new.changelog_id as changelog_id) r join changelogs c on c.id = r.changelog_id join products p on p.id = c.product_id) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision; end`,
    `create trigger versions_touch_on_update_replacing before update of id, changelog_id, label, title, status, published_at, description, yanked, created_order on versions
      when exists (select 1 from versions where (id = new.id or changelog_id = new.changelog_id \
and label = new.label) and id <> old.id) begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select p.team_id, p.id from (select changelog_id \
from versions where (id = new.id or changelog_id = new.changelog_id and label = new.label) and id <> old.id) r \
join changelogs c on c.id = r.changelog_id join products p on p.id = c.product_id) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision; end`,
    `create trigger changes_count_on_insert_replacing before insert on changes
    when exists (select 1 from changes
    where (id = new.id or version_id = new.version_id and position = new.position) )
    begin insert into uncounted select distinct version_id from changes
    where (id = new.id or version_id = new.version_id and position = new.position)  on conflict (version_id) do nothing; end`,
    `create trigger changes_count_on_update_replacing before update of id, version_id, position on changes
    when exists (select 1 from changes
    where (id = new.id or version_id = new.version_id and position = new.position) and id <> old.id)
    begin insert into uncounted select distinct version_id from changes
    where (id = new.id or version_id = new.version_id and position = new.position) and id <> old.id on conflict (version_id) do nothing; end`,
    `create trigger changes_count_on_insert after insert on changes
     begin update versions set change_count = (select count(*) from changes where version_id = versions.id) \
where id in (new.version_id); update versions set change_count = (select count(*) from changes \
where version_id = versions.id) where id in (select version_id from uncounted); delete from uncounted; end`,
    `create trigger changes_count_on_update after update of id, version_id, position on changes
     when old.version_id <> new.version_id or exists (select 1 from uncounted)
     begin update versions set change_count = (select count(*) from changes where version_id = versions.id) \
where id in (old.version_id, new.version_id); update versions set change_count = (select count(*) from changes \
where version_id = versions.id) where id in (select version_id from uncounted); delete from uncounted; end`,
    `create trigger changes_count_on_delete after delete on changes
     begin update versions set change_count = (select count(*) from changes where version_id = versions.id) where id in (old.version_id); end`,
    `create trigger versions_count_on_insert after insert on versions
         when new.change_count <> (select count(*) from changes where version_id = new.id)
         begin update versions set change_count = (select count(*) from changes where version_id = versions.id) where id in (new.id); end`,
    `create trigger versions_count_on_update after update of id, change_count on versions
         when new.change_count <> (select count(*) from changes where version_id = new.id)
         begin update versions set change_count = (select count(*) from changes where version_id = versions.id) where id in (new.id); end`,
  ],
  postgres: [
    `alter table versions add column change_count integer default 0 not null`,
    `create or replace function touch_rows()
returns trigger language plpgsql set search_path from current as $$
declare
  selected text := case when tg_op = 'DELETE' then tg_argv[1] else tg_argv[0] end;
  rows text;
begin
  if tg_table_name in ('versions', 'changes') and current_setting('changelog.bulk', true) = 'on' then return null; end if;
  if tg_op = 'TRUNCATE' then selected := 'select 0, 0'; end if;
  foreach rows in array case tg_op
    when 'INSERT' then array['new_rows']
    when 'UPDATE' then array['old_rows', 'new_rows']
    else array['old_rows'] end
  loop
    execute format(
      'insert into touches (team_id, product_id, revision)
         select touched.*, advance_revision() from (select distinct * from (%s) every) touched
         on conflict (team_id, product_id) do update set revision = excluded.revision
         where touches.revision <> excluded.revision',
      replace(selected, '{rows}', rows));
  end loop;
  if tg_op = 'DELETE' and tg_argv[2] <> '' then
    execute 'delete from touches where ' || replace(tg_argv[2], '{rows}', 'old_rows');
  end if;
  -- Everything includes whatever was touched before.
  if tg_op = 'TRUNCATE' then delete from touches where team_id <> 0; end if;
  return null;
end $$`,
    `create function count_changes() returns trigger language plpgsql set search_path from current as $$
declare
  counted text[];
begin
  if current_setting('changelog.bulk', true) = 'on' then return null; end if;
  execute format('select array_agg(distinct id) from (%s) every (id)', tg_argv[0]) into counted;
  if counted is null then return null; end if;
  -- Whoever else writes waits here, and what they wrote before is seen by the statement below.
  perform advance_revision();
  perform set_config('changelog.bulk', 'on', true);
  update versions set change_count = every.number
    from (select one, (select count(*) from changes where version_id = one) from unnest(counted) one) every (id, number)
    where versions.id = every.id and change_count <> every.number;
  perform set_config('changelog.bulk', 'off', true);
  return null;
end $$`,
    `create trigger changes_count_on_insert after insert on changes referencing new table as new_rows
    for each statement execute function count_changes('select version_id from new_rows')`,
    `create trigger changes_count_on_delete after delete on changes referencing old table as old_rows
    for each statement execute function count_changes('select version_id from old_rows')`,
    `create trigger changes_count_on_update after update on changes referencing old table as old_rows new table as new_rows
    for each statement execute function count_changes('select unnest(array[o.version_id, n.version_id]) from old_rows o full join new_rows n using (id)
       where o.version_id is distinct from n.version_id')`,
    `create trigger changes_count_on_truncate after truncate on changes
    for each statement execute function count_changes('select id from versions where change_count <> 0')`,
    `create trigger versions_count_on_insert after insert on versions referencing new table as new_rows
    for each statement execute function count_changes('select id from new_rows where change_count <> 0')`,
    `create trigger versions_count_on_update after update on versions referencing old table as old_rows new table as new_rows
    for each statement execute function count_changes('select n.id from new_rows n left join old_rows o using (id) where n.change_count is distinct from o.change_count')`,
    `select 1 from revision for update`,
    `select set_config('changelog.bulk', 'on', true)`,
    `update versions set change_count =
    (select count(*) from changes where version_id = versions.id)`,
    `select set_config('changelog.bulk', 'off', true)`,
  ],
};
