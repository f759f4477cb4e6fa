// `hook list`: each hook of the file, and what it has done.
import { type Hook, isPurgeHook } from '../../domain/hook.ts';
import {
  type FailedDelivery,
  type HookHistory,
  listFailedDeliveries,
  listHookHistories,
  listTooOld,
} from '../../hooks/store/hooks.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { NAMED_MAX, PUBLISH_DUE } from '../report/dates.ts';
import { adviseToAnnounce, formatVersion } from './find.ts';

const NOT_SET_UP = 'not set up';
const UP_TO_DATE = 'up to date';
const BEHIND = 'behind';
const RETRYING = 'retrying';

export type ListedHook = Readonly<{
  name: string;
  kind: string;
  state: typeof NOT_SET_UP | typeof UP_TO_DATE | typeof BEHIND | typeof RETRYING;
  setUpAt: string | null;
  /** Null for a purge hook, and for one that is not set up. */
  announced: number | null;
  waiting: number | null;
  givenUp: number | null;
  /** The next attempt to send something. */
  nextAt: string | null;
  /** When it last sent or purged something. */
  lastAt: string | null;
  failure: Readonly<{ reason: string; version: string | null }> | null;
  /** The newest of the versions that it does not announce because of their date. */
  tooOld: Awaited<ReturnType<typeof listTooOld>> | null;
}>;

export type HookList = Readonly<{ hooks: readonly ListedHook[]; givenUp: readonly FailedDelivery[] }>;

export async function listHooks(db: Reader, hooks: readonly Hook[]): Promise<HookList> {
  const names = hooks.map(({ name }) => name);
  const histories = await listHookHistories(db, names);
  const failed = await listFailedDeliveries(db, names, NAMED_MAX);
  return {
    hooks: await Promise.all(
      hooks.map(async (hook) => ({
        ...describeHook(
          hook,
          histories.find(({ name }) => name === hook.name),
          failed.filter((each) => each.hook === hook.name),
        ),
        tooOld: isPurgeHook(hook) ? null : await listTooOld(db, hook, NAMED_MAX),
      })),
    ),
    givenUp: failed.filter(({ isGivenUp }) => isGivenUp),
  };
}

const NO_COUNTS = { announced: null, waiting: null, givenUp: null };
const NOTHING = { ...NO_COUNTS, nextAt: null, lastAt: null, failure: null };

function describeHook(
  hook: Hook,
  history: HookHistory | undefined,
  failed: readonly FailedDelivery[],
): Omit<ListedHook, 'tooOld'> {
  const { name, kind } = hook;
  if (history === undefined) return { name, kind, state: NOT_SET_UP, setUpAt: null, ...NOTHING };
  const { setUpAt, isBehind, isOverdue, announced, waiting, givenUp, nextAt, sentAt, purgedAt } = history;
  if (isPurgeHook(hook)) {
    const { purgeFailure: reason } = history;
    const state = reason !== null ? RETRYING : isBehind ? BEHIND : UP_TO_DATE;
    const failure = reason === null ? null : { reason, version: null };
    return { name, kind, state, setUpAt, ...NOTHING, lastAt: purgedAt, failure };
  }
  const isRetrying = failed.some(({ isGivenUp }) => !isGivenUp);
  const isLate = isBehind || isOverdue || (nextAt !== null && !isRetrying);
  const state = isLate ? BEHIND : nextAt === null ? UP_TO_DATE : RETRYING;
  const [latest] = failed;
  const failure = latest === undefined ? null : { reason: latest.reason, version: formatVersion(latest) };
  return { name, kind, state, setUpAt, announced, waiting, givenUp, nextAt, lastAt: sentAt, failure };
}

/** Without the time of its set-up, so that a row fits into more terminals. */
export function asRow({ name, kind, state, nextAt, failure, ...hook }: ListedHook) {
  const { announced, waiting, givenUp, lastAt } = hook;
  return {
    name,
    kind,
    state: state === RETRYING && nextAt !== null ? `${state} at ${nextAt}` : state,
    announced,
    waiting,
    givenUp,
    lastAt,
    failure: failure && [failure.reason, failure.version && `(${failure.version})`].filter(Boolean).join(' '),
  };
}

/** What to do, one line each. */
export function adviceFor({ hooks, givenUp }: HookList): string[] {
  const namesIn = (wanted: ListedHook['state']) =>
    hooks
      .filter(({ state }) => state === wanted)
      .map(({ name }) => name)
      .join(', ');
  const [unseen, behind] = [namesIn(NOT_SET_UP), namesIn(BEHIND)];
  return [
    unseen !== '' &&
      `Not set up, because no server has run with them yet: ${unseen}. What is public by then is not announced. ${PUBLISH_DUE}`,
    behind !== '' &&
      `Behind: ${behind}. A server catches up within seconds; if this lasts, none runs hooks. ${PUBLISH_DUE}`,
    ...hooks.map(
      ({ name, tooOld }) =>
        tooOld?.[0] !== undefined &&
        `Not announced by ${name}, because of their dates (maxAgeHours): ${tooOld.map(formatVersion).join(', ')}. ${adviseToAnnounce({ hook: name, ...tooOld[0] }, 'announce one')}`,
    ),
    ...givenUp.map(
      (each) => `Given up: ${each.hook}, ${formatVersion(each)} (${each.reason}). ${adviseToAnnounce(each)}`,
    ),
  ].filter((line) => line !== false);
}
