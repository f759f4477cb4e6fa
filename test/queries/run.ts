// The long run, on both engines: `npm run queries -- [CASES] [SEED]`. With TEST_ENGINE set, on that engine alone.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { ENGINES } from '../../support/databases/engines.ts';

const CASES = 10_000;

const cases = Number(process.argv[2] ?? CASES);
const seed = Number(process.argv[3] ?? randomInt(2 ** 30));
if (!Number.isSafeInteger(cases) || !Number.isSafeInteger(seed)) {
  process.stderr.write('usage: npm run queries -- [CASES] [SEED]\n');
  process.exit(2);
}

if (process.env.TEST_ENGINE === undefined) {
  for (const engine of ENGINES) {
    const child = spawn(process.execPath, [import.meta.filename, String(cases), String(seed)], {
      env: { ...process.env, TEST_ENGINE: engine },
      stdio: 'inherit',
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) process.exitCode = 1;
  }
} else {
  const { compareWithOracle } = await import('../../proofs/queries/campaign.ts');
  const startedAt = performance.now();
  const tried = await compareWithOracle({ cases, seed });
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(
    `${process.env.TEST_ENGINE}: ${tried} cases, no mismatch, ${seconds.toFixed(1)} s, seed ${seed}`,
  );
  // The server that the tests started ends with the process.
  process.exit(0);
}
