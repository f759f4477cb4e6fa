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
  /** The status of today, if it is another one. */
  status?: number;
}>;

/** Everything else is compared byte for byte. A difference that no longer occurs fails the test. */
export const DIFFERENCES: readonly Difference[] = [
  {
    reason: 'The latest version of an update check and of a product says whether it was yanked (R31).',
    releases: ['7ad15c2'],
    where: /\/(?:update|products)(?:\?.*)?$/,
    edits: (body) => body.replaceAll(/("latest":\{[^}]*"changeCount":\d+)\}/g, '$1,"yanked":false}'),
  },
  {
    reason:
      'An encoded slash in the label of a version names it (R31); gitea-redirects.once.test.ts reads it.',
    releases: ['c1d90a4', '7ad15c2'],
    where: /\/labels\/changelog\/versions\/[^/]*%2F[^/]*$/,
    edits: null,
    status: 200,
  },
  {
    reason: 'A key may have an end (R67).',
    releases: ['c1d90a4'],
    where: /^key list \S+ --json$/,
    edits: (text) => text.replaceAll(/^ *"createdAt": .*$/gm, '$&\n    "expiresAt": null,'),
  },
  {
    reason:
      'Words match by their beginning: `cafe` is that of a `café` whose accent is a character of its own.',
    releases: ['c1d90a4'],
    where: /\?q=cafe$/,
    edits: [
      [
        '"versions":[]',
        '"versions":[{"id":"ver_text5","object":"changelog.version","version":"5.0.0","title":"Accents","status":"published","publishedAt":"2026-02-05T00:00:00.000Z","changeCount":3}]',
      ],
    ],
  },
  {
    reason: 'Pages have another style sheet and policy; pages.once.test.ts holds what they show.',
    releases: ['c1d90a4', '7ad15c2'],
    where: '/',
    edits: null,
  },
  {
    reason:
      'Feeds and CHANGELOG.md have breaking changes first, then security fixes; feeds.once.test.ts compares them.',
    releases: ['c1d90a4'],
    where: /\/(?:feed\.(?:atom|rss|json)|CHANGELOG\.md)$/,
    edits: null,
  },
  {
    reason: 'Text outside versions is the description of the changelog, and not part of the oldest version.',
    releases: ['c1d90a4'],
    where: 'import acme/imported - --format keep-a-changelog --prune --yes --dry-run --json',
    edits: [
      ['  "kept": 1,\n', '  "kept": 1,\n  "description": "created",\n'],
      [
        `",\n            "",
            "The format is based on [Keep a Changelog](https://keepachangelog.com/en/1.1.0/).",
            "",
            "[#38]: https://rocket.example/issues/38"\n`,
        '"\n',
      ],
    ],
  },
  {
    reason: 'An import moves text outside versions from the oldest version to the changelog.',
    releases: ['c1d90a4'],
    where: 'import acme/imported - --format keep-a-changelog --dry-run --json',
    edits: changingVersion('1.0.0', {
      description: {
        removed: ['', 'The format is based on [Keep a Changelog](https://keepachangelog.com/en/1.1.0/).'],
        added: [],
      },
    }),
  },
  {
    reason: 'The title of a file is only its name.',
    releases: ['c1d90a4'],
    where: 'import acme/packages - --format changesets --dry-run --json',
    edits: changingVersion('4.1.9', { description: { removed: ['# @rocket/engine'], added: [] } }),
  },
  {
    reason: 'A comparison is a field of the version.',
    releases: ['c1d90a4'],
    where: 'import acme/releases - --format github-releases --dry-run --json',
    edits: changingVersion('v1.1.0', {
      compare: { from: null, to: 'https://rocket.example/compare/v1.0.0...v1.1.0' },
      description: {
        removed: ['**Full Changelog**: https://rocket.example/compare/v1.0.0...v1.1.0', ''],
        added: [],
      },
    }),
  },
];

/** The report of an import that changes this version, too. */
function changingVersion(version: string, difference: object): (before: string) => string {
  return (before) => {
    const { changed, deleted, unchanged, kept, rerun, warnings, versions, ...head } = JSON.parse(before);
    const counts = { changed: changed + 1, deleted, unchanged: unchanged - 1, kept };
    const described = /keep-a-changelog$/.test(rerun) && { description: 'created' };
    const all = [...versions, { action: 'changed', version, difference }];
    return `${JSON.stringify({ ...head, ...counts, ...described, rerun, warnings, versions: all }, null, 2)}\n`;
  };
}

/** The text that is expected today for a text of that release. Adds the differences that apply to `used`. */
export function expectedNow(release: string, where: string, text: string, used: Set<Difference>): string {
  const applied = DIFFERENCES.filter(
    (difference) => difference.releases.includes(release) && edit(difference, where, text) !== text,
  );
  for (const difference of applied) used.add(difference);
  return applied.reduce((edited, difference) => edit(difference, where, edited), text);
}

/** The difference of a response of which only the status is compared. */
export function rewritten(release: string, where: string, used: Set<Difference>): Difference | undefined {
  const difference = DIFFERENCES.find(
    (each) => each.edits === null && each.releases.includes(release) && appliesTo(each, where),
  );
  if (difference !== undefined) used.add(difference);
  return difference;
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
