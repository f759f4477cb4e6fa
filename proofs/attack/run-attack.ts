// The full run, on both engines, or only on TEST_ENGINE.
import { openScope } from '../../cluster/scope.ts';
import { onEachEngine } from '../../support/databases/each-engine.ts';
import { countFor } from '../arguments.ts';

const versions = countFor('attack');
await onEachEngine(
  import.meta.filename,
  () => [String(versions)],
  async (engine) => {
    const { attack, BOUNDS, violationsOf, FULL_SIZE, HEAP_MB } = await import('./attack.ts');
    const scope = openScope();
    const figures = await attack(scope, { ...FULL_SIZE, versions });
    await scope.close();
    const { requests, changes } = FULL_SIZE;
    console.log(
      `${engine}: ${requests} concurrent requests, ${versions} versions with ${changes} changes each, heap ${HEAP_MB} MB`,
    );
    console.log('| attack | responses | s | processor s | peak MB | others p99 ms | others max ms |');
    console.log('|---|---|---|---|---|---|---|');
    for (const { kind, statuses, seconds, cpuSeconds, peakMb, othersP99Ms, othersMaxMs } of figures) {
      const counts = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
      const numbers = [seconds, cpuSeconds, peakMb, othersP99Ms, othersMaxMs].map((number) =>
        number.toFixed(1),
      );
      console.log(`| ${[kind, counts.join(', '), ...numbers].join(' | ')} |`);
    }
    for (const complaint of violationsOf(figures)) {
      console.log(complaint);
      process.exitCode = 1;
    }
    if (process.exitCode === undefined) console.log(`within ${JSON.stringify(BOUNDS)}`);
  },
);
