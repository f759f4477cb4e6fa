// Warnings about versions with a date in the future, and scheduled versions whose time has passed (R50).
import { COMMAND } from '../../command-name.ts';
import { isInFuture, type Present, presentAt } from '../../domain/content/future-date.ts';
import type { SomeVersions } from '../../store/read/due.ts';
import { formatNumber } from '../terminal/plain.ts';

export const NAMED_MAX = 5;
export const PUBLISH_DUE = `Run a server with SCHEDULER=on, or \`${COMMAND} publish-due\`.`;

/** Collects the versions that a command writes. */
export class DateWarnings {
  readonly #now: string;
  readonly #present: Present;
  readonly #future = none();
  readonly #due = none();
  readonly #later = none();

  constructor(now: string) {
    this.#now = now;
    this.#present = presentAt(now);
  }

  /** `publishedAt` is null for a draft, `publishAt` for a version that is not scheduled. */
  add(name: string, publishedAt: string | null, publishAt: string | null = null): void {
    const add = (to: Collected, time: string) => {
      if (++to.count <= NAMED_MAX) to.first.push({ name, time });
    };
    if (publishedAt !== null && isInFuture(publishedAt, this.#present)) add(this.#future, publishedAt);
    if (publishAt !== null) add(publishAt <= this.#now ? this.#due : this.#later, publishAt);
  }

  warnings(): string[] {
    return [...describeFuture(this.#future), ...describe(DUE, this.#due)];
  }

  /** For versions of files, which are scheduled by their dates. */
  warningsOfLater(): string[] {
    return describe(LATER, this.#later);
  }
}

type Collected = { first: { name: string; time: string }[]; count: number };
const none = (): Collected => ({ first: [], count: 0 });

/** What is said of some versions, and what to do. */
type Sentence = readonly [state: string, advice: string];

const FUTURE: Sentence = [
  'Published, but with a date in the future',
  `A date does not delay a version: to publish it later, make it a draft and schedule it with \`${COMMAND} version publish --at\`.`,
];
const LATER: Sentence = [
  'Drafts until their date, which is in the future',
  'Correct the date if it is wrong.',
];
const DUE: Sentence = [
  'Scheduled for a time that has passed',
  'A server publishes what is due within 2 seconds.',
];
const OVERDUE: Sentence = ['Scheduled and overdue', PUBLISH_DUE];
const LOCKED: Sentence = [
  'Scheduled and due, but below a locked product or changelog',
  `Unlock it with \`${COMMAND} product set\` or \`${COMMAND} changelog set\`.`,
];

const describe = ([state, advice]: Sentence, { first, count }: SomeVersions): string[] => {
  const named = nameSome(
    first.map(({ name, time }) => `${name} (${time})`),
    count,
  );
  return count === 0 ? [] : [`${state}: ${named}. ${advice}`];
};

export const describeFuture = (versions: SomeVersions) => describe(FUTURE, versions);
/** For versions that no server has published. */
export const describeOverdue = (versions: SomeVersions) => describe(OVERDUE, versions);
/** For versions that wait, because their product or changelog is locked. */
export const describeLocked = (versions: SomeVersions) => describe(LOCKED, versions);

/** The first names, and how many more there are. */
export function nameSome(names: readonly string[], count = names.length): string {
  const shown = names.slice(0, NAMED_MAX);
  const rest = count - shown.length;
  return `${shown.join(', ')}${rest > 0 ? ` and ${formatNumber(rest)} more` : ''}`;
}
