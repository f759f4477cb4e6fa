// Runs the hooks (R65, R66). Every process tries; the database lets only one send each message.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Hook, isPurgeHook, type PurgeHook } from '../domain/hook.ts';
import { announceDue, type Run, SHOWN_EVERYWHERE_MS } from '../hooks/announce.ts';
import { DeliveryError } from '../hooks/outgoing.ts';
import { purgeChanges } from '../hooks/purge-changes.ts';
import type { Sending } from '../hooks/sending.ts';
import type { Delivery, Outcome } from '../hooks/store/deliveries.ts';
import { listHooksWithWork, setUpHooks } from '../hooks/store/hooks.ts';
import { forgetPurges } from '../hooks/store/purges.ts';
import type { Log } from '../http/telemetry/log.ts';
import type { Observer } from '../http/telemetry/observer.ts';
import { isBusy, isReadOnly } from '../store/engine/failures.ts';
import { EVERYTHING, touchesOn } from '../store/engine/touches.ts';
import type { Source } from '../store/source/source.ts';
import { createReceivers, createReports, isOfDatabase } from './hook-reports.ts';
import { SENDING_MS_MAX } from './listen.ts';

const CHECK_EVERY_MS = 1_000;
/** How often to retry a database that cannot be written to. */
const READ_ONLY_RETRY_MS = 30_000;
const CANNOT_RUN = 'hooks cannot run';
const CANNOT_WRITE = 'hooks cannot write to the database';
const SET_UP_TRIES_MAX = 20;
const SET_UP_AGAIN_MS = 50;

type HooksOptions = Sending &
  Readonly<{
    hooks: readonly Hook[];
    source: Source;
    run: Run;
    onOutcome: Observer['onHook'];
    log: Log;
  }>;

export type HookLoop = Readonly<{
  /** Begins to send; before, hooks are only set up. */
  start: () => void;
  /** Waits for what is being sent. If that does not end soon, another process sends it again. */
  stop: () => Promise<void>;
  /** For how long the hook has had something to do that no process does; 0 if it has nothing. */
  behindMs: (hook: string) => number;
}>;

