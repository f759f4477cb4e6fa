import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkChangelog } from '../../src/check/check.ts';
import { inspectChangelog } from '../../src/import/read.ts';
import { NO_RULES } from '../../src/import/rules.ts';

const READING = { format: 'auto', merging: false, rules: NO_RULES } as const;
const COUNT = 1_000;
const TIMES = 4;
/** What goes over all versions again for each would take four times as long for each. */
const GROWTH_MAX = 2.5;
const ROUNDS = 3;

const repeat = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => write(index)).join('');

/** Texts with many findings of a kind. */
const SHAPES: Readonly<Record<string, (count: number) => string>> = {
  'duplicates in many chapters': (count) => repeat(count, () => '# Part\n\n## 1.0.0\n\n- A pad.\n\n'),
  'versions out of order': (count) =>
    repeat(count, (index) => `## 1.0.${(index * 7919) % count} - 2026-05-04\n\n- A pad.\n\n`),
  'links without a definition': (count) =>
    `## 1.0.0\n\n${repeat(count, (index) => `- See [the pad][${index}].\n`)}`,
  'half a link': (count) => `## 1.0.0\n\n- See ${repeat(count * 10, () => '[a][[a]')}.\n`,
  'definitions of other versions': (count) =>
    repeat(count, (index) => `## [1.0.${index}]\n\n- A pad.\n\n`) +
    repeat(count, (index) => `[1.0.${index}]: https://x.example/compare/v1...v1.0.${index + 1}\n`),
  'empty sections': (count) => `## 1.0.0\n\n- A pad.\n\n${repeat(count, (index) => `### Part ${index}\n\n`)}`,
  'names of sections': (count) =>
    repeat(count, (index) => `## 1.0.${index}\n\n### Part ${index}\n\n- A pad.\n\n`),
};

describe('checking takes linear time', () => {
  for (const [name, shape] of Object.entries(SHAPES))
    it(`checking takes linear time: ${name}`, () => {
      spentOn(shape(COUNT));
      const tried: number[] = [];
      while (tried.length < ROUNDS && !tried.some((growth) => growth < GROWTH_MAX))
        tried.push(spentOn(shape(COUNT * TIMES)) / TIMES / spentOn(shape(COUNT)));
      assert.ok(
        Math.min(...tried) < GROWTH_MAX,
        `each takes ${tried.map((one) => one.toFixed(1))} times as long`,
      );
    });
});

/** Also compares it with a text without its first versions. */
function spentOn(text: string): number {
  const input = { name: 'CHANGELOG.md', bytes: Buffer.from(text) };
  const before = { ...input, bytes: Buffer.from(text.slice(0, text.length / 2)) };
  const start = process.cpuUsage();
  const earlier = { ref: 'main', text: inspectChangelog(before, READING), isMissing: false };
  checkChangelog(input, {
    reading: READING,
    now: '2026-07-01T00:00:00Z',
    earlier,
    wanted: '9.9.9',
    isStrict: true,
  });
  const { user, system } = process.cpuUsage(start);
  return user + system;
}
