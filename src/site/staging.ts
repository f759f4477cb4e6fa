// The folder in which a build collects what it will move into place. It is also the lock: its name has the process.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { Refusal } from '../errors.ts';
import { RESERVED } from './manifest.ts';

const NAME = new RegExp(`^\\${RESERVED}-([1-9]\\d*)-`);
/** A build writes more often; another program has the process id by now. */
const AGE_MS_MAX = 15 * 60 * 1000;

/** Each build has a folder of its own, so that none takes over another's. Of two at the same time, at most one goes on. */
export function createStaging(root: string, name: string): string {
  const own = mkdtempSync(`${root}/${RESERVED}-${process.pid}-`);
  try {
    requireNoOtherBuild(root, name, own);
  } catch (error) {
    rmSync(own, { recursive: true });
    throw error;
  }
  return own;
}

/** Removes what killed builds have left behind. */
export function requireNoOtherBuild(root: string, name: string, own = ''): void {
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    const [, pid] = NAME.exec(entry.name) ?? [];
    const folder = `${root}/${entry.name}`;
    if (pid === undefined || !entry.isDirectory() || folder === own) continue;
    if (isRunning(Number(pid), statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0))
      throw new Refusal(
        `another build (process ${pid}) is writing to ${name}; wait for it to finish. If no build is running, delete ${path.join(name, entry.name)} (nothing was changed)`,
      );
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether a process is at work in a folder that was changed at that time. */
export function isRunning(pid: number, changedMs: number, ageMsMax = AGE_MS_MAX): boolean {
  const now = Date.now();
  if (now - changedMs > ageMsMax) return false;
  // In containers, the next process often has the id of the last one.
  if (pid === process.pid) return changedMs >= now - process.uptime() * 1_000;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
