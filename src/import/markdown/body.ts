// Splits the Markdown of one version into its description and its changes.
import type { ChangeContent } from '../../domain/content/content.ts';
import { parseBlocks } from '../body/blocks.ts';
import { withBullets } from '../body/bullets.ts';
import { foldDependencies, isSectionOfChangesets } from '../body/changesets.ts';
import { splitCredits } from '../body/credits.ts';
import { sectionFinder, tagFinder } from '../body/find-section.ts';
import { ITEM_LEVEL, sectionsInList } from '../body/item-sections.ts';
import { emptinessOf, isMarkedBreaking, meaningOfText } from '../body/item-types.ts';
import { type Block, type Item, parseMarked, splitType } from '../body/items.ts';
import { type FindSection, findOwnSection, type Section } from '../body/sections.ts';
import type { ImportFormat } from '../changelog.ts';
import { isKnownRole, roleOf } from '../markup/rst/inline.ts';
import type { ImportRules } from '../rules.ts';
import type { SectionUse } from '../section-warnings.ts';

export type VersionBody = Readonly<{
  description: string | null;
  changes: ChangeContent[];
  sections: readonly SectionUse[];
}>;

type BodyOptions = Readonly<{
  format: ImportFormat;
  /** Whether this program wrote the text, so that every breaking change is marked. */
  isOwnFormat: boolean;
  rules: ImportRules;
}>;

export function parseBody(lines: readonly string[], options: BodyOptions): VersionBody {
  const { format } = options;
  const findTag = options.isOwnFormat ? () => undefined : tagFinder(options.rules.sections);
  const isChange = (text: string) => meaningOfText(text, { findTag, hasVerbs: true }) !== undefined;
  const isSection = (name: string) => findTag(name) !== undefined;
  const marked = options.isOwnFormat ? lines : withBullets(withoutRoles(lines), { isChange, isSection });
  const blocks = withBoldHeadings(parseBlocks(marked, options), findTag);
  const parts = sectionsOf(options.isOwnFormat ? blocks : withItemSections(blocks, options, findTag));
  const find = finderFor(options, parts);
  const known = parts.flatMap(({ path }) => find(path.at(-1)?.name ?? '') ?? []);
  // A list above sections with types is part of the introduction.
  const hasTypes = known.some(({ type }) => type !== 'other') || (options.isOwnFormat && known.length > 0);
  const hasVerbs = !known.some(({ type, isVague }) => type !== 'other' && !isVague);
  const description: string[] = [];
  const credits: string[] = [];
  const changes: ChangeContent[] = [];
  const sections: SectionUse[] = [];
  for (const [index, part] of parts.entries()) {
    const next = parts[index + 1]?.path ?? [];
    const isAbove = next.length > part.path.length;
    const isBeforeItems = isAbove && next.at(-1)?.level === ITEM_LEVEL && part.path.length > 0;
    if (isBeforeItems && part.blocks.length > 0 && part.blocks.every(({ kind }) => kind === 'text'))
      description.push(
        withName(part.path.at(-1)?.name ?? '', part.blocks.map(({ text }) => text).join('\n\n')),
      );
    else if (part.path.length === 0 && hasTypes && (options.isOwnFormat || !isListOfChanges(part, findTag)))
      for (const { text } of part.blocks) description.push(text);
    else if (part.blocks.length > 0 || !isAbove) {
      const before = changes.length;
      readSection({ ...options, find, findTag, hasVerbs: hasVerbs || part.path.length === 0 }, part, {
        description,
        credits,
        changes,
      });
      if (part.path.length > 0 && !options.isOwnFormat)
        sections.push(useOf(part, find, changes.slice(before)));
    }
  }
  const text = [...description, ...credits].join('\n\n');
  return {
    description: text === '' ? null : text,
    changes: format === 'changesets' || format === 'github-releases' ? foldDependencies(changes) : changes,
    sections,
  };
}

