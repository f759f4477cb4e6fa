// The full run, on both engines, or only on TEST_ENGINE.
import { onEachEngine } from '../../support/databases/each-engine.ts';
import { countFor, seedFor } from '../arguments.ts';

const cases = countFor('queries');
const seed = seedFor('queries');
await onEachEngine(
  import.meta.filename,
  () => [String(cases), String(seed)],
  async (engine) => {
    const { compareWithOracle } = await import('./campaign.ts');
    const startedAt = performance.now();
    const tried = await compareWithOracle({ cases, seed });
    const seconds = (performance.now() - startedAt) / 1000;
    console.log(`${engine}: ${tried} cases, no mismatch, ${seconds.toFixed(1)} s, seed ${seed}`);
  },
);
