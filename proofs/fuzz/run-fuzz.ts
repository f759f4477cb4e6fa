// The long run, on both engines: `npm run fuzz -- [REQUESTS] [SEED]`, half of the requests on each. With TEST_ENGINE set,
// all of them on that engine.
import { randomInt } from 'node:crypto';
import { onEachEngine } from '../../support/databases/each-engine.ts';
import { ENGINES } from '../../support/databases/engines.ts';

const REQUESTS = 1_000_000;
/** A campaign takes its seeds one after the other. */
const SEEDS_MAX = 2 ** 24;
const SEED_MAX = 2 ** 31 - ENGINES.length * SEEDS_MAX;

const requests = Number(process.argv[2] ?? REQUESTS);
const seed = Number(process.argv[3] ?? randomInt(SEED_MAX));
if (!Number.isSafeInteger(requests) || !Number.isSafeInteger(seed)) {
  process.stderr.write('usage: npm run fuzz -- [REQUESTS] [SEED]\n');
  process.exit(2);
}

const each = Math.ceil(requests / ENGINES.length);
const argumentsFor = (index: number) => [String(each), String(seed + index * SEEDS_MAX)];
await onEachEngine(
  import.meta.filename,
  argumentsFor,
  async (engine) => {
    const { openScope } = await import('../../cluster/scope.ts');
    const { attack } = await import('./campaign.ts');
    const { createWorld } = await import('./world.ts');
    const scope = openScope();
    const { sent, seconds, answers, failure } = await attack(await createWorld(scope), { requests, seed });
    const rate = `${Math.round(sent / seconds)} a second`;
    const verdict = failure === null ? 'no 5xx, exit or foreign body' : 'FAILED';
    const lines = [
      `${engine}: ${sent} requests in ${seconds.toFixed(0)} s, ${rate}, seed ${seed}: ${verdict}`,
    ];
    for (const [kind, statuses] of Object.entries(answers)) {
      const counts = [...statuses].sort().map(([status, times]) => `${status}: ${times}`);
      lines.push(`  ${kind.padEnd(12)} ${counts.join(', ')}`);
    }
    console.log(lines.join('\n'));
    if (failure !== null) {
      console.error(failure);
      process.exitCode = 1;
    }
    await scope.close();
  },
  { atOnce: true },
);
