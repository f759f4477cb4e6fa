import type { Step } from './step.ts';

/**
 * A table of the publicly visible changelogs, and a full-text index that is read without visiting hidden rows (R9). A
 * touch records whether anything public was written.
 */
export const PUBLIC_ROWS: Step = {
  name: '0007_public_rows',
  sqlite: [
    `create table public_changelogs (
    team_slug text not null,
    product_slug text not null,
    team_id integer not null,
    product_id integer not null,
    changelog_id text not null unique,
    primary key (team_slug, product_slug)) without rowid`,
    `create index public_changelogs_of_team on public_changelogs (team_id)`,
    `create index public_changelogs_of_product on public_changelogs (product_id)`,
    `create unique index api_keys_by_state on api_keys (status, hash)`,
    `create table public_facts (number integer not null primary key)`,
    `create view public_search_rows as select number, scope, types, body from version_facts
    where number in (select number from public_facts)`,
    `create view hidden_search_rows as select number, scope, types, body from version_facts
    where number not in (select number from public_facts)`,
    `create virtual table public_search using fts5 (
      scope, types, body, content = 'public_search_rows', content_rowid = 'number', tokenize = 'unicode61 remove_diacritics 0 categories ''Lu Ll Lt Lm N*''')`,
    `create virtual table hidden_search using fts5 (
      scope, types, body, content = 'hidden_search_rows', content_rowid = 'number', tokenize = 'unicode61 remove_diacritics 0 categories ''Lu Ll Lt Lm N*''')`,
    `insert into public_changelogs (team_slug, product_slug, team_id, product_id, changelog_id) \
select t.slug as team_slug, p.slug as product_slug, t.id as team_id, p.id as product_id,
    c.id as changelog_id
  from teams t join products p on p.team_id = t.id join changelogs c on c.product_id = p.id
  where t.visibility = 'public' and p.status = 'published' and c.status = 'published'`,
    `insert into public_facts (number) select f.number from public_changelogs p
     join version_facts f on f.changelog_id = p.changelog_id and f.status = 'published'`,
    `insert into public_search (public_search) values ('rebuild')`,
    `insert into hidden_search (hidden_search) values ('rebuild')`,
    `drop table version_search`,
    `drop trigger version_facts_indexed`,
    `drop trigger version_facts_not_indexed`,
    // A row is indexed before it counts as public, and stops counting after it was removed from the index.
    `create trigger version_facts_indexed after insert on version_facts begin
     insert into public_search (rowid, scope, types, body) select number, scope, types, body \
from (select new.number as number, new.scope as scope, new.types as types, new.body as body
    where new.status = 'published'
  and exists (select 1 from public_changelogs where changelog_id = new.changelog_id));
     insert into hidden_search (rowid, scope, types, body) select number, scope, types, body \
from (select new.number as number, new.scope as scope, new.types as types, new.body as body
    where not (new.status = 'published'
  and exists (select 1 from public_changelogs where changelog_id = new.changelog_id)));
     insert into public_facts (number) select new.number where new.status = 'published'
  and exists (select 1 from public_changelogs where changelog_id = new.changelog_id); end`,
    `create trigger version_facts_not_indexed after delete on version_facts begin
     insert into public_search (public_search, rowid, scope, types, body)
     select 'delete', number, scope, types, body from (select old.number as number, old.scope as scope, old.types as types, old.body as body
    where exists (select 1 from public_facts where number = old.number));
     insert into hidden_search (hidden_search, rowid, scope, types, body)
     select 'delete', number, scope, types, body from (select old.number as number, old.scope as scope, old.types as types, old.body as body
    where not exists (select 1 from public_facts where number = old.number));
     delete from public_facts where number = old.number; end`,
    `create trigger public_changelogs_shown after insert on public_changelogs begin
     insert into hidden_search (hidden_search, rowid, scope, types, body)
     select 'delete', number, scope, types, body from version_facts where changelog_id = new.changelog_id and status = 'published'
  and not exists (select 1 from public_facts where number = version_facts.number);
     insert into public_search (rowid, scope, types, body) select number, scope, types, body from version_facts \
where changelog_id = new.changelog_id and status = 'published'
  and not exists (select 1 from public_facts where number = version_facts.number);
     insert into public_facts (number) select number from version_facts where changelog_id = new.changelog_id and status = 'published'
  and not exists (select 1 from public_facts where number = version_facts.number); end`,
    `create trigger public_changelogs_hidden after delete on public_changelogs begin
     insert into public_search (public_search, rowid, scope, types, body)
     select 'delete', number, scope, types, body from version_facts where changelog_id = old.changelog_id
  and exists (select 1 from public_facts where number = version_facts.number);
     insert into hidden_search (rowid, scope, types, body) select number, scope, types, body from version_facts where changelog_id = old.changelog_id
  and exists (select 1 from public_facts where number = version_facts.number);
     delete from public_facts where number in (select number from version_facts where changelog_id = old.changelog_id);
   end`,
    `alter table touches add column public_revision integer not null default 0`,
    `update touches set public_revision = revision where product_id <> -1`,
    `create index touches_public_since on touches (public_revision)`,
    `drop trigger teams_touch_on_insert`,
    `drop trigger teams_touch_on_update`,
    `drop trigger teams_touch_on_delete`,
    `drop trigger teams_touch_on_insert_replacing`,
    `drop trigger teams_touch_on_update_replacing`,
    `drop trigger products_touch_on_insert`,
    `drop trigger products_touch_on_update`,
    `drop trigger products_touch_on_delete`,
    `drop trigger products_touch_on_insert_replacing`,
    `drop trigger products_touch_on_update_replacing`,
    `drop trigger changelogs_touch_on_insert`,
    `drop trigger changelogs_touch_on_update`,
    `drop trigger changelogs_touch_on_delete`,
    `drop trigger changelogs_touch_on_insert_replacing`,
    `drop trigger changelogs_touch_on_update_replacing`,
    `drop trigger versions_touch_on_insert`,
    `drop trigger versions_touch_on_update`,
    `drop trigger versions_touch_on_delete`,
    `drop trigger versions_touch_on_insert_replacing`,
    `drop trigger versions_touch_on_update_replacing`,
    `drop trigger changes_touch_on_insert`,
    `drop trigger changes_touch_on_update`,
    `drop trigger changes_touch_on_delete`,
    `drop trigger changes_touch_on_insert_replacing`,
    `drop trigger changes_touch_on_update_replacing`,
    `drop trigger api_keys_touch_on_insert`,
    `drop trigger api_keys_touch_on_update`,
    `drop trigger api_keys_touch_on_delete`,
    `drop trigger api_key_products_touch_on_insert`,
    `drop trigger api_key_products_touch_on_update`,
    `drop trigger api_key_products_touch_on_delete`,
    `create trigger teams_touch_on_insert after insert on teams
       begin update revision set value = value + 1; \
delete from public_changelogs where (team_id in (new.id, new.id) or team_slug = new.slug) \
and not exists (select 1 from (select t.slug as team_slug, p.slug as product_slug, t.id as team_id, p.id as product_id,
    c.id as changelog_id
  from teams t join products p on p.team_id = t.id join changelogs c on c.product_id = p.id
  where t.visibility = 'public' and p.status = 'published' and c.status = 'published') n
     where n.changelog_id = public_changelogs.changelog_id);
   insert into public_changelogs (team_slug, product_slug, team_id, product_id, changelog_id) \
select t.slug as team_slug, p.slug as product_slug, t.id as team_id, p.id as product_id,
    c.id as changelog_id
  from teams t join products p on p.team_id = t.id join changelogs c on c.product_id = p.id
  where t.visibility = 'public' and p.status = 'published' and c.status = 'published' and t.id = new.id
     on conflict (changelog_id) do update set team_slug = excluded.team_slug, product_slug = excluded.product_slug,
       team_id = excluded.team_id, product_id = excluded.product_id
     where (team_slug, product_slug, team_id, product_id) is not
       (excluded.team_slug, excluded.product_slug, excluded.team_id, excluded.product_id);insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select r.id, 0, exists (select 1 from public_changelogs where team_id = r.id), null from (select new.id as id) r), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision); end`,
    `create trigger teams_touch_on_update after update on teams
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select r.id, 0, exists (select 1 from public_changelogs where team_id = r.id), null from (select old.id as id) r), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision);\
delete from public_changelogs where (team_id in (old.id, new.id) or team_slug = new.slug) \
and not exists (select 1 from (select t.slug as team_slug, p.slug as product_slug, t.id as team_id, p.id as product_id,
    c.id as changelog_id
  from teams t join products p on p.team_id = t.id join changelogs c on c.product_id = p.id
  where t.visibility = 'public' and p.status = 'published' and c.status = 'published') n
     where n.changelog_id = public_changelogs.changelog_id);
   insert into public_changelogs (team_slug, product_slug, team_id, product_id, changelog_id) \
select t.slug as team_slug, p.slug as product_slug, t.id as team_id, p.id as product_id,
    c.id as changelog_id
  from teams t join products p on p.team_id = t.id join changelogs c on c.product_id = p.id
  where t.visibility = 'public' and p.status = 'published' and c.status = 'published' and t.id = new.id
     on conflict (changelog_id) do update set team_slug = excluded.team_slug, product_slug = excluded.product_slug,
       team_id = excluded.team_id, product_id = excluded.product_id
     where (team_slug, product_slug, team_id, product_id) is not
       (excluded.team_slug, excluded.product_slug, excluded.team_id, excluded.product_id);insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select r.id, 0, exists (select 1 from public_changelogs where team_id = r.id), null from (select new.id as id) r), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision); end`,
    `create trigger teams_touch_on_delete after delete on teams
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select 0, 0, exists (select 1 from public_changelogs where team_id = r.id),
      (select max(public_revision) from touches where team_id = r.id) from (select old.id as id) r), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision);\
delete from public_changelogs where team_id = old.id;delete from touches where team_id = old.id; end`,
    `create trigger teams_touch_on_insert_replacing before insert on teams
      when exists (select 1 from teams where (id = new.id or slug = new.slug) )
      begin update revision set value = value + 1; insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select r.id, 0, exists (select 1 from public_changelogs where team_id = r.id), null \
from (select id from teams where (id = new.id or slug = new.slug) ) r), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision); end`,
    `create trigger teams_touch_on_update_replacing before update on teams
      when exists (select 1 from teams where (id = new.id or slug = new.slug) and id <> old.id)
      begin update revision set value = value + 1; insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select r.id, 0, exists (select 1 from public_changelogs where team_id = r.id), null \
from (select id from teams where (id = new.id or slug = new.slug) and id <> old.id) r), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision); end`,
    `create trigger products_touch_on_insert after insert on products
       begin update revision set value = value + 1; \
delete from public_changelogs where (product_id in (new.id, new.id) or team_id = new.team_id \
and product_slug = new.slug) and exists (select 1 from teams where id = public_changelogs.team_id) \
and not exists (select 1 from (select t.slug as team_slug, p.slug as product_slug, t.id as team_id, p.id as product_id,
    c.id as changelog_id
  from teams t join products p on p.team_id = t.id join changelogs c on c.product_id = p.id
  where t.visibility = 'public' and p.status = 'published' and c.status = 'published') n
     where n.changelog_id = public_changelogs.changelog_id);
   insert into public_changelogs (team_slug, product_slug, team_id, product_id, changelog_id) \
select t.slug as team_slug, p.slug as product_slug, t.id as team_id, p.id as product_id,
    c.id as changelog_id
  from teams t join products p on p.team_id = t.id join changelogs c on c.product_id = p.id
  where t.visibility = 'public' and p.status = 'published' and c.status = 'published' and p.id = new.id
     on conflict (changelog_id) do update set team_slug = excluded.team_slug, product_slug = excluded.product_slug,
       team_id = excluded.team_id, product_id = excluded.product_id
     where (team_slug, product_slug, team_id, product_id) is not
       (excluded.team_slug, excluded.product_slug, excluded.team_id, excluded.product_id);insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select r.team_id, r.id, exists (select 1 from public_changelogs where product_id = r.id), null \
from (select new.id as id, new.team_id as team_id) r), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision); end`,
    `create trigger products_touch_on_update after update on products
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select r.team_id, r.id, exists (select 1 from public_changelogs where product_id = r.id), null \
from (select old.id as id, old.team_id as team_id) r), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision);\
delete from public_changelogs where (product_id in (old.id, new.id) or team_id = new.team_id \
and product_slug = new.slug) and exists (select 1 from teams where id = public_changelogs.team_id) \
and not exists (select 1 from (select t.slug as team_slug, p.slug as product_slug, t.id as team_id, p.id as product_id,
    c.id as changelog_id
  from teams t join products p on p.team_id = t.id join changelogs c on c.product_id = p.id
  where t.visibility = 'public' and p.status = 'published' and c.status = 'published') n
     where n.changelog_id = public_changelogs.changelog_id);
   insert into public_changelogs (team_slug, product_slug, team_id, product_id, changelog_id) \
select t.slug as team_slug, p.slug as product_slug, t.id as team_id, p.id as product_id,
    c.id as changelog_id
  from teams t join products p on p.team_id = t.id join changelogs c on c.product_id = p.id
  where t.visibility = 'public' and p.status = 'published' and c.status = 'published' and p.id = new.id
     on conflict (changelog_id) do update set team_slug = excluded.team_slug, product_slug = excluded.product_slug,
       team_id = excluded.team_id, product_id = excluded.product_id
     where (team_slug, product_slug, team_id, product_id) is not
       (excluded.team_slug, excluded.product_slug, excluded.team_id, excluded.product_id);insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select r.team_id, r.id, exists (select 1 from public_changelogs where product_id = r.id), null \
from (select new.id as id, new.team_id as team_id) r), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision); end`,
    `create trigger products_touch_on_delete after delete on products
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select t.id, 0, exists (select 1 from public_changelogs where product_id = r.id),
        (select max(public_revision) from touches where team_id = t.id and product_id = r.id)
      from (select old.id as id, old.team_id as team_id) r join teams t on t.id = r.team_id
        or t.id in (select team_id from touches where product_id = r.id)
      where exists (select 1 from teams where id = r.team_id)), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision);\
delete from public_changelogs where product_id = old.id and exists (select 1 from teams \
where id = public_changelogs.team_id);delete from touches where product_id = old.id and exists (select 1 from teams where id = old.team_id); end`,
    `create trigger products_touch_on_insert_replacing before insert on products
      when exists (select 1 from products where (id = new.id or team_id = new.team_id and slug = new.slug) )
      begin update revision set value = value + 1; insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select r.team_id, r.id, exists (select 1 from public_changelogs where product_id = r.id), null \
from (select id, team_id from products where (id = new.id or team_id = new.team_id and slug = new.slug) ) r), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision); end`,
    `create trigger products_touch_on_update_replacing before update on products
      when exists (select 1 from products where (id = new.id or team_id = new.team_id and slug = new.slug) and id <> old.id)
      begin update revision set value = value + 1; insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select r.team_id, r.id, exists (select 1 from public_changelogs where product_id = r.id), null \
from (select id, team_id from products where (id = new.id or team_id = new.team_id and slug = new.slug) and id <> old.id) r), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision); end`,
    `create trigger changelogs_touch_on_insert after insert on changelogs
       begin update revision set value = value + 1; \
delete from public_changelogs where (changelog_id in (new.id, new.id) \
or product_id in (new.product_id, new.product_id)) and exists (select 1 from products \
where id = public_changelogs.product_id) and not exists (select 1 from (select t.slug as team_slug, p.slug as product_slug, t.id as team_id, p.id as product_id,
    c.id as changelog_id
  from teams t join products p on p.team_id = t.id join changelogs c on c.product_id = p.id
  where t.visibility = 'public' and p.status = 'published' and c.status = 'published') n
     where n.changelog_id = public_changelogs.changelog_id);
   insert into public_changelogs (team_slug, product_slug, team_id, product_id, changelog_id) \
select t.slug as team_slug, p.slug as product_slug, t.id as team_id, p.id as product_id,
    c.id as changelog_id
  from teams t join products p on p.team_id = t.id join changelogs c on c.product_id = p.id
  where t.visibility = 'public' and p.status = 'published' and c.status = 'published' and c.id = new.id
     on conflict (changelog_id) do update set team_slug = excluded.team_slug, product_slug = excluded.product_slug,
       team_id = excluded.team_id, product_id = excluded.product_id
     where (team_slug, product_slug, team_id, product_id) is not
       (excluded.team_slug, excluded.product_slug, excluded.team_id, excluded.product_id);insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select p.team_id, p.id, exists (select 1 from public_changelogs where product_id = p.id)
 , null from (select new.product_id as product_id) r join products p on p.id = r.product_id), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision); end`,
    `create trigger changelogs_touch_on_update after update on changelogs
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select p.team_id, p.id, exists (select 1 from public_changelogs where product_id = p.id)
 , null from (select old.product_id as product_id) r join products p on p.id = r.product_id), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision);\
delete from public_changelogs where (changelog_id in (old.id, new.id) \
or product_id in (old.product_id, new.product_id)) and exists (select 1 from products \
where id = public_changelogs.product_id) and not exists (select 1 from (select t.slug as team_slug, p.slug as product_slug, t.id as team_id, p.id as product_id,
    c.id as changelog_id
  from teams t join products p on p.team_id = t.id join changelogs c on c.product_id = p.id
  where t.visibility = 'public' and p.status = 'published' and c.status = 'published') n
     where n.changelog_id = public_changelogs.changelog_id);
   insert into public_changelogs (team_slug, product_slug, team_id, product_id, changelog_id) \
select t.slug as team_slug, p.slug as product_slug, t.id as team_id, p.id as product_id,
    c.id as changelog_id
  from teams t join products p on p.team_id = t.id join changelogs c on c.product_id = p.id
  where t.visibility = 'public' and p.status = 'published' and c.status = 'published' and c.id = new.id
     on conflict (changelog_id) do update set team_slug = excluded.team_slug, product_slug = excluded.product_slug,
       team_id = excluded.team_id, product_id = excluded.product_id
     where (team_slug, product_slug, team_id, product_id) is not
       (excluded.team_slug, excluded.product_slug, excluded.team_id, excluded.product_id);insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select p.team_id, p.id, exists (select 1 from public_changelogs where product_id = p.id)
 , null from (select new.product_id as product_id) r join products p on p.id = r.product_id), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision); end`,
    `create trigger changelogs_touch_on_delete after delete on changelogs
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select p.team_id, p.id, exists (select 1 from public_changelogs where product_id = p.id)
 , null from (select old.product_id as product_id) r join products p on p.id = r.product_id), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision);\
delete from public_changelogs where changelog_id = old.id and exists (select 1 from products where id = public_changelogs.product_id); end`,
    `create trigger changelogs_touch_on_insert_replacing before insert on changelogs
      when exists (select 1 from changelogs where (id = new.id or product_id = new.product_id) )
      begin update revision set value = value + 1; insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select p.team_id, p.id, exists (select 1 from public_changelogs where product_id = p.id)
 , null from (select product_id from changelogs where (id = new.id or product_id = new.product_id) ) r join products p on p.id = r.product_id), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision); end`,
    `create trigger changelogs_touch_on_update_replacing before update on changelogs
      when exists (select 1 from changelogs where (id = new.id or product_id = new.product_id) and id <> old.id)
      begin update revision set value = value + 1; insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select p.team_id, p.id, exists (select 1 from public_changelogs where product_id = p.id)
 , null from (select product_id from changelogs where (id = new.id or product_id = new.product_id) \
and id <> old.id) r join products p on p.id = r.product_id), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision); end`,
    `create trigger versions_touch_on_insert after insert on versions
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select p.team_id, p.id, r.status = 'published' and exists (select 1 from public_changelogs \
where changelog_id = c.id), null from (select new.changelog_id as changelog_id, new.status as status) r \
join changelogs c on c.id = r.changelog_id join products p on p.id = c.product_id), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision); end`,
    `create trigger versions_touch_on_update after update of id, changelog_id, label, title, status, published_at, description, yanked, created_order on versions
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
    `create trigger versions_touch_on_delete after delete on versions
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select p.team_id, p.id, r.status = 'published' and exists (select 1 from public_changelogs \
where changelog_id = c.id), null from (select old.changelog_id as changelog_id, old.status as status) r \
join changelogs c on c.id = r.changelog_id join products p on p.id = c.product_id), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision); end`,
    `create trigger versions_touch_on_insert_replacing before insert on versions
      when exists (select 1 from versions where (id = new.id or changelog_id = new.changelog_id and label = new.label) )
      begin update revision set value = value + 1; insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select p.team_id, p.id, r.status = 'published' and exists (select 1 from public_changelogs \
where changelog_id = c.id), null from (select changelog_id, status from versions where (id = new.id \
or changelog_id = new.changelog_id and label = new.label) ) r join changelogs c on c.id = r.changelog_id join products p on p.id = c.product_id), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision); end`,
    `create trigger versions_touch_on_update_replacing before update of id, changelog_id, label, title, status, published_at, description, yanked, created_order on versions
      when exists (select 1 from versions where (id = new.id or changelog_id = new.changelog_id and label = new.label) and id <> old.id)
      begin update revision set value = value + 1; insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select p.team_id, p.id, r.status = 'published' and exists (select 1 from public_changelogs \
where changelog_id = c.id), null from (select changelog_id, status from versions where (id = new.id \
or changelog_id = new.changelog_id and label = new.label) and id <> old.id) r join changelogs c \
on c.id = r.changelog_id join products p on p.id = c.product_id), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision); end`,
    `create trigger changes_touch_on_insert after insert on changes
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select p.team_id, p.id, v.status = 'published' and exists (select 1 from public_changelogs \
where changelog_id = c.id), null from (select new.version_id as version_id) r join versions v \
on v.id = r.version_id join changelogs c on c.id = v.changelog_id join products p on p.id = c.product_id), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision); end`,
    `create trigger changes_touch_on_update after update on changes
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select p.team_id, p.id, v.status = 'published' and exists (select 1 from public_changelogs \
where changelog_id = c.id), null from (select old.version_id as version_id) r join versions v \
on v.id = r.version_id join changelogs c on c.id = v.changelog_id join products p on p.id = c.product_id), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision);\
insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select p.team_id, p.id, v.status = 'published' and exists (select 1 from public_changelogs \
where changelog_id = c.id), null from (select new.version_id as version_id) r join versions v \
on v.id = r.version_id join changelogs c on c.id = v.changelog_id join products p on p.id = c.product_id), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision); end`,
    `create trigger changes_touch_on_delete after delete on changes
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select p.team_id, p.id, v.status = 'published' and exists (select 1 from public_changelogs \
where changelog_id = c.id), null from (select old.version_id as version_id) r join versions v \
on v.id = r.version_id join changelogs c on c.id = v.changelog_id join products p on p.id = c.product_id), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision); end`,
    `create trigger changes_touch_on_insert_replacing before insert on changes
      when exists (select 1 from changes where (id = new.id or version_id = new.version_id and position = new.position) )
      begin update revision set value = value + 1; insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select p.team_id, p.id, v.status = 'published' and exists (select 1 from public_changelogs \
where changelog_id = c.id), null from (select version_id from changes where (id = new.id \
or version_id = new.version_id and position = new.position) ) r join versions v on v.id = r.version_id \
join changelogs c on c.id = v.changelog_id join products p on p.id = c.product_id), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision); end`,
    `create trigger changes_touch_on_update_replacing before update on changes
      when exists (select 1 from changes where (id = new.id or version_id = new.version_id and position = new.position) and id <> old.id)
      begin update revision set value = value + 1; insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select p.team_id, p.id, v.status = 'published' and exists (select 1 from public_changelogs \
where changelog_id = c.id), null from (select version_id from changes where (id = new.id \
or version_id = new.version_id and position = new.position) and id <> old.id) r join versions v \
on v.id = r.version_id join changelogs c on c.id = v.changelog_id join products p on p.id = c.product_id), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision); end`,
    `create trigger api_keys_touch_on_insert after insert on api_keys
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select r.team_id, -1, false, null from (select new.team_id as team_id) r), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision); end`,
    `create trigger api_keys_touch_on_update after update on api_keys
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select r.team_id, -1, false, null from (select old.team_id as team_id) r), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision);\
insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select r.team_id, -1, false, null from (select new.team_id as team_id) r), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision); end`,
    `create trigger api_keys_touch_on_delete after delete on api_keys
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select t.id, -1, false, null from (select old.team_id as team_id) r join teams t on t.id = r.team_id), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision); end`,
    `create trigger api_key_products_touch_on_insert after insert on api_key_products
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select r.team_id, -1, false, null from (select new.team_id as team_id) r), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision); end`,
    `create trigger api_key_products_touch_on_update after update on api_key_products
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select r.team_id, -1, false, null from (select old.team_id as team_id) r), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision);\
insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select r.team_id, -1, false, null from (select new.team_id as team_id) r), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision); end`,
    `create trigger api_key_products_touch_on_delete after delete on api_key_products
       begin update revision set value = value + 1; insert into touches (team_id, product_id, revision, public_revision)
     select team_id, product_id, value, case when is_public then value else coalesce(was_public_at, 0) end
     from (select null as team_id, null as product_id, null as is_public, null as was_public_at where false
       union all select t.id, -1, false, null from (select old.team_id as team_id) r join teams t on t.id = r.team_id), revision where true
     on conflict (team_id, product_id) do update
       set revision = excluded.revision, public_revision = max(public_revision, excluded.public_revision); end`,
  ],
  postgres: [
    `create table public_changelogs (
    team_slug text collate "C" not null,
    product_slug text collate "C" not null,
    team_id integer not null,
    product_id integer not null,
    changelog_id text collate "C" not null unique,
    primary key (team_slug, product_slug))`,
    `create index public_changelogs_of_team on public_changelogs (team_id)`,
    `create index public_changelogs_of_product on public_changelogs (product_id)`,
    // The key of a word is its state, its changelog and itself, so that a search reads nothing else. The changelog is
    // hashed to fit into the index. No function of the index calls another of this schema: a dump is restored without a
    // search path.
    `create function words_scope(changelog_id text, status text) returns text immutable strict parallel safe language sql
     as $$ select left(status, 1) || to_hex(hashtextextended(changelog_id collate "C", 0)) || ' ' $$`,
    `create function scoped_words(changelog_id text, status text, words tsvector) returns text[]
     immutable strict parallel safe language plpgsql as $$
   declare
     scope text := left(status, 1) || to_hex(hashtextextended(changelog_id collate "C", 0)) || ' ';
   begin
     return array(select scope || word from unnest(tsvector_to_array(words)) every (word)
       where left(word, 2) not in ('@c', '@p'));
   end $$`,
    // Without `fastupdate`: every search would have to read the list of pending entries, hidden words included.
    `create index version_facts_scoped_words on version_facts
     using gin (scoped_words(changelog_id, status, words)) with (fastupdate = off)`,
    `drop index version_facts_words`,
    `drop function search_versions(tsquery)`,
    `create function search_versions(changelog text, states text[], all_of text[], any_of json, phrases tsquery)
     returns setof version_facts stable language plpgsql
     set search_path from current set enable_bitmapscan = on set enable_indexscan = off as $$
   declare
     state text;
     scope text;
     conditions text;
   begin
     foreach state in array states loop
       scope := words_scope(changelog, state);
       select string_agg(format('scoped_words(changelog_id, status, words) %s %L::text[]', operator, words), ' and ')
         into conditions from (
           select '@>' as operator, array(select scope || word from unnest(all_of) every (word)) as words
             where cardinality(all_of) > 0
           union all select '&&', array(select scope || word from json_array_elements_text(one) every (word))
             from json_array_elements(any_of) lists (one)) every;
       if phrases is not null then conditions := conditions || ' and words @@ $1'; end if;
       return query execute 'select * from version_facts where ' || conditions using phrases;
     end loop;
   end $$`,
    `insert into public_changelogs (team_slug, product_slug, team_id, product_id, changelog_id) \
