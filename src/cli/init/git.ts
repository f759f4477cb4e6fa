// Whether git would commit a file that must stay secret.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Whether git would add this file. In a repository on a machine without git, it might. */
export function isTrackedByGit(folder: string, file: string): boolean {
  // Without `--no-index`, git reads the index, and may run a command that the configuration of the repository names.
  return isInRepository(folder) && !succeeds(folder, 'check-ignore', '--quiet', '--no-index', file);
}

/** Whether git has the file already, so that ignoring it changes nothing. */
export function isCommitted(folder: string, file: string): boolean {
  return succeeds(folder, 'ls-files', '--error-unmatch', file);
}

function isInRepository(folder: string): boolean {
  if (existsSync(path.join(folder, '.git'))) return true;
  const parent = path.dirname(folder);
  return parent !== folder && isInRepository(parent);
}

function succeeds(folder: string, ...args: string[]): boolean {
  try {
    execFileSync('git', ['-c', 'core.fsmonitor=false', ...args], { cwd: folder, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
