// Changelogs in the style of changesets: no dates, and dependency bumps as separate items.

import type { ApiChange, ApiVersion } from '../sandbox.ts';
import { type BodyStyle, type Item, type SectionStyle, writeBody } from './bodies.ts';
import type { Dice } from './dice.ts';
import { itemText, joined, plain, References } from './texts.ts';
import { joinedTexts, labels, saved, type Written } from './writers.ts';

const REPOSITORY = 'https://github.com/acme/rocket';
const SECTIONS: readonly SectionStyle[] = [
  { heading: 'Major Changes', meaning: { type: 'changed', breaking: true } },
  { heading: 'Minor Changes', meaning: { type: 'added' } },
  { heading: 'Patch Changes', meaning: { type: 'fixed' } },
];
const PUBLISHED_AT = '2025-06-01T12:00:00.000Z';

type Bump = Readonly<{ hashes: string | null; packages: readonly string[] }>;

export function writeChangesets(dice: Dice): Written {
  const references = new References(dice);
  const hasLinks = dice.chance(50);
  const isLoose = dice.chance(50);
  const style: BodyStyle = {
    sections: SECTIONS,
    level: 3,
    markers: ['- '],
    isLoose,
    hasBlankAfterHeading: true,
    item: (given, known) => changeset(given, known, hasLinks),
  };
  const introduction = dice.chance(90) ? dice.oneOf(['# @acme/rocket', '# rocket']) : null;
  const lines = [introduction ?? '', ''];
  const isPublished = dice.chance(30);
  const versions: ApiVersion[] = [];
  for (const { label } of labels(dice, dice.int(1, 4), ['semantic'])) {
    const body = writeBody(dice, references, style);
    const isSectioned = body.written.length === 0 || body.written.some((one) => one.startsWith('### '));
    const bumps = isSectioned && dice.chance(40) ? dice.some(1, 3, () => bump(dice, hasLinks)) : [];
    if (bumps.length > 0) {
      body.written.push(
        '### Patch Changes',
        '',
        ...bumps.flatMap((one) => [...writeBump(one), ...(isLoose ? [''] : [])]),
        '',
      );
      body.changes.push(foldedBumps(bumps));
    }
    lines.push(`## ${label}`, '', ...body.written, '');
    versions.push({
      ...{ version: label, title: '', status: isPublished ? 'published' : 'draft', yanked: false },
      publishedAt: isPublished ? PUBLISHED_AT : null,
      description: joinedTexts(body.description),
      changes: body.changes,
    });
  }
  lines.push(...references.write());
  // The other names are also those of other authors.
  const isClear = lines.some((one) => /^### Patch Changes$/.test(one));
  return {
    text: saved(dice, lines),
    description: null,
    versions,
    flags: [
      ...(isClear && dice.chance(80) ? [] : ['--format', 'changesets']),
      ...(isPublished ? ['--published-at', PUBLISHED_AT] : []),
    ],
  };
}

const hashOf = (dice: Dice) => dice.oneOf(['abc1234', '0f1e2d3', 'deadbee', '1234567']);
const hashLink = (hash: string) => `[\`${hash}\`](${REPOSITORY}/commit/${hash})`;

function changeset(dice: Dice, references: References, hasLinks: boolean): Item {
  const hash = hashOf(dice);
  const number = dice.int(1, 99);
  const pull = `[#${number}](${REPOSITORY}/pull/${number})`;
  const lead = hasLinks
    ? `${pull} ${hashLink(hash)} Thanks [@someone](https://github.com/someone)! - `
    : `${hash}: `;
  return { text: joined([plain(lead), itemText(dice, references)], ''), breaking: false };
}

function bump(dice: Dice, hasLinks: boolean): Bump {
  const hashes = dice.some(0, 2, () => (hasLinks ? hashLink(hashOf(dice)) : hashOf(dice)));
  return {
    hashes: hashes.length === 0 ? null : `[${hashes.join(', ')}]`,
    packages: dice.some(
      0,
      3,
      () => `- ${dice.oneOf(['@acme/core', '@acme/cli', 'rocket-fuel'])}@1.${dice.int(0, 3)}.0`,
    ),
  };
}

function writeBump({ hashes, packages }: Bump): string[] {
  const head = `Updated dependencies${hashes === null ? '' : ` ${hashes}`}`;
  return [
    `- ${head}${hashes?.includes('](') && packages.length > 0 ? ':' : ''}`,
    ...packages.map((one) => `  ${one}`),
  ];
}

/** A single bump stays as it is; several are merged, with each package once. */
function foldedBumps(bumps: readonly Bump[]): ApiChange {
  const [first] = bumps;
  const text =
    bumps.length === 1 && first !== undefined
      ? writeBump(first)
          .map((line) => line.slice(2))
          .join('\n')
      : folded(bumps);
  return { type: 'changed', text, breaking: false };
}

function folded(bumps: readonly Bump[]): string {
  const hashes = bumps.flatMap((one) => one.hashes ?? []).join(', ');
  const packages = [...new Set(bumps.flatMap((one) => one.packages))];
  const head = `Updated dependencies${hashes === '' ? '' : ` ${hashes}`}`;
  return packages.length === 0 ? head : `${head}:\n\n${packages.join('\n')}`;
}
