// `changelog serve`: a single process, or a primary process that supervises workers.
import cluster from 'node:cluster';
import { availableParallelism, constants } from 'node:os';
import type { Config, Environment } from '../config.ts';
import type { Hook } from '../domain/hook.ts';
import { type Log, openLog } from '../http/telemetry/log.ts';
import { baseUrlFor, listenUrl, unsetBaseUrlWarning } from '../http/urls.ts';
import { drain, listen, onSignals, requirePorts, waitForStopSignal } from './listen.ts';
import { disconnect, sendEvent, type WorkerCommand } from './messages.ts';
import { answerPrimary, listenForOperations, type Operations, operationsOf } from './operations.ts';
import type { ServiceOptions } from './service.ts';
import { createWorkerPool } from './workers.ts';

/** What a serving process reads from files at its start. */
export type Prepared = Readonly<{ config: Config; extraCss: string; hooks: readonly Hook[] }>;

type ServeOptions = Readonly<{
  environment: Environment;
  /** Reads the settings, the extra style sheet and the hooks. */
  read: () => Promise<Prepared>;
  /** Creates or migrates the database, if needed. The warnings are for the log. */
  prepareDatabase: () => Promise<readonly string[]>;
  print: (line: string) => void;
  exit: (code: number) => never;
  /** One line about a failure, for the user. */
  messageFor: (error: unknown) => string;
  onReady: (baseUrl: string) => void;
}>;

type Closable = Readonly<{ close: () => void }>;

/** Serves until SIGTERM or SIGINT. SIGHUP also stops a single process, but replaces workers. */
export async function serve(options: ServeOptions): Promise<void> {
  if (cluster.isWorker) return await serveAsWorker(options);
  const { environment, read, prepareDatabase, print, exit, onReady } = options;
  const prepared = await read();
  const { config } = prepared;
  const port = await requirePorts(config);
  const warnings = await prepareDatabase();
  const size = config.workers === 0 ? availableParallelism() : config.workers;
  const exitBy = (signal: NodeJS.Signals) => exit(128 + constants.signals[signal]);
  const stop = waitForStopSignal(exitBy, size === 1 ? ['SIGHUP'] : []);
  const log = await openProcessLog(config, exit);
  for (const warning of warnings) log.warn(warning);
  // Whoever wants JSON gets it on both streams, except for the line that scripts wait for.
  const lineFor = (what: string, url: string) =>
    config.logFormat === 'json' ? JSON.stringify({ msg: `${what} ${url}` }) : `${what} ${url}`;
  const onListening = (url: string) => {
    const warning = unsetBaseUrlWarning(config, url);
    if (warning !== null) log.warn(warning);
    const baseUrl = baseUrlFor(config, url);
    onReady(baseUrl);
    // In one write: a script may close the pipe after the first line.
    print(`listening on ${url}\n${lineFor('API reference:', `${baseUrl}/docs`)}`);
  };
  const openOperations = async (operations: Operations): Promise<Closable | undefined> => {
    if (config.opsPort === null) return;
    const listener = await listenForOperations({ host: config.opsHost, port: config.opsPort }, operations);
    print(lineFor('operations on', listener.url));
    return listener;
  };

  if (size === 1) {
    const service = { ...prepared, environment, log, isWorker: false };
    return await serveHere({ ...service, stop, drain: stop, onListening, openOperations });
  }

  const pool = createWorkerPool({ host: config.host, port, size, environment, log });
  onSignals(['SIGHUP'], pool.reload);
  const operations = await openOperations(operationsOf(pool.workers));
  try {
    const started = pool.start().then(() => onListening(listenUrl(null, { host: config.host, port })));
    await Promise.race([started, stop]);
    await stop;
    await pool.stop();
  } finally {
    operations?.close();
  }
}

/** Serving goes on after a rejection, which keeps no request waiting. After an exception, anything may be broken. */
async function openProcessLog(config: Config, exit: (code: number) => never): Promise<Log> {
  const log = await openLog(config);
  // Other properties of an error may contain secrets.
  const describe = (error: unknown) => ({ reason: String(error), stack: (error as Error | null)?.stack });
  process.on('unhandledRejection', (error) => log.fatal(describe(error), 'unhandled rejection'));
  process.on('uncaughtException', (error) => {
    log.fatal(describe(error), 'uncaught exception: this process ends');
    exit(1);
  });
  // Node.js would print them as text.
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn({ reason: String(warning) }, 'warning of Node.js'));
  return log;
}

type Serving = Prepared &
  ServiceOptions &
  Readonly<{
    /** All processes end. */
    stop: Promise<void>;
    /** Only this process ends. */
    drain: Promise<void>;
    onListening: (url: string) => void | Promise<void>;
    onDraining?: () => Promise<void>;
    openOperations: (operations: Operations) => Promise<Closable | undefined>;
  }>;

async function serveHere({ config, ...serving }: Serving): Promise<void> {
  // Loaded here: a primary process with workers does not need the API.
  const { openService } = await import('./service.ts');
  const service = await openService(config, serving);
  let isServing = false;
  let operations: Closable | undefined;
  try {
    operations = await serving.openOperations({
      isReady: async () => isServing && (await service.isReady()),
      isDomain: service.isDomain,
      registry: () => service.metrics?.registry ?? null,
    });
    const url = await listen(service.app, config);
    isServing = true;
    await serving.onListening(url);
    service.hookLoop?.start();
    await Promise.race([serving.stop, serving.drain]);
    isServing = false;
    await Promise.all([drain(service.app, serving.stop), service.hookLoop?.stop(), serving.onDraining?.()]);
  } finally {
    operations?.close();
    await service.close();
  }
}

/** The primary process controls a worker and reports its failures. */
async function serveAsWorker(options: ServeOptions): Promise<void> {
  const { environment, read, prepareDatabase, exit, messageFor } = options;
  const drainCommand = Promise.withResolvers<void>();
  const stop = Promise.withResolvers<void>();
  process.on('message', (command: WorkerCommand) => {
    if (command === 'stop') stop.resolve();
    if (command === 'drain') drainCommand.resolve();
  });
  // A signal may reach the whole process group. The primary process acts on the second one and on SIGHUP.
  void waitForStopSignal(() => {}).then(stop.resolve);
  onSignals(['SIGHUP'], () => {});
  try {
    const prepared = await read();
    await prepareDatabase();
    const log = await openProcessLog(prepared.config, exit);
    await serveHere({
      ...prepared,
      environment,
      log,
      isWorker: true,
      stop: stop.promise,
      drain: drainCommand.promise,
      onListening: () => sendEvent({ listening: true }),
      onDraining: () => sendEvent({ draining: true }),
      openOperations: async (operations) => void answerPrimary(operations, log),
    });
    await disconnect();
  } catch (error) {
    await sendEvent({ failed: messageFor(error) });
    exit(1);
  }
  exit(0);
}
