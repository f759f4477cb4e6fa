import { type Command, InvalidArgumentError } from 'commander';
import { type Config, SETTINGS } from '../config.ts';
import { Refusal } from '../errors.ts';
import { drain, listen, stopRequested } from '../http/listen.ts';
import { openReader, openWriter, type Reader } from '../store/open.ts';
import { bringUpToDate, type Cli, configOf, isCurrent } from './cli.ts';
import { listSettings } from './settings.ts';

export type ServeFlags = { host?: string; port?: string; workers?: string };

const SIGNAL_NUMBERS = { SIGINT: 2, SIGTERM: 15 } as Record<NodeJS.Signals, number>;

export function addServe(program: Command, cli: Cli): void {
  withListenFlags(program.command('serve'))
    .description('serve the database over HTTP')
    .addHelpText('after', `\nSettings, from the environment or .env:\n${listSettings()}`)
    .action((flags: ServeFlags) => serve(cli, configOf(withFlags(cli, flags))));
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
export async function serve(
  cli: Cli,
  config: Config,
  onReady: (address: string) => void = () => {},
): Promise<void> {
  refuseNotYet(config);
  // Loaded here: no other command needs the HTTP server.
  const [{ buildApp }, { openLog }] = await Promise.all([import('../http/app.ts'), import('../http/log.ts')]);
  const db = await openServed(config);
  const app = buildApp({ config, db, log: openLog(config) });
  const stop = stopRequested((signal) => cli.exit(128 + SIGNAL_NUMBERS[signal]));
  try {
    const address = await listen(app, config);
    onReady(address);
    cli.print(`listening on ${address}`);
    await stop;
    await drain(app);
  } finally {
    await db.destroy();
  }
}

/** Opens for reading what is up to date; only a database that is not is opened for writing, once. */
async function openServed(config: Config): Promise<Reader> {
  if (!(await isCurrent(config.databaseUrl))) {
    const writer = openWriter(config.databaseUrl, { create: config.autoMigrate });
    try {
      await bringUpToDate(writer, config);
    } finally {
      await writer.destroy();
    }
  }
  return openReader(config.databaseUrl);
}

/** What is asked for and would silently not happen is refused instead. */
function refuseNotYet({ redisUrl, opsPort, workers }: Config): void {
  if (redisUrl !== null)
    throw new Refusal('REDIS_URL is set, but this version counts requests in its own process: unset it.');
  if (opsPort !== null)
    throw new Refusal('OPS_PORT is set, but this version has no operations listener: unset it.');
  if (workers !== 1)
    throw new Refusal(`WORKERS is ${workers}, but this version serves with one process: set it to 1.`);
}
