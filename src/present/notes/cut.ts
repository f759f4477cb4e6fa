// Release notes as text of at most so many characters, for stores. They keep whole lines, and what readers must not miss.
import { Refusal } from '../../errors.ts';
import type { Render } from '../../text/render.ts';
import type { NotedVersion } from './form.ts';
import { type Piece, writePieces } from './text.ts';

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
  const pieces = await writePieces(joinVersions(versions), { linkBase: null }, render);
  const start = pieces.find(({ kind }) => kind === 'yanked')?.lines ?? '';
  const first = pieces.filter(({ kind }) => MUST_NOT_MISS.includes(kind));
  const told = pieces.filter(({ kind }) => kind === 'description').flatMap((piece) => split(piece, BLOCKS));
  const rest = pieces.filter((piece) => isChange(piece) && !first.includes(piece));
  const all = [...first, ...told, ...rest];
  const text = openText(start, all, options);
  // Nothing else is shown while a change that readers must not miss is left out.
  if (text.add(first)) {
    text.add(told);
    text.add(rest);
  }
  const wanted = first[0] ?? rest[0] ?? told[0];
  if (text.hasPieces() || wanted === undefined) return text.end();
  // The first change is too long as a whole, but may have several paragraphs, or a list.
  const parts = split(wanted, INNER_BLOCKS);
  const begun = openText(start, [...parts, ...all.filter((piece) => piece !== wanted)], options);
  begun.add(parts);
  if (begun.hasPieces()) return begun.end();
  throw tooLong(wanted, begun.lengthWith(parts[0] as Piece), options.charactersMax);
}

/** The changes of several versions count more than what introduces each. */
function joinVersions(versions: readonly NotedVersion[]): NotedVersion {
  const [only, ...others] = versions;
  if (only !== undefined && others.length === 0) return only;
  const changes = versions.flatMap((version) => version.changes);
  const described = changes.length > 0 ? [] : versions.flatMap(({ description }) => description ?? []);
  return { yanked: 0, description: described.join('\n\n'), changes };
}

const isChange = ({ kind }: Piece) => kind !== 'yanked' && kind !== 'description';

/** Its blocks. Only the first counts as the change. */
function split(piece: Piece, separators: RegExp): Piece[] {
  const parts = [piece.separator, ...piece.lines.split(separators)];
  return parts.flatMap((separator, index): Piece[] => {
    const kind = index === 0 ? piece.kind : 'description';
    return index % 2 === 0 ? [{ kind, lines: parts[index + 1] ?? '', separator }] : [];
  });
}

/** A text that grows piece by piece, and always has space for its last line: how much of all the pieces is left out. */
function openText(start: string, all: readonly Piece[], { charactersMax, url }: CutOptions) {
  let text = start;
  let characters = countCharacters(start);
  let left = all.length;
  let changesLeft = all.filter(isChange).length;
  const writeEnd = (pieces: number, changes: number) =>
    pieces === 0
      ? '\n'
      : `\n\n… and ${changes === 0 ? '' : `${changes} `}more${url === null ? '' : `: ${url}`}\n`;
  const join = ({ separator, lines }: Piece) => (text === '' ? lines : separator + lines);
  const lengthWith = (piece: Piece) =>
    characters + countCharacters(join(piece) + writeEnd(left - 1, changesLeft - Number(isChange(piece))));
  return {
    /** Returns whether all of them fit; stops at the first that does not. */
    add: (pieces: readonly Piece[]) =>
      pieces.every((piece) => {
        if (lengthWith(piece) > charactersMax) return false;
        const added = join(piece);
        text += added;
        characters += countCharacters(added);
        left--;
        changesLeft -= Number(isChange(piece));
        return true;
      }),
    lengthWith,
    hasPieces: () => left < all.length,
    end: () => text + writeEnd(left, changesLeft),
  };
}

const SHOWN_CHARACTERS = 100;

function tooLong(piece: Piece, needed: number, limit: number): Refusal {
  // Without the heading of its section.
  const text = isChange(piece) ? piece.lines.replace(/^(?:[^-].*\n)?- /, '') : piece.lines;
  const shown = [...text].slice(0, SHOWN_CHARACTERS).join('');
  const [characters, most] = [needed, limit].map((number) => number.toLocaleString('en'));
  return new Refusal(
    `the first ${isChange(piece) ? 'change' : 'paragraph'} needs ${characters} characters, but the limit is ${most}: ${JSON.stringify(shown === text ? text : `${shown}…`)}; shorten it.`,
  );
}
