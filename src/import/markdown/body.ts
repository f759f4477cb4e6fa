// Splits the Markdown of one version into its description and its changes. The parser finds headings, lists and tables;
// their text is copied from the lines, so that nothing is lost.
import MarkdownIt, { type Token } from 'markdown-it';
import type { ChangeContent } from '../../domain/content/content.ts';
import type { ImportFormat } from '../changelog.ts';
import { splitCredits } from '../github/credits.ts';
import type { ImportRules } from '../rules.ts';
import { foldDependencies } from './dependencies.ts';
import { findSection, isMarkedBreaking, type Section, type Sections, sectionsFor } from './dialects.ts';
import { type Item, parseItem, parseMarked } from './items.ts';

export type VersionBody = Readonly<{ description: string | null; changes: ChangeContent[] }>;

const markdown = new MarkdownIt({ html: true });
markdown.core.ruler.enableOnly(['normalize', 'block']);
// Definitions that are left here are part of the text around them.
markdown.block.ruler.disable('reference');

/** A block at the top level. */
type Block =
  | Readonly<{ kind: 'heading'; level: number; name: string; text: string }>
  | Readonly<{ kind: 'list'; text: string; items: readonly Item[] }>
  /** Code or a table, which belongs to the block before it. */
  | Readonly<{ kind: 'inset'; text: string }>
  | Readonly<{ kind: 'text'; text: string }>;

type BodyOptions = Readonly<{
  format: ImportFormat;
  /** Did this program write the text? Then it marks each change that is breaking. */
  isOwnFormat: boolean;
  rules: ImportRules;
}>;

export function parseBody(lines: readonly string[], options: BodyOptions): VersionBody {
  const { format } = options;
  const parts = sectionsOf(withBoldHeadings(parseBlocks(lines)));
  const names = parts.flatMap(({ path }) => path.at(-1)?.name ?? []);
  const sections = sectionsFor(format, names);
  // Before sections with known names, a list is part of the introduction.
  const hasTypes = names.some((name) => findSection(sections, name) !== undefined);
  const description: string[] = [];
  const changes: ChangeContent[] = [];
  for (const [index, part] of parts.entries()) {
    const isAbove = (parts[index + 1]?.path.length ?? 0) > part.path.length;
    if (part.path.length === 0 && hasTypes) for (const { text } of part.blocks) description.push(text);
    else if (part.blocks.length > 0 || !isAbove)
      readSection({ ...options, sections }, part, { description, changes });
  }
  const text = description.join('\n\n');
  return {
    description: text === '' ? null : text,
    changes: format === 'changesets' || format === 'github-releases' ? foldDependencies(changes) : changes,
  };
}

type SectionOptions = BodyOptions & Readonly<{ sections: Sections }>;

type Part = { path: readonly { level: number; name: string; text: string }[]; blocks: Block[] };

/** The blocks under each heading, and the headings above them. */
function sectionsOf(blocks: readonly Block[]): Part[] {
  const parts: Part[] = [{ path: [], blocks: [] }];
  for (const block of blocks) {
    const last = parts.at(-1) as Part;
    if (block.kind !== 'heading') last.blocks.push(block);
    else parts.push({ path: [...last.path.filter(({ level }) => level < block.level), block], blocks: [] });
  }
  return parts;
}

/** Some changelogs use bold names before lists as headings, or short names with a colon. */
function withBoldHeadings(blocks: readonly Block[]): Block[] {
  return blocks.map((block, index) => {
    if (block.kind !== 'text' || blocks[index + 1]?.kind !== 'list') return block;
    const [, , bold, plain] = NAME_ALONE.exec(block.text) ?? [];
    const name = bold ?? plain;
    if (name === undefined) return block;
    return { kind: 'heading', level: BELOW_HEADINGS, name, text: block.text };
  });
}

const NAME_ALONE = /^(?:(\*\*|__)([^*_\n]{1,100}?):?\1:?|([^*_:.\n]{1,40}):)$/;
const BELOW_HEADINGS = 7;

function readSection(
  options: SectionOptions,
  part: Part,
  into: { description: string[]; changes: ChangeContent[] },
): void {
  const names = part.path.map(({ name }) => name);
  const { blocks, credits } = options.isOwnFormat
    ? { ...part, credits: [] }
    : splitCredits(names, part.blocks);
  if (blocks.length > 0 || credits.length === 0) readChanges(options, { ...part, blocks }, into);
  else credits[0] = withName(meaningOf(options.sections, part.path).name, credits[0] as string);
  into.description.push(...credits);
}

