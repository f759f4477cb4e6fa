// `hook list`: each hook of the file, and what it has done.
import { COMMAND } from '../../command-name.ts';
import { type Hook, isPurgeHook } from '../../domain/hook.ts';
import {
  type FailedDelivery,
  listFailedDeliveries,
  listHookHistories,
  listTooOld,
  type NamedVersion,
} from '../../hooks/store/history.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { NAMED_MAX, PUBLISH_DUE } from '../report/dates.ts';
import { shellWord } from '../terminal/shell-word.ts';

export type ListedHook = Readonly<{
  name: string;
  kind: string;
  state: 'not set up' | 'up to date' | 'behind' | 'retrying';
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
  tooOld: readonly NamedVersion[] | null;
}>;

type HookList = Readonly<{ hooks: readonly ListedHook[]; givenUp: readonly FailedDelivery[] }>;

export async function listHooks(db: Reader, hooks: readonly Hook[]): Promise<HookList> {
  const names = hooks.map(({ name }) => name);
  const histories = new Map((await listHookHistories(db, names)).map((each) => [each.name, each]));
  const failed = await listFailedDeliveries(db, names, NAMED_MAX);
  const describe = async (hook: Hook): Promise<ListedHook> => {
    const { name, kind } = hook;
    const history = histories.get(name);
    const none = { announced: null, waiting: null, givenUp: null, tooOld: null };
    if (history === undefined) {
      const tooOld = isPurgeHook(hook) ? null : [];
      return {
        name,
        kind,
        state: 'not set up',
        setUpAt: null,
        ...none,
        nextAt: null,
        lastAt: null,
        failure: null,
        tooOld,
      };
    }
    const { setUpAt, isBehind, announced, waiting, givenUp, nextAt, sentAt: lastAt, purgeFailure } = history;
    const own = failed.filter((each) => each.hook === name);
    const isRetrying = purgeFailure !== null || own.some(({ isGivenUp }) => !isGivenUp);
    const isLate = isPurgeHook(hook)
      ? !isRetrying && (isBehind || nextAt !== null)
      : isBehind || (nextAt !== null && !isRetrying);
    const state = isLate ? 'behind' : nextAt === null && purgeFailure === null ? 'up to date' : 'retrying';
    const about = { name, kind, state, setUpAt, nextAt, lastAt } as const;
    if (isPurgeHook(hook))
      return {
        ...about,
        ...none,
        failure: purgeFailure === null ? null : { reason: purgeFailure, version: null },
      };
    const [latest] = own;
    const failure = latest === undefined ? null : { reason: latest.reason, version: formatVersion(latest) };
    return { ...about, announced, waiting, givenUp, failure, tooOld: await listTooOld(db, hook, NAMED_MAX) };
  };
  return {
    hooks: await Promise.all(hooks.map(describe)),
    givenUp: failed.filter(({ isGivenUp }) => isGivenUp),
  };
}

/** Without the time of its set-up, so that a row fits into more terminals. */
export function asRow({ setUpAt: _, tooOld: __, nextAt, failure, ...hook }: ListedHook) {
  const { name, kind, state, announced, waiting, givenUp, lastAt } = hook;
  return {
    name,
    kind,
    state: state === 'retrying' && nextAt !== null ? `${state} at ${nextAt}` : state,
    announced,
    waiting,
    givenUp,
    lastAt,
    failure: failure && [failure.reason, failure.version && `(${failure.version})`].filter(Boolean).join(' '),
  };
}

/** What to do, one line each. */
export function adviceFor({ hooks, givenUp }: HookList): string[] {
  const named = (wanted: ListedHook['state'], describe: (names: string) => string) => {
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
