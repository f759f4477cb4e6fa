import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError } from 'commander';
import { type Config, SETTINGS } from '../../config.ts';
import { choosePort, drain, listen, onReloadRequest, waitForStopSignal } from '../../serve/listen.ts';
import { disconnect, onCommand, sendEvent } from '../../serve/messages.ts';
import type { Operations } from '../../serve/operations.ts';
import { answerReportRequests, type ProcessStatus } from '../../serve/reports.ts';
import { openService } from '../../serve/service.ts';
import { type Cli, configOf, messageFor, prepareDatabase } from '../cli.ts';
import { listSettings } from '../settings.ts';

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
  const config = configOf(cli);
  await prepareDatabase(cli);
  const stop = waitForStopSignal((signal) => cli.exit(128 + SIGNAL_NUMBERS[signal]));
  const onListening = async (address: string) => {
    onReady(address);
    cli.print(`listening on ${address}`);
  };
  const processes = processesFor(config);
  if (processes > 1) return await serveWithWorkers(cli, config, { processes, stop, onListening });
  const openOperations = ({ isReady, registry }: ProcessStatus) =>
    listenToOperators(cli, config, {
      isReady,
      metrics: async () => ({
        contentType: registry?.contentType ?? '',
        text: (await registry?.metrics()) ?? '',
      }),
    });
  await serveHere(config, { stop, retire: stop, onListening, openOperations });
}

type Serving = Readonly<{
  /** Everything ends. */
  stop: Promise<void>;
  /** This process ends, and others go on. */
  retire: Promise<void>;
  onListening: (address: string) => Promise<void>;
  onClosing?: () => Promise<void>;
  /** Lets others ask how this process stands. */
  openOperations: (status: ProcessStatus) => Promise<{ close: () => void } | null>;
}>;

async function serveHere(config: Config, serving: Serving): Promise<void> {
  const { stop, retire, onListening, onClosing = async () => {}, openOperations } = serving;
  const service = await openService(config, { isWorker: cluster.isWorker });
  let isServing = false;
  let operations: { close: () => void } | null = null;
  try {
    operations = await openOperations({
      isReady: async () => isServing && (await service.isReady()),
      registry: service.metrics?.registry ?? null,
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
  cli: Cli,
  config: Config,
  { processes, stop, onListening }: Supervision,
): Promise<void> {
  const [{ createWorkerPool }, { operationsFor }, { openLog }, { countForWorkers }] = await Promise.all([
    import('../../serve/workers.ts'),
    import('../../serve/reports.ts'),
    import('../../http/telemetry/log.ts'),
    import('../../http/guards/counters/workers.ts'),
  ]);
  const { environment } = cli;
  countForWorkers();
  const log = await openLog(config);
  const port = await choosePort(config);
  const crew = createWorkerPool({ host: config.host, port, size: processes, environment, log });
  onReloadRequest(crew.reload);
  const operations = await listenToOperators(cli, config, operationsFor(crew.workers));
  try {
    const address = await Promise.race([crew.start(), stop]);
    if (typeof address === 'string') await onListening(address);
    await stop;
    await crew.stop();
  } finally {
    operations?.close();
  }
}

/** A worker does what the primary process says, which is also the one to say what is wrong. */
async function serveAsWorker(cli: Cli): Promise<void> {
  const retire = Promise.withResolvers<void>();
  const stop = Promise.withResolvers<void>();
  onCommand((order) => {
    if (order === 'stop') stop.resolve();
    if (order === 'retire') retire.resolve();
  });
  // These also reach a whole group of processes; the second one is for the primary process to act on.
  waitForStopSignal(() => {}).then(stop.resolve);
  onReloadRequest(() => {});
  try {
    await prepareDatabase(cli);
    await serveHere(configOf(cli), {
      stop: stop.promise,
      retire: retire.promise,
      onListening: (address) => sendEvent({ listening: address }),
      onClosing: () => sendEvent({ retiring: true }),
      openOperations: async (status) => {
        answerReportRequests(status);
        return null;
      },
    });
    await disconnect();
  } catch (error) {
    await sendEvent({ refused: messageFor(error) });
    cli.exit(1);
  }
  cli.exit(0);
}

function processesFor({ workers }: Config): number {
  return workers === 0 ? availableParallelism() : workers;
}

/** The listener of R36, if there is to be one. */
async function listenToOperators(cli: Cli, { opsHost, opsPort }: Config, operations: Operations) {
  if (opsPort === null) return null;
  const { listenForOperations } = await import('../../serve/operations.ts');
  const listener = await listenForOperations({ host: opsHost, port: opsPort }, operations);
  cli.print(`operations on ${listener.address}`);
  return listener;
}
