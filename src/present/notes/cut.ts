// Release notes as text of at most so many characters, for stores. They keep whole lines, and what readers must not miss.
import type { Render } from '../../text/render.ts';
import { plainFor } from '../texts.ts';
import type { NotedVersion } from './form.ts';
import { type TextParts, writeTextParts } from './text.ts';

type CutOptions = Readonly<{
  charactersMax: number;
  /** Where all of it is. */
  url: string | null;
}>;

/** Not even the first part fits: `part` is its text, and `characters` is the length that it would need. */
export class TooLong extends Error {
  override readonly name = 'TooLong';
  readonly part: string;
  readonly isChange: boolean;
  readonly characters: number;

  constructor(part: string, isChange: boolean, characters: number) {
    super('the first part is too long');
    this.part = part;
    this.isChange = isChange;
    this.characters = characters;
  }
}

/** Stores count characters, not bytes. The line break at the end counts, too. */
export const countCharacters = (text: string) => [...text].length;

/**
 * Takes breaking changes, security fixes, the description and then the other changes, as long as they fit. `whole` is
 * what it returns if that fits.
 */
export async function cutNotes(
  versions: readonly NotedVersion[],
  render: Render,
  options: CutOptions,
  whole: string,
): Promise<string> {
  if (countCharacters(whole) <= options.charactersMax) return whole;
  return cutParts(
    await writeTextParts(joinVersions(versions), render, plainFor({ linkBase: null })),
    options,
  );
}

/** The changes of several versions count more than what introduces each. */
function joinVersions(versions: readonly NotedVersion[]): NotedVersion {
  const [only, ...others] = versions;
  if (only !== undefined && others.length === 0) return only;
  const changes = versions.flatMap((version) => version.changes);
  const described = changes.length > 0 ? [] : versions.flatMap(({ description }) => description ?? []);
  return { yanked: 0, description: described.join('\n\n'), changes };
}

export const MUST_NOT_MISS: readonly string[] = ['breaking', 'security'];
const BLANK_LINE = '\n\n';

/** What is shown or left out as a whole: lines of the description, or a change, the first of a section with its heading. */
type Piece = Readonly<{ lines: string; separator: string; change: string | null }>;

function cutParts({ yanked, description, sections }: TextParts, options: CutOptions): string {
  const isFirst = ({ kind }: TextSection) => MUST_NOT_MISS.includes(kind);
  const first = sections.filter(isFirst).flatMap(changesOf);
  const told = linesOf(description);
  const rest = sections.filter((section) => !isFirst(section)).flatMap(changesOf);
  const all = [...first, ...told, ...rest];
  const text = new CutText(yanked, all, options);
  // Nothing else is shown while a change that readers must not miss is left out.
  if (text.add(first)) {
    text.add(told);
    text.add(rest);
  }
  const wanted = first[0] ?? rest[0] ?? told[0];
  return !text.isEmpty || wanted === undefined ? text.format() : cutFirst(yanked, wanted, all, options);
}

/** The first change is too long as a whole, but may have several paragraphs, or a list. */
function cutFirst(yanked: string, wanted: Piece, all: readonly Piece[], options: CutOptions): string {
  const [start, ...others] = splitAt(BLOCKS, wanted.lines).map((part) => ({ ...part, change: null }));
  const pieces = [{ ...wanted, lines: start?.lines ?? '' }, ...others];
  const text = new CutText(yanked, [...pieces, ...all.filter((piece) => piece !== wanted)], options);
  text.add(pieces);
  if (text.isEmpty) {
    const { change, lines } = wanted;
    throw new TooLong(change ?? lines, change !== null, text.lengthWith(pieces[0] as Piece));
  }
  return text.format();
}

/** Grows piece by piece, and always has space for its last line. */
class CutText {
  #text: string;
  #characters: number;
  #left: number;
  #changesLeft: number;
  readonly #options: CutOptions;
  isEmpty = true;

  constructor(start: string, all: readonly Piece[], options: CutOptions) {
    this.#text = start;
    this.#characters = countCharacters(start);
    this.#left = all.length;
    this.#changesLeft = all.filter(({ change }) => change !== null).length;
    this.#options = options;
  }

  /** Returns whether all of them fit; stops at the first that does not. */
  add(pieces: readonly Piece[]): boolean {
    return pieces.every((piece) => {
      if (this.lengthWith(piece) > this.#options.charactersMax) return false;
      const added = this.#separate(piece);
      this.#text += added;
      this.#characters += countCharacters(added);
      this.#left--;
      if (piece.change !== null) this.#changesLeft--;
      this.isEmpty = false;
      return true;
    });
  }

  /** Of the whole text with one more piece. */
  lengthWith(piece: Piece): number {
    const end = this.#end(this.#left - 1, this.#changesLeft - (piece.change === null ? 0 : 1));
    return this.#characters + countCharacters(this.#separate(piece) + end);
  }

  format(): string {
    return this.#text + this.#end(this.#left, this.#changesLeft);
  }

  #separate({ separator, lines }: Piece): string {
    return this.#text === '' ? lines : separator + lines;
  }

  #end(left: number, changesLeft: number): string {
    if (left === 0) return '\n';
    const more = changesLeft === 0 ? '… and more' : `… and ${changesLeft} more`;
    const { url } = this.#options;
    return `${BLANK_LINE}${url === null ? more : `${more}: ${url}`}\n`;
  }
}

type TextSection = TextParts['sections'][number];

function changesOf({ heading, items }: TextSection): Piece[] {
  return items.map((change, index) =>
    index === 0
      ? { lines: `${heading}\n${change}`, separator: BLANK_LINE, change }
      : { lines: change, separator: '\n', change },
  );
}

/** Paragraphs, and the items of lists. */
function linesOf(description: string): Piece[] {
  return splitAt(ITEMS, description).map((part) => ({ ...part, change: null }));
}

const ITEMS = /(\n{2,}|\n(?=- |\d+\. ))/;
/** The same below a heading and inside of an item. */
const BLOCKS = /(\n{2,}|\n(?= +(?:- |\d+\. )))/;

function splitAt(separator: RegExp, text: string): Omit<Piece, 'change'>[] {
  if (text === '') return [];
  const parts = text.split(separator);
  return Array.from({ length: (parts.length + 1) / 2 }, (_, index) => ({
    lines: parts[index * 2] ?? '',
    separator: parts[index * 2 - 1] ?? BLANK_LINE,
  }));
}
