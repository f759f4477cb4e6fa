import type { CreateTableBuilder } from 'kysely';
import { dialectOf } from './dialect.ts';
import type { Writer } from './engine.ts';

/**
 * Begins a table for this transaction. On SQLite it stays with the connection, so the caller empties it first; on
 * PostgreSQL the connection may be a pooler's, whose other users must not find it.
 */
export function createTemporaryTable<Name extends string>(trx: Writer, name: Name): CreateTableBuilder<Name> {
  const table = trx.schema.createTable(name).temporary().ifNotExists();
  return dialectOf(trx).engine === 'postgres' ? table.onCommit('drop') : table;
}