select t.slug as team_slug, p.slug as product_slug, t.id as team_id, p.id as product_id,
    c.id as changelog_id
  from teams t join products p on p.team_id = t.id join changelogs c on c.product_id = p.id
  where t.visibility = 'public' and p.status = 'published' and c.status = 'published'`,
    `create unique index api_keys_by_state on api_keys (status, hash)`,
    `alter table touches add column public_revision bigint not null default 0`,
    `update touches set public_revision = revision where product_id <> -1`,
    `create index touches_public_since on touches (public_revision)`,
    `create function refresh_public_changelogs(level text, ids text[]) returns void language plpgsql
set search_path from current as $$
declare
  written text := case level when 'teams' then 'team_id' when 'products' then 'product_id' else 'changelog_id' end
    || ' = any ($1::' || case level when 'changelogs' then 'text[])' else 'integer[])' end;
  kept text := case level when 'teams' then 'true'
    when 'products' then 'exists (select 1 from teams where id = k.team_id)'
    else 'exists (select 1 from products where id = k.product_id)' end;
  public_now text := $query$select t.slug as team_slug, p.slug as product_slug, t.id as team_id, p.id as product_id,
    c.id as changelog_id
  from teams t join products p on p.team_id = t.id join changelogs c on c.product_id = p.id
  where t.visibility = 'public' and p.status = 'published' and c.status = 'published'$query$;
