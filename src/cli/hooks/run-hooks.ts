// Runs the hooks once, as a server does each second. Servers may run at the same time.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type AnnouncementHook, type Hook, isPurgeHook, type PurgeHook } from '../../domain/hook.ts';
import { announceDue, type Run, SHOWN_EVERYWHERE_MS } from '../../hooks/announce.ts';
import { DeliveryError } from '../../hooks/outgoing.ts';
import { purgeChanges } from '../../hooks/purge-changes.ts';
import type { Sending } from '../../hooks/sending.ts';
import type { Delivery, Outcome } from '../../hooks/store/deliveries.ts';
import { listHooksWithWork } from '../../hooks/store/hooks.ts';
import type { Cli } from '../cli.ts';
import { adviseToAnnounce, formatVersion } from './find.ts';
import { withSending } from './sending.ts';

/** How long to wait until what was sent can be noted. */
const NOTE_MS_MAX = 60_000;

type Report = Readonly<{ done: (line: string) => void; failed: (line: string) => void }>;

/** Returns what failed, one line each. */
export async function runHooks(
  cli: Cli,
  hooks: readonly Hook[],
  done: (line: string) => void,
): Promise<string[]> {
  const failures: string[] = [];
  const report: Report = { done, failed: (line) => failures.push(line) };
  await withSending(cli, async (sending) => {
    const names = hooks.map(({ name }) => name);
    const withWork = await sending.run((db) => listHooksWithWork(db, names));
    await Promise.all(
      hooks
        .filter(({ name }) => withWork.includes(name))
        .map((hook) => (isPurgeHook(hook) ? purge(hook, sending, report) : announce(hook, sending, report))),
    );
  });
  return failures;
}

type Sender = Sending & Readonly<{ run: Run }>;

async function announce(hook: AnnouncementHook, { run, send }: Sender, report: Report): Promise<void> {
  await announceDue(hook, {
    run,
    send,
    onOutcome: ({ name }, delivery, outcome) => {
      if (outcome.state === 'sent') report.done(`Announced ${formatVersion(delivery)} to ${name}.`);
      else report.failed(describeFailure(delivery, outcome));
    },
    onUnwritten: endAfter(NOTE_MS_MAX),
    afterMs: SHOWN_EVERYWHERE_MS,
    wait: delay,
    isClosing: () => false,
    isInterrupted: () => false,
  });
}

/** Throws the error if there was one for that long: the disk may stay full until somebody looks. */
function endAfter(ms: number): (error: unknown) => void {
  let since: number | null = null;
  return (error) => {
    since ??= performance.now();
    if (performance.now() - since > ms) throw error;
  };
}

async function purge(hook: PurgeHook, { run, purge }: Sender, report: Report): Promise<void> {
  let isPurged = false;
  try {
    await purgeChanges(hook, {
      run,
      owner: randomUUID(),
      purge: async (to, touches) => {
        await purge(to, touches);
        isPurged = true;
      },
      failures: 0,
      wait: delay,
      // Others may write without end.
      waitForWrite: null,
    });
    if (isPurged) report.done(`Purged what has changed from ${hook.name}.`);
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error;
    report.failed(
      `the hook ${hook.name} could not purge what has changed: ${error.message}. The next run tries again.`,
    );
  }
}

function describeFailure(delivery: Delivery, outcome: Exclude<Outcome, Readonly<{ state: 'sent' }>>): string {
  const { hook, attempts } = delivery;
  const what = formatVersion(delivery);
  return outcome.state === 'given_up'
    ? `the hook ${hook} has given up ${what} after ${attempts} attempts: ${outcome.failure}. ${adviseToAnnounce(delivery)}`
    : `the hook ${hook} could not announce ${what}: ${outcome.failure}. A run after ${Math.ceil(outcome.againMs / 1000)} seconds tries again.`;
}
