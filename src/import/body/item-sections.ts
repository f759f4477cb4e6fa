// A list whose items are sections, with their changes in lists of their own:
//
//     * 2 bug fixes:
//       * A leak
import type { Block } from './block.ts';
import type { Item } from './items.ts';
import type { FindSection } from './sections.ts';

/** The level below all other headings. */
const LEVEL = 8;
const NAME = /^(?:\d{1,4} )?(\p{L}[\p{L}'’/& -]{1,40}):?$/u;

type ParseItems = (text: string) => readonly Block[];

/** Null if any item is something else, or no name is known. */
export function sectionsInList(
  items: readonly Item[],
  find: FindSection,
  parse: ParseItems,
): readonly Block[] | null {
  const sections = items.map((item) => sectionOf(item, parse));
  const isKnown = sections.some((section) => section !== null && isKnownName(section.name, find));
  if (!isKnown || sections.includes(null)) return null;
  return sections.flatMap((section) => {
    const { name, text, list } = section as SectionItem;
    // The count belongs to the project's own name.
    const own = isKnownName(name, find) ? name : text.replace(/:$/, '');
    return [{ kind: 'heading', level: LEVEL, name: own, text }, list];
  });
}

function isKnownName(name: string, find: FindSection): boolean {
  return find(name.replace(/^(?:minor|major) /i, '')) !== undefined;
}

type SectionItem = Readonly<{ name: string; text: string; list: Block }>;

function sectionOf({ text }: Item, parse: ParseItems): SectionItem | null {
  const lineEnd = text.indexOf('\n');
  const [first, name] = NAME.exec(lineEnd === -1 ? '' : text.slice(0, lineEnd).trimEnd()) ?? [];
  if (first === undefined || name === undefined) return null;
  const [list, ...others] = parse(text.slice(lineEnd + 1));
  return list?.kind === 'list' && others.length === 0 ? { name, text: first, list } : null;
}
