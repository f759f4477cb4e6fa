import { existsSync } from 'node:fs';

/** Part of every Debian; makes the kernel kill a child when its parent exits, however that happens. */
const SETPRIV = '/usr/bin/setpriv';

/** Wraps a command so that its process does not outlive this one. */
export function tethered(command: string, args: readonly string[]): { command: string; args: string[] } {
  if (!existsSync(SETPRIV)) return { command, args: [...args] };
  return { command: SETPRIV, args: ['--pdeathsig', 'KILL', '--', command, ...args] };
}
