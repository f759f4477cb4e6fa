// The fixtures of earlier releases in `test/releases`, and the intended differences of later versions.
import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { fixtureFiles, RELEASES, type Recording } from '../../../scripts/release-fixture/fixture.ts';
import { ENGINE, restore } from '../../../support/databases/engine.ts';
import type { Sandbox } from '../../../support/program/command.ts';
import { leadToPages } from './earlier-feeds.ts';
import { exportedWithTimes, feedWithTimes, withUpdatedAt } from './earlier-times.ts';

export const RELEASE_NAMES = readdirSync(RELEASES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

export type Difference = Readonly<{
  reason: string;
  /** The releases whose responses differ. */
  releases: readonly string[];
  /** The path of the requests, or the command line. By default, wherever the text occurs. */
  where?: string | RegExp;
  /** Exact texts, that of the release and that of today; or what makes one of the other. */
  edits: readonly (readonly [before: string, now: string])[] | ((before: string) => string);
}>;

const PARAMETERS = ['limit', 'cursor', 'since', 'until', 'from', 'to', 'type', 'prerelease', 'q', 'include'];

const WITHOUT_LEGEND = `[
    {
      "action": "changed",
      "version": "4.1.9",
      "difference": {
        "description": {
          "removed": [
            "",
            "*Major Changes* are of type \`changed\`, *Minor Changes* of type \`added\`, and *Patch Changes* of type \`fixed\`."
          ],
          "added": []
        }
      }
    }
  ]`;

/** Everything else is compared byte for byte. A difference that no longer occurs fails the test. */
export const DIFFERENCES: readonly Difference[] = [
  {
    reason:
      'control characters became references in CHANGELOG.md, because terminals interpret them (bce9fcc)',
    releases: ['5e494ce'],
    where: '/api/v1/public/teams/acme/products/texts/changelog/CHANGELOG.md',
    edits: [
      [
        'A bell\u0007, an escape\u001b[31m and a delete\u007f.',
        'A bell&#7;, an escape&#27;[31m and a delete&#127;.',
      ],
    ],
  },
  {
    reason: 'control characters became escapes in an export, because terminals interpret them (bce9fcc)',
    releases: ['5e494ce'],
    where: 'export acme --json',
    edits: ['\u007f', '\u2028', '\u202c', '\u202e', '\u2067', '\u2069'].map((character) => [
      character,
      `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ]),
  },
  {
    reason: 'messages of the API were reworded in plain English',
    releases: ['5e494ce'],
    edits: [
      ...PARAMETERS.map((name): [string, string] => [
        `The query parameter ${name} takes `,
        `The query parameter ${name} must be `,
      ]),
      [', and is given once', ', and must be given only once'],
      ['a date or a moment with its zone', 'a date, or a timestamp with time zone'],
      ['words, of 500 characters at most', 'words, at most 500 characters'],
      ['a Link header of this address', 'a Link header of this URL'],
    ],
  },
  {
    reason: 'feeds lead to pages, their titles begin with the label, and they name their language',
    releases: ['5e494ce'],
    where: /^\/api\/v1\/public\/.*\/feed\.(atom|rss|json)$/,
    edits: leadToPages,
  },
  {
    reason:
      'an Atom feed has one alternate link, first, because readers take the first link or the last alternate',
    releases: ['5e494ce'],
    where: /^\/api\/v1\/public\/.*\/feed\.atom$/,
    edits: (before) =>
      before.replace(
        /(<link rel="self".*\n)(<link rel="alternate".*\n)(?:<link rel="alternate".*\n)*/,
        '$2$1',
      ),
  },
  {
    reason: 'the record of a version has updatedAt (R45)',
    releases: ['5e494ce'],
    where: /^\/api\/v1\/.*\/changelog(\?|\/versions\/)/,
    edits: withUpdatedAt,
  },
  {
    reason: 'feeds have the time of the last change of each version (R45)',
    releases: ['5e494ce'],
    where: /^\/api\/v1\/public\/.*\/feed\.(atom|rss|json)$/,
    edits: feedWithTimes,
  },
  {
    reason: 'an export has updatedAt where applying it would give another one (R45)',
    releases: ['5e494ce'],
    where: /^export \w+ --json$/,
    edits: exportedWithTimes,
  },
  {
    reason: 'bare URLs became links in HTML',
    releases: ['5e494ce'],
    edits: ['pull/12', 'compare/v1.0.0...v1.1.0'].flatMap(linked),
  },
  {
    reason: 'an import no longer adds a sentence about types to the description of the oldest version',
    releases: ['5e494ce'],
    where: 'import acme/packages - --format changesets --dry-run --json',
    edits: [
      ['"changed": 0', '"changed": 1'],
      ['"unchanged": 2', '"unchanged": 1'],
      ['"versions": []', `"versions": ${WITHOUT_LEGEND}`],
    ],
  },
];

/** In JSON and in XML. */
function linked(path: string): [before: string, now: string][] {
  const url = `https://rocket.example/${path}`;
  const link = `<a href="${url}" rel="noopener nofollow">${url}</a>`;
  const inXml = link.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  return [
    [`${url}</p>`, `${link.replaceAll('"', '\\"')}</p>`],
    [`${url}&lt;/p&gt;`, `${inXml}&lt;/p&gt;`],
  ];
}

/** URLs without content that have become pages: only the status of their responses is compared. */
export const PAGES_NOW = ['/'];

const EXPOSED_THEN = 'RateLimit, RateLimit-Policy, ETag, Link, Retry-After';

/** Header values that were changed on purpose: that of earlier releases → that of today. */
export const HEADER_VALUES_NOW: ReadonlyMap<string, string> = new Map([
  [EXPOSED_THEN, `${EXPOSED_THEN}, X-Request-Id`],
]);

/** The text that is expected today for a text of that release. Adds the differences that apply to `used`. */
export function expectedNow(release: string, where: string, text: string, used: Set<Difference>): string {
  const applied = DIFFERENCES.filter(
    (difference) => difference.releases.includes(release) && edit(difference, where, text) !== text,
  );
  for (const difference of applied) used.add(difference);
  return applied.reduce((edited, difference) => edit(difference, where, edited), text);
}

function edit({ where: only, edits }: Difference, where: string, text: string): string {
  const applies = only instanceof RegExp ? only.test(where) : (only ?? where) === where;
  if (!applies || text === '') return text;
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
