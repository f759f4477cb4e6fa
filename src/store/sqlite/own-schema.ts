import { Refusal } from '../../errors.ts';
import Sqlite from './driver.ts';

const NAMED_MAX = 5;

type Entry = Readonly<{ type: string; name: string; owner: string }>;

/**
 * Throws unless the schema of a copy is what these statements make: a foreign trigger or view would decide what is shown.
 * Tables of another program and their indexes may stay next to ours: they do nothing by themselves.
 */
export function requireOwnSchema(copy: string, name: string, statements: readonly string[]): void {
  const database = new Sqlite(copy, { readonly: true });
  const own = new Sqlite(':memory:');
  try {
    database.pragma('trusted_schema = off');
    for (const statement of statements) own.exec(statement);
    const [expected, found] = [listEntries(own), listEntries(database)];
    const tables = new Set([...expected.values()].map(({ owner }) => owner));
    const isOthers = ({ type, owner }: Entry) => !tables.has(owner) && ['table', 'index'].includes(type);
    const foreign = [...found].filter(([key, entry]) => !expected.has(key) && !isOthers(entry));
    const missing = [...expected].filter(([key]) => !found.has(key));
    const differences = new Set([...foreign, ...missing].map(([, { type, name }]) => `${type} ${name}`));
    if (differences.size === 0) return;
    const named = [...differences].slice(0, NAMED_MAX).join(', ');
    const more = differences.size > NAMED_MAX ? ` and ${differences.size - NAMED_MAX} more` : '';
    throw new Refusal(
      `${name} does not have the schema that this program makes; nothing was restored. Foreign, changed or missing: ${named}${more}. Restore a backup that nothing else has changed.`,
    );
  } finally {
    own.close();
    database.close();
  }
}

function listEntries(database: Sqlite.Database): Map<string, Entry> {
  const entries = database.prepare<[], Entry>(`select type, name, tbl_name as owner, sql from sqlite_schema`);
  return new Map(entries.all().map((entry) => [JSON.stringify(entry), entry]));
}
