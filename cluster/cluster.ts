// A whole cluster on loopback, as `docs/operations.md` describes it, with the demo's content.
import { globSync } from 'node:fs';
import path from 'node:path';
import type { Environment } from '../src/config.ts';
import { type NginxServer, startNginx } from './nginx.ts';
import { type Node, runProgram, startNode } from './nodes.ts';
import { freePorts } from './port.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';
import { type RedisServer, startRedis } from './redis.ts';
import { type Scope, temporaryFolder } from './scope.ts';

export const DATABASE = 'changelog';
const NODES = 3;
const DOCUMENTS = globSync(path.resolve(import.meta.dirname, '../demo/*.yaml'));

export type Cluster = Readonly<{
  primary: PostgresServer;
  standby: PostgresServer;
  redis: RedisServer;
  nodes: readonly Node[];
  nginx: NginxServer;
  /** A FULL key of the team `acme`. */
  key: string;
}>;

export async function startCluster(scope: Scope, environment: Environment = {}): Promise<Cluster> {
  const [primary, redis] = await Promise.all([startPostgres(scope), startRedis(scope)]);
  await primary.createDatabase(DATABASE);
  const [standby, key] = await Promise.all([
    startPostgres(scope, { standbyOf: primary }),
    seed(scope, primary.url(DATABASE)),
  ]);
  // Before the nodes, which link to it.
  const ports = await freePorts(NODES);
  const nginx = await startNginx(scope, ports);
  const settings = {
    DATABASE_URL: [primary, standby].map(({ url }) => url(DATABASE)).join(),
    REDIS_URL: redis.url,
    BASE_URL: nginx.address,
    TRUSTED_PROXIES: '127.0.0.1',
    OPS_PORT: '0',
    ...environment,
  };
  const nodes = await Promise.all(ports.map((port) => startNode(scope, { environment: settings, port })));
  return { primary, standby, redis, nodes, nginx, key };
}

/** Applies the demo's documents and creates a key. */
async function seed(scope: Scope, databaseUrl: string): Promise<string> {
  const options = { folder: temporaryFolder(scope), environment: { DATABASE_URL: databaseUrl } };
  await runProgram(scope, ['apply', ...DOCUMENTS], options);
  const created = await runProgram(scope, ['key', 'create', 'acme', '--kind', 'FULL', '--json'], options);
  return JSON.parse(created).key;
}
