// Hosts that know nothing but files, for static sites.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { daemon } from '../../cluster/daemon.ts';
import { ensureServers, serverProgram } from '../../cluster/debian.ts';
import { onFreePort } from '../../cluster/port.ts';
import { removeFolder, type Scope, temporaryFolder } from '../../cluster/scope.ts';
import { tethered } from '../../cluster/tether.ts';
import { makeServerFolder } from '../../cluster/user.ts';
import { codeBlock, section } from '../support/markdown.ts';

export const HOSTS = ['python3', 'nginx'] as const;

export type StaticHost = Readonly<{ address: string; folder: string }>;

/** Serves the files of an empty folder. */
export const startHost = (scope: Scope, name: (typeof HOSTS)[number]): Promise<StaticHost> =>
  name === 'nginx' ? startFileNginx(scope) : startPython(scope);

async function startPython(scope: Scope): Promise<StaticHost> {
  await ensureServers(['python3']);
  const folder = temporaryFolder(scope);
  const options = ['-u', '-m', 'http.server', '0', '--bind', '127.0.0.1', '--directory', folder];
  const { command, args } = tethered(serverProgram('python3'), options);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  scope.after(async () => {
    if (child.kill()) await once(child, 'exit');
  });
  const [line] = await once(child.stdout, 'data');
  const [, port] = /port (\d+)/.exec(String(line)) ?? [];
  return { address: `http://127.0.0.1:${port}`, folder };
}

async function startFileNginx(scope: Scope): Promise<StaticHost> {
  await ensureServers(['nginx']);
  const parent = makeServerFolder();
  scope.after(() => removeFolder(parent));
  mkdirSync(path.join(parent, 'site'));
  return await onFreePort(async (port) => {
    const config = path.join(parent, 'nginx.conf');
    writeFileSync(config, nginxConfig(parent, port));
    const { start, stop } = daemon({
      command: serverProgram('nginx'),
      args: ['-p', parent, '-e', 'stderr', '-c', config],
      folder: parent,
      ready: /start worker process \d/,
    });
    await start();
    scope.after(() => stop('SIGTERM'));
    return { address: `http://127.0.0.1:${port}`, folder: path.join(parent, 'site') };
  });
}

const STATIC = readFileSync(path.resolve(import.meta.dirname, '../../docs/static.md'), 'utf8');
const SITE = codeBlock(section(STATIC, '## Your own server'), 'nginx');

/** The lines of docs/static.md. As GitHub Pages does, it lets pages of all origins read. */
const nginxConfig = (parent: string, port: number) => `daemon off;
pid ${parent}/nginx.pid;
error_log stderr notice;
events {}
http {
  access_log off;
  add_header Access-Control-Allow-Origin *;
  client_body_temp_path ${parent}/body;
  proxy_temp_path ${parent}/proxy;
  fastcgi_temp_path ${parent}/fastcgi;
  uwsgi_temp_path ${parent}/uwsgi;
  scgi_temp_path ${parent}/scgi;
  ${SITE.replace('listen 80;', `listen 127.0.0.1:${port};`).replace('/srv/changelog', `${parent}/site`)}
}
`;
