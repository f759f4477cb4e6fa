// PostgreSQL databases, filled again in each run: the server runs as another user, who may have no access to the project
// folder.
import pg from 'pg';
import { runProgram } from '../../cluster/nodes.ts';
import { type PostgresServer, startPostgres } from '../../cluster/postgres.ts';
import { type Scope, temporaryFolder } from '../../cluster/scope.ts';
import { FILL_PUBLIC_CHANGELOGS } from './datasets.ts';

const MIGRATED = 'migrated';
/** A typical small server, tuned for bulk loading. */
const SETTINGS = { shared_buffers: '1GB', max_wal_size: '8GB', jit: 'off', maintenance_work_mem: '256MB' };

export type PostgresData = Readonly<{
  server: PostgresServer;
  /** The URL of a new database, filled by statements like those of a dataset. */
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
      await fill(server.url(name), [...statements, 'select refresh_facts(null)', FILL_PUBLIC_CHANGELOGS]);
      return server.url(name);
    },
  };
}

/** Inserts rows as a replica does, without triggers. VACUUM does what autovacuum would do later. */
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
