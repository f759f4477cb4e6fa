import type { Step } from './step.ts';

/**
 * A number that every write advances, and the number of the last write to each team and product. Nodes poll them to find
 * out which cached responses are out of date (R29). Product 0 is the whole team, product -1 its API keys, and team 0
 * everything.
 */
export const REVISIONS: Step = {
  name: '0002_revisions',
  sqlite: [
    `create table "revision" (\
"id" integer not null primary key, "value" integer not null, \
constraint "revision_is_one_row" check (id = 1))`,
    `insert into revision (id, value) values (1, 1)`,
    `create table "touches" (\
"team_id" integer not null, "product_id" integer not null, "revision" integer not null, \
constraint "touches_pair" primary key ("team_id", "product_id"))`,
    `create index "touches_since" on "touches" ("revision")`,
    `create index "touches_of_product" on "touches" ("product_id")`,
    // With `or replace`, SQLite deletes conflicting rows without firing a trigger; those named `…_replacing` record them.
    `create trigger teams_touch_on_insert after insert on teams
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select r.id, 0 from (select new.id as id) r) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision; end`,
    `create trigger teams_touch_on_update after update on teams
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select r.id, 0 from (select old.id as id) r) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision;insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select r.id, 0 from (select new.id as id) r) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision; end`,
    `create trigger teams_touch_on_delete after delete on teams
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select 0, 0 from (select old.id as id) r) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision;\
delete from touches where team_id in (select r.id from (select old.id as id) r); end`,
    `create trigger teams_touch_on_insert_replacing before insert on teams
      when exists (select 1 from teams where (id = new.id or slug = new.slug) ) \
begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select r.id, 0 from (select id from teams where (id = new.id or slug = new.slug) ) r) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision; end`,
    `create trigger teams_touch_on_update_replacing before update on teams
      when exists (select 1 from teams where (id = new.id or slug = new.slug) and id <> old.id) \
begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select r.id, 0 from (select id from teams where (id = new.id or slug = new.slug) and id <> old.id) r) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision; end`,
    `create trigger products_touch_on_insert after insert on products
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select r.team_id, r.id from (select new.id as id, new.team_id as team_id) r) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision; end`,
    `create trigger products_touch_on_update after update on products
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select r.team_id, r.id from (select old.id as id, old.team_id as team_id) r) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision;insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select r.team_id, r.id from (select new.id as id, new.team_id as team_id) r) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision; end`,
    `create trigger products_touch_on_delete after delete on products
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select t.id, 0 from (select old.id as id, old.team_id as team_id) r join teams t on t.id = r.team_id) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision;\
delete from touches where product_id in (select r.id from (select old.id as id, old.team_id as team_id) r); end`,
    `create trigger products_touch_on_insert_replacing before insert on products
      when exists (select 1 from products where (id = new.id or team_id = new.team_id and slug = new.slug) ) \
begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select r.team_id, r.id from (select id, team_id \
from products where (id = new.id or team_id = new.team_id and slug = new.slug) ) r) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision; end`,
    `create trigger products_touch_on_update_replacing before update on products
      when exists (select 1 from products where (id = new.id or team_id = new.team_id and slug = new.slug) \
and id <> old.id) begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select r.team_id, r.id from (select id, team_id \
from products where (id = new.id or team_id = new.team_id and slug = new.slug) and id <> old.id) r) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision; end`,
    `create trigger changelogs_touch_on_insert after insert on changelogs
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select p.team_id, p.id \
from (select new.product_id as product_id) r join products p on p.id = r.product_id) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision; end`,
    `create trigger changelogs_touch_on_update after update on changelogs
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select p.team_id, p.id \
from (select old.product_id as product_id) r join products p on p.id = r.product_id) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision;insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select p.team_id, p.id \
from (select new.product_id as product_id) r join products p on p.id = r.product_id) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision; end`,
    `create trigger changelogs_touch_on_delete after delete on changelogs
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select p.team_id, p.id \
from (select old.product_id as product_id) r join products p on p.id = r.product_id) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision; end`,
    `create trigger changelogs_touch_on_insert_replacing before insert on changelogs
      when exists (select 1 from changelogs where (id = new.id or product_id = new.product_id) ) \
begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select p.team_id, p.id from (select product_id \
from changelogs where (id = new.id or product_id = new.product_id) ) r join products p on p.id = r.product_id) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision; end`,
    `create trigger changelogs_touch_on_update_replacing before update on changelogs
      when exists (select 1 from changelogs where (id = new.id or product_id = new.product_id) \
and id <> old.id) begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select p.team_id, p.id from (select product_id \
from changelogs where (id = new.id or product_id = new.product_id) and id <> old.id) r join products p on p.id = r.product_id) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision; end`,
    `create trigger versions_touch_on_insert after insert on versions
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select p.team_id, p.id \
from (select new.changelog_id as changelog_id) r join changelogs c on c.id = r.changelog_id join products p on p.id = c.product_id) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision; end`,
    `create trigger versions_touch_on_update after update on versions
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select p.team_id, p.id \
from (select old.changelog_id as changelog_id) r join changelogs c on c.id = r.changelog_id join products p on p.id = c.product_id) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision;insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select p.team_id, p.id \
from (select new.changelog_id as changelog_id) r join changelogs c on c.id = r.changelog_id join products p on p.id = c.product_id) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision; end`,
    `create trigger versions_touch_on_delete after delete on versions
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select p.team_id, p.id \
from (select old.changelog_id as changelog_id) r join changelogs c on c.id = r.changelog_id join products p on p.id = c.product_id) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision; end`,
    `create trigger versions_touch_on_insert_replacing before insert on versions
      when exists (select 1 from versions where (id = new.id or changelog_id = new.changelog_id \
and label = new.label) ) begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select p.team_id, p.id from (select changelog_id \
from versions where (id = new.id or changelog_id = new.changelog_id and label = new.label) ) r join changelogs c \
on c.id = r.changelog_id join products p on p.id = c.product_id) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision; end`,
    `create trigger versions_touch_on_update_replacing before update on versions
      when exists (select 1 from versions where (id = new.id or changelog_id = new.changelog_id \
and label = new.label) and id <> old.id) begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select p.team_id, p.id from (select changelog_id \
from versions where (id = new.id or changelog_id = new.changelog_id and label = new.label) and id <> old.id) r \
join changelogs c on c.id = r.changelog_id join products p on p.id = c.product_id) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision; end`,
    `create trigger changes_touch_on_insert after insert on changes
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select p.team_id, p.id \
from (select new.version_id as version_id) r join versions v on v.id = r.version_id join changelogs c on c.id = v.changelog_id
       join products p on p.id = c.product_id) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision; end`,
    `create trigger changes_touch_on_update after update on changes
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select p.team_id, p.id \
from (select old.version_id as version_id) r join versions v on v.id = r.version_id join changelogs c on c.id = v.changelog_id
       join products p on p.id = c.product_id) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision;insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select p.team_id, p.id \
from (select new.version_id as version_id) r join versions v on v.id = r.version_id join changelogs c on c.id = v.changelog_id
       join products p on p.id = c.product_id) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision; end`,
    `create trigger changes_touch_on_delete after delete on changes
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select p.team_id, p.id \
from (select old.version_id as version_id) r join versions v on v.id = r.version_id join changelogs c on c.id = v.changelog_id
       join products p on p.id = c.product_id) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision; end`,
    `create trigger changes_touch_on_insert_replacing before insert on changes
      when exists (select 1 from changes where (id = new.id or version_id = new.version_id \
and position = new.position) ) begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select p.team_id, p.id from (select version_id \
from changes where (id = new.id or version_id = new.version_id and position = new.position) ) r join versions v \
on v.id = r.version_id join changelogs c on c.id = v.changelog_id
       join products p on p.id = c.product_id) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision; end`,
    `create trigger changes_touch_on_update_replacing before update on changes
      when exists (select 1 from changes where (id = new.id or version_id = new.version_id \
and position = new.position) and id <> old.id) begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select p.team_id, p.id from (select version_id \
from changes where (id = new.id or version_id = new.version_id and position = new.position) and id <> old.id) r \
join versions v on v.id = r.version_id join changelogs c on c.id = v.changelog_id
       join products p on p.id = c.product_id) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision; end`,
    `create trigger api_keys_touch_on_insert after insert on api_keys
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select r.team_id, -1 from (select new.team_id as team_id) r) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision; end`,
    `create trigger api_keys_touch_on_update after update on api_keys
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select r.team_id, -1 from (select old.team_id as team_id) r) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision;insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select r.team_id, -1 from (select new.team_id as team_id) r) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision; end`,
    `create trigger api_keys_touch_on_delete after delete on api_keys
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select t.id, -1 from (select old.team_id as team_id) r join teams t on t.id = r.team_id) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision; end`,
    `create trigger api_key_products_touch_on_insert after insert on api_key_products
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select r.team_id, -1 from (select new.team_id as team_id) r) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision; end`,
    `create trigger api_key_products_touch_on_update after update on api_key_products
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select r.team_id, -1 from (select old.team_id as team_id) r) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision;insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select r.team_id, -1 from (select new.team_id as team_id) r) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision; end`,
    `create trigger api_key_products_touch_on_delete after delete on api_key_products
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision)
     select touched.*, (select value from revision) from (select t.id, -1 from (select old.team_id as team_id) r join teams t on t.id = r.team_id) touched
     where true on conflict (team_id, product_id) do update set revision = excluded.revision; end`,
  ],
  postgres: [
    `create table revision (
      id integer not null primary key, value bigint not null,
      constraint revision_is_one_row check (id = 1))`,
    `insert into revision (id, value) values (1, 1)`,
    `create table touches (
      team_id integer not null, product_id integer not null, revision bigint not null,
      constraint touches_pair primary key (team_id, product_id))`,
    `create index touches_since on touches (revision)`,
    `create index touches_of_product on touches (product_id)`,
    // The row stays locked until the transaction ends, so revisions become visible in their order.
    `create function advance_revision() returns bigint language plpgsql set search_path from current as $$
declare
  taken text := current_setting('changelog.revision', true);
  advanced bigint;
begin
  if taken <> '' then return taken::bigint; end if;
  update revision set value = value + 1 returning value into advanced;
  perform set_config('changelog.revision', advanced::text, true);
  return advanced;
end $$`,
    `create function touch_rows()
returns trigger language plpgsql set search_path from current as $$
declare
  selected text := case when tg_op = 'DELETE' then tg_argv[1] else tg_argv[0] end;
  rows text;
begin
  
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
    `do $do$
    declare
      rule record;
    begin
      for rule in select * from
        (values
          ('insert', 'referencing new table as new_rows'),
          ('update', 'referencing old table as old_rows new table as new_rows'),
          ('delete', 'referencing old table as old_rows'),
          ('truncate', '')) events (event, transition),
        (values
          ('teams', 'select r.id, 0 from {rows} r', 'select 0, 0 from {rows} r',
            'team_id in (select r.id from {rows} r)'),
          ('products', 'select r.team_id, r.id from {rows} r',
            'select t.id, 0 from {rows} r join teams t on t.id = r.team_id',
            'product_id in (select r.id from {rows} r)'),
          ('changelogs', 'select p.team_id, p.id from {rows} r join products p on p.id = r.product_id',
            'select p.team_id, p.id from {rows} r join products p on p.id = r.product_id', ''),
          ('versions',
            'select p.team_id, p.id from {rows} r join changelogs c on c.id = r.changelog_id \
join products p on p.id = c.product_id',
            'select p.team_id, p.id from {rows} r join changelogs c on c.id = r.changelog_id \
join products p on p.id = c.product_id', ''),
          ('changes',
            'select p.team_id, p.id from {rows} r join versions v on v.id = r.version_id \
join changelogs c on c.id = v.changelog_id
       join products p on p.id = c.product_id',
            'select p.team_id, p.id from {rows} r join versions v on v.id = r.version_id \
join changelogs c on c.id = v.changelog_id
       join products p on p.id = c.product_id', ''),
          ('api_keys', 'select r.team_id, -1 from {rows} r',
            'select t.id, -1 from {rows} r join teams t on t.id = r.team_id', ''),
          ('api_key_products', 'select r.team_id, -1 from {rows} r',
            'select t.id, -1 from {rows} r join teams t on t.id = r.team_id', '')) rules (name, written, deleted, forgotten)
      loop
        execute format('create trigger %s_touch_on_%s after %s on %s %s
          for each statement execute function touch_rows(%L, %L, %L)', rule.name, rule.event, rule.event, rule.name,
          rule.transition, rule.written, rule.deleted, rule.forgotten);
      end loop;
    end $do$`,
  ],
};
