// The worker pool of the primary process: starts, restarts, replaces and stops workers.
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { type Environment, withSettings } from '../config.ts';
import { Refusal } from '../errors.ts';
import { CHANNEL_ENVIRONMENT, CHANNEL_STDIO, countForWorkers } from '../http/guards/counters/workers.ts';
import type { Log } from '../http/telemetry/log.ts';
import { DRAIN_MS_MAX, SENDING_MS_MAX } from './listen.ts';
import { onEvent, sendCommand } from './messages.ts';

const START_MS_MAX = 30_000;
/** A worker that has not exited by then is killed. */
const END_MS_MAX = Math.max(DRAIN_MS_MAX, SENDING_MS_MAX) + 2_000;
/** A worker that dies later than this started properly. */
const SETTLED_MS = 10_000;
const RESTART_MS_MIN = 100;
const RESTART_MS_MAX = 5_000;

type WorkerPoolOptions = Readonly<{
  size: number;
  host: string;
  /** Not 0: later workers must use the same port. */
  port: number;
  environment: Environment;
  log: Log;
}>;

type WorkerExit = Readonly<{ code: number | null; signal: string | null }>;
type StartedWorker = Readonly<{ worker: Worker; url: string; ended: Promise<WorkerExit> }>;

/** Changes to a slot run one after another; `last` is the latest. */
type WorkerSlot = { worker: Worker | null; startedAt: number; earlyExits: number; last: Promise<void> };

