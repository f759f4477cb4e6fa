import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { daemon } from './daemon.ts';
import { ensureServers, serverProgram } from './debian.ts';
import { onFreePort } from './port.ts';
import { removeFolder, type Scope } from './scope.ts';
import { makeServerFolder } from './user.ts';

type PoolMode = 'session' | 'transaction' | 'statement';

type PgBouncerOptions = Readonly<{
  /** The URL of a database, with credentials. */
  url: string;
  mode: PoolMode;
  /** Connections to the database. */
  size: number;
}>;

/** Runs PgBouncer in front of a database. Returns the URL of the database through it. */
export async function startPgBouncer(scope: Scope, options: PgBouncerOptions): Promise<string> {
  await ensureServers(['pgbouncer']);
  const folder = makeServerFolder();
  const file = path.join(folder, 'pgbouncer.ini');
  return await onFreePort(async (port) => {
    writeFileSync(file, configuration(port, options));
    const { start, stop } = daemon({
      command: serverProgram('pgbouncer'),
      args: [file],
      folder,
      ready: /process up/,
    });
    scope.after(async () => {
      await stop('SIGTERM');
      removeFolder(folder);
    });
    await start();
    return Object.assign(new URL(options.url), { port: String(port) }).href;
  });
}

/** Clients are let in without a password: the database has its own. */
function configuration(port: number, { url, mode, size }: PgBouncerOptions): string {
  const { hostname, port: serverPort, username, password, pathname } = new URL(url);
  const login = `user=${username} password='${decodeURIComponent(password)}'`;
  return `[databases]
${decodeURIComponent(pathname.slice(1))} = host=${hostname} port=${serverPort} ${login}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${size}
max_client_conn = 500
`;
}
