import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

type CleanUp = () => void | Promise<void>;

/** Runs code when it ends: a test's context, or the result of `openScope`. */
export type Scope = { after: (cleanUp: CleanUp) => void };

/** A scope that is closed explicitly. Runs all clean-ups in reverse order, then throws the first failure. */
export function openScope(): Scope & { close: () => Promise<void> } {
  const cleanUps: CleanUp[] = [];
  return {
    after: (cleanUp) => void cleanUps.push(cleanUp),
    close: async () => {
      const failures: unknown[] = [];
      for (const cleanUp of cleanUps.splice(0).reverse()) {
        await Promise.try(cleanUp).catch((error) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** A new folder, removed when the scope ends. */
export function temporaryFolder(scope: Scope): string {
  const folder = makeTemporaryFolder();
  scope.after(() => removeFolder(folder));
  return folder;
}

/** Folders that no scope has removed yet: a process that exits early, as after a closed pipe, removes them last. */
const left = new Set<string>();
process.on('exit', () => {
  for (const folder of left) removeFolder(folder);
});

export function makeTemporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'changelog-'));
  left.add(folder);
  return folder;
}

/** Tries again where a server that was just killed has written meanwhile. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  left.delete(folder);
}
