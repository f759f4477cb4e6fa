// Warnings about versions with a date in the future, and scheduled versions whose time has passed (R50).
import { COMMAND } from '../../command-name.ts';
import { isInFuture, type Present, presentAt } from '../../domain/content/future-date.ts';
import type { SomeVersions } from '../../store/read/due.ts';

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
    const due = `due, because the time has passed: ${nameVersions(this.#due)}. A server publishes what is due within 2 seconds.`;
    return [...describeFuture(this.#future), ...aboutScheduled(this.#due, due)];
  }

  /** For versions of files, which are scheduled by their dates. */
  warningsOfLater(): string[] {
    return aboutDates(
      this.#later,
      ['is a draft until then, because its date is', 'are drafts until their dates, which are'],
      'Correct the date if it is wrong.',
    );
  }
}

type Collected = { first: { name: string; time: string }[]; count: number };
const none = (): Collected => ({ first: [], count: 0 });

const DRAFT = `A date does not delay a version: to publish it later, make it a draft and schedule it with \`${COMMAND} version publish --at\`.`;

export function describeFuture(versions: SomeVersions): string[] {
  return aboutDates(versions, ['is published, but its date is', 'are published, but their dates are'], DRAFT);
}

function aboutDates(versions: SomeVersions, [one, many]: readonly string[], advice: string): string[] {
  const { count } = versions;
  if (count === 0) return [];
  const named = nameVersions(versions);
  const what =
    count === 1
      ? `${named} ${one} in the future.`
      : `${count.toLocaleString('en')} versions ${many} in the future: ${named}.`;
  return [`${what} ${advice}`];
}

/** For versions that no server has published. */
export function describeOverdue(versions: SomeVersions): string[] {
  return aboutScheduled(versions, `overdue: ${nameVersions(versions)}. ${PUBLISH_DUE}`);
}

/** For versions that wait, because their product or changelog is locked. */
export function describeLocked(versions: SomeVersions): string[] {
  return aboutScheduled(
    versions,
    `due below a locked product or changelog: ${nameVersions(versions)}. Unlock it with \`${COMMAND} product set\` or \`${COMMAND} changelog set\`.`,
  );
}

function aboutScheduled({ count }: SomeVersions, state: string): string[] {
  if (count === 0) return [];
  return [
    `${count === 1 ? '1 scheduled version is' : `${count.toLocaleString('en')} scheduled versions are`} ${state}`,
  ];
}

function nameVersions({ first, count }: SomeVersions): string {
  const names = first.map(({ name, time }) => `${name} (${time})`);
  return nameSome(names, count);
}

/** The first names, and how many more there are. */
export function nameSome(names: readonly string[], count = names.length): string {
  const shown = names.slice(0, NAMED_MAX);
  const rest = count - shown.length;
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest.toLocaleString('en')} more` : ''}`;
}
