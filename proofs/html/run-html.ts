// The full run: COUNT generated texts, and all texts of this repository.
import { countFor, seedFor } from '../arguments.ts';
import { compareGenerated, compareWritten } from './campaign.ts';

const count = countFor('html');
const seed = seedFor('html');
const startedAt = performance.now();
try {
  const written = compareWritten();
  compareGenerated(count, seed);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(
    `${count} generated texts and ${written} written ones, no difference, ${seconds} s, seed ${seed}`,
  );
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
