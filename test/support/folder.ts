import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';

/** Anything that runs code after a test: a test's context, or what `sharedScope` returns for a whole suite. */
export type Scope = { after: (cleanUp: () => void | Promise<void>) => void };

/** A folder of the test's own, gone when it is over. */
export function temporaryFolder(scope: Scope): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'changelog-test-'));
  scope.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** For what the tests of a suite share; called in the body of `describe`. Cleans up in reverse order. */
export function sharedScope(): Scope {
  const cleanUps: (() => void | Promise<void>)[] = [];
  after(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  });
  return { after: (cleanUp) => void cleanUps.push(cleanUp) };
}
