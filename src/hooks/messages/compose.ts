// What a message for people says, in the words of the changelog's language, as far as the receiver has space for it.
import { sectionsOf } from '../../domain/model.ts';
import type { Change, Version } from '../../present/changelog.ts';
import { MUST_NOT_MISS } from '../../present/notes/cut.ts';
import { beginning, leadNodes } from '../../present/notes/html.ts';
import { titleInTeam } from '../../present/outputs/output.ts';
import { localeFor } from '../../present/words/locale.ts';
import { clean, cutTo, type Line, lineOf, plainSpan, readLines } from '../../text/lines.ts';
import { linkTree } from '../../text/links.ts';
import { parseText } from '../../text/parse.ts';
import { elementOf, type Node } from '../../text/tree.ts';
import type { Announcement } from './announcement.ts';

/** The space that a receiver has, in whatever it counts: `measure` includes what separates a line from others. */
export type Space = Readonly<{
  max: number;
  measure: (line: Line) => number;
  descriptionCharactersMax?: number;
  changeCharactersMax?: number;
}>;

/** Such as `Rocket 2.1.0: Faster launches`. `write` is how the receiver counts it. */
export function writeTitle(
  { product, version: label, title }: Version,
  charactersMax: number,
  write: (title: string) => string = (text) => text,
): string {
  const words = clean(titleInTeam(product.name, { label, title })).replaceAll(/\s+/g, ' ').trim() || '…';
  let characters = charactersMax;
  while (write(cutTo(words, characters)).length > charactersMax) characters = Math.floor(characters * 0.9);
  return write(cutTo(words, characters));
}

/** What stands before the text of an item. */
export const itemStart = ({ depth, marker }: Line, indent = '  '): string =>
  depth === 0 ? '' : `${indent.repeat(depth - 1)}${marker} `;

/** The words for few changes may be longer than those for many. */
const PLURALS_DIFFERENCE_MAX = 30;
/** A shorter start of a text says nothing. */
const START_CHARACTERS_MIN = 20;
/** The rest of a description is never shown, so it need not be parsed. */
const DESCRIPTION_PARSED_MAX = 10_000;

/** Breaking changes and security fixes are taken first, then the description, then the other changes. */
export function compose(
  { record, head, urls }: Announcement,
  { max, measure, descriptionCharactersMax = 1_000, changeCharactersMax = 300 }: Space,
) {
  const locale = localeFor(head.language);
  const { types, version: words, widget } = locale.words;
  const endWith = (text: string) => lineOf({ text, marks: [], url: urls.page });
  const endWithMore = (changes: number) => endWith(locale.count(words.moreChanges, changes));
  let left = max - measure(endWithMore(record.changeCount)) - PLURALS_DIFFERENCE_MAX;
  let more = record.changeCount;
  /** What is left out is left out from here on. */
  let isFull = false;

  /** Null if they do not fit. */
  function take(lines: readonly Line[]): readonly Line[] | null {
    const size = lines.reduce((sum, line) => sum + measure(line), 0);
    if (size > left) return null;
    left -= size;
    return lines;
  }

  /** As much of it as fits; null if nothing does. */
  function takeStart(
    nodes: readonly Node[],
    charactersMax: number,
    charactersMin: number,
    before: Line[] = [],
  ) {
    for (let most = charactersMax; most >= charactersMin; most = Math.floor(most / 2)) {
      const lines = readLines(nodes, most);
      const taken = lines.length === 0 ? lines : take([...before, ...lines]);
      if (taken !== null) return taken;
    }
    return null;
  }

  const itemOf = (change: Change): Node[] => [
    elementOf('ul', elementOf('li', ...leadNodes(change, locale), ...read(change.text))),
  ];
  const read = (text: string) => linkTree(parseText(text), head).nodes;

  function takeSection({ kind, changes }: (typeof sections)[number]): readonly Line[] {
    const taken: Line[] = [];
    for (const change of changes) {
      if (isFull) break;
      const heading = taken.length === 0 ? [lineOf(plainSpan(types[kind], 'bold'))] : [];
      // Whole changes look better, but one is better than none.
      const charactersMin = more === record.changeCount ? START_CHARACTERS_MIN : changeCharactersMax;
      const lines = takeStart(itemOf(change), changeCharactersMax, charactersMin, heading);
      isFull = lines === null;
      if (!isFull) more--;
      taken.push(...(lines ?? []));
    }
    return taken;
  }

  const yanked = lineOf(
    plainSpan(beginning(words.yanked, locale), 'bold'),
    plainSpan(` ${words.yankedNote}`),
  );
  const intro = (record.yanked && take([yanked])) || [];
  const sections = sectionsOf(record.changes);
  const first = sections.filter(({ kind }) => MUST_NOT_MISS.includes(kind)).map(takeSection);
  const text = isFull ? '' : (record.description ?? '').slice(0, DESCRIPTION_PARSED_MAX);
  const description = takeStart(read(text), descriptionCharactersMax, START_CHARACTERS_MIN) ?? [];
  const rest = sections.filter(({ kind }) => !MUST_NOT_MISS.includes(kind)).map(takeSection);
  return {
    /** Whether it is yanked, its description, and each section: lines that belong together. */
    groups: [intro, description, ...first, ...rest].filter(({ length }) => length > 0),
    /** Whether changes are left out. */
    isCut: more > 0,
    /** Leads to the page, and says how many are. */
    end: more > 0 ? endWithMore(more) : endWith(widget.more),
  };
}
