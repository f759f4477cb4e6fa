// Published versions whose date is in the future, for a warning: they are not hidden until then.
import { COMMAND } from '../../command-name.ts';
import { isInFuture, type Present, presentAt } from '../../domain/content/future-date.ts';
import type { FutureVersion } from '../../store/catalogue/health.ts';
import { nameSome } from './some-versions.ts';

const NAMED_MAX = 5;

export class FutureDates {
  readonly #present: Present;
  readonly #first: FutureVersion[] = [];
  #count = 0;

  constructor(now: string) {
    this.#present = presentAt(now);
  }

  /** `publishedAt` is null if the version is not published. */
  add(name: string, publishedAt: string | null): void {
    if (publishedAt === null || !isInFuture(publishedAt, this.#present)) return;
    this.#count++;
    if (this.#first.length < NAMED_MAX) this.#first.push({ name, publishedAt });
  }

  warnings(): string[] {
    return this.#count === 0 ? [] : [describeFuture(this.#first, this.#count)];
  }
}

/** `count` versions, of which the first ones are named. */
export function describeFuture(first: readonly FutureVersion[], count: number): string {
  const named = nameSome(
    first.map(({ name, publishedAt }) => ({ name, time: publishedAt })),
    count,
  );
  const what =
    count === 1
      ? `${named} is published, but its date is in the future.`
      : `${count.toLocaleString('en')} versions are published, but their dates are in the future: ${named}.`;
  return `${what} A date does not delay a version: to publish it later, make it a draft and schedule it with \`${COMMAND} version publish --at\`.`;
}
