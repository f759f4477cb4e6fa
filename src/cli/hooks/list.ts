// `hook list`: each hook of the file, and what it has done.
import { COMMAND } from '../../command-name.ts';
import { type Hook, isPurgeHook } from '../../domain/hook.ts';
import {
  type FailedDelivery,
  type HookHistory,
  listFailedDeliveries,
  listHookHistories,
  listTooOld,
  type NamedVersion,
} from '../../hooks/store/history.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { NAMED_MAX, PUBLISH_DUE } from '../report/dates.ts';
import { shellWord } from '../terminal/plain.ts';

type HookState = 'not set up' | 'up to date' | 'behind' | 'retrying';
export type ListedHook = Awaited<ReturnType<typeof describeHook>>;
export type HookList = Readonly<{ hooks: readonly ListedHook[]; givenUp: readonly FailedDelivery[] }>;

export async function listHooks(db: Reader, hooks: readonly Hook[]): Promise<HookList> {
  const names = hooks.map(({ name }) => name);
  const histories = await listHookHistories(db, names);
  const failed = await listFailedDeliveries(db, names, NAMED_MAX);
  return {
    hooks: await Promise.all(
      hooks.map((hook) => {
        const isOf = ({ name }: Readonly<{ name: string }>) => name === hook.name;
        const ownFailed = failed.filter(({ hook: name }) => isOf({ name }));
        return describeHook(db, hook, histories.find(isOf), ownFailed);
      }),
    ),
    givenUp: failed.filter(({ isGivenUp }) => isGivenUp),
  };
}

/** The counts are of versions; null for a purge hook, and for one that is not set up. */
async function describeHook(
  db: Reader,
  hook: Hook,
  history: HookHistory | undefined,
  failed: readonly FailedDelivery[],
) {
  const { setUpAt = null, nextAt = null, sentAt: lastAt = null, purgeFailure = null } = history ?? {};
  const [latest] = failed;
  const version = latest === undefined ? null : formatVersion(latest);
  const reason = purgeFailure ?? latest?.reason;
  const isRetrying = purgeFailure !== null || failed.some(({ isGivenUp }) => !isGivenUp);
  const isLate = history?.isBehind || (nextAt !== null && !isRetrying);
  const done: HookState = nextAt === null ? 'up to date' : 'retrying';
  const state = history === undefined ? 'not set up' : isLate && purgeFailure === null ? 'behind' : done;
  const counts = isPurgeHook(hook) ? undefined : history;
  return {
    name: hook.name,
    kind: hook.kind,
    state,
    setUpAt,
    announced: counts?.announced ?? null,
    waiting: counts?.waiting ?? null,
    givenUp: counts?.givenUp ?? null,
    nextAt,
    lastAt,
    failure: reason === undefined ? null : { reason, version },
    /** The newest of the versions that it does not announce because of their date. */
    tooOld: isPurgeHook(hook) ? null : history === undefined ? [] : await listTooOld(db, hook, NAMED_MAX),
  };
}

/** Without the time of its set-up, so that a row fits into more terminals. */
export function asRow({ setUpAt: _, tooOld: __, nextAt, ...hook }: ListedHook) {
  const { state, failure } = hook;
  return {
    ...hook,
    state: state === 'retrying' && nextAt !== null ? `${state} at ${nextAt}` : state,
    failure: failure && [failure.reason, failure.version && `(${failure.version})`].filter(Boolean).join(' '),
  };
}

/** What to do, one line each. */
export function adviceFor({ hooks, givenUp }: HookList): string[] {
  const named = (wanted: HookState, describe: (names: string) => string) => {
    const names = hooks.filter(({ state }) => state === wanted).map(({ name }) => name);
    return names.length === 0 ? [] : [`${describe(names.join(', '))} ${PUBLISH_DUE}`];
  };
  return [
    ...named(
      'not set up',
      (names) =>
        `Not set up, because no server has run with them yet: ${names}. What is public by then is not announced.`,
    ),
    ...named(
      'behind',
      (names) => `Behind: ${names}. A server catches up within seconds; if this lasts, none runs hooks.`,
    ),
    ...hooks.flatMap(({ name: hook, tooOld }) =>
      tooOld?.[0] === undefined
        ? []
        : `Not announced by ${hook}, because of their dates (maxAgeHours): ${tooOld.map(formatVersion).join(', ')}. ${adviseToAnnounce({ hook, ...tooOld[0] }, 'announce one')}`,
    ),
    ...givenUp.map(
      (each) => `Given up: ${each.hook}, ${formatVersion(each)} (${each.reason}). ${adviseToAnnounce(each)}`,
    ),
  ];
}

export const formatVersion = ({ team, product, version }: NamedVersion): string =>
  `${team}/${product} ${version}`;

/** What to do about a version that a hook has not announced. */
export function adviseToAnnounce(
  { hook, team, product, version }: NamedVersion & Readonly<{ hook: string }>,
  purpose = 'try again',
): string {
  return `To ${purpose}: ${COMMAND} hook announce ${team}/${product} ${shellWord(version)} --hook ${hook}`;
}
