// Parses the arguments of the proofs. `npm run prove NAME` without arguments passes those of a full run.
import { randomInt } from 'node:crypto';
import { PROOFS } from './table.ts';

/** One of the arguments, by default the first: a positive integer. */
export function countFor(name: string, index = 0): number {
  const count = Number(process.argv[2 + index]);
  return Number.isSafeInteger(count) && count > 0 ? count : exitWithUsage(name);
}

/** The second argument, or a random number. */
export function seedFor(name: string, max = 2 ** 30): number {
  const seed = Number(process.argv[3] ?? randomInt(max));
  return Number.isSafeInteger(seed) ? seed : exitWithUsage(name);
}

export function exitWithUsage(name: string): never {
  const expected = PROOFS.find((proof) => proof.name === name)?.arguments;
  process.stderr.write(`usage: npm run prove ${name} ${expected}\n`);
  process.exit(2);
}
