import { existsSync } from 'node:fs';

/** Part of every Debian; has the kernel end a child whose parent is gone, however that went. */
const SETPRIV = '/usr/bin/setpriv';

/** The same command, for a process that does not outlive the one that starts it. */
export function tethered(command: string, args: readonly string[]): { command: string; args: string[] } {
  if (!existsSync(SETPRIV)) return { command, args: [...args] };
  return { command: SETPRIV, args: ['--pdeathsig', 'KILL', '--', command, ...args] };
}
