// Generates changelogs; imports each one, reads it from the API, imports it again, exports it and imports the export.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { openScope } from '../../cluster/scope.ts';
import { assertUnchangedByReimport, ImportSandbox } from './sandbox.ts';
import { writeChangesets } from './writers/changesets.ts';
import { writeConventional } from './writers/conventional.ts';
import { type Dice, diceOf } from './writers/dice.ts';
import { writeGithubReleases } from './writers/github-releases.ts';
import { writeKeepAChangelog } from './writers/keep-a-changelog.ts';
import type { Written } from './writers/writers.ts';

export const STYLES = {
  'keep-a-changelog': writeKeepAChangelog,
  conventional: writeConventional,
  changesets: writeChangesets,
  'github-releases': writeGithubReleases,
} as const satisfies Record<string, (dice: Dice) => Written>;
export type Style = keyof typeof STYLES;

/** Per database; more would make it slow. */
const CASES_PER_DATABASE = 400;
const SHRINK_MS = 30_000;
/** The round trip takes as long as the rest, so only every fourth changelog makes it. */
const ROUND_TRIP_EVERY = 4;

/** Tries `count` changelogs and returns their number; throws at the first that is not imported as it was written. */
export async function tryStyle(
  style: Style,
  { count, seed }: { count: number; seed: number },
): Promise<number> {
  let tried = 0;
  while (tried < count) {
    const runs = Math.min(CASES_PER_DATABASE, count - tried);
    const scope = openScope();
    try {
      const sandbox = await ImportSandbox.open(scope);
      await tryMany(sandbox, style, runs, seed + tried);
    } finally {
      await scope.close();
    }
    tried += runs;
  }
  return tried;
}

export async function tryMany(
  sandbox: ImportSandbox,
  style: Style,
  runs: number,
  seed: number,
): Promise<void> {
  let failed: { written: Written; error: unknown } | null = null;
  let failedAt = 0;
  let index = 0;
  const property = fc.asyncProperty(fc.gen(), async (draw) => {
    if (failed !== null && performance.now() - failedAt > SHRINK_MS) return;
    const written = STYLES[style](diceOf(draw));
    const isRoundTrip = failed !== null || index++ % ROUND_TRIP_EVERY === 0;
    await tryOne(sandbox, written, isRoundTrip).catch((error: unknown) => {
      if (failed === null) failedAt = performance.now();
      failed = { written, error };
      throw error;
    });
  });
  const { failed: hasFailed } = await fc.check(property, { numRuns: runs, seed });
  if (!hasFailed) return;
  const { written, error } = failed as unknown as { written: Written; error: Error };
  throw new Error(`${style}, seed ${seed}:\n${JSON.stringify(written.text)}\n${error.message}`, {
    cause: error,
  });
}

async function tryOne(
  sandbox: ImportSandbox,
  { text, flags, description, versions }: Written,
  isRoundTrip: boolean,
): Promise<void> {
  const product = await sandbox.product();
  const importIt = () => sandbox.import(product, text, ...flags);
  const { code, stderr } = await importIt();
  assert.equal(code, 0, stderr);
  assert.deepEqual((await sandbox.read(product)).versions, versions);
  assert.equal(await sandbox.description(product), description);
  if (isRoundTrip) await assertUnchangedByReimport(sandbox, product, importIt);
}
