// Settings of connections. A pooler in between, such as PgBouncer, may lend each transaction another connection, and lend
// that one to other programs afterwards. So nothing may stay behind: settings then begin and end with each transaction.
import type pg from 'pg';

export type Settings = Readonly<Record<string, string | number>>;
export type RunQuery = (text: string, values: readonly unknown[]) => Promise<pg.QueryResult>;

/** Changes the settings of a new connection; false, and nothing is changed, if it is one to a pooler. */
export async function setUp(client: pg.ClientBase, settings: Settings): Promise<boolean> {
  const { processID } = client as unknown as { processID: number };
  // A pooler makes up the process that a client is told when it connects.
  const isDirect = `pg_backend_pid() = ${processID}`;
  const { rowCount } = await client.query(`${setting(settings, 'false')} where ${isDirect}`);
  return rowCount !== 0;
}

function setting(settings: Settings, isLocal: 'true' | 'false'): string {
  const quoted = (value: string | number) => `'${String(value).replaceAll("'", "''")}'`;
  const rows = Object.entries(settings).map(([name, value]) => `('${name}', ${quoted(value)})`);
  return `select set_config(name, value, ${isLocal}) from (values ${rows.join(', ')}) settings (name, value)`;
}

/** Runs statements through a pooler: each one outside a transaction gets its own. */
export function throughPooler(client: pg.ClientBase, settings: Settings): RunQuery {
  const own = Object.entries(settings).map(([name, value]) => [name.replace(/^default_/, ''), value]);
  const prelude = setting(Object.fromEntries(own), 'true');
  let isOpen = false;
  return async (text, values) => {
    const run = () => client.query(text, [...values]);
    const isBegin = /^(?:begin|start transaction)\b/.test(text);
    if (isBegin || isOpen) {
      isOpen = !/^(?:commit|rollback)$/.test(text);
      const result = await run();
      if (isBegin) await client.query(prelude);
      return result;
    }
    // Together, so that reads can share the connection. A commit after an error is a rollback.
    const all = [client.query(`begin; ${prelude}`), run(), client.query('commit')] as const;
    return (await Promise.all(all))[1];
  };
}
