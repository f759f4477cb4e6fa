// Databases on PostgreSQL, filled anew in each run: its server runs as a user of its own, who may not be let into the
// project's folder.
import pg from 'pg';
import { runProgram } from '../../cluster/nodes.ts';
import { type PostgresServer, startPostgres } from '../../cluster/postgres.ts';
import { type Scope, temporaryFolder } from '../../cluster/scope.ts';
import { POSTGRES_FACTS_OF_ALL } from '../../src/store/postgres/facts.ts';
import { POSTGRES_PUBLIC_ROWS_OF_ALL } from '../../src/store/postgres/public-rows.ts';

const MIGRATED = 'migrated';
/** A small server as an operator would set it up, that takes much in at once. */
const SETTINGS = { shared_buffers: '1GB', max_wal_size: '8GB', jit: 'off', maintenance_work_mem: '256MB' };

export type PostgresData = Readonly<{
  server: PostgresServer;
  /** A database of its own, of statements like those of a dataset. */
  urlFor: (name: string, statements: readonly string[]) => Promise<string>;
}>;

export async function openPostgresData(scope: Scope): Promise<PostgresData> {
  const server = await startPostgres(scope, { settings: SETTINGS });
  await server.createDatabase(MIGRATED);
  const environment = { DATABASE_URL: server.url(MIGRATED) };
  await runProgram(scope, ['migrate'], { folder: temporaryFolder(scope), environment });
  return {
    server,
    urlFor: async (name, statements) => {
      await server.createDatabase(name, MIGRATED);
      await fill(server.url(name), [...statements, ...POSTGRES_FACTS_OF_ALL, ...POSTGRES_PUBLIC_ROWS_OF_ALL]);
      return server.url(name);
    },
  };
}

/** As a replica takes rows in, without triggers. Vacuum does what would have happened by itself in time. */
async function fill(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set session_replication_role = replica');
    await client.query(['begin', ...statements, 'commit'].join(';\n'));
    await client.query('vacuum analyze');
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}
