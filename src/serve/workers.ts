// The primary process of `serve --workers`: it keeps a number of worker processes serving, and exchanges them.
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Environment } from '../config.ts';
import { Refusal } from '../errors.ts';
import type { Log } from '../http/telemetry/log.ts';
import { DRAIN_MS_MAX } from './listen.ts';
import { onEvent, sendCommand } from './messages.ts';

const START_MS_MAX = 30_000;
/** For a worker that does not end by itself after the time it has for draining. */
const END_MS_MAX = DRAIN_MS_MAX + 2_000;
/** A worker that has served for this long did not die of how it was started. */
const SETTLED_MS = 10_000;
const RESTART_MS_MIN = 100;
const RESTART_MS_MAX = 5_000;

export type WorkerPool = Readonly<{
  /** Resolves with the address when all listen; rejects if one cannot, and then none is left. */
  start: () => Promise<string>;
  /** Those that serve, and were not told to finish. */
  workers: () => Worker[];
  /** Exchanges all workers, one by one. */
  reload: () => void;
  stop: () => Promise<void>;
}>;

type WorkerPoolOptions = Readonly<{
  size: number;
  host: string;
  /** Not 0: a worker that comes later has to find the same one. */
  port: number;
  environment: Environment;
  log: Log;
}>;

type WorkerExit = Readonly<{ code: number | null; signal: string | null }>;
type StartedWorker = Readonly<{ worker: Worker; address: string; ended: Promise<WorkerExit> }>;

/** The place of one worker. What happens to it happens in turn. */
type WorkerSlot = { worker: Worker | null; startedAt: number; earlyExits: number; turn: Promise<void> };

export function createWorkerPool({ size, host, port, environment, log }: WorkerPoolOptions): WorkerPool {
  const posts = Array.from({ length: size }, newSlot);
  const starting = new Set<Worker>();
  const ending = new AbortController();
  let reloading = false;
  let reloadAgain = false;

  // The settings that came with the command: what else they need, workers read from `.env` by themselves.
  cluster.setupPrimary({ args: ['serve'] });

  async function startWorker(): Promise<StartedWorker> {
    ending.signal.throwIfAborted();
    const worker = cluster.fork({ ...environment, HOST: host, PORT: String(port) });
    starting.add(worker);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    let refusal: string | null = null;
    // What cannot be sent to a worker that is ending is not missed.
    worker.on('error', () => {});
    onEvent(worker, (notice) => {
      if ('listening' in notice) resolve(notice.listening);
      if ('failed' in notice) refusal = notice.failed;
    });
    const ended = once(worker, 'exit').then(([code, signal]): WorkerExit => ({ code, signal }));
    ended.then(({ code, signal }) =>
      reject(
        new Refusal(refusal ?? `a worker process ended (${signal ?? `code ${code}`}) before it listened.`),
      ),
    );
    const overdue = setTimeout(() => worker.process.kill('SIGKILL'), START_MS_MAX);
    try {
      return { worker, address: await promise, ended };
    } finally {
      clearTimeout(overdue);
      starting.delete(worker);
    }
  }

  /** Puts a worker in its place, and sees to it when it ends. */
  function place(post: WorkerSlot, { worker, ended }: StartedWorker): void {
    post.worker = worker;
    post.startedAt = performance.now();
    ended.then(({ code, signal }) => {
      if (ending.signal.aborted) return;
      const { pid } = worker.process;
      const isNeeded = post.worker === worker;
      if (!isNeeded && code === 0) return log.info({ worker: pid }, 'worker retired');
      log.error({ worker: pid, code, signal }, 'worker died');
      if (!isNeeded) return;
      post.worker = null;
      serially(post, () => fill(post));
    });
  }

  /** Starts workers in an empty place until one stays, ever more slowly. */
  async function fill(post: WorkerSlot): Promise<void> {
    if (performance.now() - post.startedAt > SETTLED_MS) post.earlyExits = 0;
    while (post.worker === null && !ending.signal.aborted) {
      await delay(restartDelayMs(post.earlyExits++), undefined, { signal: ending.signal }).catch(() => {});
      if (ending.signal.aborted) return;
      await startWorker().then(
        (started) => {
          place(post, started);
          log.info({ worker: started.worker.process.pid }, 'worker started');
        },
        (error: Error) => logFailure(error, 'worker did not start'),
      );
    }
  }

  /** The new one listens before the old one is told to finish, which it then does in the background. */
  async function exchange(post: WorkerSlot): Promise<void> {
    const started = await startWorker();
    const old = post.worker;
    place(post, started);
    if (old !== null) await drainWorker(old);
  }

  function logFailure(error: Error, message: string): void {
    if (!ending.signal.aborted) log.error({ reason: error.message }, message);
  }

  async function reloadAll(): Promise<void> {
    for (const post of posts) {
      if (!ending.signal.aborted) await serially(post, () => exchange(post));
    }
  }

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
      // Nobody is served by one that does not listen yet.
      if (starting.has(worker)) worker.process.kill('SIGKILL');
      else sendCommand(worker, 'stop');
      killAfter(worker, END_MS_MAX);
    }
    await Promise.all(workers.filter((worker) => !worker.isDead()).map((worker) => once(worker, 'exit')));
  }

  async function start(): Promise<string> {
    // A reload that is asked for meanwhile waits for its turn.
    const addresses = posts.map((post) =>
      serially(post, async () => {
        const started = await startWorker();
        place(post, started);
        return started.address;
      }),
    );
    try {
      const [address = ''] = await Promise.all(addresses);
      return address;
    } catch (error) {
      await stop();
      throw error;
    }
  }

  return {
    start,
    workers: () => posts.flatMap(({ worker }) => worker ?? []),
    reload: () => void reload(),
    stop,
  };
}

function newSlot(): WorkerSlot {
  return { worker: null, startedAt: performance.now(), earlyExits: 0, turn: Promise.resolve() };
}

function serially<T>(post: WorkerSlot, task: () => Promise<T>): Promise<T> {
  const done = post.turn.then(task);
  post.turn = done.then(
    () => {},
    () => {},
  );
  return done;
}

/** None at first, and then twice as long each time. */
function restartDelayMs(quickDeaths: number): number {
  if (quickDeaths === 0) return 0;
  return Math.min(RESTART_MS_MAX, RESTART_MS_MIN * 2 ** (quickDeaths - 1));
}

/** Resolves when no new connection reaches the worker any more. */
async function drainWorker(worker: Worker): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  onEvent(worker, (notice) => {
    if ('draining' in notice) resolve();
  });
  worker.once('exit', () => resolve());
  killAfter(worker, END_MS_MAX);
  sendCommand(worker, 'drain');
  if (!worker.isDead()) await promise;
}

function killAfter(worker: Worker, msMax: number): void {
  const overdue = setTimeout(() => worker.process.kill('SIGKILL'), msMax);
  overdue.unref();
  worker.once('exit', () => clearTimeout(overdue));
}
