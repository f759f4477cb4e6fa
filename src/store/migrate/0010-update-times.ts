import type { Step } from './step.ts';

/**
 * When anything that the record of a version shows last changed (R45). Null: not since it was created with the date of
 * `published_at`. A write that sets `updated_at` itself keeps its value. A time ahead of the clock moves by a millisecond,
 * because it must not go back; a date of publication counts as ahead from five minutes on, because clocks differ.
 */
export const UPDATE_TIMES: Step = {
  name: '0010_update_times',
  sqlite: [
    `alter table versions add column updated_at text constraint versions_updated_form check (updated_at like '____-__-__T__:__:__.___Z'
  and substr(updated_at, 1, 4) between '0000' and '9999'
  and substr(updated_at, 6, 2) between '01' and '12'
  and substr(updated_at, 9, 2) between '01' and '31'
  and substr(updated_at, 12, 2) between '00' and '23'
  and substr(updated_at, 15, 2) between '00' and '59'
  and substr(updated_at, 18, 2) between '00' and '59')`,
    `update versions set updated_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
  where published_at is null or published_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+5 minutes')`,
    `drop trigger versions_touch_on_update`,
    `create trigger versions_touch_on_update after update of id, changelog_id, label, title, status, published_at, description, yanked, created_order, updated_at on versions
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select p.team_id, p.id, r.status = 'published' and exists (select 1 from public_changelogs \
where changelog_id = c.id), null from (select old.changelog_id as changelog_id, old.status as status) r \
join changelogs c on c.id = r.changelog_id join products p on p.id = c.product_id), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision);\
insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select p.team_id, p.id, r.status = 'published' and exists (select 1 from public_changelogs \
where changelog_id = c.id), null from (select new.changelog_id as changelog_id, new.status as status) r \
join changelogs c on c.id = r.changelog_id join products p on p.id = c.product_id), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision); end`,
    // A row that `or replace` puts in the place of another has changed. `uncounted` holds its id from before to after.
    `create trigger versions_updated_on_insert_replacing before insert on versions
    when exists (select 1 from versions where id = new.id or changelog_id = new.changelog_id and label = new.label)
    begin insert into uncounted values (new.id) on conflict (version_id) do nothing; end`,
    `create trigger versions_updated_on_insert after insert on versions
    when new.updated_at is null and (new.published_at is null
      or new.published_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+5 minutes')
      or exists (select 1 from uncounted where version_id = new.id))
    begin update versions set updated_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') where id = new.id;
    delete from uncounted where version_id = new.id; end`,
    `create trigger versions_updated_on_update
    after update of id, label, title, status, published_at, description, yanked, updated_at on versions
    when new.updated_at is old.updated_at and (new.id, new.label, new.title, new.status, new.published_at, new.description, new.yanked)
        is not (old.id, old.label, old.title, old.status, old.published_at, old.description, old.yanked)
      or new.updated_at is null and new.published_at is null
    begin update versions set updated_at = case
      when coalesce(old.updated_at, old.published_at, '') <= strftime('%Y-%m-%dT%H:%M:%fZ', 'now') then strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
      when coalesce(old.updated_at, old.published_at, '') < '9999' then strftime('%Y-%m-%dT%H:%M:%fZ', coalesce(old.updated_at, old.published_at, ''), '+0.001 seconds')
      else coalesce(old.updated_at, old.published_at, '') end
    where id = new.id; end`,
    `drop trigger changes_count_on_insert`,
    `drop trigger changes_count_on_update`,
    `drop trigger changes_count_on_delete`,
    `create trigger changes_count_on_insert after insert on changes
    begin update versions set change_count = (select count(*) from changes where version_id = versions.id),
      updated_at = case
      when coalesce(updated_at, published_at, '') <= strftime('%Y-%m-%dT%H:%M:%fZ', 'now') then strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
      when coalesce(updated_at, published_at, '') < '9999' then strftime('%Y-%m-%dT%H:%M:%fZ', coalesce(updated_at, published_at, ''), '+0.001 seconds')
      else coalesce(updated_at, published_at, '') end where id = new.version_id;
    update versions set change_count = (select count(*) from changes where version_id = versions.id),
      updated_at = case
      when coalesce(updated_at, published_at, '') <= strftime('%Y-%m-%dT%H:%M:%fZ', 'now') then strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
      when coalesce(updated_at, published_at, '') < '9999' then strftime('%Y-%m-%dT%H:%M:%fZ', coalesce(updated_at, published_at, ''), '+0.001 seconds')
      else coalesce(updated_at, published_at, '') end where id in (select version_id from uncounted)
      and change_count <> (select count(*) from changes where version_id = versions.id);
    delete from uncounted; end`,
    `create trigger changes_count_on_update after update of id, version_id, position on changes
    when old.version_id <> new.version_id or exists (select 1 from uncounted)
    begin update versions set change_count = (select count(*) from changes where version_id = versions.id)
      where id in (old.version_id, new.version_id);
    update versions set change_count = (select count(*) from changes where version_id = versions.id),
      updated_at = case
      when coalesce(updated_at, published_at, '') <= strftime('%Y-%m-%dT%H:%M:%fZ', 'now') then strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
      when coalesce(updated_at, published_at, '') < '9999' then strftime('%Y-%m-%dT%H:%M:%fZ', coalesce(updated_at, published_at, ''), '+0.001 seconds')
      else coalesce(updated_at, published_at, '') end where id in (select version_id from uncounted)
      and change_count <> (select count(*) from changes where version_id = versions.id);
    delete from uncounted; end`,
    `create trigger changes_count_on_delete after delete on changes
    begin update versions set change_count = (select count(*) from changes where version_id = versions.id),
      updated_at = case
      when coalesce(updated_at, published_at, '') <= strftime('%Y-%m-%dT%H:%M:%fZ', 'now') then strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
      when coalesce(updated_at, published_at, '') < '9999' then strftime('%Y-%m-%dT%H:%M:%fZ', coalesce(updated_at, published_at, ''), '+0.001 seconds')
      else coalesce(updated_at, published_at, '') end where id = old.version_id; end`,
    `create trigger changes_updated_on_update after update of id, version_id, position, type, text, breaking on changes
    when (new.id, new.version_id, new.position, new.type, new.text, new.breaking)
      is not (old.id, old.version_id, old.position, old.type, old.text, old.breaking)
    begin update versions set updated_at = case
      when coalesce(updated_at, published_at, '') <= strftime('%Y-%m-%dT%H:%M:%fZ', 'now') then strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
      when coalesce(updated_at, published_at, '') < '9999' then strftime('%Y-%m-%dT%H:%M:%fZ', coalesce(updated_at, published_at, ''), '+0.001 seconds')
      else coalesce(updated_at, published_at, '') end where id in (old.version_id, new.version_id); end`,
  ],
  postgres: [
    `alter table versions add column updated_at text collate "C" constraint versions_updated_form check (updated_at like '____-__-__T__:__:__.___Z'
  and substr(updated_at, 1, 4) between '0000' and '9999'
  and substr(updated_at, 6, 2) between '01' and '12'
  and substr(updated_at, 9, 2) between '01' and '31'
  and substr(updated_at, 12, 2) between '00' and '23'
  and substr(updated_at, 15, 2) between '00' and '59'
  and substr(updated_at, 18, 2) between '00' and '59')`,
    `create function moved_on(last text) returns text volatile language plpgsql set search_path from current as $$
declare
  now_utc text := to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
begin
  if last is null or last <= now_utc then return now_utc; end if;
  if last >= '9999' then return last; end if;
  begin
    return to_char((last::timestamptz + interval '1 millisecond') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
  exception when datetime_field_overflow then return last; -- The form allows days that do not exist, such as 02-31.
  end;
end $$`,
    // Before the row is written, so that it is written once. These stay on in bulk, where they find nothing to do.
    `create function date_version() returns trigger language plpgsql set search_path from current as $$
begin
  new.updated_at := moved_on(case tg_op when 'UPDATE' then coalesce(old.updated_at, old.published_at) end);
  return new;
end $$`,
    `create trigger versions_updated_on_insert before insert on versions for each row
    when (new.updated_at is null and (new.published_at is null
      or new.published_at > to_char((clock_timestamp() + interval '5 minutes') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
    execute function date_version()`,
    `create trigger versions_updated_on_update before update on versions for each row
    when (new.updated_at is not distinct from old.updated_at
        and (new.id, new.label, new.title, new.status, new.published_at, new.description, new.yanked)
          is distinct from (old.id, old.label, old.title, old.status, old.published_at, old.description, old.yanked)
      or new.updated_at is null and new.published_at is null)
    execute function date_version()`,
    `create or replace function count_changes() returns trigger language plpgsql set search_path from current as $$
declare
  counted text[];
begin
  if current_setting('changelog.bulk', true) = 'on' then return null; end if;
  execute format('select array_agg(distinct id) from (%s) every (id)', tg_argv[0]) into counted;
  if counted is null then return null; end if;
  -- Whoever else writes waits here, and what they wrote before is seen by the statement below.
  perform advance_revision();
  perform set_config('changelog.bulk', 'on', true);
  if tg_table_name = 'changes' then
    update versions set change_count = (select count(*) from changes where version_id = versions.id),
      updated_at = moved_on(coalesce(updated_at, published_at)) where id = any (counted);
  else
    update versions set change_count = every.number
      from (select one, (select count(*) from changes where version_id = one) from unnest(counted) one) every (id, number)
      where versions.id = every.id and change_count <> every.number;
  end if;
  perform set_config('changelog.bulk', 'off', true);
  return null;
end $$`,
    `drop trigger changes_count_on_update on changes`,
    `create trigger changes_count_on_update after update on changes referencing old table as old_rows new table as new_rows
    for each statement execute function count_changes('select unnest(array[o.version_id, n.version_id])
      from old_rows o full join new_rows n using (id)
      where (o.version_id, o.position, o.type, o.text, o.breaking)
        is distinct from (n.version_id, n.position, n.type, n.text, n.breaking)')`,
    // Words and sort columns do not depend on the other columns of a version.
    `drop trigger versions_facts_on_update on versions`,
    `create trigger versions_facts_on_update after update on versions referencing old table as old_rows new table as new_rows
    for each statement execute function refresh_facts_of_rows('select n.id from new_rows n left join old_rows o using (id)
      where (o.changelog_id, o.label, o.title, o.status, o.published_at, o.description, o.created_order)
        is distinct from (n.changelog_id, n.label, n.title, n.status, n.published_at, n.description, n.created_order)')`,
    `select 1 from revision for update`,
    `select set_config('changelog.bulk', 'on', true)`,
    `update versions set updated_at = to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  where published_at is null or published_at > to_char((clock_timestamp() + interval '5 minutes') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    `select set_config('changelog.bulk', 'off', true)`,
  ],
};
