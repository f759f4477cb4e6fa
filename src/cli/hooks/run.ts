// Hooks outside a server. Loading this takes longer than the rest of a command.
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { COMMAND } from '../../command-name.ts';
import type { Config } from '../../config.ts';
import { type AnnouncementHook, type Hook, isPurgeHook } from '../../domain/hook.ts';
import { createSender, type Delivering, deliverAgain, deliverDue, type Run } from '../../hooks/deliver.ts';
import { type AnnouncementPlace, presentAnnouncement } from '../../hooks/messages/announcement.ts';
import { outgoingFor, purgesFor } from '../../hooks/outgoing.ts';
import { send } from '../../hooks/send.ts';
import { type Delivery, type Outcome, PURGED_AFTER_MS } from '../../hooks/store/deliveries.ts';
import type { NamedVersion } from '../../hooks/store/history.ts';
import { OUTPUTS } from '../../http/app.ts';
import { createSite } from '../../http/site.ts';
import { baseUrlFor, listenUrl, unsetBaseUrlWarning } from '../../http/urls.ts';
import { headOf, rowOf } from '../../present/changelog.ts';
import { engineOf } from '../../store/engine/open.ts';
import type { VersionDetail } from '../../store/read/reads.ts';
import { renderAtOnce } from '../../text/parse.ts';
import { type Cli, configOf } from '../cli.ts';
import { warn } from '../report/outcomes.ts';

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

/** What a hook was sent, or not. */
type Tried = Readonly<{ hook: Hook; delivery: NamedVersion & Pick<Delivery, 'messageId'>; outcome: Outcome }>;

/** Runs `deliver` for all hooks at once, on a connection that is not in a transaction. The schema must be current. */
async function deliverAll<H extends Hook>(
  cli: Cli,
  hooks: readonly H[],
  deliver: (hook: H, delivering: Delivering) => Promise<unknown>,
): Promise<Tried[]> {
  const config = configOf(cli);
  const [url] = config.databaseUrls;
  await using db = (await engineOf(url)).openWriter(url, { create: false });
  const run: Run = (write) => write(db);
  const place = placeOf(cli, config);
  const startedAt = performance.now();
  const tried: Tried[] = [];
  const delivering: Delivering = {
    run,
    send: createSender({ run, render: renderAtOnce, place: () => place, environment: cli.environment }),
    onOutcome: (hook, delivery, outcome) => tried.push({ hook, delivery, outcome }),
    onUnwritten: (error) => {
      if (performance.now() - startedAt > NOTE_MS_MAX) throw error;
    },
  };
  await Promise.all(hooks.map((hook) => deliver(hook, delivering)));
  return tried;
}

/** Runs them once, as a server does each second. Servers may run at the same time. */
export function runHooks(cli: Cli, hooks: readonly Hook[]): Promise<Tried[]> {
  return deliverAll(cli, hooks, async (hook, delivering) => {
    const endsAt = performance.now() + DUE_MS_MAX;
    let nextMs = await deliverDue(hook, delivering);
    while (nextMs !== null && performance.now() + nextMs < endsAt) {
      await delay(nextMs + 1);
      nextMs = await deliverDue(hook, delivering);
    }
  });
}

/** Announces a version to all of them, each with a new id. */
export async function announceAll(
  cli: Cli,
  hooks: readonly AnnouncementHook[],
  { head, version: { id: about, label: version } }: VersionDetail,
): Promise<Tried[]> {
  const of = { about, team: head.teamSlug, product: head.productSlug, version };
  const tried = await deliverAll(cli, hooks, (hook, delivering) => deliverAgain(hook, of, delivering));
  const notSent = {
    delivery: { ...of, messageId: '' },
    outcome: { state: 'pending', failure: BEING_SENT, againMs: 0 },
  } as const;
  return hooks.map((hook) => tried.find((each) => each.hook === hook) ?? { hook, ...notSent });
}

/** A line for each message that was sent, and one for each that was not. A purge is several. */
export function describeTried(tried: readonly Tried[]): Readonly<{ sent: string[]; failed: string[] }> {
  const linesOf = (isSent: boolean) => {
    const some = tried.filter(({ outcome }) => (outcome.state === 'sent') === isSent);
    return [...new Set(some.map(describeOne))];
  };
  return { sent: linesOf(true), failed: linesOf(false) };
}

function describeOne({ hook, delivery: { team, product, version }, outcome }: Tried): string {
  const what = isPurgeHook(hook) ? 'what has changed' : `${team}/${product} ${version}`;
  if (outcome.state === 'sent')
    return isPurgeHook(hook) ? `Purged ${what} from ${hook.name}.` : `Announced ${what} to ${hook.name}.`;
  const next =
    outcome.state === 'given_up'
      ? `It was given up; \`${COMMAND} hook announce\` sends it again.`
      : `A server or \`${COMMAND} publish-due\` tries again.`;
  const verb = isPurgeHook(hook) ? 'purge' : 'announce';
  return `the hook ${hook.name} could not ${verb} ${what}: ${outcome.failure}. ${next}`;
}

/** What would be sent, without URLs and headers, which may be secret. */
export async function previewAll(cli: Cli, hooks: readonly AnnouncementHook[], found: VersionDetail) {
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
