import type { Step } from './step.ts';

/**
 * Teams, products, changelogs, versions, changes and API keys. In the indexes named `…_by_state` the state comes before
 * the name: a public read visits only public rows, so a hidden row takes as long as a missing one.
 */
export const CONTENT_AND_KEYS: Step = {
  name: '0001_content_and_keys',
  sqlite: [
    `create table "teams" (\
"id" integer primary key autoincrement, "slug" text not null unique, "name" text not null, \
"visibility" text not null, "plan" text not null, \
constraint "teams_slug_form" check (length(slug) between 1 and 64 and slug = lower(slug)
        and slug not like '%/%' and slug not like '% %' and slug not like '-%' and slug not like '%-'), \
constraint "teams_visibility_known" check ("visibility" in ('public', 'private')), \
constraint "teams_plan_known" check ("plan" in ('free', 'paid')))`,
    `create table "products" (\
"id" integer primary key autoincrement, \
"team_id" integer not null references "teams" ("id") on delete cascade, "slug" text not null, \
"name" text not null, "status" text not null, \
constraint "products_slug" unique ("team_id", "slug"), \
constraint "products_team" unique ("id", "team_id"), \
constraint "products_slug_form" check (length(slug) between 1 and 64 and slug = lower(slug)
        and slug not like '%/%' and slug not like '% %' and slug not like '-%' and slug not like '%-'), \
constraint "products_status_known" check ("status" in ('draft', 'published', 'locked')))`,
    `create table "changelogs" (\
"id" text not null primary key, \
"product_id" integer not null unique references "products" ("id") on delete cascade, "name" text not null, \
"status" text not null, \
constraint "changelogs_status_known" check ("status" in ('draft', 'published', 'locked')))`,
    `create table "versions" (\
"id" text not null primary key, \
"changelog_id" text not null references "changelogs" ("id") on delete cascade on update cascade, \
"label" text not null, "title" text not null, "status" text not null, "published_at" text, "description" text, \
"yanked" integer not null, "created_order" integer not null, \
"sort_key" text generated always as (coalesce(published_at, '~' || cast(1000000000000 + created_order as text))) stored, \
constraint "versions_label" unique ("changelog_id", "label"), \
constraint "versions_published_has_date" check (status <> 'published' or published_at is not null), \
constraint "versions_date_form" check (published_at like '____-__-__T__:__:__.___Z'
  and substr(published_at, 1, 4) between '0000' and '9999'
  and substr(published_at, 6, 2) between '01' and '12'
  and substr(published_at, 9, 2) between '01' and '31'
  and substr(published_at, 12, 2) between '00' and '23'
  and substr(published_at, 15, 2) between '00' and '59'
  and substr(published_at, 18, 2) between '00' and '59'), \
constraint "versions_status_known" check ("status" in ('draft', 'published')), \
constraint "versions_yanked_bit" check ("yanked" in (0, 1)))`,
    `create index "versions_in_order" on "versions" ("changelog_id", "sort_key" desc, "id")`,
    `create table "changes" (\
"id" text not null primary key, \
"version_id" text not null references "versions" ("id") on delete cascade on update cascade, \
"position" integer not null, "type" text not null, "text" text not null, "breaking" integer not null, \
constraint "changes_position" unique ("version_id", "position"), \
constraint "changes_type_known" check ("type" in ('added', 'changed', 'deprecated', 'removed', 'fixed', 'security', 'other')), \
constraint "changes_breaking_bit" check ("breaking" in (0, 1)))`,
    `create table "api_keys" (\
"id" text not null primary key, "team_id" integer not null references "teams" ("id") on delete cascade, \
"kind" text not null, "status" text not null, "name" text, "hash" text not null unique, \
"created_at" text not null, \
constraint "api_keys_team_kind" unique ("id", "team_id", "kind"), \
constraint "api_keys_kind_known" check ("kind" in ('FULL', 'SELECT')), \
constraint "api_keys_status_known" check ("status" in ('active', 'disabled')))`,
    `create index "api_keys_of_team" on "api_keys" ("team_id", "created_at", "id")`,
    `create table "api_key_products" (\
"key_id" text not null, "product_id" integer not null, "team_id" integer not null, "kind" text not null, \
constraint "api_key_products_pair" primary key ("key_id", "product_id"), \
constraint "api_key_products_key" foreign key ("key_id", "team_id", "kind") references "api_keys" ("id", "team_id", "kind") on delete cascade, \
constraint "api_key_products_product" foreign key ("product_id", "team_id") references "products" ("id", "team_id") on delete cascade, \
constraint "api_key_products_kind_known" check ("kind" in ('SELECT')))`,
    `create index "api_key_products_of_product" on "api_key_products" ("product_id")`,
    `create unique index "teams_by_state" on "teams" ("visibility", "slug")`,
    `create unique index "products_by_state" on "products" ("team_id", "status", "slug")`,
    `create unique index "changelogs_by_state" on "changelogs" ("product_id", "status")`,
    `create unique index "versions_by_state" on "versions" ("changelog_id", "status", "id")`,
    `create unique index "versions_by_state_in_order" on "versions" ("changelog_id", "status", "sort_key" desc, "id")`,
    // SQLite enforces foreign keys only on connections that turn them on. These triggers work on every connection.
    `create trigger products_go_with_teams after delete on teams begin
         delete from products where team_id = old.id; end`,
    `create trigger api_keys_go_with_teams after delete on teams begin
         delete from api_keys where team_id = old.id; end`,
    `create trigger changelogs_go_with_products after delete on products begin
         delete from changelogs where product_id = old.id; end`,
    `create trigger api_key_products_go_with_products after delete on products begin
         delete from api_key_products where product_id = old.id; end`,
    `create trigger versions_go_with_changelogs after delete on changelogs begin
         delete from versions where changelog_id = old.id; end`,
    `create trigger changes_go_with_versions after delete on versions begin
         delete from changes where version_id = old.id; end`,
    `create trigger api_key_products_go_with_api_keys after delete on api_keys begin
         delete from api_key_products where key_id = old.id; end`,
    `create trigger api_key_products_checked_on_insert before insert on api_key_products
         when not exists (
           select 1 from api_keys join products using (team_id)
           where api_keys.id = new.key_id and api_keys.kind = 'SELECT' and products.id = new.product_id
             and products.team_id = new.team_id)
         begin select raise(abort, 'constraint failed: a key takes products of its team, and only a SELECT key does'); end`,
    `create trigger api_key_products_checked_on_update before update on api_key_products
         when not exists (
           select 1 from api_keys join products using (team_id)
           where api_keys.id = new.key_id and api_keys.kind = 'SELECT' and products.id = new.product_id
             and products.team_id = new.team_id)
         begin select raise(abort, 'constraint failed: a key takes products of its team, and only a SELECT key does'); end`,
  ],
  postgres: [
    `create table teams (
      id integer generated by default as identity primary key, slug text collate "C" not null unique,
      name text collate "C" not null, visibility text collate "C" not null, plan text collate "C" not null,
      constraint teams_slug_form check (length(slug) between 1 and 64 and slug = lower(slug)
      and slug not like '%/%' and slug not like '% %' and slug not like '-%' and slug not like '%-'),
      constraint teams_visibility_known check (visibility in ('public', 'private')),
      constraint teams_plan_known check (plan in ('free', 'paid')))`,
    `create table products (
      id integer generated by default as identity primary key,
      team_id integer not null references teams (id) on delete cascade, slug text collate "C" not null,
      name text collate "C" not null, status text collate "C" not null,
      constraint products_slug unique (team_id, slug),
      constraint products_team unique (id, team_id),
      constraint products_slug_form check (length(slug) between 1 and 64 and slug = lower(slug)
      and slug not like '%/%' and slug not like '% %' and slug not like '-%' and slug not like '%-'),
      constraint products_status_known check (status in ('draft', 'published', 'locked')))`,
    `create table changelogs (
      id text collate "C" not null primary key,
      product_id integer not null unique references products (id) on delete cascade, name text collate "C" not null,
      status text collate "C" not null,
      constraint changelogs_status_known check (status in ('draft', 'published', 'locked')))`,
    `create table versions (
      id text collate "C" not null primary key,
      changelog_id text collate "C" not null references changelogs (id) on delete cascade on update cascade,
      label text collate "C" not null, title text collate "C" not null, status text collate "C" not null,
      published_at text collate "C", description text collate "C", yanked integer not null,
      created_order integer not null,
      sort_key text collate "C" generated always as (coalesce(published_at, '~' || cast(1000000000000 + created_order as text))) stored,
      constraint versions_label unique (changelog_id, label),
      constraint versions_published_has_date check (status <> 'published' or published_at is not null),
      constraint versions_date_form check (published_at like '____-__-__T__:__:__.___Z'
      and substr(published_at, 1, 4) between '0000' and '9999'
      and substr(published_at, 6, 2) between '01' and '12'
      and substr(published_at, 9, 2) between '01' and '31'
      and substr(published_at, 12, 2) between '00' and '23'
      and substr(published_at, 15, 2) between '00' and '59'
      and substr(published_at, 18, 2) between '00' and '59'),
      constraint versions_status_known check (status in ('draft', 'published')),
      constraint versions_yanked_bit check (yanked in (0, 1)))`,
    `create index versions_in_order on versions (changelog_id, sort_key desc, id)`,
    `create table changes (
      id text collate "C" not null primary key,
      version_id text collate "C" not null references versions (id) on delete cascade on update cascade,
      position integer not null, type text collate "C" not null, text text collate "C" not null,
      breaking integer not null,
      constraint changes_position unique (version_id, position),
      constraint changes_type_known check (type in ('added', 'changed', 'deprecated', 'removed', 'fixed', 'security', 'other')),
      constraint changes_breaking_bit check (breaking in (0, 1)))`,
    `create table api_keys (
      id text collate "C" not null primary key, team_id integer not null references teams (id) on delete cascade,
      kind text collate "C" not null, status text collate "C" not null, name text collate "C",
      hash text collate "C" not null unique, created_at text collate "C" not null,
      constraint api_keys_team_kind unique (id, team_id, kind),
      constraint api_keys_kind_known check (kind in ('FULL', 'SELECT')),
      constraint api_keys_status_known check (status in ('active', 'disabled')))`,
    `create index api_keys_of_team on api_keys (team_id, created_at, id)`,
    `create table api_key_products (
      key_id text collate "C" not null, product_id integer not null, team_id integer not null,
      kind text collate "C" not null,
      constraint api_key_products_pair primary key (key_id, product_id),
      constraint api_key_products_key foreign key (key_id, team_id, kind) references api_keys (id, team_id, kind) on delete cascade,
      constraint api_key_products_product foreign key (product_id, team_id) references products (id, team_id) on delete cascade,
      constraint api_key_products_kind_known check (kind in ('SELECT')))`,
    `create index api_key_products_of_product on api_key_products (product_id)`,
    `create unique index teams_by_state on teams (visibility, slug)`,
    `create unique index products_by_state on products (team_id, status, slug)`,
    `create unique index changelogs_by_state on changelogs (product_id, status)`,
    `create unique index versions_by_state on versions (changelog_id, status, id)`,
    `create unique index versions_by_state_in_order on versions (changelog_id, status, sort_key desc, id)`,
  ],
};