function useOf({ path }: Part, find: FindSection, changes: readonly ChangeContent[]): SectionUse {
  return {
    name: path.at(-1)?.name ?? '',
    isKnown: find(path.at(-1)?.name ?? '') !== undefined,
    isTold: path.some(({ name }) => find(name) !== undefined),
    changes: changes.length,
    others: changes.filter(({ type }) => type === 'other').length,
  };
}

type SectionOptions = BodyOptions & Readonly<{ find: FindSection; findTag: FindSection; hasVerbs: boolean }>;

/** A list without an introduction, or with an item that has a type, such as `[BUGFIX] …`. */
function isListOfChanges({ blocks }: Part, findTag: FindSection): boolean {
  if (blocks[0]?.kind === 'list') return true;
  const isTagged = ({ text }: Item) => {
    const { type = 'other' } = meaningOfText(text, { findTag, hasVerbs: false }) ?? {};
    // A link to the migration guide is not a change.
    return type !== 'other';
  };
  return blocks.some((block) => block.kind === 'list' && block.items.some(isTagged));
}

function finderFor({ format, isOwnFormat, rules }: BodyOptions, parts: readonly Part[]): FindSection {
  if (isOwnFormat) return findOwnSection;
  const isChangesets = format === 'changesets' || parts.some(isOfChangesets);
  return sectionFinder(rules.sections, { isChangesets });
}

function isOfChangesets({ path, blocks }: Part): boolean {
  const items = blocks.flatMap((block) => (block.kind === 'list' ? block.items : []));
  return isSectionOfChangesets(
    path.at(-1)?.name ?? '',
    items.map(({ text }) => text),
  );
}

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

/** Some changelogs use bold names before lists as headings, short names with a colon, or known names alone. */
function withBoldHeadings(blocks: readonly Block[], findTag: FindSection): Block[] {
  return blocks.map((block, index) => {
    const next = blocks[index + 1]?.kind;
    const isBeforeList = next === 'list';
    if (block.kind !== 'text' || (!isBeforeList && (next !== 'text' || blocks[index + 2]?.kind !== 'list')))
      return block;
    const [, , bold, plain] = (isBeforeList && NAME_ALONE.exec(block.text)) || [];
    const known = knownName(block.text, findTag);
    const before = blocks[index - 1];
    // `Over 20 of them:` below `Bug fixes`
    if (known === undefined && before?.kind === 'text' && knownName(before.text, findTag) !== undefined)
      return block;
    const name = bold ?? plain ?? known;
    if (name === undefined) return block;
    return { kind: 'heading', level: BELOW_HEADINGS, name, text: block.text };
  });
}

/** Below the name of a section, items are changes. */
function withItemSections(blocks: readonly Block[], options: BodyOptions, findTag: FindSection): Block[] {
  const find = sectionFinder(options.rules.sections, { isChangesets: false });
  const parse = (text: string) => parseBlocks(text.split('\n'), options);
  let isInSection = false;
  return blocks.flatMap((block) => {
    isInSection ||= block.kind === 'heading' && find(block.name)?.isVague === false;
    if (block.kind !== 'list' || isInSection) return [block];
    return sectionsInList(block, { findTag, parse });
  });
}

/** Also `Features, improvements`. */
function knownName(text: string, findTag: FindSection): string | undefined {
  const [, , name] = LINE_ALONE.exec(text) ?? [];
  const isKnown = name?.split(/, | & | and /i).every((part) => findTag(part) !== undefined);
  return isKnown ? name : undefined;
}

const NAME_ALONE = /^(?:(\*\*|__)([^*_\n]{1,100}?)[:：]?\1[:：]?|([^*_:：.\n]{1,40})[:：])$/;
const LINE_ALONE = /^([*_]?)([^*_:：.\n]{1,40})[:：]?\1[:：]?$/;
const BELOW_HEADINGS = 7;

function readSection(
  options: SectionOptions,
  part: Part,
  into: { description: string[]; credits: string[]; changes: ChangeContent[] },
): void {
  const names = part.path.map(({ name }) => name);
  const { blocks, credits } = options.isOwnFormat
    ? { ...part, credits: [] }
    : splitCredits(names, part.blocks);
  if (blocks.length > 0 || credits.length === 0) readChanges(options, { ...part, blocks }, into);
  else credits[0] = withName(meaningOf(options.find, part.path).name, credits[0] as string);
  into.credits.push(...credits);
}

