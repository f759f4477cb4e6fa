// Release notes as text of at most so many characters, for stores. They keep whole lines, and what readers must not miss.
import { Refusal } from '../../errors.ts';
import type { Render } from '../../text/render.ts';
import { plainFor } from '../texts.ts';
import type { NotedVersion } from './form.ts';
import { type TextParts, writeTextParts } from './text.ts';

type CutOptions = Readonly<{
  charactersMax: number;
  /** Where all of it is. */
  url: string | null;
}>;

/** Stores count characters, not bytes. The line break at the end counts, too. */
export const countCharacters = (text: string) => [...text].length;

export const MUST_NOT_MISS: readonly string[] = ['breaking', 'security'];
/** Between paragraphs, and before the items of lists. */
const BLOCKS = /(\n{2,}|\n(?=- |\d+\. ))/;
/** The same below a heading and inside of an item. */
const INNER_BLOCKS = /(\n{2,}|\n(?= +(?:- |\d+\. )))/;

/** Shown or left out as a whole: a block of a description, or a change, the first of a section with its heading. */
type Piece = Readonly<{ lines: string; separator: string; change: string | null }>;

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
  const noted = joinVersions(versions);
  const parts = await writeTextParts(noted, render, plainFor({ linkBase: null }));
  const { yanked, description, sections } = parts;
  const piecesOf = (isFirst: boolean) =>
    sections.filter(({ kind }) => MUST_NOT_MISS.includes(kind) === isFirst).flatMap(changesOf);
  const [first, told, rest] = [piecesOf(true), splitAt(BLOCKS, description), piecesOf(false)];
  const all = [...first, ...told, ...rest];
  const text = openText(yanked, all, options);
  // Nothing else is shown while a change that readers must not miss is left out.
  if (text.add(first)) {
    text.add(told);
    text.add(rest);
  }
  const wanted = first[0] ?? rest[0] ?? told[0];
  return wanted === undefined || text.hasPieces() ? text.end() : cutFirst(yanked, wanted, all, options);
}

/** The changes of several versions count more than what introduces each. */
function joinVersions(versions: readonly NotedVersion[]): NotedVersion {
  const [only, ...others] = versions;
  if (only !== undefined && others.length === 0) return only;
  const changes = versions.flatMap((version) => version.changes);
  const described = changes.length > 0 ? [] : versions.flatMap(({ description }) => description ?? []);
  return { yanked: 0, description: described.join('\n\n'), changes };
}

/** The first change is too long as a whole, but may have several paragraphs, or a list. */
function cutFirst(yanked: string, wanted: Piece, all: readonly Piece[], options: CutOptions): string {
  const [start, ...others] = splitAt(INNER_BLOCKS, wanted.lines);
  const begun = { ...wanted, lines: start?.lines ?? '' };
  const text = openText(yanked, [begun, ...others, ...all.filter((piece) => piece !== wanted)], options);
  if (text.lengthWith(begun) <= options.charactersMax) {
    text.add([begun, ...others]);
    return text.end();
  }
  const [needed, limit] = [text.lengthWith(begun), options.charactersMax].map((n) => n.toLocaleString('en'));
  const { change, lines } = wanted;
  throw new Refusal(
    `the first ${change === null ? 'paragraph' : 'change'} needs ${needed} characters, but the limit is ${limit}: ${JSON.stringify(shorten(change ?? lines))}; shorten it.`,
  );
}

const SHOWN_CHARACTERS = 100;

function shorten(text: string): string {
  const characters = [...text.replace(/^- /, '')];
  const shown = characters.slice(0, SHOWN_CHARACTERS).join('');
  return characters.length > SHOWN_CHARACTERS ? `${shown}…` : shown;
}

/** A text that grows piece by piece, and always has space for its last line: how much of all the pieces is left out. */
function openText(start: string, all: readonly Piece[], { charactersMax, url }: CutOptions) {
  let text = start;
  let characters = countCharacters(start);
  let left = all.length;
  let changesLeft = all.filter(({ change }) => change !== null).length;
  const writeEnd = (pieces: number, changes: number) =>
    pieces === 0
      ? '\n'
      : `\n\n… and ${changes === 0 ? '' : `${changes} `}more${url === null ? '' : `: ${url}`}\n`;
  const join = ({ separator, lines }: Piece) => (text === '' ? lines : separator + lines);
  const changesIn = ({ change }: Piece) => (change === null ? 0 : 1);
  const lengthWith = (piece: Piece) =>
    characters + countCharacters(join(piece) + writeEnd(left - 1, changesLeft - changesIn(piece)));
  return {
    /** Returns whether all of them fit; stops at the first that does not. */
    add: (pieces: readonly Piece[]) =>
      pieces.every((piece) => {
        if (lengthWith(piece) > charactersMax) return false;
        const added = join(piece);
        text += added;
        characters += countCharacters(added);
        left--;
        changesLeft -= changesIn(piece);
        return true;
      }),
    lengthWith,
    hasPieces: () => left < all.length,
    end: () => text + writeEnd(left, changesLeft),
  };
}

function changesOf({ heading, items }: TextParts['sections'][number]): Piece[] {
  return items.map((change, index) =>
    index === 0
      ? { lines: `${heading}\n${change}`, separator: '\n\n', change }
      : { lines: change, separator: '\n', change },
  );
}

function splitAt(separators: RegExp, text: string): Piece[] {
  const parts = text === '' ? [] : ['\n\n', ...text.split(separators)];
  return parts.flatMap((separator, index) =>
    index % 2 === 0 ? [{ lines: parts[index + 1] ?? '', separator, change: null }] : [],
  );
}
