// Keep a Changelog 1.x and 2.0.

import type { ApiVersion } from '../sandbox.ts';
import { type BodyStyle, plainItem, type SectionStyle, writeBody } from './bodies.ts';
import type { Dice } from './dice.ts';
import { paragraph, References } from './texts.ts';
import { type DatedLabel, inOrder, joinedTexts, labels, saved, type Written } from './writers.ts';

const REPOSITORY = 'https://github.com/acme/rocket';
const SECTIONS: readonly SectionStyle[] = [
  ...['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'].flatMap((heading) => {
    const section = { heading, meaning: { type: heading.toLowerCase() } };
    return [section, section, { ...section, heading: heading.toUpperCase() }];
  }),
  ...['Internal', 'Migration to v16', 'Documentation', 'Known *issues*'].map((heading) => ({
    heading,
    meaning: { type: 'other', name: heading },
  })),
  { heading: 'Launch pads', meaning: { type: 'other', name: 'Launch pads', isUnknown: true } },
  { heading: 'Performance', meaning: { type: 'changed', name: 'Performance' } },
];

type Heading = Readonly<{ written: string; version: Omit<ApiVersion, 'changes'>; definition: string | null }>;

export function writeKeepAChangelog(dice: Dice): Written {
  const references = new References(dice);
  const level = dice.oneOf([2, 2, 2, 2, 1, 3]);
  const style: BodyStyle = {
    sections: SECTIONS,
    level: level + 1,
    markers: [dice.oneOf(['- ', '* ', '+ ', '-   ', '*  ', '1. ', ' - '])],
    isLoose: dice.chance(30),
    hasBlankAfterHeading: dice.chance(70),
    item: plainItem,
  };
  const introduction = writeIntroduction(dice, references);
  const lines = [introduction.written, ''];
  const versions: ApiVersion[] = [];
  const definitions: string[] = [];
  const isDefinedBelow = dice.chance(10);
  const add = (heading: Heading) => {
    const body = writeBody(dice, references, style);
    // Before a list, it would be read as a section heading.
    const mayHaveTitle = heading.version.title === '' && !/^ *(?:[-+*]|\d+\.) /.test(body.written[0] ?? '');
    const title = dice.chance(10) && mayHaveTitle ? 'The big one' : '';
    lines.push(heading.written, '');
    if (title !== '') lines.push(`**${title}**`, '');
    lines.push(...body.written);
    if (dice.chance(5)) lines.push('', '---', '');
    // Some authors define the link of a version right below it, most at the end of the file.
    if (heading.definition !== null) (isDefinedBelow ? lines : definitions).push(heading.definition, '');
    const description = joinedTexts([...body.description, heading.version.description]);
    versions.push({
      ...heading.version,
      title: title || heading.version.title,
      description,
      changes: body.changes,
    });
  };
  const dated = labels(dice, dice.int(1, 4));
  if (dice.chance(40)) add(unreleased(dice, level, dated[0]));
  const form = dice.int(0, FORMS.length - 1);
  for (const [index, label] of dated.entries()) add(released(dice, level, form, label, dated[index + 1]));
  const unused = dice.chance(5) ? ['[nobody]: https://example.com/nobody'] : [];
  lines.push('', ...definitions, ...references.write(), ...unused);
  return {
    text: saved(dice, lines),
    description: joinedTexts([introduction.read, ...unused]),
    versions: inOrder(versions),
    flags: dice.chance(80) ? [] : ['--format', 'keep-a-changelog'],
  };
}

function writeIntroduction(dice: Dice, references: References) {
  if (dice.chance(10)) return { written: '', read: null };
  const title = dice.oneOf([
    '# Changelog',
    '# Change Log',
    '# Rocket changelog',
    'Rocket changelog\n================',
    'Changelog\n=========',
    '# Changelog #',
  ]);
  const format = `The format is based on [Keep a Changelog](https://keepachangelog.com/en/${dice.oneOf(['1.0.0', '1.1.0', '2.0.0'])}/),\nand this project adheres to [Semantic Versioning](https://semver.org/spec/v2.0.0.html).`;
  const texts = [
    // The title is the name.
    { written: title, read: '' },
    ...(dice.chance(80) ? [{ written: format, read: format }] : []),
    ...(dice.chance(20) ? [paragraph(dice, references)] : []),
    ...(dice.chance(10) ? [{ written: '<!-- towncrier start -->', read: '' }] : []),
  ];
  return {
    written: texts.map(({ written }) => written).join('\n\n'),
    read: texts.flatMap(({ read }) => (read === '' ? [] : [read])).join('\n\n') || null,
  };
}

