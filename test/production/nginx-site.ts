import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { daemon } from '../../cluster/daemon.ts';
import { serverProgram } from '../../cluster/debian.ts';
import { onLoopback } from '../../cluster/on-loopback.ts';
import type { Scope } from '../../support/processes/scope.ts';

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** Runs a site that a page of the docs shows, without the rest of what `startNginx` adds. Returns its port and folder. */
export async function startSite(scope: Scope, siteFor: (port: number, folder: string) => string) {
  return await onLoopback(scope, 'nginx', async (port, folder) => {
    const at = (name: string) => path.join(folder, name);
    writeFileSync(at('site.conf'), siteFor(port, folder));
    const folders = TEMPORARY.map((name) => `${name}_temp_path ${at(name)};`).join(' ');
    writeFileSync(
      at('nginx.conf'),
      `daemon off; worker_processes 1; pid ${at('pid')}; error_log ${at('error.log')} info; error_log stderr notice;
       events {} http { ${folders} include ${at('site.conf')}; }`,
    );
    const args = ['-p', folder, '-e', 'stderr', '-c', at('nginx.conf')];
    const { start, stop } = daemon({
      command: serverProgram('nginx'),
      args,
      folder,
      ready: /start worker process \d/,
    });
    await start();
    return { port, folder, stop: () => stop('SIGTERM') };
  });
}