function readChanges(
  options: SectionOptions,
  { path, blocks }: Part,
  into: { description: string[]; changes: ChangeContent[] },
): void {
  const { section, name } = meaningOf(options.sections, path);
  const add = (item: Item) => {
    if (item.text !== '') into.changes.push(changeOf(options, section, name, item));
  };
  const firstList = blocks.findIndex(({ kind }) => kind === 'list');
  if (blocks.length === 0) {
    // The name of an empty section would be lost.
    if (name !== '') into.description.push(`**${name}**`);
    return;
  }
  if (firstList === -1) {
    const text = blocks.map((block) => block.text).join('\n\n');
    if (path.length === 0) into.description.push(text);
    else add(parseMarked(text.split('\n')));
    return;
  }
  const before = blocks.slice(0, firstList).map(({ text }) => text);
  const heading = path.at(-1)?.name ?? '';
  if (before.length > 0) into.description.push(withName(heading, before.join('\n\n')));
  const end = endOfItems(options.format, blocks);
  const firstChange = into.changes.length;
  for (const [index, block] of blocks.entries()) {
    if (index < firstList) continue;
    const last = into.changes.at(-1);
    if (block.kind === 'list') for (const item of block.items) add(item);
    else if (index < end && last && into.changes.length > firstChange)
      into.changes[into.changes.length - 1] = { ...last, text: `${last.text}\n\n${block.text}` };
    else into.description.push(block.text);
  }
}

/**
 * Unindented blocks up to this one belong to the item before them: up to the last list, code or table. Tools for
 * conventional commits print the text of a commit unindented, so there all blocks belong to an item.
 */
function endOfItems(format: ImportFormat, blocks: readonly Block[]): number {
  if (format === 'conventional') return blocks.length;
  return blocks.findLastIndex(({ kind }) => kind !== 'text') + 1;
}

const OTHER: Section = { type: 'other', breaking: false, isImpliedByType: true };

/** The innermost known heading gives the type; the names of the others are kept. */
function meaningOf(sections: Sections, path: Part['path']): { section: Section; name: string } {
  const known = path.map(({ name }) => findSection(sections, name));
  const innermost = known.findLastIndex((section) => section !== undefined);
  const section = known[innermost] ?? OTHER;
  const names = path
    .filter((_, index) => index !== innermost || !section.isImpliedByType)
    .map(({ name }) => name);
  return { section, name: names.join(' / ') };
}

function changeOf({ isOwnFormat }: BodyOptions, section: Section, name: string, item: Item): ChangeContent {
  const breaking = section.breaking || (item.breaking ?? (!isOwnFormat && isMarkedBreaking(item.text)));
  return { type: section.type, text: withName(name, item.text), breaking };
}

/** Markdown that must be at the start of a line. */
const NEEDS_ITS_OWN_LINE = /^(?:\s|[#<>=|]|```|~~~|[-+*](?:\s|$)|\d+[.)](?:\s|$))/;

function withName(name: string, text: string): string {
  if (name === '') return text;
  return `**${name}:**${NEEDS_ITS_OWN_LINE.test(text) || text.includes('\n|') ? '\n\n' : ' '}${text}`;
}

function parseBlocks(lines: readonly string[]): Block[] {
  const tokens = markdown.parse(lines.join('\n'), {});
  const blocks: Block[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    if (token.level > 0 || token.nesting === -1 || token.map === null) continue;
    const block = blockOf(tokens, at, lines);
    if (block !== null) blocks.push(block);
  }
  return blocks;
}

const ANCHOR_CHARACTERS_MAX = 300;
const EMPTY_ANCHOR = /^<a\s+(?:name|id)=["']?[^"'<>]*["']?\s*(?:\/>|>\s*<\/a>)$/i;

function blockOf(tokens: readonly Token[], at: number, lines: readonly string[]): Block | null {
  const { type, tag, map, markup } = tokens[at] as Token;
  const text = textOf(lines, map as [number, number]);
  // A line of dashes under a text may also be a separator.
  if (type === 'heading_open' && markup === '-')
    return { kind: 'text', text: tokens[at + 1]?.content ?? text };
  if (type === 'heading_open') {
    const name = withoutColon((tokens[at + 1]?.content ?? '').trim().replaceAll('**', ''));
    return { kind: 'heading', level: Number(tag.slice(1)), name, text };
  }
  if (type === 'bullet_list_open' || type === 'ordered_list_open')
    return { kind: 'list', text, items: itemsOf(tokens, at, lines) };
  // Separators and anchors have no content.
  if (type === 'hr' || (text.length <= ANCHOR_CHARACTERS_MAX && EMPTY_ANCHOR.test(text))) return null;
  const isInset = type === 'fence' || type === 'code_block' || type === 'table_open';
  return { kind: isInset ? 'inset' : 'text', text };
}

function itemsOf(tokens: readonly Token[], start: number, lines: readonly string[]): Item[] {
  const items: Item[] = [];
  for (let at = start + 1; (tokens[at]?.level ?? 0) > 0; at++) {
    const { type, level, map } = tokens[at] as Token;
    if (type === 'list_item_open' && level === 1 && map !== null) items.push(parseItem(lines.slice(...map)));
  }
  return items;
}

function withoutColon(name: string): string {
  return name.endsWith(':') ? name.slice(0, -1).trimEnd() : name;
}

/** The lines, without blank ones at the end. */
function textOf(lines: readonly string[], [from, to]: [number, number]): string {
  let end = to;
  while (end > from && lines[end - 1]?.trim() === '') end--;
  return lines.slice(from, end).join('\n');
}
