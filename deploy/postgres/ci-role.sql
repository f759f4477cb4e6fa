-- Makes a PostgreSQL user for CI, which writes content with `import`, `apply` and `version publish`. It cannot read or
-- write API keys, delete a team, or change the schema. docs/ci.md says how to use it.
--
-- Run this with psql as the owner of the tables, the user in the server's DATABASE_URL. A superuser is not needed. Running
-- it again is harmless; do so after each upgrade, because a new version may add tables and functions.
--
--   psql -h HOST -U OWNER -d DATABASE -f deploy/postgres/ci-role.sql
--
-- It asks for a password for the new user. Without a terminal, it takes the one in CHANGELOG_CI_PASSWORD; a server that
-- logs statements then logs it too. For another name, add `-v role=NAME`. An existing user keeps its password.

\set ON_ERROR_STOP on
\set QUIET on
\set SHOW_CONTEXT never
\if :{?role}
\else
  \set role changelog_ci
\endif
\set password `printf '%s' "$CHANGELOG_CI_PASSWORD"`
\set has_terminal `(: < /dev/tty) 2> /dev/null && echo on || echo off`

select exists (select from pg_roles where rolname = :'role') as is_there, :'password' <> '' as is_given,
  set_config('changelog.role', :'role', false) \gset

begin;
do $do$
declare
  grantee text := current_setting('changelog.role');
  place text := (select relnamespace::regnamespace from pg_class where oid = to_regclass('versions'));
  owner name := (select pg_get_userbyid(relowner) from pg_class where oid = to_regclass('versions'));
  target record;
begin
  if place is null then
    raise exception 'this database has no tables of this program: check -d, or create them with `changelog migrate`';
  elsif not pg_has_role(owner, 'usage') then
    raise exception 'the tables belong to %; run this as that user', owner;
  end if;
  begin
    if not exists (select from pg_roles where rolname = grantee) then
      execute format('create role %I login', grantee);
    end if;
  exception when insufficient_privilege then
    raise exception '% cannot create users: as one who can, run `create role % login`, set a password, and try again',
      current_user, quote_ident(grantee);
  end;
  if pg_has_role(grantee, owner, 'member') then
    raise exception '% has every right on the tables; choose another name with -v role=NAME', grantee;
  end if;

  -- First, so that rights from an earlier form of this file do not stay. Tables of others are not ours to revoke.
  execute (select format('revoke all on %s from %I', string_agg(oid::regclass::text, ', '), grantee) from pg_class
    where relkind = 'r' and relnamespace = place::regnamespace and pg_get_userbyid(relowner) = owner);
  execute format('grant usage on schema %s to %I', place, grantee);
  -- Everyone has these by default, and only the owner of the database can grant them.
  if not has_database_privilege(grantee, current_database(), 'connect')
    or not has_database_privilege(grantee, current_database(), 'temporary') then
    execute format('grant connect, temporary on database %I to %I', current_database(), grantee);
  end if;

  for target in select * from (values
    -- Not delete: it would delete the API keys of the team.
    ('teams', 'select, insert, update'),
    ('products', 'select, insert, update, delete'),
    ('changelogs', 'select, insert, update, delete'),
    ('versions', 'select, insert, update, delete'),
    ('changes', 'select, insert, update, delete'),
    ('import_marks', 'select, insert, update, delete'),
    -- Triggers write these, with the rights of whoever writes content.
    ('touches', 'select, insert, update, delete'),
    ('public_changelogs', 'select, insert, update, delete'),
    ('version_facts', 'select, insert, update, delete'),
    ('version_counts', 'select, insert, update, delete'),
    ('search_words', 'select, insert'),
    ('version_facets', 'select, insert, update, delete'),
    ('timeline', 'select, insert, update, delete'),
    -- Not the other column, which is the key that signs cursors.
    ('revision', 'select (id, value), update (value)'),
    ('schema_migrations', 'select')) rights (name, granted)
  loop
    if to_regclass(target.name) is not null then
      execute format('grant %s on %s.%I to %I', target.granted, place, target.name, grantee);
    end if;
  end loop;

  if place <> 'public' then
    begin
      execute format('alter role %I in database %I set search_path = %s', grantee, current_database(), place);
    exception when insufficient_privilege then
      raise warning 'the tables are in the schema %; as a user who can create users, run `alter role % in database % set search_path = %`',
        place, quote_ident(grantee), quote_ident(current_database()), place;
    end;
  end if;

  -- The default until PostgreSQL 14.
  if has_schema_privilege(grantee, place::regnamespace, 'create') then
    raise warning 'every user of this database can create tables in the schema %; to stop that: revoke create on schema % from public',
      place, place;
  end if;

  for target in select oid::regprocedure as name from pg_proc
    where pronamespace = place::regnamespace and pg_get_userbyid(proowner) = owner and proname in (
      'add_counts', 'add_search_words', 'advance_revision', 'count_changes', 'count_facets', 'count_versions', 'date_version',
      'list_changelogs_again', 'list_versions_again', 'moved_on',
      'refresh_facts', 'refresh_facts_of_rows', 'refresh_facts_of_versions', 'refresh_public_changelogs',
      'scoped_words', 'search_versions', 'split_counts', 'touch_rows', 'version_order', 'words_of', 'words_scope')
  loop
    execute format('grant execute on function %s to %I', target.name, grantee);
    -- Foreign keys and indexes call some of them with the rights of the owner. Temporary tables and types of this user
    -- must not take the place of those that they name.
    execute format('alter function %s set search_path = %s, pg_temp', target.name, place);
  end loop;
end $do$;
\if :is_there
\elif :is_given
  alter role :"role" password :'password';
\endif
commit;

\if :is_there
  \echo The user :role can write content, but not API keys. It existed before and keeps its password.
\elif :is_given
  \echo Created the user :role. It can write content, but not API keys. Its password is the one in CHANGELOG_CI_PASSWORD.
\elif :has_terminal
  \echo Created the user :role. It can write content, but not API keys. Choose its password.
  \password :"role"
\else
  \echo Created the user :role. It can write content, but not API keys. Set its password with psql: \\password :"role"
\endif
