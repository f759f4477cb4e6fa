// Other file systems: one that fails at a chosen step, and one that does not distinguish upper and lower case.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

type Call = (...args: unknown[]) => unknown;

const CHANGING = [
  'mkdirSync',
  'mkdtempSync',
  'writeFileSync',
  'renameSync',
  'unlinkSync',
  'rmdirSync',
] as const;
const WITH_PATHS = ['accessSync', 'lstatSync', 'openSync', ...CHANGING] as const;

/** Calls `stop` before the nth call that changes the file system. A write that is cut off leaves a part of the file. */
export function withFault(nth: number, stop: (call: string) => void, work: () => unknown): void {
  let calls = 0;
  const stopAtNth = (name: string, original: Call, args: unknown[]) => {
    calls += 1;
    if (calls !== nth) return original(...args);
    if (name === 'writeFileSync') original(args[0], String(args[1]).slice(0, 1), args[2]);
    stop(name);
    return original(...args);
  };
  withCalls(CHANGING, stopAtNth, work);
}

/** As on macOS and Windows, `A.html` and `a.html` below a folder are one file. Staged files have random names. */
export function withoutCase(folder: string, work: () => unknown): void {
  const lower = (arg: unknown) =>
    typeof arg === 'string' && arg.startsWith(`${folder}/`) && !arg.includes('/.')
      ? folder + arg.slice(folder.length).toLowerCase()
      : arg;
  withCalls(WITH_PATHS, (_name, original, args) => original(...args.map(lower)), work);
}

function withCalls(
  names: readonly (typeof WITH_PATHS)[number][],
  call: (name: string, original: Call, args: unknown[]) => unknown,
  work: () => unknown,
): void {
  const originals = Object.fromEntries(names.map((name) => [name, fs[name] as Call]));
  for (const [name, original] of Object.entries(originals))
    Object.assign(fs, { [name]: (...args: unknown[]) => call(name, original, args) });
  syncBuiltinESMExports();
  try {
    work();
  } finally {
    Object.assign(fs, originals);
    syncBuiltinESMExports();
  }
}
