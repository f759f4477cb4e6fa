// Warnings about versions with a date in the future, and scheduled versions whose time has passed (R50).
import { COMMAND } from '../../command-name.ts';
import { isInFuture, type Present, presentAt } from '../../domain/content/future-date.ts';
import type { SomeVersions } from '../../store/read/due.ts';
import { formatNumber } from '../terminal/plain.ts';

export const NAMED_MAX = 5;
export const PUBLISH_DUE = `Run a server with SCHEDULER=on, or \`${COMMAND} publish-due\`.`;

/** What is said of some versions, and what to do. */
const SENTENCES = {
  future: [
    'Published, but with a date in the future',
    `A date does not delay a version: to publish it later, make it a draft and schedule it with \`${COMMAND} version publish --at\`.`,
  ],
  /** Of a file, whose versions are scheduled by their dates. */
  later: ['Drafts until their date, which is in the future', 'Correct the date if it is wrong.'],
  due: ['Scheduled for a time that has passed', 'A server publishes what is due within 2 seconds.'],
  locked: [
    'Scheduled and due, but below a locked product or changelog',
    `Unlock it with \`${COMMAND} product set\` or \`${COMMAND} changelog set\`.`,
  ],
} as const;

export function describeDates(kind: keyof typeof SENTENCES, { first, count }: SomeVersions): string[] {
  if (count === 0) return [];
  const names = first.map(({ name, time }) => `${name} (${time})`).join(', ');
  const rest = count > first.length ? ` and ${formatNumber(count - first.length)} more` : '';
  const [state, advice] = SENTENCES[kind];
  return [`${state}: ${names}${rest}. ${advice}`];
}

type Collected = { first: { name: string; time: string }[]; count: number };
const none = (): Collected => ({ first: [], count: 0 });

/** Collects the versions that a command writes. */
export class DateWarnings {
  readonly #now: string;
  readonly #present: Present;
  readonly #found = { future: none(), due: none(), later: none() };

  constructor(now: string) {
    this.#now = now;
    this.#present = presentAt(now);
  }

  /** `publishedAt` is null for a draft, `publishAt` for a version that is not scheduled. */
  add(name: string, publishedAt: string | null = null, publishAt: string | null = null): void {
    const add = (to: Collected, time: string) => {
      if (++to.count <= NAMED_MAX) to.first.push({ name, time });
    };
    const { future, due, later } = this.#found;
    if (publishedAt !== null && isInFuture(publishedAt, this.#present)) add(future, publishedAt);
    if (publishAt !== null) add(publishAt <= this.#now ? due : later, publishAt);
  }

  warnings(): string[] {
    return [...describeDates('future', this.#found.future), ...describeDates('due', this.#found.due)];
  }

  warningsOfLater(): string[] {
    return describeDates('later', this.#found.later);
  }
}
