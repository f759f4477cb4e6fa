// PostgreSQL databases.
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { postgresProgram } from '../../cluster/debian.ts';
import { runProgram } from '../../cluster/nodes.ts';
import { type PostgresServer, startPostgres } from '../../cluster/postgres.ts';
import { type Scope, temporaryFolder } from '../../cluster/scope.ts';
import { keepServerFolder } from '../../cluster/user.ts';
import { versionOf } from '../report/machine.ts';
import { DATA_FOLDER, type EngineData, hashOf, readThrough } from './engine-data.ts';

const MIGRATED = 'migrated';
/** A typical small server, tuned for bulk loading. */
const SETTINGS = { shared_buffers: '1GB', max_wal_size: '8GB', jit: 'off', maintenance_work_mem: '256MB' };

const execute = promisify(execFile);

/** Its data is kept if the server's user, which is not root, has access to the folder. */
export async function openPostgresData(scope: Scope): Promise<EngineData> {
  const kept = keepServerFolder(path.join(DATA_FOLDER, `postgres-${parseInt(versionOf('postgres', '--version'))}`));
  const server = await startPostgres(scope, { settings: SETTINGS, ...(kept !== null && { folder: kept }) });
  await server.dropDatabase(MIGRATED);
  await server.createDatabase(MIGRATED);
  const environment = { DATABASE_URL: server.url(MIGRATED) };
  await runProgram(scope, ['migrate'], { folder: temporaryFolder(scope), environment });
  const schema = await describeSchema(server.url(MIGRATED));
  return {
    name: 'PostgreSQL',
    id: 'postgres',
    pids: [server.pid()],
    urlFor: async (statements) => {
      const name = hashOf([schema, statements]);
      if (!(await hasDatabase(server, name))) await createFilled(server, name, statements);
      if (kept !== null) await readDatabase(server, path.join(kept, 'data'), name);
      return server.url(name);
    },
  };
}

async function createFilled(
  server: PostgresServer,
  name: string,
  statements: readonly string[],
): Promise<void> {
  const unfinished = `${name}_new`;
  await server.dropDatabase(unfinished);
  await server.createDatabase(unfinished, MIGRATED);
  await fill(server.url(unfinished), statements);
  await server.psql('postgres', `alter database "${unfinished}" rename to "${name}"`);
}

async function hasDatabase(server: PostgresServer, name: string): Promise<boolean> {
  const found = await server.psql('postgres', `select 1 from pg_database where datname = '${name}'`);
  return found.trim() === '1';
}

/** The lines that differ from dump to dump are comments or start with a backslash. */
async function describeSchema(url: string): Promise<string> {
  const { stdout } = await execute(postgresProgram('pg_dump'), ['--schema-only', '-d', url], {
    maxBuffer: 2 ** 26,
  });
  return stdout.replaceAll(/^(?:--|\\).*$/gm, '');
}

async function readDatabase(server: PostgresServer, data: string, name: string): Promise<void> {
  const oid = await server.psql('postgres', `select oid from pg_database where datname = '${name}'`);
  const folder = path.join(data, 'base', oid.trim());
  for (const file of readdirSync(folder)) await readThrough(path.join(folder, file));
}

/** VACUUM does what autovacuum would do later. */
async function fill(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(['begin', ...statements, 'commit'].join(';\n'));
    await client.query('vacuum analyze');
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}
