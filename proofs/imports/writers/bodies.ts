// Generates the body of a version (introductions, sections, lists) and what the API must return for it.

import type { ApiChange } from '../sandbox.ts';
import type { Dice } from './dice.ts';
import { block, itemText, joined, marked, paragraph, plain, type References, type Text } from './texts.ts';

type SectionMeaning = Readonly<{
  type: string;
  breaking?: boolean;
  /** Prepended to each text, if the type does not imply it. */
  name?: string;
  /** Then the texts tell the types. */
  isUnknown?: boolean;
}>;
export type SectionStyle = Readonly<{ heading: string; meaning: SectionMeaning }>;

/** The style of a format, and of one of its authors. */
export type BodyStyle = Readonly<{
  sections: readonly SectionStyle[];
  /** The level of section headings. */
  level: number;
  markers: readonly string[];
  isLoose: boolean;
  hasBlankAfterHeading: boolean;
  /** Whether text after a list belongs to its last item, as in formats that copy commit messages. */
  isItemGoingOn?: boolean;
  item: (dice: Dice, references: References) => Item;
}>;

export type Item = Readonly<{
  text: Text;
  breaking: boolean;
  /** As its text tells it, where no section does. */
  type?: string | undefined;
}>;
export type Body = { written: string[]; description: string[]; changes: ApiChange[] };

