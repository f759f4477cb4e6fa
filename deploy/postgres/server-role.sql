-- Makes a PostgreSQL user for `serve`. It reads content and checks API keys; it records their last use, publishes scheduled
-- versions and notes what hooks have done. It cannot write, change or delete content, write API keys, or change the
-- schema. docs/production/postgresql.md says how to use it.
--
-- Run this with psql as the owner of the tables. A superuser is not needed. Running it again is harmless; do so after each
-- upgrade, because a new version may add tables and functions. It includes role.sql, which must be next to it.
--
--   psql -h HOST -U OWNER -d DATABASE -f deploy/postgres/server-role.sql
--
-- It asks for a password for the new user. Without a terminal, it takes the one in CHANGELOG_SERVER_PASSWORD; a server that
-- logs statements then logs it too. For another name, add `-v role=NAME`. An existing user keeps its password. For nodes
-- with SCHEDULER=off, add `-v scheduler=off`: the user then writes nothing but the last use of keys.

\set ON_ERROR_STOP on
\if :{?role}
\else
  \set role changelog_server
\endif
\if :{?scheduler}
\else
  \set scheduler on
\endif
\set password_variable CHANGELOG_SERVER_PASSWORD
\set password `printf '%s' "$CHANGELOG_SERVER_PASSWORD"`
\set can 'can serve, but not write content or API keys'

select set_config('changelog.rights', $$
  teams: select
  products: select
  changelogs: select
  versions: select
  changes: select
  public_changelogs: select
  search: select
  touches: select
  -- With the key that signs cursors.
  revision: select
  api_keys: select
  api_key_products: select
  key_usage: select, insert, update
  schema_migrations: select
$$, false) as rights \gset

\if :scheduler
select set_config('changelog.rights', current_setting('changelog.rights') || $$
  -- Publishing changes these columns.
  versions: update (status, published_at, publish_at, updated_at)
  -- It locks the rows above a version, so that none is published below a product that is being locked. PostgreSQL lets a
  -- user lock the rows of a table if it may update one of their columns: here, those that matter least.
  products: update (accent)
  changelogs: update (description_mark)
  -- Triggers write these, with the rights of whoever publishes.
  search: insert, delete
  touches: insert, update
  revision: update (value)
  hook_deliveries: select, insert, update, delete
$$, false) as rights \gset
\endif
\ir role.sql
