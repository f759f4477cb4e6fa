import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Scope } from '../../cluster/scope.ts';
import { tethered } from '../../cluster/tether.ts';
import type { Polled } from './others.ts';

/** Makes requests one after the other, from another process and from changing addresses: see `others.ts`. */
export async function pollOthers(scope: Scope, group: number, urls: readonly string[]) {
  const script = path.join(import.meta.dirname, 'others.ts');
  const { command, args } = tethered(process.execPath, [script, String(group), ...urls]);
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  scope.after(async () => {
    if (child.exitCode === null) child.kill('SIGKILL');
    await ended;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  return {
    stop: async (): Promise<Polled[]> => {
      child.stdin.end();
      const { value } = await lines.next();
      await ended;
      return JSON.parse(value ?? '[]');
    },
  };
}
