// A list whose items are sections, with their changes in lists of their own:
//
//     * 2 bug fixes:
//       * A leak

import { meaningOfText } from './item-types.ts';
import type { Block, Item } from './items.ts';
import type { FindSection } from './sections.ts';

/** The level below all other headings. */
export const ITEM_LEVEL = 8;
const NAME = /^(?:\d{1,4} )?(?:\*\*|__)?([^\n.,;:：!?`*_<>[\]]{2,40})[:：]?(?:\*\*|__)?[:：]?$/u;
/** `[](#new)` */
const ANCHOR = /^\[\]\(#([\w-]+)\)$/;
const WORDS_MAX = 4;

type List = Extract<Block, { kind: 'list' }>;
type Options = Readonly<{ findTag: FindSection; parse: (text: string) => readonly Block[] }>;

/** A name of the project's own needs others beside it, or items whose types are written before them. */
export function sectionsInList(list: List, { findTag, parse }: Options): readonly Block[] {
  const sections = list.items.map((item) => sectionOf(item, parse));
  const all = sections.flatMap((section) => section ?? []);
  const isKnown = all.some(({ name }) => isKnownName(name, findTag));
  const areAlike = isKnown || (all.length > 1 && all.every(({ name }) => isOwnName(name, findTag)));
  if (sections.includes(null) || !areAlike)
    return [{ ...list, items: list.items.flatMap((item, index) => itemsOf(item, sections[index], findTag)) }];
  return all.flatMap(({ name, text, list }) => {
    // The count belongs to the project's own name.
    const own = isKnownName(name, findTag) ? name : text.replaceAll(/\*\*|__|[:：](?=\**_*$)/g, '');
    return [{ kind: 'heading', level: ITEM_LEVEL, name: own, text }, list];
  });
}

/** `ConfigProvider` with `🆕 …` and `🐞 …` below it. */
function itemsOf(item: Item, section: SectionItem | null | undefined, findTag: FindSection): readonly Item[] {
  const isTyped = ({ text }: Item) => meaningOfText(text, { findTag, hasVerbs: false }) !== undefined;
  if (!section || !isOwnName(section.name, findTag) || !section.list.items.every(isTyped)) return [item];
  return section.list.items.map((one) => ({ ...one, text: `**${section.name}:** ${one.text}` }));
}

function isKnownName(name: string, findTag: FindSection): boolean {
  return findTag(name.replace(/^(?:minor|major) /i, '')) !== undefined;
}

/** A text that starts with a verb is a change. */
function isOwnName(name: string, findTag: FindSection): boolean {
  return (
    name.split(' ').length <= WORDS_MAX && meaningOfText(name, { findTag, hasVerbs: true }) === undefined
  );
}

type SectionItem = Readonly<{ name: string; text: string; list: List }>;

function sectionOf({ text }: Item, parse: Options['parse']): SectionItem | null {
  const lineEnd = text.indexOf('\n');
  const head = lineEnd === -1 ? '' : text.slice(0, lineEnd).trimEnd().replace(ANCHOR, '$1');
  const [first, name] = NAME.exec(head) ?? [];
  if (first === undefined || name === undefined) return null;
  const [list, ...others] = parse(text.slice(lineEnd + 1));
  return list?.kind === 'list' && others.length === 0 ? { name, text: first, list } : null;
}
