import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { daemon } from './daemon.ts';
import { serverProgram } from './debian.ts';
import { onLoopback } from './on-loopback.ts';
import type { Scope } from './scope.ts';

export type NginxServer = Readonly<{
  port: number;
  address: string;
  pid: () => number;
  /** Reloads the site with other nodes, without dropping a connection. */
  reload: (nodePorts: readonly number[]) => void;
  stop: () => Promise<void>;
}>;

const SITE = readFileSync(path.resolve(import.meta.dirname, '../deploy/nginx/changelog.conf'), 'utf8');
const PURGED = readFileSync(path.resolve(import.meta.dirname, '../deploy/nginx/purged.patch'), 'utf8');
const BELOW_A_PATH = readFileSync(
  path.resolve(import.meta.dirname, '../deploy/nginx/below-a-path.conf'),
  'utf8',
);

/** A test sends the address that nginx should see as the client's: this machine may not have it. */
export const TEST_CLIENT_HEADER = 'X-Test-Client';

type NginxOptions = Readonly<{
  workers?: number;
  /** A file to log to. */
  accessLog?: string;
  below?: BelowAPath;
  /** Keeps responses for a day, and forgets all of them after a request to this port. */
  purgePort?: number;
}>;

/** A node whose BASE_URL is below a path of another site. `isRemoved`: the node does not get the path. */
type BelowAPath = Readonly<{ host: string; nodePort: number; isRemoved?: boolean }>;

/** Runs the nginx site of `deploy/` in front of nodes on loopback ports. */
export async function startNginx(
  scope: Scope,
  nodePorts: readonly number[],
  options: NginxOptions = {},
): Promise<NginxServer> {
  return await onLoopback(scope, 'nginx', async (port, folder) => {
    const writeSite = (ports: readonly number[]) =>
      writeFileSync(path.join(folder, 'site.conf'), siteFor({ port, nodePorts: ports, folder, ...options }));
    writeFileSync(path.join(folder, 'nginx.conf'), mainConfig(port, folder, options));
    writeSite(nodePorts);
    const { pid, start, stop, signal } = daemon({
      command: serverProgram('nginx'),
      args: ['-p', folder, '-e', 'stderr', '-c', path.join(folder, 'nginx.conf')],
      folder,
      ready: /start worker process \d/,
    });
    await start();
    return {
      port,
      address: `http://127.0.0.1:${port}`,
      pid,
      reload: (ports) => {
        writeSite(ports);
        signal('SIGHUP');
      },
      stop: () => stop('SIGTERM'),
    };
  });
}

type SiteOptions = NginxOptions & { port: number; nodePorts: readonly number[]; folder: string };

/** The site of `deploy/` with other addresses, another cache folder and another log. */
export function siteFor({ port, nodePorts, folder, accessLog, purgePort }: SiteOptions): string {
  const site = purgePort === undefined ? SITE : patched(SITE, PURGED).replaceAll(':8082', `:${purgePort}`);
  return site
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('/var/cache/changelog', `${folder}/cache`)
    .replace(
      '/var/log/nginx/access.log changelog',
      accessLog === undefined ? 'off' : `${accessLog} changelog`,
    )
    .replaceAll(/^ *server 127\.0\.0\.1:300[23] .*\n/gm, '')
    .replaceAll(/^( *server 127\.0\.0\.1):3001 (.*)$/gm, (_, start: string, rest: string) =>
      nodePorts.map((nodePort) => `${start}:${nodePort} ${rest}`).join('\n'),
    );
}

/** The rest of the configuration, as in Debian's nginx.conf, with everything nginx writes in one folder. */
function mainConfig(port: number, folder: string, { workers = 2, below }: NginxOptions): string {
  return `daemon off;
worker_processes ${workers};
pid ${folder}/nginx.pid;
error_log ${folder}/error.log warn;
error_log stderr notice;
events { worker_connections 1024; }
http {
  sendfile on;
  tcp_nopush on;
  set_real_ip_from 127.0.0.1;
  real_ip_header ${TEST_CLIENT_HEADER};
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  include ${folder}/site.conf;
  ${below === undefined ? '' : siteAbove(port, below)}}
`;
}

/** Another site, with the locations of `deploy/` for a path. */
function siteAbove(port: number, { host, nodePort, isRemoved = false }: BelowAPath): string {
  const lines = isRemoved ? withoutPath(BELOW_A_PATH) : BELOW_A_PATH;
  return `server {
    listen 127.0.0.1:${port};
    server_name ${host};
    access_log off;
    location / { return 200 'The site above the path.'; }
    ${lines.replaceAll('http://changelog', `http://127.0.0.1:${nodePort}`)}
  }
`;
}

/** As the comment in the file says. */
function withoutPath(lines: string): string {
  const [, location = '', pass = ''] = /^ +# +(location .*)\n +# +(proxy_pass .*)$/m.exec(lines) ?? [];
  return lines.replace(/^location .*$/m, location).replace(/^ +proxy_pass .*$/m, pass);
}

function patched(text: string, patch: string): string {
  const hunks = patch.split(/^@@ .*\n/m).slice(1);
  return hunks.reduce((before, hunk) => {
    const side = (other: string) =>
      hunk.replaceAll(new RegExp(`^\\${other}.*\\n`, 'gm'), '').replaceAll(/^./gm, '');
    if (!before.includes(side('+'))) throw new Error(`the patch does not fit:\n${hunk}`);
    return before.replace(side('+'), () => side('-'));
  }, text);
}
