import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { daemon } from './daemon.ts';
import { serverProgram } from './debian.ts';
import { onLoopback } from './on-loopback.ts';
import type { Scope } from './scope.ts';

const VCL = readFileSync(path.resolve(import.meta.dirname, '../deploy/varnish/default.vcl'), 'utf8');

/** Runs Varnish with the file of `deploy/` in front of a node on a loopback port. */
export async function startVarnish(scope: Scope, nodePort: number) {
  return await onLoopback(scope, 'varnish', async (port, folder) => {
    const file = path.join(folder, 'default.vcl');
    writeFileSync(file, VCL.replace('.port = "3001"', `.port = "${nodePort}"`));
    const { start, stop } = daemon({
      command: serverProgram('varnish'),
      args: [
        '-F',
        '-j',
        'none',
        '-s',
        'malloc,16m',
        '-f',
        file,
        '-a',
        `127.0.0.1:${port}`,
        '-n',
        `${folder}/work`,
      ],
      folder,
      ready: /Child launched OK/,
    });
    await start();
    return { port, stop: () => stop('SIGTERM') };
  });
}
