import { daemon } from './daemon.ts';
import { ensureServers, serverProgram } from './debian.ts';
import { onFreePort } from './port.ts';
import { removeFolder, type Scope } from './scope.ts';
import { makeServerFolder } from './user.ts';

export type RedisServer = Readonly<{
  port: number;
  url: string;
  pid: () => number;
  /** Starts it empty, on the same port. Resolves when it accepts connections. */
  start: () => Promise<void>;
  stop: () => Promise<void>;
  /** Kills it without notifying its clients. */
  kill: () => Promise<void>;
  hang: () => void;
  resume: () => void;
}>;

type RedisOptions = Readonly<{
  password?: string;
  /** The port on which the servers of a cluster reach it. */
  busPort?: number;
}>;

export async function startRedis(scope: Scope, options: RedisOptions = {}): Promise<RedisServer> {
  await ensureServers(['redis']);
  const folder = makeServerFolder();
  let server: RedisServer | undefined;
  scope.after(async () => {
    await server?.kill();
    removeFolder(folder);
  });
  server = await onFreePort(async (port) => {
    const candidate = describeServer(port, folder, options);
    await candidate.start();
    return candidate;
  });
  return server;
}

function describeServer(port: number, folder: string, { password = '', busPort }: RedisOptions): RedisServer {
  const clustered =
    busPort === undefined ? [] : ['--cluster-enabled', 'yes', '--cluster-port', String(busPort)];
  const address = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
  const { pid, start, stop, hang, resume } = daemon({
    command: serverProgram('redis'),
    args: [...address, '--save', '', '--appendonly', 'no', '--requirepass', password, ...clustered],
    folder,
    ready: /Ready to accept connections/,
  });
  const login = password === '' ? '' : `:${encodeURIComponent(password)}@`;
  return {
    port,
    url: `redis://${login}127.0.0.1:${port}`,
    pid,
    start,
    stop: () => stop('SIGTERM'),
    kill: () => stop('SIGKILL'),
    hang,
    resume,
  };
}
