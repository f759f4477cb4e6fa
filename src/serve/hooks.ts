// Runs the hooks (R65, R66). Every process tries; the database lets only one send each message.
import { type Hook, isPurgeHook } from '../domain/hook.ts';
import { deliverDue, patiently, type Run, type Send } from '../hooks/deliver.ts';
import {
  type Delivery,
  forgetPurges,
  listHooksWithWork,
  type Outcome,
  setUpHooks,
} from '../hooks/store/deliveries.ts';
import type { HookOutcome } from '../http/telemetry/counts.ts';
import type { Log } from '../http/telemetry/log.ts';
import { isBusy, isReadOnly } from '../store/engine/failures.ts';
import { EVERYTHING, touchesOn } from '../store/engine/touches.ts';
import type { Source } from '../store/source/source.ts';
import { createJob } from './job.ts';
import { SENDING_MS_MAX } from './listen.ts';
import { READ_ONLY_RETRY_MS } from './scheduler.ts';

const CHECK_EVERY_MS = 1_000;
const CANNOT_RUN = 'hooks cannot run';

type HooksOptions = Readonly<{
  hooks: readonly Hook[];
  source: Source;
  run: Run;
  send: Send;
  onOutcome: (hook: string, outcome: HookOutcome) => void;
  log: Log;
}>;

export async function openHookLoop(options: HooksOptions) {
  const { hooks, source, send, onOutcome, log } = options;
  const run = patiently(options.run);
  const closing = new AbortController();
  const interrupting = new AbortController();
  const names = hooks.map(({ name }) => name);
  const jobs = new Map(hooks.map((hook) => [hook.name, createJob(() => runHook(hook))]));
  /** Why something fails, for as long as it does. */
  const failing = new Map<string, string>();
  let isSetUp = false;
  /** Whether another database may be in place of the one that was purged for. */
  let isReplaced = false;
  let retryAt = Number.NEGATIVE_INFINITY;
  const behindSince = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  source.onTouched((touches) => {
    if (touchesOn('public', touches).length === 0) return;
    if (touches.includes(EVERYTHING)) isReplaced = true;
    if (timer !== undefined) check.start();
  });

  async function setUp(): Promise<void> {
    if (isReplaced) await run((db) => forgetPurges(db, hooks));
    if (isReplaced || !isSetUp) await run((db) => setUpHooks(db, hooks));
    isSetUp = true;
    isReplaced = false;
  }

  const check = createJob(async () => {
    if (performance.now() < retryAt) return;
    try {
      await setUp();
      const withWork = await run((db) => listHooksWithWork(db, names));
      noteBehind(withWork);
      for (const name of withWork) jobs.get(name)?.start();
      failing.delete(CANNOT_RUN);
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

  /** The log has one line for each reason. */
  function isNews(what: string, reason = ''): boolean {
    const before = failing.get(what);
    failing.set(what, reason);
    return before !== reason;
  }

  function report(error: unknown, what: string): void {
    if (closing.signal.aborted) return;
    // The tables may be those of another database.
    if (!isBusy(error)) isSetUp = false;
    if (isReadOnly(error)) retryAt = performance.now() + READ_ONLY_RETRY_MS;
    if (isNews(what)) log.warn({ reason: (error as Error).message }, `${what}: retrying`);
  }

  async function runHook(hook: Hook): Promise<void> {
    const cannotRun = `hook ${hook.name} cannot run`;
    try {
      const nextMs = await deliverDue(hook, {
        run,
        send,
        onOutcome: reportOutcome,
        onUnwritten: (error) => report(error, cannotRun),
        closing: closing.signal,
        interrupting: interrupting.signal,
      });
      // What is due later is found by the check.
      if (nextMs !== null && nextMs < CHECK_EVERY_MS)
        setTimeout(() => jobs.get(hook.name)?.start(), nextMs + 1).unref();
      failing.delete(cannotRun);
    } catch (error) {
      report(error, cannotRun);
    }
  }

  function reportOutcome(hook: Hook, delivery: Delivery, outcome: Outcome): void {
    const { name } = hook;
    const isPurge = isPurgeHook(hook);
    const { team, product, version, messageId, attempts } = delivery;
    const about = isPurge
      ? { hook: name }
      : { hook: name, product: `${team}/${product}`, version, messageId };
    if (outcome.state === 'sent') {
      const hadFailed = failing.delete(name);
      if (!isPurge) log.info(about, 'version announced');
      else if (hadFailed) log.info(about, 'purge works again');
      onOutcome(name, isPurge ? 'purged' : 'sent');
      return;
    }
    const failed = { ...about, reason: outcome.failure, attempts };
    const level = isNews(name, outcome.failure) ? (isPurge ? 'error' : 'warn') : 'debug';
    onOutcome(name, outcome.state === 'pending' ? 'failed' : outcome.state);
    if (outcome.state === 'given_up') log.error(failed, 'announcement given up');
    else {
      const againSeconds = Math.round(outcome.againMs / 1000);
      log[level]({ ...failed, againSeconds }, `${isPurge ? 'purge' : 'announcement'} failed: retrying`);
    }
  }

  // Before the first request, so that what is published from then on is announced.
  await setUp().catch((error: unknown) => report(error, CANNOT_RUN));

  return {
    /** Begins to send; before, hooks are only set up. */
    start: () => {
      timer = setInterval(check.start, CHECK_EVERY_MS).unref();
      check.start();
    },
    /** Waits for what is being sent. If that does not end soon, another process sends it again. */
    stop: async () => {
      clearInterval(timer);
      closing.abort();
      setTimeout(() => interrupting.abort(), SENDING_MS_MAX).unref();
      await Promise.all([check, ...jobs.values()].map((job) => job.ended()));
    },
    /** For how long the hook has had something to do that no process does; 0 if it has nothing. */
    behindMs: (name: string) => {
      const since = behindSince.get(name);
      return since === undefined ? 0 : performance.now() - since;
    },
  };
}
