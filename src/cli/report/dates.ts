// Warnings about versions with a date in the future, and scheduled versions whose time has passed (R50).
import { COMMAND } from '../../command-name.ts';
import { isInFuture, presentAt } from '../../domain/content/future-date.ts';
import type { SomeVersions } from '../../store/read/due.ts';
import { formatNumber } from '../terminal/text.ts';

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
  const names = first.map(({ name, time }) => `${name} (${time})`);
  const [state, advice] = SENTENCES[kind];
  return count === 0 ? [] : [`${state}: ${nameSome(names, count)}. ${advice}`];
}

/** `publishedAt` is null for a draft, `publishAt` for a version that is not scheduled. */
export type Dated = Readonly<{
  name: string;
  publishedAt?: string | null | undefined;
  publishAt?: string | null | undefined;
}>;

/** Of the versions that a command reads or writes. In a file, a date in the future schedules its version. */
export function warnOfDates(versions: readonly Dated[], now: string, { isFile = false } = {}): string[] {
  const present = presentAt(now);
  const future = versions.flatMap(({ name, publishedAt: time }) =>
    time && isInFuture(time, present) ? [{ name, time }] : [],
  );
  const scheduled = versions.flatMap(({ name, publishAt: time }) => (time ? [{ name, time }] : []));
  const due = scheduled.filter(({ time }) => time <= now);
  const later = isFile ? scheduled.filter(({ time }) => time > now) : [];
  const describe = (kind: keyof typeof SENTENCES, first: SomeVersions['first']) =>
    describeDates(kind, { first, count: first.length });
  return [...describe('future', future), ...describe('due', due), ...describe('later', later)];
}

/** The first names, and how many more there are. */
export function nameSome(names: readonly string[], count = names.length): string {
  const shown = names.slice(0, NAMED_MAX);
  const rest = count - shown.length;
  return `${shown.join(', ')}${rest > 0 ? ` and ${formatNumber(rest)} more` : ''}`;
}
