// The full run, on both engines, or only on TEST_ENGINE.
import { openScope } from '../../cluster/scope.ts';
import { onEachEngine } from '../../support/databases/each-engine.ts';
import { countFor } from '../arguments.ts';
import { FULL_SIZE, VERSIONS_A_PRODUCT } from './content.ts';

const minutes = countFor('memory');
await onEachEngine(
  import.meta.filename,
  () => [String(minutes)],
  async (engine) => {
    const { createWorld, lastThird, measureMemory, violationsOf } = await import('./memory.ts');
    const scope = openScope();
    const world = await createWorld(scope, FULL_SIZE);
    const until = performance.now() + minutes * 60_000;
    const figures = await measureMemory(world, () => performance.now() > until);
    await scope.close();
    const { products, largeVersions } = FULL_SIZE;
    const versions = products * VERSIONS_A_PRODUCT + largeVersions;
    const { megabytes, statuses } = figures;
    const everyMinute = megabytes.filter((_, second) => second % 60 === 59);
    const sorted = lastThird(megabytes).toSorted((one, other) => one - other);
    const [median = 0, most = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
    console.log(
      `${engine}: ${versions.toLocaleString('en')} versions, ${products + 1} products; ${minutes} min`,
    );
    console.log(
      `  responses: ${Object.entries(statuses)
        .map(([status, count]) => `${status}: ${count}`)
        .join(', ')}`,
    );
    console.log(`  MB after each minute: ${everyMinute.map((each) => each.toFixed(0)).join(', ')}`);
    console.log(
      `${engine}: last third ${median.toFixed(0)} MB (median), at most ${most.toFixed(0)} MB; peak ${Math.max(...megabytes).toFixed(0)} MB`,
    );
    for (const complaint of violationsOf(figures)) {
      console.log(`${engine}: ${complaint}`);
      process.exitCode = 1;
    }
  },
);
