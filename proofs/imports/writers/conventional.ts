// Changelogs in the style of conventional-changelog, standard-version, release-please and Lerna.

import type { ApiVersion } from '../sandbox.ts';
import { type BodyStyle, type Item, type SectionStyle, writeBody } from './bodies.ts';
import type { Dice } from './dice.ts';
import { itemText, joined, line, plain, References, type Text } from './texts.ts';
import { type DatedLabel, inOrder, joinedTexts, labels, saved, type Written } from './writers.ts';

const REPOSITORY = 'https://github.com/acme/rocket';
const CHANGED = ['Performance Improvements', 'Code Refactoring', 'Reverts', 'Dependencies'];
const OTHER = [
  'Documentation',
  'Build System',
  'Miscellaneous Chores',
  'Tests',
  'Styles',
  'Continuous Integration',
];
const named = (type: string) => (heading: string) => ({ heading, meaning: { type, name: heading } });

const KNOWN: readonly SectionStyle[] = [
  { heading: 'Features', meaning: { type: 'added' } },
  { heading: 'Bug Fixes', meaning: { type: 'fixed' } },
  { heading: '⚠ BREAKING CHANGES', meaning: { type: 'changed', breaking: true } },
  { heading: 'BREAKING CHANGES', meaning: { type: 'changed', breaking: true } },
];
const SECTIONS: readonly SectionStyle[] = [
  ...KNOWN,
  ...KNOWN,
  { heading: '🐛 Bug Fixes', meaning: { type: 'fixed' } },
  { heading: ':sparkles: Features', meaning: { type: 'added' } },
  ...CHANGED.map(named('changed')),
  ...OTHER.map(named('other')),
];

export function writeConventional(dice: Dice): Written {
  const references = new References(dice);
  const style: BodyStyle = {
    sections: SECTIONS,
    level: 3,
    markers: [dice.oneOf(['* ', '* ', '- '])],
    isLoose: dice.chance(10),
    hasBlankAfterHeading: dice.chance(85),
    isItemGoingOn: true,
    item: commit,
  };
  const heading = dice.oneOf([ofConventional, ofStandardVersion, ofReleasePlease, ofLerna]);
  const introduction = dice.chance(80)
    ? dice.oneOf([
        '# Changelog',
        '# Change Log\n\nAll notable changes to this project will be documented in this file.\nSee [Conventional Commits](https://conventionalcommits.org) for commit guidelines.',
        '# Changelog\n\nAll notable changes to this project will be documented in this file. See [standard-version](https://github.com/conventional-changelog/standard-version) for commit guidelines.',
        '# Changelog\n\n[npm history][1]\n\n[1]: https://www.npmjs.com/package/rocket?activeTab=versions',
      ])
    : null;
  const lines = [introduction ?? '', ''];
  const versions: ApiVersion[] = [];
  const dated = labels(dice, dice.int(1, 4));
  const hasAnchors = dice.chance(10);
  for (const [index, label] of dated.entries()) {
    const before = dated[index + 1];
    const url = before === undefined ? null : `${REPOSITORY}/compare/v${before.label}...v${label.label}`;
    const body = writeBody(dice, references, style);
    // Before the first version, it would belong to the introduction.
    if (hasAnchors && index > 0) lines.push(`<a name="${label.label}"></a>`);
    lines.push(heading(dice, label, url), '', ...body.written);
    if (body.written.length === 0 && dice.chance(50)) {
      const note = '**Note:** Version bump only for package @acme/rocket';
      lines.push(note, '');
      body.description.push(note);
    }
    lines.push('');
    versions.push({
      version: label.label,
      title: '',
      status: 'published',
      publishedAt: label.timestamp,
      description: joinedTexts(body.description),
      ...(url !== null && { links: { compare: url } }),
      yanked: false,
      changes: body.changes,
    });
  }
  lines.push(...references.write());
  // The title is the name.
  const read = introduction
    ?.replace(/^# Change ?[Ll]og\s*/, '')
    .replace(/\n\n\[1\]: .*/, '')
    .replace('[npm history][1]', '[npm history](https://www.npmjs.com/package/rocket?activeTab=versions)');
  const isClear = lines.some((one) => KNOWN.some(({ heading: known }) => one === `### ${known}`));
  return {
    text: saved(dice, lines),
    description: read || null,
    versions: inOrder(versions),
    flags: isClear && dice.chance(80) ? [] : ['--format', 'conventional'],
  };
}

const linked = (label: string, url: string | null) => (url === null ? label : `[${label}](${url})`);
const day = ({ timestamp }: DatedLabel) => timestamp?.slice(0, 10);

/** Major and minor versions have first-level headings, the others second-level ones. */
function ofConventional(dice: Dice, label: DatedLabel, url: string | null): string {
  return `${dice.oneOf(['#', '##'])} ${linked(label.label, url)} (${day(label)})`;
}

function ofStandardVersion(dice: Dice, label: DatedLabel, url: string | null): string {
  return `${dice.oneOf(['##', '###'])} ${linked(label.label, url)} (${day(label)})`;
}

function ofReleasePlease(_: Dice, label: DatedLabel, url: string | null): string {
  return `## ${linked(label.label, url)} (${day(label)})`;
}

function ofLerna(dice: Dice, label: DatedLabel, url: string | null): string {
  return `${dice.oneOf(['#', '##'])} ${dice.oneOf([`${linked(label.label, url)} (${day(label)})`, `<small>${linked(label.label, url)} (${day(label)})</small>`])}`;
}

const COMMIT_TYPES = [
  { written: 'feat!: ', read: 'added' },
  { written: 'fix(cli)!: ', read: 'fixed' },
  { written: 'refactor(core)!: ', read: 'changed' },
] as const;

function commit(dice: Dice, references: References): Item {
  const scope = dice.chance(40) ? `**${dice.oneOf(['cli', 'deps', 'core-api', 'a/b', '*'])}:** ` : '';
  const isBreaking = dice.chance(4);
  const type = isBreaking ? dice.oneOf(COMMIT_TYPES) : null;
  const text = dice.chance(90) ? line(dice, references) : itemText(dice, references);
  const [first = '', ...others] = text.written.split('\n');
  const [firstRead = '', ...othersRead] = text.read.split('\n');
  const tail = commitLinks(dice);
  return {
    text: joined(
      [plain(scope + (type?.written ?? '')), withTail(first, others, firstRead, othersRead, tail)],
      '',
    ),
    breaking: isBreaking,
    type: scope === '**deps:** ' ? 'changed' : type?.read,
  };
}

function withTail(
  first: string,
  others: string[],
  firstRead: string,
  othersRead: string[],
  tail: string,
): Text {
  return {
    written: [first + tail, ...others].join('\n'),
    read: [firstRead + tail, ...othersRead].join('\n'),
  };
}

function commitLinks(dice: Dice): string {
  const hash = dice.oneOf(['abc1234', '0f1e2d3', '9999999']);
  const number = dice.int(1, 99);
  const pull = dice.chance(40) ? ` ([#${number}](${REPOSITORY}/issues/${number}))` : '';
  const link = dice.chance(80) ? ` ([${hash}](${REPOSITORY}/commit/${hash}))` : '';
  const closes = dice.chance(20) ? `, closes [#${number}](${REPOSITORY}/issues/${number})` : '';
  return `${pull}${link}${closes}`;
}
