// The long run: `npm run kill-apply -- [ROUNDS]`.
import { killOnce, type Side, setStage } from './kill.ts';

const ROUNDS = 100;
const VERSIONS = 400;
/** Some rounds die when everything is over. */
const BEYOND = 1.1;

const rounds = Number(process.argv[2] ?? ROUNDS);
if (!Number.isSafeInteger(rounds)) {
  process.stderr.write('usage: npm run kill-apply -- [ROUNDS]\n');
  process.exit(2);
}

await using cleanUps = new AsyncDisposableStack();
const stage = await setStage({ after: (cleanUp) => cleanUps.defer(cleanUp) }, VERSIONS);
console.log(`an apply goes on for ${Math.round(stage.openMs)} ms after it has opened the database`);

const sides: Record<Side, number> = { before: 0, after: 0 };
const failures: string[] = [];
for (let round = 0; round < rounds; round++) {
  const moment = Math.random() * stage.openMs * BEYOND;
  try {
    sides[await killOnce(stage, `round-${round}`, moment)]++;
  } catch (error) {
    failures.push(`round ${round}, killed after ${Math.round(moment)} ms: ${(error as Error).message}`);
  }
}

console.log(`${rounds} rounds: ${sides.before} killed before the commit, ${sides.after} after it`);
for (const failure of failures) console.error(failure);
if (failures.length > 0 || sides.before === 0 || sides.after === 0) process.exitCode = 1;
