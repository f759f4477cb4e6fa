import { sql } from 'kysely';
import type { CatalogueDialect } from '../engine/dialect.ts';

export const POSTGRES_CATALOGUE: CatalogueDialect = {
  columnsOf: (table) => sql`select attname as name, nspname as "schema" from pg_attribute
    join pg_class on pg_class.oid = attrelid join pg_namespace on pg_namespace.oid = relnamespace
    where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped`,
  // Functions and types are names, too: creating one would fail, or replace that of another program.
  names: sql`select relname as name, relkind in ('r', 'p', 'f', 'v', 'm') and not exists (select from pg_depend
      where classid = cast('pg_class' as regclass) and objid = pg_class.oid and deptype = 'e') as "isTable"
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace where nspname = current_schema()
    union all select proname, false
    from pg_proc join pg_namespace on pg_namespace.oid = pronamespace where nspname = current_schema()
    union all select typname, false
    from pg_type join pg_namespace on pg_namespace.oid = typnamespace where nspname = current_schema()
    order by name`,
  place: sql`select current_schema() as "schema", current_setting('search_path') as path`,
  setMode: null,
};
