// Connections to a PostgreSQL database that do not go through the program.
import pg from 'pg';
import { postgres } from '../../../support/databases/postgres.ts';
import { type Scope, temporaryFolder } from '../../../support/processes/scope.ts';
import { runOk } from '../../../support/program/command.ts';
import type { Session } from '../triggers/touch-cases.ts';

/** Creates a database, and returns a function that connects to it. */
export async function provideSessions(scope: Scope): Promise<() => Promise<Session>> {
  const folder = temporaryFolder(scope);
  await postgres.provide(folder);
  await runOk({ folder, environment: { DATABASE_URL: postgres.url(folder) } }, ['migrate']);
  return async () => {
    const client = new pg.Client({ connectionString: postgres.url(folder) });
    await client.connect();
    // The database may be dropped first.
    client.on('error', () => {});
    scope.after(() => client.end().catch(() => {}));
    return {
      run: (statements) => client.query(statements),
      rows: async (query) => (await client.query<unknown[]>({ text: query, rowMode: 'array' })).rows,
    };
  };
}
