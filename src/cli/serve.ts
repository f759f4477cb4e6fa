import { type Command, InvalidArgumentError } from 'commander';
import { type Config, SETTINGS } from '../config.ts';
import { Refusal } from '../errors.ts';
import { drain, listen, stopRequested } from '../http/listen.ts';
import { openSource } from '../store/source.ts';
import { type Cli, configOf, prepareDatabase } from './cli.ts';
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
  // Loaded here: no other command needs the HTTP server.
  const [{ buildApp }, { openLog }, { openCounters }] = await Promise.all([
    import('../http/app.ts'),
    import('../http/log.ts'),
    import('../http/counters/open.ts'),
  ]);
  await prepareDatabase(cli);
  const log = openLog(config);
  const counters = await openCounters({ ...config, isWorker: false, log });
  const source = await openSource(config.databaseUrls);
  const app = buildApp({ config, source, log, counters });
  const stop = stopRequested((signal) => cli.exit(128 + SIGNAL_NUMBERS[signal]));
  try {
    const address = await listen(app, config);
    onReady(address);
    cli.print(`listening on ${address}`);
    await stop;
    await drain(app);
  } finally {
    counters.close();
    await source.close();
  }
}

/** What is asked for and would silently not happen. */
export function listNotYet({ opsPort, workers }: Config): string[] {
  return [
    opsPort === null ? [] : 'OPS_PORT is set, but this version has no operations listener: unset it.',
    workers === 1 ? [] : `WORKERS is ${workers}, but this version serves with one process: set it to 1.`,
  ].flat();
}
