// What a message for people says, in the words of the changelog's language, as far as the receiver has space for it.
import { type SectionKind, sectionsOf } from '../../domain/content/sections.ts';
import { clean, cutTo, type Line, lineOf, plainSpan, readLines } from '../../text/lines.ts';
import { linkTree } from '../../text/links.ts';
import { parseText } from '../../text/parse.ts';
import { elementOf, type Node } from '../../text/tree.ts';
import { MUST_NOT_MISS } from '../notes/cut.ts';
import { beginning } from '../notes/html.ts';
import { titleInTeam } from '../outputs/entry-title.ts';
import type { Change, Version } from '../schemas.ts';
import type { TextHead } from '../texts.ts';
import { type Locale, localeFor } from '../words/locale.ts';
import type { Announcement } from './announcement.ts';

/** The space that a receiver has, in whatever it counts: `measure` includes what separates a line from others. */
export type Space = Readonly<{
  max: number;
  measure: (line: Line) => number;
  descriptionCharactersMax: number;
  changeCharactersMax: number;
}>;

export type Composed = Readonly<{
  /** Whether it is yanked, its description, and each section: lines that belong together. */
  groups: readonly (readonly Line[])[];
  /** Whether changes are left out. */
  isCut: boolean;
  /** Leads to the page, and says how many are. */
  end: Line;
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

/** Breaking changes and security fixes are taken first, then the description, then the other changes. */
export function compose({ record, head, urls }: Announcement, space: Space): Composed {
  const locale = localeFor(head.language);
  const { words } = locale;
  const endWith = (text: string) => lineOf({ text, marks: [], url: urls.page });
  const endWithMore = (changes: number) => endWith(locale.count(words.version.moreChanges, changes));
  const max = space.max - space.measure(endWithMore(record.changeCount)) - PLURALS_DIFFERENCE_MAX;
  const composer = new Composer({ ...space, max }, head, locale);
  const intro = record.yanked ? (composer.take([yankedLine(locale)]) ?? []) : [];
  const sections = sectionsOf(record.changes);
  const isFirst = ({ kind }: Section) => MUST_NOT_MISS.includes(kind);
  const first = sections.filter(isFirst).map((section) => composer.takeSection(section));
  const description = composer.takeDescription(record.description ?? '');
  const rest = sections
    .filter((section) => !isFirst(section))
    .map((section) => composer.takeSection(section));
  const more = record.changeCount - composer.changes;
  return {
    groups: [intro, description, ...first, ...rest].filter(({ length }) => length > 0),
    isCut: more > 0,
    end: more > 0 ? endWithMore(more) : endWith(words.widget.more),
  };
}

/** The words for few changes may be longer than those for many. */
const PLURALS_DIFFERENCE_MAX = 30;

type Section = Readonly<{ kind: SectionKind; changes: readonly Change[] }>;

/** A shorter start of a text says nothing. */
const START_CHARACTERS_MIN = 20;
/** The rest of a description is never shown, so it need not be parsed. */
const DESCRIPTION_PARSED_MAX = 10_000;

class Composer {
  readonly #space: Space;
  readonly #head: TextHead;
  readonly #locale: Locale;
  #left: number;
  /** What is left out is left out from here on. */
  #isFull = false;
  /** The number of changes taken. */
  changes = 0;

  constructor(space: Space, head: TextHead, locale: Locale) {
    this.#space = space;
    this.#head = head;
    this.#locale = locale;
    this.#left = space.max;
  }

  /** Null if they do not fit. */
  take(lines: readonly Line[]): readonly Line[] | null {
    const size = lines.reduce((sum, line) => sum + this.#space.measure(line), 0);
    if (size > this.#left) return null;
    this.#left -= size;
    return lines;
  }

  takeDescription(markdown: string): readonly Line[] {
    if (this.#isFull) return [];
    const nodes = this.#read(markdown.slice(0, DESCRIPTION_PARSED_MAX));
    return this.#takeStart(nodes, this.#space.descriptionCharactersMax) ?? [];
  }

  takeSection({ kind, changes }: Section): readonly Line[] {
    const heading = lineOf(plainSpan(this.#locale.words.types[kind], 'bold'));
    const taken: Line[] = [];
    for (const change of changes) {
      if (this.#isFull) break;
      const before = taken.length === 0 ? [heading] : [];
      const max = this.#space.changeCharactersMax;
      // Whole changes look better, but one is better than none.
      const min = this.changes === 0 ? START_CHARACTERS_MIN : max;
      const lines = this.#takeStart(this.#itemOf(change), max, min, before);
      if (lines === null) this.#isFull = true;
      else this.changes++;
      taken.push(...(lines ?? []));
    }
    return taken;
  }

  /** As much of it as fits; null if nothing does. */
  #takeStart(
    nodes: readonly Node[],
    charactersMax: number,
    charactersMin = START_CHARACTERS_MIN,
    before: readonly Line[] = [],
  ): readonly Line[] | null {
    for (
      let characters = charactersMax;
      characters >= charactersMin;
      characters = Math.floor(characters / 2)
    ) {
      const lines = readLines(nodes, characters);
      if (lines.length === 0) return [];
      const taken = this.take([...before, ...lines]);
      if (taken !== null) return taken;
    }
    return null;
  }

  /** The section of breaking changes has all types, so each begins with its own. */
  #itemOf({ type, breaking, text }: Change): Node[] {
    const lead = breaking && type !== 'other' ? beginning(this.#locale.words.types[type], this.#locale) : '';
    const leading = lead === '' ? [] : [elementOf('p', elementOf('strong', lead))];
    return [elementOf('ul', elementOf('li', ...leading, ...this.#read(text)))];
  }

  #read(text: string): readonly Node[] {
    return linkTree(parseText(text), this.#head).nodes;
  }
}

function yankedLine(locale: Locale): Line {
  const { yanked, yankedNote } = locale.words.version;
  return lineOf(plainSpan(beginning(yanked, locale), 'bold'), plainSpan(` ${yankedNote}`));
}
