// The worker pool of the primary process: starts, restarts, replaces and stops workers.
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { type Environment, withSettings } from '../config.ts';
import { Refusal } from '../errors.ts';
import { CHANNEL_STDIO, countForWorkers } from '../http/guards/counters/workers.ts';
import type { Log } from '../http/telemetry/log.ts';
import { createJob } from './job.ts';
import { DRAIN_MS_MAX, SENDING_MS_MAX } from './listen.ts';
import { sendCommand, type WorkerEvent } from './messages.ts';

const START_MS_MAX = 30_000;
/** A worker that has not exited by then is killed. */
const END_MS_MAX = Math.max(DRAIN_MS_MAX, SENDING_MS_MAX) + 2_000;
/** Between the starts of workers in a slot whose workers die. */
const RESTART_MS_MIN = 2_000;

/** The port is not 0: later workers must use the same. */
type WorkerPoolOptions = Readonly<{
  size: number;
  host: string;
  port: number;
  environment: Environment;
  log: Log;
}>;

/** Changes to a slot run one after another; `last` is the latest. */
type WorkerSlot = { worker: Worker | null; startedAt: number; last: Promise<unknown> };

export function createWorkerPool({ size, host, port, environment, log }: WorkerPoolOptions) {
  const slots = Array.from({ length: size }, (): WorkerSlot => {
    return { worker: null, startedAt: 0, last: Promise.resolve() };
  });
  const starting = new Set<Worker>();
  const ending = new AbortController();
  const { signal: isEnding } = ending;

  // Workers get command-line settings through their environment, and read `.env` themselves.
  cluster.setupPrimary({ args: ['serve'], stdio: [...CHANNEL_STDIO] });
  const countFor = countForWorkers();

  /** Resolves when the worker listens. */
  async function startWorker(): Promise<Worker> {
    isEnding.throwIfAborted();
    const settings = withSettings(environment, { HOST: host, PORT: String(port) });
    const worker = cluster.fork(settings);
    countFor(worker);
    starting.add(worker);
    const { promise, resolve, reject } = Promise.withResolvers<Worker>();
    let failure: string | null = null;
    // An exiting worker needs no more messages.
    worker.on('error', () => {});
    worker.on('message', (event: WorkerEvent) => {
      if ('listening' in event) resolve(worker);
      if ('failed' in event) failure = event.failed;
    });
    worker.once('exit', (code, signal) => {
      const how = signal ?? `code ${code}`;
      reject(new Refusal(failure ?? `a worker process ended (${how}) before it listened.`));
    });
    const timer = killAfter(worker, START_MS_MAX);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      starting.delete(worker);
    }
  }

  /** Puts a worker into its slot, and replaces it if it dies. */
  function assign(slot: WorkerSlot, worker: Worker): void {
    slot.worker = worker;
    slot.startedAt = performance.now();
    worker.once('exit', (code, signal) => {
      if (isEnding.aborted) return;
      const { pid } = worker.process;
      const isNeeded = slot.worker === worker;
      if (!isNeeded && code === 0) return log.info({ worker: pid }, 'worker drained');
      log.error({ worker: pid, code, signal }, 'worker died');
      if (!isNeeded) return;
      slot.worker = null;
      void serially(slot, () => fill(slot));
    });
  }

  /** Starts workers in an empty slot until one listens. */
  async function fill(slot: WorkerSlot): Promise<void> {
    while (slot.worker === null && !isEnding.aborted) {
      const pauseMs = slot.startedAt + RESTART_MS_MIN - performance.now();
      await delay(Math.max(0, pauseMs), undefined, { signal: isEnding }).catch(() => {});
      if (isEnding.aborted) return;
      slot.startedAt = performance.now();
      try {
        const worker = await startWorker();
        assign(slot, worker);
        log.info({ worker: worker.process.pid }, 'worker started');
      } catch (error) {
        logFailure(error as Error, 'worker did not start');
      }
    }
  }

  /** The new worker listens before the old one drains in the background. */
  async function replace(slot: WorkerSlot): Promise<void> {
    const worker = await startWorker();
    const old = slot.worker;
    assign(slot, worker);
    if (old === null || old.isDead()) return;
    killAfter(old, END_MS_MAX);
    sendCommand(old, 'drain');
    await new Promise((resolve) => {
      old.on('message', (event: WorkerEvent) => 'draining' in event && resolve(event));
      old.once('exit', resolve);
    });
  }

  function logFailure(error: Error, message: string): void {
    if (!isEnding.aborted) log.error({ reason: error.message }, message);
  }

  /** Replaces all workers, one by one. */
  const reloading = createJob(async () => {
    if (isEnding.aborted) return;
    log.info('reloading workers');
    try {
      for (const slot of slots) await serially(slot, () => replace(slot));
      log.info('workers reloaded');
    } catch (error) {
      logFailure(error as Error, 'reload stopped: a new worker did not start');
    }
  });

  async function stop(): Promise<void> {
    ending.abort();
    const exits = Object.values(cluster.workers ?? {}).map((worker) => {
      if (worker === undefined || worker.isDead()) return null;
      // A worker that does not listen yet has no clients.
      if (starting.has(worker)) worker.process.kill('SIGKILL');
      else sendCommand(worker, 'stop');
      killAfter(worker, END_MS_MAX);
      // Not `events.once`, which rejects if a message to a worker that exits cannot be sent.
      return new Promise((resolve) => worker.once('exit', resolve));
    });
    await Promise.all(exits);
  }

  return {
    /** Resolves when all workers listen; rejects, leaving none, if one cannot. */
    start: async (): Promise<void> => {
      // A reload requested meanwhile waits.
      const started = slots.map((slot) => serially(slot, async () => assign(slot, await startWorker())));
      try {
        await Promise.all(started);
      } catch (error) {
        await stop();
        throw error;
      }
    },
    /** Workers that serve and are not draining. */
    workers: () => slots.flatMap(({ worker }) => worker ?? []),
    reload: reloading.start,
    stop,
  };
}

function serially<T>(slot: WorkerSlot, task: () => Promise<T>): Promise<T> {
  const done = slot.last.then(task);
  slot.last = done.catch(() => {});
  return done;
}

function killAfter(worker: Worker, msMax: number): NodeJS.Timeout {
  const timer = setTimeout(() => worker.process.kill('SIGKILL'), msMax).unref();
  worker.once('exit', () => clearTimeout(timer));
  return timer;
}
