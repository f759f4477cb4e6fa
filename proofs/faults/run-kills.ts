// The long run, on both engines: `npm run kills -- [ROUNDS]`. Each command is killed so many times on each engine.
import { openScope } from '../../cluster/scope.ts';
import { onEachEngine } from '../../support/databases/each-engine.ts';
import { roundsFrom } from '../../test/faults/figures.ts';
import type { Side } from './kills.ts';

const ROUNDS = 100;
const VERSIONS = 400;
/** Some rounds die when everything is over. */
const BEYOND = 1.1;

const rounds = roundsFrom('kills', ROUNDS);
await onEachEngine(
  import.meta.filename,
  () => [String(rounds)],
  async (engine) => {
    const { JOBS, killOnce, setStage } = await import('./kills.ts');
    for (const job of JOBS) {
      const scope = openScope();
      const stage = await setStage(scope, job, VERSIONS);
      const sides: Record<Side, number> = { before: 0, after: 0 };
      const failures: string[] = [];
      for (let round = 0; round < rounds; round++) {
        const moment = Math.random() * stage.openMs * BEYOND;
        try {
          sides[await killOnce(stage, moment)]++;
        } catch (error) {
          failures.push(`round ${round}, killed after ${Math.round(moment)} ms: ${(error as Error).message}`);
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
