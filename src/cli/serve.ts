import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError } from 'commander';
import { type Config, type Environment, SETTINGS } from '../config.ts';
import { Refusal } from '../errors.ts';
import { choosePort, drain, listen, onReloadRequest, stopRequested } from '../http/listen.ts';
import type { Operations } from '../http/ops.ts';
import { type Cli, configOf, prepareDatabase, reasonFor } from './cli.ts';
import { giveNotice, leave, onOrder } from './orders.ts';
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
  if (cluster.isWorker) return await serveAsWorker(cli);
  const config = usableConfig(cli);
  await prepareDatabase(cli);
  const stop = stopRequested((signal) => cli.exit(128 + SIGNAL_NUMBERS[signal]));
  const onListening = async (address: string) => {
    onReady(address);
    cli.print(`listening on ${address}`);
  };
  const processes = processesFor(config);
  if (processes > 1) return await serveWithWorkers(config, cli.environment, { processes, stop, onListening });
  await serveHere(cli, config, { stop, retire: stop, onListening });
}

type Serving = Readonly<{
  /** Everything ends. */
  stop: Promise<void>;
  /** This process ends, and others go on. */
  retire: Promise<void>;
  onListening: (address: string) => Promise<void>;
  onClosing?: () => Promise<void>;
}>;

async function serveHere(cli: Cli, config: Config, serving: Serving): Promise<void> {
  const { stop, retire, onListening, onClosing = async () => {} } = serving;
  const service = await openService(config, { isWorker: cluster.isWorker });
  let isServing = false;
  let operations: Awaited<ReturnType<typeof openOperations>> = null;
  try {
    operations = await openOperations(cli, config, {
      isReady: async () => isServing && (await service.isReady()),
      metrics: async () => await writeMetrics(service),
    });
    const address = await listen(service.app, config);
    isServing = true;
    await onListening(address);
    await Promise.race([stop, retire]);
    isServing = false;
    await Promise.all([drain(service.app, stop), onClosing()]);
  } finally {
    operations?.close();
    await service.close();
  }
}

type Supervision = Pick<Serving, 'stop' | 'onListening'> & Readonly<{ processes: number }>;

async function serveWithWorkers(
  config: Config,
  environment: Environment,
  { processes, stop, onListening }: Supervision,
): Promise<void> {
  const [{ openCrew }, { openLog }, { countForWorkers }] = await Promise.all([
    import('./workers.ts'),
    import('../http/log.ts'),
    import('../http/counters/workers.ts'),
  ]);
  countForWorkers();
  const log = openLog(config);
  const port = await choosePort(config);
  const crew = openCrew({ host: config.host, port, size: processes, environment, log });
  onReloadRequest(crew.reload);
  const address = await Promise.race([crew.start(), stop]);
  if (typeof address === 'string') await onListening(address);
  await stop;
  await crew.stop();
}

/** A worker does what the primary process says, which is also the one to say what is wrong. */
async function serveAsWorker(cli: Cli): Promise<void> {
  const retire = Promise.withResolvers<void>();
  const stop = Promise.withResolvers<void>();
  onOrder((order) => (order === 'stop' ? stop : retire).resolve());
  // These also reach a whole group of processes; the second one is for the primary process to act on.
  stopRequested(() => {}).then(stop.resolve);
  onReloadRequest(() => {});
  try {
    const config = usableConfig(cli);
    await prepareDatabase(cli);
    await serveHere(cli, config, {
      stop: stop.promise,
      retire: retire.promise,
      onListening: (address) => giveNotice({ listening: address }),
      onClosing: () => giveNotice({ retiring: true }),
    });
    await leave();
  } catch (error) {
    await giveNotice({ refused: reasonFor(error) });
    cli.exit(1);
  }
  cli.exit(0);
}

function processesFor({ workers }: Config): number {
  return workers === 0 ? availableParallelism() : workers;
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

function usableConfig(cli: Cli): Config {
  const config = configOf(cli);
  const [refusal] = listNotYet(config);
  if (refusal !== undefined) throw new Refusal(refusal);
  return config;
}

/** What is asked for and would silently not happen. */
export function listNotYet(config: Config): string[] {
  return config.opsPort !== null && processesFor(config) > 1 ? [NO_OPERATIONS] : [];
}

const NO_OPERATIONS =
  'OPS_PORT is set, but this version has no operations listener for several workers: unset it, or set WORKERS to 1.';
