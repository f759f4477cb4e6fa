// The full run, on both engines, or only on TEST_ENGINE. Each command is killed ROUNDS times.
import { openScope } from '../../cluster/scope.ts';
import { onEachEngine } from '../../support/databases/each-engine.ts';
import { countFor } from '../arguments.ts';
import type { Side } from './kills.ts';

const SIZE = { versions: 400, changesAVersion: 5 };
/** Some rounds kill the command after it has finished. */
const BEYOND = 1.1;

const rounds = countFor('kills');
await onEachEngine(
  import.meta.filename,
  () => [String(rounds)],
  async (engine) => {
    const { JOBS, killOnce, setUp } = await import('./kills.ts');
    for (const job of JOBS) {
      const scope = openScope();
      const setup = await setUp(scope, job, SIZE);
      const sides: Record<Side, number> = { before: 0, after: 0 };
      const failures: string[] = [];
      for (let round = 0; round < rounds; round++) {
        const killAt = Math.random() * setup.openMs * BEYOND;
        try {
          sides[await killOnce(setup, killAt)]++;
        } catch (error) {
          failures.push(`round ${round}, killed after ${Math.round(killAt)} ms: ${(error as Error).message}`);
        }
      }
      await scope.close();
      const killed = `${engine}: ${rounds} kills of ${job}, ${sides.before} before the commit, ${sides.after} after it`;
      console.log(`${killed}; ${failures.length} failures`);
      for (const failure of failures) console.error(failure);
      if (failures.length > 0) process.exitCode = 1;
    }
  },
);
