-- Makes a PostgreSQL user for CI, which writes content with `import`, `apply` and `version publish`. It cannot read or
-- write API keys, delete a team, or change the schema. docs/ci.md says how to use it.
--
-- Run this with psql as the owner of the tables. A superuser is not needed. Running it again is harmless; do so after each
-- upgrade, because a new version may add tables and functions. It includes role.sql, which must be next to it.
--
--   psql -h HOST -U OWNER -d DATABASE -f deploy/postgres/ci-role.sql
--
-- It asks for a password for the new user. Without a terminal, it takes the one in CHANGELOG_CI_PASSWORD; a server that
-- logs statements then logs it too. For another name, add `-v role=NAME`. An existing user keeps its password.

\set ON_ERROR_STOP on
\if :{?role}
\else
  \set role changelog_ci
\endif
\set password_variable CHANGELOG_CI_PASSWORD
\set password `printf '%s' "$CHANGELOG_CI_PASSWORD"`
\set can 'can write content, but not API keys'

select set_config('changelog.rights', $$
  -- Not delete: it would delete the API keys of the team.
  teams: select, insert, update
  products: select, insert, update, delete
  changelogs: select, insert, update, delete
  versions: select, insert, update, delete
  changes: select, insert, update, delete
  import_marks: select, insert, update, delete
  -- Triggers write these, with the rights of whoever writes content.
  touches: select, insert, update, delete
  public_changelogs: select, insert, update, delete
  search: select, insert, delete
  -- Not the other column, which is the key that signs cursors.
  revision: select (id, value), update (value)
  schema_migrations: select
$$, false) as rights \gset
\ir role.sql
