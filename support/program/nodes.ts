// Nodes of a cluster: processes that share only the database.
import { type Node, startNode } from '../../cluster/nodes.ts';
import type { PostgresServer } from '../../cluster/postgres.ts';
import type { Environment } from '../../src/config.ts';
import { type Scope, temporaryFolder } from '../processes/scope.ts';
import type { Sandbox } from './command.ts';

/** Limits are out of reach, and the log is off: these tests do not read what nodes log while the database is down. */
const SETTINGS: Environment = { PUBLIC_RATE_LIMIT: '1000000000', LOG_LEVEL: 'silent' };

const DATABASE = 'changelog';

/** URLs of the same database on a primary and its standbys. */
export function databaseUrls(...servers: readonly PostgresServer[]): [string, ...string[]] {
  return servers.map((server) => server.url(DATABASE)) as [string, ...string[]];
}

export function nodeSettings(urls: readonly string[]): Environment {
  return { ...SETTINGS, DATABASE_URL: urls.join(',') };
}

export async function startNodes(scope: Scope, urls: readonly string[], count: number): Promise<Node[]> {
  const environment = nodeSettings(urls);
  return await Promise.all(Array.from({ length: count }, () => startNode(scope, { environment })));
}

/** Creates an empty database, and a folder for commands that write to it. */
export async function provideDatabase(scope: Scope, server: PostgresServer): Promise<Sandbox> {
  await server.createDatabase(DATABASE);
  return { folder: temporaryFolder(scope), environment: { DATABASE_URL: server.url(DATABASE) } };
}

/** Runs plain SQL on that database. */
export function psql(server: PostgresServer, statement: string): Promise<string> {
  return server.psql(DATABASE, statement);
}
