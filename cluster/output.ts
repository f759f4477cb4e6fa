// Notices that nobody reads the output of this process any more, as after `| head -1`.
import { spawn } from 'node:child_process';
import { fstatSync } from 'node:fs';
import { tethered } from './tether.ts';

const STANDARD_OUTPUT = 1;

/** Resolves when standard output is closed, also if nothing is written to it. */
export function outputClosed(): Promise<void> {
  return new Promise((resolve) => {
    // Without a listener, a write that fails would end the process without its clean-ups.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => resolve());
    if (!fstatSync(STANDARD_OUTPUT).isFIFO()) return;
    // Node.js does not watch a pipe that it only writes to, but this program does.
    const { command, args } = tethered('tail', ['-f', '/dev/null']);
    const watcher = spawn(command, args, { stdio: ['ignore', 'inherit', 'ignore'], detached: true });
    watcher.on('error', () => {});
    watcher.on('exit', () => resolve());
    watcher.unref();
    process.on('exit', () => watcher.kill());
  });
}
