// Changes that versions of several products share, each shown once on the timeline of their team (R64).
import type { ChangeType } from '../model.ts';

/** How much earlier than the version that shows it a version may be published and still leave a change out. */
export const SHARED_WITHIN_MS = 60 * 60 * 1_000;
/** How much text may wait for versions that share it. */
const WAITING_CHARACTERS_MAX = 8 * 1024 * 1024;
/** What a change takes besides its text, as characters. */
const CHANGE_CHARACTERS = 200;

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
  /**
   * By type and text, newest first. Those of one change are of one product: a version of any other leaves it out. So the
   * first or the last of them is the one in question, however many there are.
   */
  readonly #places = new Map<ChangeType, Map<string, Place<V>[]>>();

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
    const byText = this.#places.get(type) ?? new Map<string, Place<V>[]>();
    const places = byText.get(text) ?? [];
    const [first, last] = [places[0], places.at(-1)];
    if (first !== undefined && first.version.head.productId !== version.head.productId) return first;
    if (last?.version === version) return last;
    const place = { version, breaking: null, alsoIn: new Set<V>() };
    places.push(place);
    this.#places.set(type, byText.set(text, places));
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
    for (const { change } of shown) this.#forget(change, version);
    // Changes that say the same share one list.
    const alsoIn = new Map(shown.map(({ place }) => [place, [...place.alsoIn]]));
    return {
      version,
      changes: shown.map(({ change, place }) => ({
        ...change,
        breaking: change.breaking || (place.breaking ?? change.breaking),
        alsoIn: alsoIn.get(place) as V[],
      })),
      shownBy: [...shownBy],
    };
  }

  /** Versions are shown in their order, so it is the first place. */
  #forget({ type, text }: ChangeOf<V>, version: V): void {
    const byText = this.#places.get(type);
    const places = byText?.get(text);
    if (places?.[0]?.version === version) places.shift();
    if (places?.length === 0) byText?.delete(text);
  }
}

function charactersOf({ description, image, changes }: NotedVersion): number {
  return changes.reduce(
    (sum, { text }) => sum + text.length + CHANGE_CHARACTERS,
    (description?.length ?? 0) + (image?.length ?? 0),
  );
}
