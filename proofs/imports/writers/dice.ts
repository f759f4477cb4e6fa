// Random choices of a generator, reproducible by the seed of fast-check.
import fc from 'fast-check';

export type Dice = Readonly<{
  int: (min: number, max: number) => number;
  /** True in `percent` % of the cases. */
  chance: (percent: number) => boolean;
  oneOf: <T>(values: readonly T[]) => T;
  some: <T>(min: number, max: number, make: (index: number) => T) => T[];
}>;

export function diceOf(draw: fc.GeneratorValue): Dice {
  // All draws use the same arbitrary, because fast-check searches its earlier ones at each draw.
  const int = (min: number, max: number) => min + (draw(fc.nat) % (max - min + 1));
  return {
    int,
    // Shrinks towards false.
    chance: (percent) => int(0, 99) >= 100 - percent,
    oneOf: <T>(values: readonly T[]) => values[int(0, values.length - 1)] as T,
    some: (min, max, make) => Array.from({ length: int(min, max) }, (_, index) => make(index)),
  };
}
