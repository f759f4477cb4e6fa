// Changes that versions of several products share, each shown once on the timeline of their team (R64).
import type { ChangeType } from '../model.ts';

/** How much earlier than the version that shows it a version may be published and still leave a change out. */
export const SHARED_WITHIN_MS = 60 * 60 * 1_000;
/** How much text may wait for versions that share it. */
const WAITING_CHARACTERS_MAX = 8 * 1024 * 1024;

type NotedChange = Readonly<{ type: ChangeType; text: string; breaking: boolean | 0 | 1 }>;

type NotedVersion = Readonly<{
  head: Readonly<{ productId: number }>;
  publishedAt: string | null;
  description: string | null;
  image: string | null;
  changes: readonly NotedChange[];
}>;

type ChangeOf<V extends NotedVersion> = V['changes'][number];

/** A version with the changes that it shows. */
export type Shared<V extends NotedVersion> = Readonly<{
  version: V;
  /** In the author's order. One is breaking if it is so in any version that shares it. */
  changes: readonly (ChangeOf<V> & Readonly<{ alsoIn: readonly V[] }>)[];
  /** The versions that show its other changes. */
  shownBy: readonly V[];
}>;

/** A change where it is shown, and the versions that leave it out. */
type Place<V extends NotedVersion> = {
  readonly version: V;
  readonly type: ChangeType;
  /** Whether one of these calls it breaking. */
  breaking: ChangeOf<V>['breaking'] | null;
  readonly alsoIn: Set<V>;
};

/** A version for which others may still come that share a change of it. */
type Waiting<V extends NotedVersion> = Readonly<{
  version: V;
  time: number;
  characters: number;
  changes: readonly Readonly<{ change: ChangeOf<V>; place: Place<V> }>[];
  shownBy: ReadonlySet<V>;
}>;

/**
 * Takes the versions of a timeline in its order, newest first. The first one with a change shows it. Versions of other
 * products that have the same type and text leave it out if they were published at most an hour earlier. A product does
 * not share with itself, and neither does a version that was never published.
 */
export class SharedChanges<V extends NotedVersion> {
  readonly #charactersMax: number;
  readonly #waiting: Waiting<V>[] = [];
  #characters = 0;
  /** By text, newest first. */
  readonly #places = new Map<string, Place<V>[]>();

  constructor(charactersMax = WAITING_CHARACTERS_MAX) {
    this.#charactersMax = charactersMax;
  }

  /** Returns the versions, in their order, that no later one can change any more. */
  add(version: V): Shared<V>[] {
    const time = Date.parse(version.publishedAt ?? '');
    const done = this.#release(({ time: newer }) => !(newer - time <= SHARED_WITHIN_MS));
    const shownBy = new Set<V>();
    const changes = version.changes.map((change) => {
      const place = this.#placeOf(version, change);
      if (place.version !== version) {
        place.alsoIn.add(version);
        place.breaking ||= change.breaking;
        shownBy.add(place.version);
      }
      return { change, place };
    });
    const characters = charactersOf(version);
    this.#waiting.push({ version, time, characters, changes, shownBy });
    this.#characters += characters;
    // Rather shown twice than kept in memory.
    return [...done, ...this.#release(() => this.#characters > this.#charactersMax)];
  }

  /** Returns the rest. */
  finish(): Shared<V>[] {
    return this.#release(() => true);
  }

  #placeOf(version: V, { type, text }: ChangeOf<V>): Place<V> {
    const places = this.#places.get(text) ?? [];
    const found = places.find(
      (place) =>
        place.type === type &&
        (place.version === version || place.version.head.productId !== version.head.productId),
    );
    if (found !== undefined) return found;
    const place = { version, type, breaking: null, alsoIn: new Set<V>() };
    this.#places.set(text, [...places, place]);
    return place;
  }

  /** Those at the front of the line, while a condition applies. */
  #release(isDone: (first: Waiting<V>) => boolean): Shared<V>[] {
    const done: Shared<V>[] = [];
    for (let [first] = this.#waiting; first !== undefined && isDone(first); [first] = this.#waiting) {
      this.#waiting.shift();
      done.push(this.#show(first));
    }
    return done;
  }

  #show({ version, characters, changes, shownBy }: Waiting<V>): Shared<V> {
    this.#characters -= characters;
    const shown = changes.filter(({ place }) => place.version === version);
    for (const { change } of shown) this.#forget(change.text, version);
    return {
      version,
      changes: shown.map(({ change, place: { breaking, alsoIn } }) => ({
        ...change,
        breaking: change.breaking || (breaking ?? change.breaking),
        alsoIn: [...alsoIn],
      })),
      shownBy: [...shownBy],
    };
  }

  #forget(text: string, version: V): void {
    const left = this.#places.get(text)?.filter((place) => place.version !== version) ?? [];
    if (left.length === 0) this.#places.delete(text);
    else this.#places.set(text, left);
  }
}

function charactersOf({ description, image, changes }: NotedVersion): number {
  return changes.reduce(
    (sum, { text }) => sum + text.length,
    (description?.length ?? 0) + (image?.length ?? 0),
  );
}
