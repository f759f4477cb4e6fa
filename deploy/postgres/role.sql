-- Makes a PostgreSQL user and grants what its file lists. It is included by server-role.sql and ci-role.sql, which set
--   ON_ERROR_STOP       on, or psql would exit with 0 after a failure here
--   role                the name of the user
--   password            its password, or empty
--   password_variable   the name of the variable that the password came from
--   can                 what it can do, for messages
-- and the setting changelog.rights: a line for each table, `name: privileges`.

\set QUIET on
\set SHOW_CONTEXT never
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

  for target in select part[1] as name, part[2] as granted
    from regexp_matches(current_setting('changelog.rights'), '^\s*(\w+): (.+)$', 'gn') part
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
    where pronamespace = place::regnamespace and pg_get_userbyid(proowner) = owner and proname in ('advance_revision', 'change_rows',
      'complete_version', 'index_texts', 'refuse_truncate', 'scoped_words', 'touch_rows', 'version_rows')
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
  \echo The user :role :can. It existed before and keeps its password.
\elif :is_given
  \echo Created the user :role. It :can. Its password is the one in :password_variable.
\elif :has_terminal
  \echo Created the user :role. It :can. Choose its password.
  \password :"role"
\else
  \echo Created the user :role. It :can. Set its password with psql: \\password :"role"
\endif
