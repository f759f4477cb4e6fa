// Nodes as they run in a cluster: processes that share nothing but the database.
import { type Node, startNode } from '../../cluster/nodes.ts';
import type { PostgresServer } from '../../cluster/postgres.ts';
import type { Environment } from '../../src/config.ts';
import { type Scope, temporaryFolder } from '../processes/scope.ts';
import type { Workplace } from './command.ts';

/** Far away from every limit, and silent: what they say while the database is away is not what these tests read. */
const SETTINGS: Environment = { PUBLIC_RATE_LIMIT: '1000000000', LOG_LEVEL: 'silent' };

const DATABASE = 'changelog';

/** Addresses of the same database on a primary and its standbys. */
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

/** An empty database, and where commands run that write to it. */
export async function provideDatabase(scope: Scope, server: PostgresServer): Promise<Workplace> {
  await server.createDatabase(DATABASE);
  return { folder: temporaryFolder(scope), environment: { DATABASE_URL: server.url(DATABASE) } };
}

/** Plain SQL on that database. */
export function psql(server: PostgresServer, statement: string): Promise<string> {
  return server.psql(DATABASE, statement);
}
