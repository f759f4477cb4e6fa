// The full run: half of the requests on each engine, or all of them on TEST_ENGINE.
import { onEachEngine } from '../../support/databases/each-engine.ts';
import { ENGINES } from '../../support/databases/engines.ts';
import { countFor, seedFor } from '../arguments.ts';

/** A campaign uses consecutive seeds, at most this many. */
const SEEDS_MAX = 2 ** 24;
const SEED_MAX = 2 ** 31 - ENGINES.length * SEEDS_MAX;

const requests = countFor('fuzz');
const seed = seedFor('fuzz', SEED_MAX);

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
    const { sent, seconds, responses, failure } = await attack(await createWorld(scope), { requests, seed });
    const rate = `${Math.round(sent / seconds)} per second`;
    const verdict = failure === null ? 'no 5xx, exit or unexpected body' : 'FAILED';
    const lines = [
      `${engine}: ${sent} requests in ${seconds.toFixed(0)} s, ${rate}, seed ${seed}: ${verdict}`,
    ];
    for (const [kind, statuses] of Object.entries(responses)) {
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
