import { type Command, InvalidArgumentError } from 'commander';
import { type Config, SETTINGS } from '../config.ts';
import { Refusal } from '../errors.ts';
import { drain, listen, stopRequested } from '../http/listen.ts';
import type { Operations } from '../http/ops.ts';
import { type Cli, configOf, prepareDatabase } from './cli.ts';
import { openService, type Service } from './service.ts';
import { listSettings } from './settings.ts';

export type ServeFlags = { host?: string; port?: string; workers?: string };

const SIGNAL_NUMBERS = { SIGINT: 2, SIGTERM: 15 } as Record<NodeJS.Signals, number>;

export function addServe(program: Command, cli: Cli): void {
  withListenFlags(program.command('serve'))
    .description('serve the database over HTTP')
    .addHelpText('after', `\nSettings, from the environment or .env:\n${listSettings()}`)
    .action((flags: ServeFlags) => serve(withFlags(cli, flags)));
}

export function withListenFlags(command: Command): Command {
  return command
    .option('--host <host>', SETTINGS.host.help, usable(SETTINGS.host))
    .option('--port <number>', SETTINGS.port.help, usable(SETTINGS.port))
    .option('--workers <number>', SETTINGS.workers.help, usable(SETTINGS.workers));
}

/** A flag stands for a setting, and is refused for the same reasons. */
function usable(setting: { takes: string; parse: (text: string) => unknown }) {
  return (text: string) => {
    if (setting.parse(text) === undefined) throw new InvalidArgumentError(`It takes ${setting.takes}.`);
    return text;
  };
}

export function withFlags(cli: Cli, { host, port, workers }: ServeFlags): Cli {
  const given = Object.entries({ HOST: host, PORT: port, WORKERS: workers }).filter(
    ([, value]) => value !== undefined,
  );
  return { ...cli, environment: { ...cli.environment, ...Object.fromEntries(given) } };
}

/** Serves until it is told to stop; `onReady` gets the address. */
export async function serve(cli: Cli, onReady: (address: string) => void = () => {}): Promise<void> {
  const config = configOf(cli);
  const [refusal] = listNotYet(config);
  if (refusal !== undefined) throw new Refusal(refusal);
  await prepareDatabase(cli);
  const service = await openService(config, { isWorker: false });
  const stop = stopRequested((signal) => cli.exit(128 + SIGNAL_NUMBERS[signal]));
  let isServing = false;
  const operations = await openOperations(cli, config, {
    isReady: async () => isServing && (await service.isReady()),
    metrics: async () => await writeMetrics(service),
  });
  try {
    const address = await listen(service.app, config);
    isServing = true;
    onReady(address);
    cli.print(`listening on ${address}`);
    await stop;
    isServing = false;
    await drain(service.app);
  } finally {
    operations?.close();
    await service.close();
  }
}

/** The listener of R36, if there is to be one. */
async function openOperations(cli: Cli, { opsHost, opsPort }: Config, operations: Operations) {
  if (opsPort === null) return null;
  const { listenForOperations } = await import('../http/ops.ts');
  const listener = await listenForOperations({ host: opsHost, port: opsPort }, operations);
  cli.print(`operations on ${listener.address}`);
  return listener;
}

async function writeMetrics({ metrics }: Service) {
  const registry = metrics?.registry;
  return { contentType: registry?.contentType ?? 'text/plain', text: (await registry?.metrics()) ?? '' };
}

/** What is asked for and would silently not happen. */
export function listNotYet({ workers }: Config): string[] {
  return [
    workers === 1 ? [] : `WORKERS is ${workers}, but this version serves with one process: set it to 1.`,
  ].flat();
}