export function createWorkerPool({ size, host, port, environment, log }: WorkerPoolOptions) {
  const slots = Array.from({ length: size }, newSlot);
  const starting = new Set<Worker>();
  const ending = new AbortController();
  let reloading = false;
  let reloadAgain = false;

  // Workers get command-line settings through their environment, and read `.env` themselves.
  cluster.setupPrimary({ args: ['serve'], stdio: [...CHANNEL_STDIO] });
  const countFor = countForWorkers();

  async function startWorker(): Promise<StartedWorker> {
    ending.signal.throwIfAborted();
    const settings = withSettings(environment, { HOST: host, PORT: String(port) });
    const worker = cluster.fork({ ...settings, ...CHANNEL_ENVIRONMENT });
    countFor(worker);
    starting.add(worker);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    let failure: string | null = null;
    // An exiting worker needs no more messages.
    worker.on('error', () => {});
    onEvent(worker, (event) => {
      if ('listening' in event) resolve(event.listening);
      if ('failed' in event) failure = event.failed;
    });
    const ended = exitOf(worker);
    void ended.then(({ code, signal }) =>
      reject(
        new Refusal(failure ?? `a worker process ended (${signal ?? `code ${code}`}) before it listened.`),
      ),
    );
    const timer = setTimeout(() => worker.process.kill('SIGKILL'), START_MS_MAX);
    try {
      return { worker, url: await promise, ended };
    } finally {
      clearTimeout(timer);
      starting.delete(worker);
    }
  }

  /** Puts a worker into its slot, and replaces it if it dies. */
  function assign(slot: WorkerSlot, { worker, ended }: StartedWorker): void {
    slot.worker = worker;
    slot.startedAt = performance.now();
    void ended.then(({ code, signal }) => {
      if (ending.signal.aborted) return;
      const { pid } = worker.process;
      const isNeeded = slot.worker === worker;
      if (!isNeeded && code === 0) return log.info({ worker: pid }, 'worker drained');
      log.error({ worker: pid, code, signal }, 'worker died');
      if (!isNeeded) return;
      slot.worker = null;
      serially(slot, () => fill(slot)).catch((error: Error) => logFailure(error, 'worker did not start'));
    });
  }

  /** Starts workers in an empty slot, at growing intervals, until one listens. */
  async function fill(slot: WorkerSlot): Promise<void> {
    if (performance.now() - slot.startedAt > SETTLED_MS) slot.earlyExits = 0;
    while (slot.worker === null && !ending.signal.aborted) {
      await delay(restartDelayMs(slot.earlyExits++), undefined, { signal: ending.signal }).catch(() => {});
      if (ending.signal.aborted) return;
      await startWorker().then(
        (started) => {
          assign(slot, started);
          log.info({ worker: started.worker.process.pid }, 'worker started');
        },
        (error: Error) => logFailure(error, 'worker did not start'),
      );
    }
  }

  /** The new worker listens before the old one drains in the background. */
  async function replace(slot: WorkerSlot): Promise<void> {
    const started = await startWorker();
    const old = slot.worker;
    assign(slot, started);
    if (old !== null) await drainWorker(old);
  }

  function logFailure(error: Error, message: string): void {
    if (!ending.signal.aborted) log.error({ reason: error.message }, message);
  }

  async function reloadAll(): Promise<void> {
    for (const slot of slots) {
      if (!ending.signal.aborted) await serially(slot, () => replace(slot));
    }
  }

  /** Replaces all workers, one by one. */
  async function reload(): Promise<void> {
    reloadAgain = true;
    if (reloading) return;
    reloading = true;
    while (reloadAgain && !ending.signal.aborted) {
      reloadAgain = false;
      log.info('reloading workers');
      await reloadAll().then(
        () => log.info('workers reloaded'),
        (error: Error) => logFailure(error, 'reload stopped: a new worker did not start'),
      );
    }
    reloading = false;
  }

  async function stop(): Promise<void> {
    ending.abort();
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    for (const worker of workers) {
      // A worker that does not listen yet has no clients.
      if (starting.has(worker)) worker.process.kill('SIGKILL');
      else sendCommand(worker, 'stop');
      killAfter(worker, END_MS_MAX);
    }
    await Promise.all(workers.filter((worker) => !worker.isDead()).map(exitOf));
  }

  /** Resolves with the URL when all workers listen; rejects, leaving none, if one cannot. */
  async function start(): Promise<string> {
    // A reload requested meanwhile waits.
    const urls = slots.map((slot) =>
      serially(slot, async () => {
        const started = await startWorker();
        assign(slot, started);
        return started.url;
      }),
    );
    try {
      const [url = ''] = await Promise.all(urls);
      return url;
    } catch (error) {
      await stop();
      throw error;
    }
  }

  return {
    start,
    /** Workers that serve and are not draining. */
    workers: () => slots.flatMap(({ worker }) => worker ?? []),
    reload: () => void reload(),
    stop,
  };
}

function newSlot(): WorkerSlot {
  return { worker: null, startedAt: performance.now(), earlyExits: 0, last: Promise.resolve() };
}

function serially<T>(slot: WorkerSlot, task: () => Promise<T>): Promise<T> {
  const done = slot.last.then(task);
  slot.last = done.then(
    () => {},
    () => {},
  );
  return done;
}

/** Not `events.once`, which rejects if a message to a worker that exits cannot be sent. */
function exitOf(worker: Worker): Promise<WorkerExit> {
  return new Promise((resolve) => worker.once('exit', (code, signal) => resolve({ code, signal })));
}

/** No delay at first, then twice as long each time. */
function restartDelayMs(earlyExits: number): number {
  if (earlyExits === 0) return 0;
  return Math.min(RESTART_MS_MAX, RESTART_MS_MIN * 2 ** (earlyExits - 1));
}

/** Resolves when the worker gets no more connections. */
async function drainWorker(worker: Worker): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  onEvent(worker, (event) => {
    if ('draining' in event) resolve();
  });
  worker.once('exit', () => resolve());
  killAfter(worker, END_MS_MAX);
  sendCommand(worker, 'drain');
  if (!worker.isDead()) await promise;
}

function killAfter(worker: Worker, msMax: number): void {
  const timer = setTimeout(() => worker.process.kill('SIGKILL'), msMax).unref();
  worker.once('exit', () => clearTimeout(timer));
}
