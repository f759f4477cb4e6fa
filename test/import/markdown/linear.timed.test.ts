import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { COSTLY, readShape, SHAPES, type Shape } from '../shapes.ts';

const BYTES = { ofCheap: 40_000, ofCostly: 10_000 };
const TIMES = 4;
/** What goes over the text again for each part of it would take four times as long for each byte. */
const GROWTH_MAX = 2;
const ROUNDS = 3;
/** So little may be anything. */
const NOISE_MS = 4;

describe('reading takes linear time', () => {
  for (const [name, shape] of Object.entries(SHAPES)) {
    it(`reading takes linear time: ${name}`, () => {
      // The first time is slower, because code is compiled.
      readShape(shape(BYTES.ofCostly));
      const bytes = COSTLY.has(name) ? BYTES.ofCostly : BYTES.ofCheap;
      // What others do on the machine makes it slower, never quicker: a single good round is proof enough.
      const tried: number[] = [];
      while (tried.length < ROUNDS && !tried.some((growth) => growth < GROWTH_MAX))
        tried.push(growthOf(shape, bytes));
      assert.ok(
        Math.min(...tried) < GROWTH_MAX,
        `each byte takes ${tried.map((one) => one.toFixed(1))} times as long`,
      );
    });
  }
});

/** Of the time for a byte, from some size to four times that. */
function growthOf(shape: Shape, bytes: number): number {
  const little = spentOn(shape(bytes));
  const much = spentOn(shape(bytes * TIMES));
  return much / TIMES / Math.max(little, NOISE_MS);
}

function spentOn(text: string): number {
  const before = process.cpuUsage();
  readShape(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
