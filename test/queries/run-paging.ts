// The long run, on both engines: `npm run paging -- [WALKS]`. With TEST_ENGINE set, on that engine alone.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openScope } from '../../cluster/scope.ts';
import { ENGINES } from '../../support/databases/engines.ts';

const WALKS = 1_000;

const walks = Number(process.argv[2] ?? WALKS);
if (!Number.isSafeInteger(walks) || walks < 1) {
  process.stderr.write('usage: npm run paging -- [WALKS]\n');
  process.exit(2);
}

if (process.env.TEST_ENGINE === undefined) {
  for (const engine of ENGINES) {
    const child = spawn(process.execPath, [import.meta.filename, String(walks)], {
      env: { ...process.env, TEST_ENGINE: engine },
      stdio: 'inherit',
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) process.exitCode = 1;
  }
} else {
  const { anyWalk, setStage, startWriter, walk } = await import('../../proofs/queries/paging.ts');
  const { spawnServer } = await import('../../support/program/process.ts');
  const scope = openScope();
  const stage = await setStage(scope);
  const settings = { PUBLIC_RATE_LIMIT: '1000000000', LOG_LEVEL: 'silent' };
  const { address } = await spawnServer(scope, stage.workplace, settings);
  const stop = await startWriter(scope, stage);
  const startedAt = performance.now();
  let pages = 0;
  for (let round = 0; round < walks; round++) pages += await walk(stage, () => address, anyWalk());
  const seconds = (performance.now() - startedAt) / 1000;
  const writes = Object.entries(await stop());
  const total = writes.reduce((sum, [, times]) => sum + times, 0);
  console.log(
    `${process.env.TEST_ENGINE}: ${walks} walks of ${pages} pages, nothing missed or repeated, ${seconds.toFixed(1)} s`,
  );
  console.log(`meanwhile ${total} writes: ${writes.map(([what, times]) => `${what} ${times}`).join(', ')}`);
  await scope.close();
  // The server that the tests started ends with the process.
  process.exit(0);
}
