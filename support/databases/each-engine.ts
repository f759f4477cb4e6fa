// Long runs on both engines, or on the one that TEST_ENGINE names.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ENGINES, type EngineName } from './engines.ts';

/** Runs this program once per engine, with separate arguments; the exit code is 1 if it fails on one of them. */
export async function onEachEngine(
  program: string,
  argumentsFor: (index: number) => readonly string[],
  run: (engine: EngineName) => Promise<void>,
  { atOnce = false } = {},
): Promise<void> {
  const named = process.env.TEST_ENGINE;
  if (named !== undefined) {
    await run(named as EngineName);
    // The test database server stops with this process.
    process.exit();
  }
  const runOn = async (engine: EngineName, index: number) => {
    const child = spawn(process.execPath, [program, ...argumentsFor(index)], {
      env: { ...process.env, TEST_ENGINE: engine },
      stdio: 'inherit',
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) process.exitCode = 1;
  };
  if (atOnce) await Promise.all(ENGINES.map(runOn));
  else for (const [index, engine] of ENGINES.entries()) await runOn(engine, index);
}
