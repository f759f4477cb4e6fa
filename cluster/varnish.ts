import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { daemon } from './daemon.ts';
import { ensureServers, serverProgram } from './debian.ts';
import { onLoopback } from './on-loopback.ts';
import { untilListens } from './port.ts';
import type { Scope } from './scope.ts';

const DEPLOY = path.resolve(import.meta.dirname, '../deploy/varnish');

export type VarnishServer = Readonly<{
  port: number;
  address: string;
  /** Its working folder, for varnishstat. */
  work: string;
  stop: () => Promise<void>;
}>;

/** Runs Varnish with a file of `deploy/` in front of nodes on loopback ports. */
export async function startVarnish(
  scope: Scope,
  nodePorts: readonly number[],
  file: 'default.vcl' | 'purged.vcl' = 'default.vcl',
): Promise<VarnishServer> {
  if (file === 'purged.vcl') await ensureServers(['xkey']);
  return await onLoopback(scope, 'varnish', async (port, folder) => {
    writeFileSync(path.join(folder, 'default.vcl'), vclFor(nodePorts));
    writeFileSync(path.join(folder, 'purged.vcl'), readFileSync(path.join(DEPLOY, 'purged.vcl')));
    const work = `${folder}/work`;
    const { start, stop } = daemon({
      command: serverProgram('varnish'),
      args: [
        '-F',
        '-j',
        'none',
        '-s',
        'malloc,64m',
        '-p',
        `vcl_path=${folder}`,
        '-f',
        path.join(folder, file),
        '-a',
        `127.0.0.1:${port}`,
        '-n',
        work,
      ],
      folder,
      ready: () => untilListens(port),
    });
    await start();
    return { port, address: `http://127.0.0.1:${port}`, work, stop: () => stop('SIGTERM') };
  });
}

/** The file of `deploy/` with other nodes; several take turns. */
function vclFor(nodePorts: readonly number[]): string {
  const vcl = readFileSync(path.join(DEPLOY, 'default.vcl'), 'utf8');
  const [backend = ''] = /^backend default \{\n.*?\n\}\n/ms.exec(vcl) ?? [];
  const nodes = nodePorts.map((port, index) =>
    backend.replace('default', `node_${index}`).replace('"3001"', `"${port}"`),
  );
  const turns = `import directors;
sub vcl_init {
  new nodes = directors.round_robin();
${nodePorts.map((_, index) => `  nodes.add_backend(node_${index});\n`).join('')}}
sub vcl_recv { set req.backend_hint = nodes.backend(); }
`;
  return vcl.replace(backend, `${nodes.join('\n')}\n${turns}`);
}
