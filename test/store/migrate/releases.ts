// The fixtures of earlier releases in `test/releases`, and the intended differences of later versions.
import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { fixtureFiles, RELEASES, type Recording } from '../../../scripts/release-fixture/fixture.ts';
import { ENGINE, restore } from '../../../support/databases/engine.ts';
import type { Sandbox } from '../../../support/program/command.ts';

export const RELEASE_NAMES = readdirSync(RELEASES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

export type Difference = Readonly<{
  reason: string;
  /** The releases whose responses differ. */
  releases: readonly string[];
  /** The path of the requests, or the command line. By default, wherever the text occurs. */
  where?: string | RegExp;
  /**
   * Exact texts, that of the release and that of today; or what makes one of the other. Null for a body that is written
   * in another way, of which only the status is compared: another test must compare it with the records.
   */
  edits: readonly (readonly [before: string, now: string])[] | ((before: string) => string) | null;
}>;

/** Everything else is compared byte for byte. A difference that no longer occurs fails the test. */
export const DIFFERENCES: readonly Difference[] = [
  {
    reason:
      'Entries of feeds have breaking changes first, then security fixes; feeds.once.test.ts compares them.',
    releases: ['c1d90a4'],
    where: /\/feed\.(?:atom|rss|json)$/,
    edits: null,
  },
];

/** The text that is expected today for a text of that release. Adds the differences that apply to `used`. */
export function expectedNow(release: string, where: string, text: string, used: Set<Difference>): string {
  const applied = DIFFERENCES.filter(
    (difference) => difference.releases.includes(release) && edit(difference, where, text) !== text,
  );
  for (const difference of applied) used.add(difference);
  return applied.reduce((edited, difference) => edit(difference, where, edited), text);
}

/** Whether only the status is compared. */
export function isRewritten(release: string, where: string, used: Set<Difference>): boolean {
  const difference = DIFFERENCES.find(
    (each) => each.edits === null && each.releases.includes(release) && appliesTo(each, where),
  );
  if (difference !== undefined) used.add(difference);
  return difference !== undefined;
}

const appliesTo = ({ where: only }: Difference, where: string) =>
  only instanceof RegExp ? only.test(where) : (only ?? where) === where;

function edit(difference: Difference, where: string, text: string): string {
  const { edits } = difference;
  if (!appliesTo(difference, where) || text === '' || edits === null) return text;
  if (typeof edits === 'function') return edits(text);
  return edits.reduce((edited, [before, now]) => edited.replaceAll(before, () => now), text);
}

export function readRecording(release: string): Recording {
  return JSON.parse(gunzipSync(readFileSync(fixtureFiles(release, ENGINE).recording)).toString());
}

/** Restores the database of that release. */
export async function restoreRelease(sandbox: Sandbox, release: string): Promise<void> {
  await restore(sandbox, gunzipSync(readFileSync(fixtureFiles(release, ENGINE).database)));
}
