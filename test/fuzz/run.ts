// The long run: `npm run fuzz -- [REQUESTS] [SEED]`.
import { randomInt } from 'node:crypto';
import { attack } from './campaign.ts';
import { createWorld } from './world.ts';

const REQUESTS = 100_000;
const SEED_MAX = 2 ** 31 - 1_000;

const requests = Number(process.argv[2] ?? REQUESTS);
const seed = Number(process.argv[3] ?? randomInt(SEED_MAX));
if (!Number.isSafeInteger(requests) || !Number.isSafeInteger(seed)) {
  process.stderr.write('usage: npm run fuzz -- [REQUESTS] [SEED]\n');
  process.exit(2);
}

await using cleanUps = new AsyncDisposableStack();
const world = await createWorld({ after: (cleanUp) => cleanUps.defer(cleanUp) });
const { sent, seconds, answers, failure } = await attack(world, { requests, seed });

console.log(
  `${sent} requests in ${seconds.toFixed(1)} s, ${Math.round(sent / seconds)} a second, seed ${seed}`,
);
for (const [kind, statuses] of Object.entries(answers)) {
  const counts = [...statuses].sort().map(([status, times]) => `${status}: ${times}`);
  console.log(`${kind.padEnd(12)} ${counts.join(', ')}`);
}
if (failure !== null) {
  console.error(failure);
  process.exitCode = 1;
}