function unreleased(dice: Dice, level: number, newest: DatedLabel | undefined): Heading {
  const sign = '#'.repeat(level);
  const url = `${REPOSITORY}/compare/${newest?.label}...HEAD`;
  const [written, label, isLinked] = dice.oneOf([
    [`${sign} [Unreleased]`, 'Unreleased', true],
    [`${sign} Unreleased`, 'Unreleased', true],
    [`${sign} [unreleased]`, 'unreleased', true],
    [`${sign} [UNRELEASED][unreleased]`, 'UNRELEASED', true],
    [`${sign} [99.0.0] - Unreleased`, '99.0.0', false],
    [`${sign} 99.0.0 (unreleased)`, '99.0.0', false],
    [`${sign} [99.0.0] - TBD`, '99.0.0', false],
    [`${sign} [99.0.0] - 2026-??-??`, '99.0.0', false],
  ] as const);
  const isDefined = isLinked && dice.chance(60);
  return {
    written,
    version: {
      ...{ version: label, title: '', status: 'draft', publishedAt: null, yanked: false },
      description: null,
      ...(isDefined && { links: { compare: url } }),
    },
    definition: isDefined ? `[unreleased]: ${url}` : null,
  };
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const dayOf = (timestamp: string) => ({
  day: timestamp.slice(0, 10),
  month: MONTHS[Number(timestamp.slice(5, 7)) - 1] ?? '',
  number: Number(timestamp.slice(8, 10)),
  year: timestamp.slice(0, 4),
});

type Form = (label: string, timestamp: string, title: string) => string;
/** Headings with `[label]` may have a link definition; the last ones are for short titles. */
const FORMS: readonly Form[] = [
  (label, timestamp) => `[${label}] - ${dayOf(timestamp).day}`,
  (label, timestamp) => `[${label}] - ${dayOf(timestamp).day}`,
  (label, timestamp) => `[${label}] — ${dayOf(timestamp).day}`,
  (label, timestamp) => `[${label}] (${dayOf(timestamp).day})`,
  (label, timestamp) => `${label} - ${dayOf(timestamp).day}`,
  (label, timestamp) => `${label} (${dayOf(timestamp).day})`,
  (label, timestamp) => `${label} / ${dayOf(timestamp).day.replaceAll('-', '/')}`,
  (label, timestamp) => `Version ${label} - ${dayOf(timestamp).day}`,
  (label, timestamp) => `[${label}] ${dayOf(timestamp).day}`,
  (label, timestamp) => `[${label}] - ${timestamp.replace('.000Z', 'Z')}`,
  (label, timestamp) =>
    `${label} (${dayOf(timestamp).month} ${dayOf(timestamp).number}, ${dayOf(timestamp).year})`,
  (label, timestamp) =>
    `${label} (${dayOf(timestamp).number} ${dayOf(timestamp).month.slice(0, 3)} ${dayOf(timestamp).year})`,
  (label, timestamp, title) => `[${label}] - ${dayOf(timestamp).day}${title && ` - ${title}`}`,
  (label, timestamp, title) => `${label}${title && ` "${title}"`} (${dayOf(timestamp).day})`,
  (label, timestamp, title) => `${label}${title && `: ${title}`} - ${dayOf(timestamp).day}`,
];
const FORMS_WITH_TITLES = 3;

function released(
  dice: Dice,
  level: number,
  form: number,
  { label, timestamp }: DatedLabel,
  before: DatedLabel | undefined,
): Heading {
  const date = timestamp ?? '';
  const hasTitle = label !== date.slice(0, 10) && form >= FORMS.length - FORMS_WITH_TITLES && dice.chance(60);
  const title = hasTitle ? dice.oneOf(['Lift-off', 'The second stage', 'Größer']) : '';
  const isYanked = dice.chance(10);
  // A label that is a date is not followed by the same date.
  const words =
    label === date.slice(0, 10) ? (form < 4 ? `[${label}]` : label) : FORMS[form]?.(label, date, title);
  const text = `${words}${isYanked ? ' [YANKED]' : ''}`;
  const url =
    before === undefined
      ? `${REPOSITORY}/releases/tag/${label}`
      : `${REPOSITORY}/compare/${before.label}...${label}`;
  const isDefined = dice.chance(60);
  const isUnderlined = level <= 2 && dice.chance(4);
  return {
    written: isUnderlined
      ? `${text}\n${(level === 1 ? '=' : '-').repeat(text.length)}`
      : `${'#'.repeat(level)} ${text}`,
    version: {
      ...{ version: label, title, status: 'published', publishedAt: timestamp, yanked: isYanked },
      description: isDefined && before === undefined ? `[Release page](${url})` : null,
      ...(isDefined && before !== undefined && { links: { compare: url } }),
    },
    definition: isDefined ? `[${label}]: ${url}` : null,
  };
}
