// The long run, on both engines: `npm run attack -- [VERSIONS]`. With TEST_ENGINE set, on that engine alone.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openScope } from '../../cluster/scope.ts';
import { ENGINES } from '../../support/databases/engines.ts';

const { attack, BOUNDS, complaintsAbout, FULL_SIZE, HEAP_MB } = await import('../../proofs/attack/attack.ts');

const versions = Number(process.argv[2] ?? FULL_SIZE.versions);
if (!Number.isSafeInteger(versions) || versions < 1) {
  process.stderr.write('usage: npm run attack -- [VERSIONS]\n');
  process.exit(2);
}

if (process.env.TEST_ENGINE === undefined) {
  for (const engine of ENGINES) {
    const child = spawn(process.execPath, [import.meta.filename, String(versions)], {
      env: { ...process.env, TEST_ENGINE: engine },
      stdio: 'inherit',
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) process.exitCode = 1;
  }
} else {
  const scope = openScope();
  const figures = await attack(scope, { ...FULL_SIZE, versions });
  await scope.close();
  const { requests, changes } = FULL_SIZE;
  console.log(
    `${process.env.TEST_ENGINE}: ${requests} requests at once, ${versions} versions with ${changes} changes each, heap ${HEAP_MB} MB`,
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
  for (const complaint of complaintsAbout(figures)) {
    console.log(complaint);
    process.exitCode = 1;
  }
  if (process.exitCode === undefined) console.log(`within ${JSON.stringify(BOUNDS)}`);
  // The server that the tests started ends with the process.
  process.exit();
}
