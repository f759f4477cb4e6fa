// Starts the measured servers, our program and the baselines, on the server's core.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { daemon } from '../../cluster/daemon.ts';
import { ensureServers, serverProgram } from '../../cluster/debian.ts';
import { onFreePort } from '../../cluster/port.ts';
import { removeFolder, type Scope, temporaryFolder } from '../../cluster/scope.ts';
import { tethered } from '../../cluster/tether.ts';
import { makeServerFolder } from '../../cluster/user.ts';
import type { Environment } from '../../src/config.ts';
import { type Cores, pin } from './cores.ts';
import { copiedHeaders, type RecordedResponse } from './responses.ts';

/** A warning, or worse: the server was not in its normal state. */
const PROBLEM = /^\{"level":"(?:warn|error|fatal)".*$/m;
/** What users run. With a recent Node.js, it runs the program in the same process. */
export const PROGRAM = path.resolve(import.meta.dirname, '../../bin/changelog');
const BARE = path.resolve(import.meta.dirname, 'bare.ts');

export type Server = Readonly<{
  pid: number;
  address: string;
  port: number;
  opsAddress: string | null;
  cores: Cores;
  /** Fails if the server has logged a warning or an error, and truncates its log, which would otherwise fill the disk. */
  checkLog: () => void;
  stop: () => Promise<void>;
}>;

/** The server was not in its normal state, such as without Redis for a moment. */
export class ServerDisturbed extends Error {
  override readonly name = 'ServerDisturbed';
}

/** The limiter counts every request and rejects none. */
export const COUNTING = { PUBLIC_RATE_LIMIT: '1000000000' };

/** `changelog serve`, with its log in a file. */
export async function startOurs(
  scope: Scope,
  environment: Environment,
  cores: Cores = 'server',
  program = PROGRAM,
): Promise<Server> {
  const settings = { LOG_FORMAT: 'json', ...COUNTING, ...environment };
  return await startScript(scope, [program, 'serve', '--port', '0'], settings, cores);
}

/** A bare `node:http` server that sends the same bytes. */
export async function startBare(
  scope: Scope,
  response: RecordedResponse,
  cores: Cores = 'server',
): Promise<Server> {
  const file = path.join(temporaryFolder(scope), 'response.json');
  const headers = copiedHeaders(response);
  const keepAliveMs = keepAliveSeconds(response) * 1_000;
  writeFileSync(file, JSON.stringify({ headers, body: response.body.toString('base64'), keepAliveMs }));
  return await startScript(scope, [BARE, file], {}, cores);
}

async function startScript(
  scope: Scope,
  args: readonly string[],
  environment: Environment,
  cores: Cores,
): Promise<Server> {
  const folder = temporaryFolder(scope);
  const logFile = path.join(folder, 'log');
  const tied = tethered(process.execPath, args);
  const child = spawn(tied.command, tied.args, {
    cwd: folder,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', openSync(logFile, 'a')],
  });
  const exited = once(child, 'close');
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await exited;
  };
  scope.after(stop);
  let opsAddress: string | null = null;
  const address = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const [, what, found = ''] = /^(?:\{"msg":")?(listening|operations) on (http:[^\s"]+)/.exec(line) ?? [];
      if (what === 'operations') opsAddress = found;
      if (what === 'listening') resolve(found);
    });
    exited.then(() => {
      const lastLine = readFileSync(logFile, 'utf8').trim().split('\n').at(-1);
      reject(new Error(`${args.join(' ')} exited before it listened: ${lastLine}`));
    });
  });
  pin(cores, child.pid as number);
  truncateSync(logFile);
  return {
    pid: child.pid as number,
    address,
    port: Number(new URL(address).port),
    opsAddress,
    cores,
    checkLog: () => {
      const [problem] = PROBLEM.exec(readFileSync(logFile, 'latin1')) ?? [];
      truncateSync(logFile);
      if (problem !== undefined) throw new ServerDisturbed(`the server logged ${problem}`);
    },
    stop,
  };
}

/** nginx with one worker that sends the same bytes from a file and writes a log. */
export async function startNginxWithFile(
  scope: Scope,
  urlPath: string,
  response: RecordedResponse,
): Promise<Server> {
  await ensureServers(['nginx']);
  const folder = makeServerFolder();
  const accessLog = path.join(folder, 'access.log');
  writeFileSync(path.join(folder, 'response'), response.body);
  return await onFreePort(async (port) => {
    const configuration = path.join(folder, 'nginx.conf');
    writeFileSync(configuration, fileSite({ folder, port, urlPath, response }));
    const args = ['-p', folder, '-e', 'stderr', '-c', configuration];
    const { pid, start, stop } = daemon({
      command: serverProgram('nginx'),
      args,
      folder,
      ready: /start worker process \d/,
    });
    scope.after(async () => {
      await stop('SIGTERM');
      removeFolder(folder);
    });
    await start();
    pin('server', pid());
    return {
      pid: pid(),
      address: `http://127.0.0.1:${port}`,
      port,
      opsAddress: null,
      cores: 'server',
      checkLog: () => truncateSync(accessLog),
      stop: () => stop('SIGTERM'),
    };
  });
}

type FileSite = { folder: string; port: number; urlPath: string; response: RecordedResponse };

/** Sends the headers of the response, and `Server`, which nginx always adds. */
function fileSite({ folder, port, urlPath, response }: FileSite): string {
  const own = ['content-type', 'content-length'];
  const added = copiedHeaders(response).filter(([name]) => !own.includes(name.toLowerCase()));
  return `daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log warn;
error_log stderr notice;
events { worker_connections 1024; }
http {
  access_log ${folder}/access.log;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  sendfile on;
  tcp_nopush on;
  open_file_cache max=100 inactive=1h;
  open_file_cache_valid 1h;
  keepalive_timeout ${keepAliveSeconds(response)}s ${keepAliveSeconds(response)}s;
  keepalive_requests 1000000000;
  server {
    listen 127.0.0.1:${port};
    etag off;
    max_ranges 0;
    location = ${urlPath} {
      alias ${folder}/response;
      default_type '${response.header('content-type')}';
      add_header Last-Modified '';
${added.map(([name, value]) => `      add_header ${name} '${value}';`).join('\n')}
    }
  }
}
`;
}

function keepAliveSeconds(response: RecordedResponse): number {
  return Number(/timeout=(\d+)/.exec(response.header('keep-alive') ?? '')?.[1] ?? 75);
}