export async function openHookLoop(options: HooksOptions): Promise<HookLoop> {
  const { hooks, source, run, log } = options;
  const closing = new AbortController();
  const interrupting = new AbortController();
  const { signal } = closing;
  const owner = randomUUID();
  const names = hooks.map(({ name }) => name);
  const jobs = new Map(hooks.map((hook) => [hook.name, createJob(() => runHook(hook))]));
  const receivers = createReceivers();
  const reports = createReports(log);
  let written = Promise.withResolvers<void>();
  let isSetUp = false;
  /** Whether another database may be in place of the one that was purged for. */
  let isReplaced = false;
  let retryAt = Number.NEGATIVE_INFINITY;
  const behindSince = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  source.onTouched((touches) => {
    if (touchesOn('public', touches).length === 0) return;
    if (touches.includes(EVERYTHING)) isReplaced = true;
    written.resolve();
    written = Promise.withResolvers();
    if (timer !== undefined) check.start();
  });

  async function setUp(): Promise<void> {
    if (isReplaced) {
      await run((db) =>
        forgetPurges(
          db,
          hooks.filter(isPurgeHook).map(({ name }) => name),
        ),
      );
      isSetUp = false;
      isReplaced = false;
    }
    if (!isSetUp) await run((db) => setUpHooks(db, hooks));
    isSetUp = true;
  }

  const check = createJob(async () => {
    if (performance.now() < retryAt) return;
    try {
      await setUp();
      const withWork = await run((db) => listHooksWithWork(db, names));
      noteBehind(withWork);
      for (const name of withWork) if (!receivers.isPaused(name)) jobs.get(name)?.start();
      reports.works(CANNOT_RUN);
    } catch (error) {
      // Whether there is something to do is not known.
      noteBehind(names);
      report(error, CANNOT_RUN);
    }
  });

  function noteBehind(behind: readonly string[]): void {
    for (const name of names)
      if (!behind.includes(name)) behindSince.delete(name);
      else if (!behindSince.has(name)) behindSince.set(name, performance.now());
  }

  function report(error: unknown, what: string): void {
    if (signal.aborted) return;
    // The tables may be those of another database.
    if (!isBusy(error)) isSetUp = false;
    if (isReadOnly(error)) retryAt = performance.now() + READ_ONLY_RETRY_MS;
    reports.failed(what, error);
  }

  const wait = (ms: number) => delay(ms, undefined, { signal, ref: false });

  async function runHook(hook: Hook): Promise<void> {
    const cannotRun = `hook ${hook.name} cannot run`;
    try {
      if (isPurgeHook(hook)) await runPurge(hook);
      else
        await announceDue(hook, {
          run,
          send: (to, delivery) => options.send(to, delivery, interrupting.signal),
          onOutcome: reportDelivery,
          onUnwritten: (error) => report(error, CANNOT_WRITE),
          afterMs: SHOWN_EVERYWHERE_MS,
          wait,
          isClosing: () => signal.aborted,
          isInterrupted: () => interrupting.signal.aborted,
        });
      reports.works(cannotRun);
      reports.works(CANNOT_WRITE);
    } catch (error) {
      report(error, isOfDatabase(error) ? CANNOT_WRITE : cannotRun);
    }
  }

  async function runPurge(hook: PurgeHook): Promise<void> {
    const { name } = hook;
    try {
      await purgeChanges(hook, {
        run,
        owner,
        failures: receivers.failures(name),
        purge: async (to, touches) => {
          await options.purge(to, touches, interrupting.signal);
          options.onOutcome(name, 'purged');
          if (receivers.works(name)) log.info({ hook: name }, 'purge works again');
        },
        wait,
        waitForWrite: (ms) => Promise.race([wait(ms), written.promise]),
      });
    } catch (error) {
      if (!(error instanceof DeliveryError) || interrupting.signal.aborted) throw error;
      options.onOutcome(name, 'failed');
      if (receivers.failed(name, error.message))
        log.error({ hook: name, reason: error.message }, 'purge failed: retrying');
    }
  }

  function reportDelivery({ name }: Hook, delivery: Delivery, outcome: Outcome): void {
    const { team, product, version, messageId, attempts } = delivery;
    const about = { hook: name, product: `${team}/${product}`, version, messageId };
    if (outcome.state === 'sent') {
      receivers.works(name);
      log.info(about, 'version announced');
    } else {
      const failed = { ...about, reason: outcome.failure, attempts };
      const isNews = receivers.failed(name, outcome.failure);
      if (outcome.state === 'given_up') log.error(failed, 'announcement given up');
      else
        log[isNews ? 'warn' : 'debug'](
          { ...failed, againSeconds: Math.round(outcome.againMs / 1000) },
          'announcement failed: retrying',
        );
    }
    options.onOutcome(name, outcome.state === 'pending' ? 'failed' : outcome.state);
  }

  // Before the first request, so that what is published from then on is announced.
  for (let tries = 0; !isSetUp && tries < SET_UP_TRIES_MAX; tries++) {
    try {
      await setUp();
    } catch (error) {
      report(error, CANNOT_RUN);
      if (!isBusy(error)) break;
      await delay(SET_UP_AGAIN_MS);
    }
  }

  return {
    start: () => {
      timer = setInterval(check.start, CHECK_EVERY_MS).unref();
      check.start();
    },
    stop: async () => {
      clearInterval(timer);
      closing.abort();
      setTimeout(() => interrupting.abort(), SENDING_MS_MAX).unref();
      await Promise.all([check, ...jobs.values()].map((job) => job.ended()));
    },
    behindMs: (name) => {
      const since = behindSince.get(name);
      return since === undefined ? 0 : performance.now() - since;
    },
  };
}

/** Runs one at a time, never within the call that starts it. If it is started while it runs, it runs once more. */
function createJob(task: () => Promise<void>) {
  let running: Promise<void> | null = null;
  let isWanted = false;
  let isOver = false;
  async function run(): Promise<void> {
    await null;
    while (isWanted && !isOver) {
      isWanted = false;
      await task();
    }
    running = null;
  }
  return {
    start: () => {
      isWanted = true;
      running ??= run();
    },
    ended: async () => {
      isOver = true;
      await running;
    },
  };
}