function readChanges(
  options: SectionOptions,
  { path, blocks }: Part,
  into: { description: string[]; changes: ChangeContent[] },
): void {
  const { section, name } = meaningOf(options.find, path);
  const add = (item: Item, hasVerbs = options.hasVerbs) => {
    const emptiness = options.isOwnFormat ? null : emptinessOf(item.text);
    if (emptiness === 'said at length') into.description.push(withName(name, item.text));
    else if (emptiness === null && item.text !== '')
      into.changes.push(changeOf({ ...options, hasVerbs }, section, name, item));
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
    else add(parseMarked(text.split('\n')), false);
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

type Meaning = Readonly<{ section: Section | undefined; name: string }>;

/**
 * The innermost known heading gives the type, unless it is `other` below another type. Names that say more than the type
 * are kept.
 */
function meaningOf(find: FindSection, path: Part['path']): Meaning {
  const known = path.map(({ name }) => find(name));
  const typed = known.findLastIndex((section) => section !== undefined && section.type !== 'other');
  const at = typed === -1 ? known.findLastIndex((section) => section !== undefined) : typed;
  const section = known[at];
  const breaking = known.some((one) => one?.breaking);
  const isTold = (one: Section | undefined, index: number) =>
    one?.isImpliedByType && (index === at || one.isVague || one.breaking);
  return {
    section: section && { ...section, breaking },
    name: path.flatMap(({ name }, index) => (isTold(known[index], index) ? [] : [name])).join(' / '),
  };
}

const NOTHING_KNOWN = { type: 'other', breaking: false } as const;
const BREAKING = { type: 'changed', breaking: true } as const;

function changeOf(
  { isOwnFormat, findTag, hasVerbs }: SectionOptions,
  section: Section | undefined,
  name: string,
  item: Item,
): ChangeContent {
  const isOpen = !isOwnFormat && (section === undefined || section.isVague);
  const said =
    (item.kind ? findTag(item.kind) : undefined) ??
    (isOpen
      ? meaningOfText(item.text, { findTag, hasVerbs: hasVerbs || section?.isVague === true })
      : undefined) ??
    section ??
    (item.breaking ? BREAKING : NOTHING_KNOWN);
  const breaking =
    said.breaking || section?.breaking || (item.breaking ?? (!isOwnFormat && isMarkedBreaking(item.text)));
  const { type, text } = section?.breaking ? splitType(item.text) : { type: null, text: item.text };
  return { type: type ?? said.type, text: withName(name, text), breaking };
}

/** Markdown that must be at the start of a line. */
const NEEDS_ITS_OWN_LINE = /^(?:\s|[#<>=|]|```|~~~|[-+*](?:\s|$)|\d+[.)](?:\s|$))/;

function withName(name: string, text: string): string {
  if (name === '') return text;
  return `**${name}:**${NEEDS_ITS_OWN_LINE.test(text) || text.includes('\n|') ? '\n\n' : ' '}${text}`;
}

// Roles of MyST, as in {pr}`3509`: Markdown for Sphinx. They are read as in reStructuredText.
/** A role, or code, in which there are none. */
const ROLE_OR_CODE =
  /(?<![\w`\\{])\{([A-Za-z][\w:+.-]{0,60})\}`([^`\n]{1,500})`(?!`)|(?<![`\\])(`+)(?!`).{1,500}?(?<!`)\3(?!`)/g;
const FENCE = /^ {0,3}(?:```|~~~)/;

function withoutRoles(lines: readonly string[]): readonly string[] {
  if (!lines.some((line) => line.includes('}`'))) return lines;
  let isCode = false;
  return lines.map((line) => {
    if (FENCE.test(line)) isCode = !isCode;
    return isCode
      ? line
      : line.replaceAll(ROLE_OR_CODE, (whole, role, inner) =>
          role !== undefined && isKnownRole(role) ? roleOf(role, inner) : whole,
        );
  });
}
