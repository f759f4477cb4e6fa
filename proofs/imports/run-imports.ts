// The full run: COUNT generated changelogs of each style; or, given paths, the same as `corpus`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import os from 'node:os';
import { countFor, exitWithUsage, seedFor } from '../arguments.ts';
import { STYLES, type Style, tryStyle } from './campaign.ts';

if (existsSync(process.argv[2] ?? '')) await import('./run-corpus.ts');
const count = countFor('imports');
const seed = seedFor('imports');
const style = process.argv[4];
if (style !== undefined && !Object.hasOwn(STYLES, style)) exitWithUsage('imports');

if (style === undefined) {
  const styles = Object.keys(STYLES);
  const work = async () => {
    for (let next = styles.shift(); next !== undefined; next = styles.shift()) {
      const args = [import.meta.filename, String(count), String(seed), next];
      const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit');
      if (code !== 0) process.exitCode = 1;
    }
  };
  await Promise.all(Array.from({ length: os.availableParallelism() }, work));
} else {
  const startedAt = performance.now();
  const tried = await tryStyle(style as Style, { count, seed }).catch((error: Error) => {
    console.error(error.message);
    process.exit(1);
  });
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`${style}: ${tried} changelogs, no difference, ${seconds.toFixed(1)} s, seed ${seed}`);
}
// Exit before the test runner prints a summary of zero tests.
process.exit();