/** Characters with a meaning only at the start of a line. */
const BEGINS_A_LINE = /^(?:[#<>=|]|```|~~~|[-+*] |\d+\. )/;

export function named(name: string | undefined, text: string): string {
  if (name === undefined) return text;
  return `**${name}:**${BEGINS_A_LINE.test(text) || text.includes('\n|') ? '\n\n' : ' '}${text}`;
}

export function writeBody(dice: Dice, references: References, style: BodyStyle): Body {
  const body: Body = { written: [], description: [], changes: [] };
  const kind = dice.int(0, 9);
  if (kind === 9) return writeWithoutSections(dice, references, style, body);
  const isBold = dice.chance(5);
  const choices = isBold
    ? style.sections.filter(({ meaning }) => meaning.name === undefined)
    : style.sections;
  const sections = dice.some(isBold ? 1 : 0, 3, () => dice.oneOf(choices));
  // A list right below the heading has changes, and so has one before sections of which none implies a type.
  const introduce = sections.some(({ meaning }) => meaning.name === undefined) ? block : paragraph;
  if (dice.chance(30)) {
    describe(body, paragraph(dice, references));
    for (const text of dice.some(0, 1, () => introduce(dice, references))) describe(body, text);
  }
  for (const section of sections) {
    if (isBold) writeBoldSection(dice, references, style, section, body);
    else writeSection(dice, references, style, section, body);
  }
  return body;
}

function describe(body: Body, { written, read }: Text): void {
  body.written.push(written, '');
  // A comment is left out.
  if (!read.startsWith('<!--')) body.description.push(read);
}

/** A list of changes whose texts may tell their types, or a paragraph, or nothing. */
function writeWithoutSections(dice: Dice, references: References, style: BodyStyle, body: Body): Body {
  if (dice.chance(30)) describe(body, paragraph(dice, references));
  if (dice.chance(70)) {
    writeList(dice, references, style, { type: 'other', isUnknown: true }, body);
    if (dice.chance(20)) follow(style, body, paragraph(dice, references));
  }
  return body;
}

function writeSection(
  dice: Dice,
  references: References,
  style: BodyStyle,
  { heading, meaning }: SectionStyle,
  body: Body,
): void {
  writeHeading(dice, style, style.level, heading, body);
  const kind = dice.int(0, 20);
  if (kind === 20 && meaning.name !== undefined) {
    // Parts of a product, each with the usual sections.
    const inner = dice.oneOf(style.sections.filter((one) => one.meaning.name === undefined));
    writeHeading(dice, style, style.level + 1, inner.heading, body);
    writeList(dice, references, style, { ...inner.meaning, name: meaning.name }, body);
  } else if (kind === 19) {
    // An empty section; a heading that implies no type is kept.
    if (meaning.name !== undefined) body.description.push(`**${meaning.name}**`);
  } else if (kind === 18) {
    const text = joined(
      [paragraph(dice, references), ...dice.some(0, 2, () => paragraph(dice, references))],
      '\n\n',
    );
    body.written.push(text.written, '');
    addChange(body, meaning, { text, breaking: false });
  } else {
    if (kind === 17) describeSection(body, heading, paragraph(dice, references));
    writeList(dice, references, style, meaning, body);
    if (kind === 16) follow(style, body, paragraph(dice, references));
    if (kind === 12) {
      // Text between two lists that should have been indented.
      attach(body, paragraph(dice, references));
      writeList(dice, references, style, meaning, body);
    }
    if (kind === 15) attach(body, plain('```sh\nrocket --help\n\n# done\n```'));
    if (kind === 14) attach(body, plain('| a | b |\n|---|---|\n| 1 | 2 |'));
    if (kind === 13) {
      const name = dice.oneOf(['Core', 'Command line', 'API', 'Windows']);
      writeHeading(dice, style, style.level + 1, name, body);
      const path = meaning.name === undefined ? name : `${meaning.name} / ${name}`;
      writeList(dice, references, style, { ...meaning, name: path }, body);
    }
  }
}

/** Text before a list is kept with the name of its section. */
function describeSection(body: Body, heading: string, { written, read }: Text): void {
  body.written.push(written, '');
  body.description.push(named(heading, read));
}

/** Text after a list. */
function follow(style: BodyStyle, body: Body, text: Text): void {
  if (style.isItemGoingOn) attach(body, text);
  else describe(body, text);
}

/** Code and tables belong to the item before them. */
function attach(body: Body, { written, read }: Text): void {
  body.written.push(written, '');
  const last = body.changes.pop();
  if (last !== undefined) body.changes.push({ ...last, text: `${last.text}\n\n${read}` });
}

function writeHeading(dice: Dice, style: BodyStyle, level: number, heading: string, body: Body): void {
  body.written.push(`${'#'.repeat(level)} ${heading}${dice.chance(3) ? ` ${'#'.repeat(level)}` : ''}`);
  if (style.hasBlankAfterHeading) body.written.push('');
}

function writeBoldSection(
  dice: Dice,
  references: References,
  style: BodyStyle,
  { heading, meaning }: SectionStyle,
  body: Body,
): void {
  body.written.push(dice.oneOf([`**${heading}**`, `**${heading}:**`, `__${heading}__`]), '');
  writeList(dice, references, style, meaning, body);
}

function writeList(
  dice: Dice,
  references: References,
  style: BodyStyle,
  meaning: SectionMeaning,
  body: Body,
): void {
  const marker = dice.oneOf(style.markers);
  const items = dice.some(1, 4, () => style.item(dice, references));
  for (const item of items) {
    body.written.push(lazily(dice, marked(item.text, marker).written));
    if (style.isLoose) body.written.push('');
    addChange(body, meaning, item);
  }
  if (!style.isLoose) body.written.push('');
}

/** Some authors do not indent the second line of a paragraph. */
function lazily(dice: Dice, written: string): string {
  const [first, second, ...others] = written.split('\n');
  if (second === undefined || others.length > 0 || !/^ +\p{L}/u.test(second) || dice.chance(80))
    return written;
  return `${first}\n${second.trimStart()}`;
}

const BREAKING_MARK = '**Breaking:** ';

function addChange(
  body: Body,
  { type: known, name, breaking = false, isUnknown = false }: SectionMeaning,
  item: Item,
): void {
  const type = isUnknown ? (item.type ?? known) : known;
  // This marker becomes the field `breaking`; others stay part of the text.
  const { read } = item.text;
  const text = read.startsWith(BREAKING_MARK) ? read.slice(BREAKING_MARK.length) : read;
  body.changes.push({ type, text: named(name, text), breaking: breaking || item.breaking });
}

export function plainItem(dice: Dice, references: References): Item {
  const text = itemText(dice, references);
  if (dice.chance(92)) return { text, breaking: false };
  const mark = dice.oneOf([
    BREAKING_MARK,
    '**BREAKING:** ',
    '**BREAKING CHANGE**: ',
    '[BREAKING] ',
    'Breaking: ',
    '**Breaking change:** ',
  ]);
  return { text: joined([plain(mark), text], ''), breaking: true, type: 'changed' };
}
