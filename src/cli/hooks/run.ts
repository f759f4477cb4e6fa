// Hooks outside a server. Loading this takes longer than the rest of a command.
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../config.ts';
import { type AnnouncementHook, type Hook, isPurgeHook } from '../../domain/hook.ts';
import { createSender, type Delivering, deliverAgain, deliverDue, type Run } from '../../hooks/deliver.ts';
import { type AnnouncementPlace, presentAnnouncement } from '../../hooks/messages/announcement.ts';
import { outgoingFor, purgesFor } from '../../hooks/outgoing.ts';
import { send } from '../../hooks/send.ts';
import {
  type Delivery,
  listHooksWithWork,
  type Outcome,
  PURGED_AFTER_MS,
} from '../../hooks/store/deliveries.ts';
import { OUTPUTS } from '../../http/app.ts';
import { createSite } from '../../http/site.ts';
import { baseUrlFor, listenUrl, unsetBaseUrlWarning } from '../../http/urls.ts';
import { headOf, rowOf } from '../../present/content-rows.ts';
import { engineOf } from '../../store/engine/open.ts';
import type { VersionDetail } from '../../store/read/reads.ts';
import { renderAtOnce } from '../../text/parse.ts';
import { type Cli, configOf } from '../cli.ts';
import { warn } from '../report/outcomes.ts';
import { adviseToAnnounce, formatVersion } from './list.ts';

export { findPublicVersion } from '../../hooks/deliver.ts';

/** How long to wait until what was sent can be noted: the disk may stay full until somebody looks. */
const NOTE_MS_MAX = 60_000;
/** What was found at first is due by then. Others may write without end. */
const DUE_MS_MAX = PURGED_AFTER_MS[2] + 500;
const TAG_BYTES = 12;
const BEING_SENT = 'another process is sending it; wait 30 seconds';

/** Links are those of a server with the same settings. Warns of links that only work on this machine. */
function placeOf(cli: Cli, config: Config): AnnouncementPlace {
  const url = listenUrl(null, config);
  const warning = unsetBaseUrlWarning(config, url);
  if (warning !== null) warn(cli, [warning]);
  const baseUrl = () => baseUrlFor(config, url);
  return createSite({ config, baseUrl, extraCss: '', outputs: OUTPUTS, hubsFor: () => [] })();
}

/** On a connection that is not in a transaction. The schema must be current. */
async function withSender<T>(
  cli: Cli,
  onOutcome: Delivering['onOutcome'],
  work: (delivering: Delivering) => Promise<T>,
): Promise<T> {
  const config = configOf(cli);
  const [url] = config.databaseUrls;
  await using db = (await engineOf(url)).openWriter(url, { create: false });
  const run: Run = (write) => write(db);
  let known: AnnouncementPlace | undefined;
  const place = () => (known ??= placeOf(cli, config));
  const startedAt = performance.now();
  const onUnwritten = (error: unknown) => {
    if (performance.now() - startedAt > NOTE_MS_MAX) throw error;
  };
  const send = createSender({ run, render: renderAtOnce, place, environment: cli.environment });
  return await work({ run, send, onOutcome, onUnwritten });
}

/** Runs them once, as a server does each second. Servers may run at the same time. Returns what failed, one line each. */
export async function runHooks(
  cli: Cli,
  hooks: readonly Hook[],
  done: (line: string) => void,
): Promise<string[]> {
  const purged = new Set<string>();
  const failures: string[] = [];
  const report: Delivering['onOutcome'] = (hook, delivery, outcome) => {
    if (outcome.state !== 'sent') failures.push(describeFailure(hook, delivery, outcome));
    else if (isPurgeHook(hook)) purged.add(hook.name);
    else done(`Announced ${formatVersion(delivery)} to ${hook.name}.`);
  };
  await withSender(cli, report, async (delivering) => {
    const names = hooks.map(({ name }) => name);
    const withWork = await delivering.run((db) => listHooksWithWork(db, names));
    const runHook = async (hook: Hook) => {
      let nextMs = await deliverDue(hook, delivering);
      const endsAt = performance.now() + DUE_MS_MAX;
      while (nextMs !== null && performance.now() + nextMs < endsAt) {
        await delay(nextMs + 1);
        nextMs = await deliverDue(hook, delivering);
      }
    };
    await Promise.all(hooks.filter(({ name }) => withWork.includes(name)).map(runHook));
  });
  for (const name of purged) done(`Purged what has changed from ${name}.`);
  return failures;
}

