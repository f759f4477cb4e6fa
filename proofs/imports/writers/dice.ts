// What a generator asks chance for; by the seed of fast-check it falls out the same again.
import fc from 'fast-check';

export type Dice = Readonly<{
  int: (min: number, max: number) => number;
  /** True in so many cases of a hundred. */
  chance: (percent: number) => boolean;
  oneOf: <T>(values: readonly T[]) => T;
  some: <T>(min: number, max: number, make: (index: number) => T) => T[];
}>;

export function diceOf(draw: fc.GeneratorValue): Dice {
  // One kind of draw for all: fast-check looks for each kind among those before.
  const int = (min: number, max: number) => min + (draw(fc.nat) % (max - min + 1));
  return {
    int,
    // Shrinks towards what is plain.
    chance: (percent) => int(0, 99) >= 100 - percent,
    oneOf: <T>(values: readonly T[]) => values[int(0, values.length - 1)] as T,
    some: (min, max, make) => Array.from({ length: int(min, max) }, (_, index) => make(index)),
  };
}