begin
  execute format('delete from public_changelogs k where %s and %s and not exists (select 1 from (%s) n where n = k)',
    written, kept, public_now) using ids;
  execute format('insert into public_changelogs (team_slug, product_slug, team_id, product_id, changelog_id)
    select * from (%s) n where %s on conflict (changelog_id) do nothing', public_now, written) using ids;
end $$`,
    `create or replace function touch_rows() returns trigger language plpgsql
set search_path from current as $$
declare
  touch text := 'insert into touches (team_id, product_id, revision, public_revision)
    select team_id, product_id, advance_revision(),
      case when bool_or(is_public) then advance_revision() else coalesce(max(was_public_at), 0) end
    from (%s) touched (team_id, product_id, is_public, was_public_at) group by team_id, product_id
    on conflict (team_id, product_id) do update set revision = excluded.revision,
      public_revision = greatest(touches.public_revision, excluded.public_revision)
    where touches.revision <> excluded.revision or touches.public_revision < excluded.public_revision';
  selected text := case when tg_op = 'DELETE' then tg_argv[1] else tg_argv[0] end;
  is_of_keys boolean := tg_table_name in ('api_keys', 'api_key_products');
  is_level boolean := tg_table_name in ('teams', 'products', 'changelogs');
  is_any boolean;
  ids text[];
begin
  if tg_table_name in ('versions', 'changes') and current_setting('changelog.bulk', true) = 'on' then return null; end if;
  if tg_op = 'TRUNCATE' then
    execute format(touch, format('select 0, 0, %L::boolean, 0::bigint', not is_of_keys));
    if is_level then delete from public_changelogs; end if;
    -- Everything includes whatever was touched before.
    if not is_of_keys then delete from touches where team_id <> 0; end if;
    return null;
  end if;
  execute format('select exists (select 1 from %I)', case tg_op when 'INSERT' then 'new_rows' else 'old_rows' end)
    into is_any;
  if not is_any then return null; end if;
  -- Whoever else writes waits here, and what they made public or hid before is seen by the statements below.
  perform advance_revision();
  -- What was there before is touched before what is public is made right again, what is there now after it.
  if tg_op <> 'INSERT' then execute format(touch, replace(selected, '{rows}', 'old_rows')); end if;
  if is_level then
    execute format('select array_agg(id) from (%s) every', case tg_op
      when 'INSERT' then 'select id from new_rows'
      when 'DELETE' then 'select id from old_rows'
      else 'select id from old_rows union select id from new_rows' end) into ids;
    perform refresh_public_changelogs(tg_table_name, ids);
  end if;
  if tg_op <> 'DELETE' then execute format(touch, replace(selected, '{rows}', 'new_rows')); end if;
  if tg_op = 'DELETE' and tg_argv[2] <> '' then
    execute 'delete from touches where ' || replace(tg_argv[2], '{rows}', 'old_rows');
  end if;
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
          ('teams',
            'select r.id, 0, exists (select 1 from public_changelogs where team_id = r.id), 0::bigint from {rows} r',
            'select 0, 0, exists (select 1 from public_changelogs where team_id = r.id),
      (select max(public_revision) from touches where team_id = r.id) from {rows} r',
            'team_id in (select r.id from {rows} r)'),
          ('products',
            'select r.team_id, r.id, exists (select 1 from public_changelogs where product_id = r.id), 0::bigint
      from {rows} r',
            'select t.id, 0, exists (select 1 from public_changelogs where product_id = r.id),
        (select max(public_revision) from touches where team_id = t.id and product_id = r.id)
      from {rows} r join teams t on t.id = r.team_id
        or t.id in (select team_id from touches where product_id = r.id)
      where exists (select 1 from teams where id = r.team_id)',
            'product_id in (select r.id from {rows} r join teams t on t.id = r.team_id)'),
          ('changelogs',
            'select p.team_id, p.id, exists (select 1 from public_changelogs where product_id = p.id), 0::bigint
  from {rows} r join products p on p.id = r.product_id',
            'select p.team_id, p.id, exists (select 1 from public_changelogs where product_id = p.id), 0::bigint
  from {rows} r join products p on p.id = r.product_id',
            ''),
          ('versions',
            'select p.team_id, p.id, r.status = ''published''
    and exists (select 1 from public_changelogs where changelog_id = c.id), 0::bigint
  from {rows} r join changelogs c on c.id = r.changelog_id join products p on p.id = c.product_id',
            'select p.team_id, p.id, r.status = ''published''
    and exists (select 1 from public_changelogs where changelog_id = c.id), 0::bigint
  from {rows} r join changelogs c on c.id = r.changelog_id join products p on p.id = c.product_id',
            ''),
          ('changes',
            'select p.team_id, p.id, v.status = ''published''
    and exists (select 1 from public_changelogs where changelog_id = c.id), 0::bigint
  from {rows} r join versions v on v.id = r.version_id join changelogs c on c.id = v.changelog_id
    join products p on p.id = c.product_id',
            'select p.team_id, p.id, v.status = ''published''
    and exists (select 1 from public_changelogs where changelog_id = c.id), 0::bigint
  from {rows} r join versions v on v.id = r.version_id join changelogs c on c.id = v.changelog_id
    join products p on p.id = c.product_id',
            ''),
          ('api_keys',
            'select r.team_id, -1, false, 0::bigint from {rows} r',
            'select t.id, -1, false, 0::bigint from {rows} r join teams t on t.id = r.team_id',
            ''),
          ('api_key_products',
            'select r.team_id, -1, false, 0::bigint from {rows} r',
            'select t.id, -1, false, 0::bigint from {rows} r join teams t on t.id = r.team_id',
            '')) rules (name, written, deleted, forgotten)
      loop
        execute format('drop trigger %s_touch_on_%s on %s', rule.name, rule.event, rule.name);
        execute format('create trigger %s_touch_on_%s after %s on %s %s
          for each statement execute function touch_rows(%L, %L, %L)', rule.name, rule.event, rule.event, rule.name,
          rule.transition, rule.written, rule.deleted, rule.forgotten);
      end loop;
    end $do$`,
  ],
};
