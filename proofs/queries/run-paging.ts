// The full run, on both engines, or only on TEST_ENGINE.
import { openScope } from '../../cluster/scope.ts';
import { onEachEngine } from '../../support/databases/each-engine.ts';
import { countFor } from '../arguments.ts';

const walks = countFor('paging');
await onEachEngine(
  import.meta.filename,
  () => [String(walks)],
  async (engine) => {
    const { anyWalk, setUp, startWriter, walk } = await import('./paging.ts');
    const { spawnServer } = await import('../../support/program/process.ts');
    const scope = openScope();
    const setup = await setUp(scope);
    const settings = { PUBLIC_RATE_LIMIT: '1000000000', LOG_LEVEL: 'silent' };
    const { address } = await spawnServer(scope, setup.sandbox, settings);
    const stop = await startWriter(scope, setup);
    const startedAt = performance.now();
    let pages = 0;
    for (let round = 0; round < walks; round++) pages += await walk(setup, () => address, anyWalk());
    const seconds = (performance.now() - startedAt) / 1000;
    const writes = Object.entries(await stop());
    const total = writes.reduce((sum, [, times]) => sum + times, 0);
    console.log(
      `${engine}: ${walks} walks of ${pages} pages, nothing missed or repeated, ${seconds.toFixed(1)} s`,
    );
    console.log(
      `${total} writes during them: ${writes.map(([what, times]) => `${what} ${times}`).join(', ')}`,
    );
    await scope.close();
  },
);
