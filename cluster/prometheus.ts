import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { daemon } from './daemon.ts';
import { ensureServers, serverProgram } from './debian.ts';
import { onLoopback } from './on-loopback.ts';
import type { Scope } from './scope.ts';

const DEPLOY = path.resolve(import.meta.dirname, '../deploy/prometheus');
const execute = promisify(execFile);

type Alert = Readonly<{
  state: 'pending' | 'firing';
  labels: Readonly<Record<string, string>>;
  annotations: Readonly<Record<string, string>>;
}>;
type Result = readonly Readonly<{ metric: Readonly<Record<string, string>>; value: [number, string] }>[];

/** Runs promtool in the folder of `deploy/`, and returns what it prints. */
export async function promtool(args: readonly string[], input = ''): Promise<string> {
  await ensureServers(['prometheus']);
  const program = path.join(path.dirname(serverProgram('prometheus')), 'promtool');
  const running = execute(program, args, { cwd: DEPLOY });
  running.child.stdin?.end(input);
  const { stdout, stderr } = await running;
  return stdout + stderr;
}

/** Runs Prometheus with the files of `deploy/`, but with these targets and no patience. */
export async function startPrometheus(scope: Scope, targets: readonly string[]) {
  return await onLoopback(scope, 'prometheus', async (port, folder) => {
    const read = (file: string) => readFileSync(path.join(DEPLOY, file), 'utf8');
    const config = read('prometheus.yml')
      .replace(/targets: \[.*\]/, `targets: ${JSON.stringify(targets)}`)
      .replaceAll(/_interval: \w+/g, '_interval: 1s');
    writeFileSync(path.join(folder, 'prometheus.yml'), config);
    writeFileSync(path.join(folder, 'alerts.yaml'), read('alerts.yaml').replaceAll(/for: \w+/g, 'for: 1s'));
    const { start, stop } = daemon({
      command: serverProgram('prometheus'),
      args: [
        `--config.file=${folder}/prometheus.yml`,
        `--storage.tsdb.path=${folder}/data`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      folder,
      ready: /Server is ready to receive web requests/,
    });
    await start();
    const get = async (target: string) => {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/${target}`);
      const { data, error } = (await response.json()) as { data: unknown; error?: string };
      if (error !== undefined) throw new Error(`${target}: ${error}`);
      return data;
    };
    return {
      query: async (expr: string) =>
        ((await get(`query?query=${encodeURIComponent(expr)}`)) as { result: Result }).result,
      alerts: async () => ((await get('alerts')) as { alerts: readonly Alert[] }).alerts,
      stop: () => stop('SIGTERM'),
    };
  });
}