function describeFailure(hook: Hook, delivery: Delivery, { failure, ...outcome }: Failure): string {
  const { name } = hook;
  const what = formatVersion(delivery);
  if (isPurgeHook(hook))
    return `the hook ${name} could not purge what has changed: ${failure}. The next run tries again.`;
  if (outcome.state === 'pending')
    return `the hook ${name} could not announce ${what}: ${failure}. A run after ${Math.ceil(outcome.againMs / 1000)} seconds tries again.`;
  return `the hook ${name} has given up ${what} after ${delivery.attempts} attempts: ${failure}. ${adviseToAnnounce(delivery)}`;
}

type Failure = Exclude<Outcome, Readonly<{ state: 'sent' }>>;
type Attempt = Readonly<{ hook: string; messageId: string | null; failure: string | null }>;

/** To all of them at once. */
export async function announceAll(
  cli: Cli,
  hooks: readonly AnnouncementHook[],
  { head, version: { id: about, label: version } }: VersionDetail,
): Promise<Attempt[]> {
  const of = { about, team: head.teamSlug, product: head.productSlug, version };
  const attempts = new Map<string, Attempt>();
  const note: Delivering['onOutcome'] = ({ name: hook }, { messageId }, outcome) =>
    attempts.set(
      hook,
      outcome.state === 'sent'
        ? { hook, messageId, failure: null }
        : { hook, messageId: null, failure: outcome.failure },
    );
  await withSender(cli, note, (delivering) =>
    Promise.all(hooks.map((hook) => deliverAgain(hook, of, delivering))),
  );
  return hooks.map(({ name: hook }) => attempts.get(hook) ?? { hook, messageId: null, failure: BEING_SENT });
}

export type Preview = Readonly<{ hook: string; kind: string; bodies: readonly unknown[] }>;

/** What would be sent, without URLs and headers, which may be secret. */
export async function previewAll(
  cli: Cli,
  hooks: readonly AnnouncementHook[],
  found: VersionDetail,
): Promise<Preview[]> {
  const announcement = await presentAnnouncement(found, renderAtOnce, placeOf(cli, configOf(cli)));
  const message = { id: '', sentAt: new Date(cli.now()) };
  // JSON, or the form of a hub.
  const readBody = (body: string): unknown => (body.startsWith('{') ? JSON.parse(body) : body);
  return hooks.map((hook) => ({
    hook: hook.name,
    kind: hook.kind,
    bodies: outgoingFor(hook, announcement, message).map((outgoing) =>
      readBody('command' in outgoing ? outgoing.input : outgoing.body),
    ),
  }));
}

/** A message that nobody takes for a real one. Rejects with a `DeliveryError` if it fails. Nothing is read or noted. */
export async function tryHook(cli: Cli, hook: Hook): Promise<void> {
  const { environment } = cli;
  // No response has this tag.
  if (isPurgeHook(hook))
    return await send(purgesFor(hook, [randomBytes(TAG_BYTES).toString('base64url')]), { environment });
  const now = cli.now();
  const announcement = await presentAnnouncement(madeUp(now), renderAtOnce, placeOf(cli, configOf(cli)));
  const message = { id: `msg_test_${randomUUID()}`, sentAt: new Date(now) };
  await send(outgoingFor(hook, announcement, message), { environment });
}

function madeUp(now: string): VersionDetail {
  const { changes, ...version } = rowOf({
    version: '0.0.0-test',
    title: 'This is a test',
    status: 'published',
    publishedAt: now,
    description: 'This message was sent by `changelog hook test`. Nothing was published.',
    yanked: false,
    changes: [{ type: 'added', text: 'A made-up change.', breaking: false }],
  });
  const head = {
    ...headOf('Test'),
    teamSlug: 'test',
    teamName: 'Test',
    productSlug: 'test',
    changelogId: 'cl_test',
  };
  return {
    head,
    version: { ...version, id: 'ver_test', changeCount: 1 },
    changes: changes.map((each) => ({ ...each, id: 'chg_test' })),
    end: null,
    writtenAt: 0,
  };
}
