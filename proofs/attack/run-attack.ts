// The full run, on both engines, or only on TEST_ENGINE.
import { longChangelog } from '../../bench/data/long.ts';
import { openPostgresData } from '../../bench/data/postgres-data.ts';
import { openSqliteData } from '../../bench/data/sqlite-data.ts';
import { openScope } from '../../cluster/scope.ts';
import { onEachEngine } from '../../support/databases/each-engine.ts';
import type { EngineName } from '../../support/databases/engines.ts';
import { countFor } from '../arguments.ts';
import type { FirstPages } from './first-page.ts';
import type { LargeFigures } from './large.ts';

const FEW_VERSIONS = 1_000;
const ROUNDS = 500;

const versions = countFor('attack');
const large = countFor('attack', 1);
await onEachEngine(
  import.meta.filename,
  () => [String(versions), String(large)],
  async (engine) => {
    const { attack, BOUNDS, violationsOf, FULL_SIZE, HEAP_MB } = await import('./attack.ts');
    const { LARGE_BOUNDS, largeViolationsOf } = await import('./large.ts');
    const { firstPageViolationOf } = await import('./first-page.ts');
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
    const { firstPages, figures: largeFigures } = await runLarge(engine);
    for (const complaint of [
      ...violationsOf(figures),
      ...largeViolationsOf(largeFigures),
      ...firstPageViolationOf(firstPages),
    ]) {
      console.log(complaint);
      process.exitCode = 1;
    }
    if (process.exitCode === undefined)
      console.log(`within ${JSON.stringify(BOUNDS)} and ${JSON.stringify(LARGE_BOUNDS)}`);
  },
);

type LargeRun = Readonly<{ figures: LargeFigures[]; firstPages: FirstPages }>;

async function runLarge(engine: EngineName): Promise<LargeRun> {
  const { attackLarge } = await import('./large.ts');
  const { compareFirstPages } = await import('./first-page.ts');
  const scope = openScope();
  const data = engine === 'sqlite' ? await openSqliteData(scope) : await openPostgresData(scope);
  const [few, many] = [
    await data.urlFor(longChangelog(FEW_VERSIONS)),
    await data.urlFor(longChangelog(large)),
  ];
  const firstPages = await compareFirstPages(scope, { few, many }, ROUNDS);
  const figures = await attackLarge(scope, many);
  await scope.close();
  console.log(`\n${engine}: one client, ${large} versions with 2 changes each, default settings`);
  console.log('| the client | status | s | processor s | peak MB | others p99 ms | others max ms |');
  console.log('|---|---|---|---|---|---|---|');
  for (const { kind, status, seconds, cpuSeconds, peakMb, othersP99Ms, othersMaxMs } of figures) {
    const numbers = [seconds, cpuSeconds, peakMb, othersP99Ms, othersMaxMs].map((number) =>
      number.toFixed(1),
    );
    console.log(`| ${[kind, status, ...numbers].join(' | ')} |`);
  }
  const { fewMs, manyMs } = firstPages;
  console.log(
    `the first page, not cached: ${manyMs.toFixed(2)} ms; ${fewMs.toFixed(2)} ms of ${FEW_VERSIONS} versions`,
  );
  return { figures, firstPages };
}
