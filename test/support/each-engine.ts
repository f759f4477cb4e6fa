// For long runs on both engines, one after the other, unless TEST_ENGINE names one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ENGINES, type EngineName } from './engines.ts';

/** Runs this very program once on each engine, with the same arguments; the exit code is 1 if it failed on one. */
export async function onEachEngine(
  program: string,
  args: readonly string[],
  run: (engine: EngineName) => Promise<void>,
): Promise<void> {
  const named = process.env.TEST_ENGINE;
  if (named !== undefined) {
    await run(named as EngineName);
    // The server that the tests have started ends with the process.
    process.exit();
  }
  for (const engine of ENGINES) {
    const child = spawn(process.execPath, [program, ...args], {
      env: { ...process.env, TEST_ENGINE: engine },
      stdio: 'inherit',
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) process.exitCode = 1;
  }
}
