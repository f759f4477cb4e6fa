import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { daemon } from './daemon.ts';
import { serverProgram } from './debian.ts';
import { onLoopback } from './on-loopback.ts';
import { freePort } from './port.ts';
import type { Scope } from './scope.ts';

const SITES = readFileSync(path.resolve(import.meta.dirname, '../deploy/caddy/Caddyfile'), 'utf8');

type CaddyOptions = Readonly<{
  /** The node of the instance's own host and of the domains. */
  nodePort: number;
  /** The node whose BASE_URL is below a path of another site. */
  belowPort: number;
  opsPort: number;
}>;

/** Runs the sites of `deploy/` on loopback ports, with certificates of an authority of Caddy's own. */
export async function startCaddy(scope: Scope, options: CaddyOptions) {
  return await onLoopback(scope, 'caddy', async (httpsPort, folder) => {
    const httpPort = await freePort();
    writeFileSync(path.join(folder, 'index.html'), 'The site above the path.\n');
    writeFileSync(path.join(folder, 'Caddyfile'), sitesFor({ ...options, httpPort, httpsPort, folder }));
    const { start, stop } = daemon({
      command: serverProgram('caddy'),
      args: ['run', '--config', 'Caddyfile', '--adapter', 'caddyfile'],
      folder,
      environment: { HOME: folder, XDG_DATA_HOME: folder },
      ready: /serving initial configuration/,
    });
    await start();
    const authority = path.join(folder, 'caddy/pki/authorities/local/root.crt');
    return {
      httpPort,
      httpsPort,
      rootCertificate: readFileSync(authority, 'utf8'),
      stop: () => stop('SIGTERM'),
    };
  });
}

type SitesOptions = CaddyOptions & Readonly<{ httpPort: number; httpsPort: number; folder: string }>;

/** The sites of `deploy/` with other addresses. The one below a path has a node of its own: it has another BASE_URL. */
export function sitesFor({
  nodePort,
  belowPort,
  opsPort,
  httpPort,
  httpsPort,
  folder,
}: SitesOptions): string {
  const globals = [
    'admin off',
    'local_certs',
    'skip_install_trust',
    `http_port ${httpPort}`,
    `https_port ${httpsPort}`,
  ];
  const [, snippet = ''] = /^(\(changelog\) \{\n.*?\n\}\n)/ms.exec(SITES) ?? [];
  const nodes = '127.0.0.1:3001 127.0.0.1:3002 127.0.0.1:3003';
  const below = snippet.replace('(changelog)', '(below)').replace(nodes, `127.0.0.1:${belowPort}`);
  return SITES.replace(/^\{\n/m, `{\n\t${globals.join('\n\t')}\n`)
    .replace(snippet, `${snippet}\n${below}`)
    .replace(nodes, `127.0.0.1:${nodePort}`)
    .replaceAll('127.0.0.1:9464', `127.0.0.1:${opsPort}`)
    .replace('/var/www/html', folder)
    .replace(/(handle @changelog \{\n\t+import) changelog/, '$1 below');
}
