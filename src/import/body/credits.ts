// Contributors, their avatars and the link to the full changelog, which tools add to release notes. They become part of
// the description, in releases and in Markdown files made from them.

import type { Item } from './items.ts';
import { plainName } from './names.ts';

type Block = Readonly<{ kind: string; text: string; items?: readonly Item[] }>;

const TEXT_CHARACTERS_MAX = 20_000;

/** Splits the blocks under the headings with these names. */
export function splitCredits<B extends Block>(
  names: readonly string[],
  blocks: readonly B[],
): Readonly<{ blocks: B[]; credits: string[] }> {
  if (names.some((name) => isCreditsName(name)) && blocks.every(namesPeople))
    return { blocks: [], credits: blocks.length === 0 ? [] : [joinBlocks(blocks)] };
  const kept: B[] = [];
  const credits: string[] = [];
  for (const [index, block] of blocks.entries()) {
    const next = blocks[index + 1];
    if (block.kind === 'list') {
      const split = splitItems(block);
      if (split.items.length > 0) kept.push({ ...block, items: split.items });
      credits.push(...split.credits);
    } else if (block.kind === 'text' && isCreditText(block.text, next)) credits.push(block.text);
    else kept.push(block);
  }
  return { blocks: kept, credits };
}

const CREDITS_NAME =
  /^(?:(?:our|all|the|new|first[- ]time|code|community|external) )*(?:contributors?|committers?|authors?)(?:: \d.*| (?:to|of|in) this (?:release|version))?$|^(?:(?:special|many|big|huge|our) )*(?:thanks|thank you)(?: to| for|$)|^(?:credits|acknowledge?ments|shout-?outs?)$|^(?:新?(?:贡献者|貢獻者)|致谢|致謝|コントリビューター|謝辞|기여자|감사|mitwirkende|danke|(?:nouveaux )?contributeurs|remerciements|(?:nuevos )?(?:colaboradores|contribuidores)|agradecimientos|(?:novos )?contribuidores|agradecimentos|ringraziamenti|благодарности|podziękowania|teşekkürler)$/;

/** `### ❤️ New Contributors`, `#### Committers: 3` */
function isCreditsName(name: string): boolean {
  if (name.length > 100) return false;
  return CREDITS_NAME.test(plainName(name));
}

function namesPeople({ kind, items, text }: Block): boolean {
  if (kind !== 'list') return kind === 'text' || isPerson(text.slice(0, TEXT_CHARACTERS_MAX));
  return (
    items !== undefined && text.length <= TEXT_CHARACTERS_MAX && items.every((item) => isPerson(item.text))
  );
}

const HANDLE = /(?<![\w@/])@[a-z\d][\w-]*/i;
const PROFILE = /https?:\/\/[^\s/()<>"']+\/[\w-]+\/?(?=[\s()<>"']|$)/;
const NAME_CHARACTERS_MAX = 100;
/** `Wernher von Braun (Acme)`; each word of a name has a capital, or is short, or is the only one. */
const PERSON_NAME =
  /^(?:\S+|(?:[\p{Lu}\p{Lo}]\S*|\p{Ll}{1,3}|\([^()]*\))(?: +(?:[\p{Lu}\p{Lo}\d]\S*|\p{Ll}{1,3}|\([^()]*\)))*)$/u;
const EMOJI = /(?:\p{Extended_Pictographic}|\uFE0F|\u200D)+/gu;

function isPerson(text: string): boolean {
  if (HANDLE.test(text) || PROFILE.test(text) || hasAvatar(text)) return true;
  if (text.length > NAME_CHARACTERS_MAX) return false;
  return PERSON_NAME.test(text.replaceAll(EMOJI, '').trim());
}

const FIRST_CONTRIBUTION = /^(?:\*\*)?\[?@[^\s]{1,200} made (?:their|his|her|its) first contribution\b/i;
const THANKS_TO = /^(?:\W{0,10})thank(?:s| you)(?: go)?(?: to)?:? \[?@[a-z\d]/i;
const ONLY_HANDLES = /^(?:[\s,&.!·•]|and\b|\[?@[a-z\d][\w-]*(?:\[bot\])?\]?(?:\(https?:[^\s()]*\))?)+$/i;

function isContributor(text: string): boolean {
  if (FIRST_CONTRIBUTION.test(text) || THANKS_TO.test(text)) return true;
  return text.length <= TEXT_CHARACTERS_MAX && text.includes('@') && ONLY_HANDLES.test(text);
}

/** The items that are changes, and the others: contributors as a list, and links to the full changelog. */
function splitItems({ items = [] }: Block): { items: Item[]; credits: string[] } {
  const changes: Item[] = [];
  const people: string[] = [];
  const links: string[] = [];
  for (const item of items) {
    if (isContributor(item.text)) people.push(`- ${item.text.replaceAll('\n', '\n  ')}`);
    else if (isLinkToChanges(item.text)) links.push(item.text);
    else {
      const { text, link } = splitLastLine(item.text);
      changes.push(link === null ? item : { ...item, text });
      if (link !== null) links.push(link);
    }
  }
  return { items: changes, credits: [...(people.length === 0 ? [] : [people.join('\n')]), ...links] };
}

/** Without a blank line before it, the link to the full changelog continues the last item. */
function splitLastLine(text: string): { text: string; link: string | null } {
  const at = text.lastIndexOf('\n');
  if (at === -1 || !isLinkToChanges(text.slice(at + 1))) return { text, link: null };
  return { text: text.slice(0, at).trimEnd(), link: text.slice(at + 1) };
}

function isCreditText(text: string, next: Block | undefined): boolean {
  if (text.length > TEXT_CHARACTERS_MAX) return false;
  if (isLinkToChanges(text) || (/^\s*(?:<|\[?!\[)/.test(text) && hasAvatar(text))) return true;
  if (!THANKS.test(text)) return false;
  const isBeforePeople =
    next?.kind === 'list' && (next.items ?? []).every((item) => isContributor(item.text));
  return isBeforePeople || (text.match(HANDLES) ?? []).length > 1;
}

const THANKS = /^(?:\W{0,10})(?:(?:a |our )?(?:special|many|big|huge) )?thank(?:s\b| you\b)/iu;
const HANDLES = new RegExp(HANDLE, 'gi');

const AVATAR =
  /\b(?:avatars\d*\.githubusercontent\.com|github\.com\/[\w-]+\.png|contrib\.rocks|gravatar\.com\/avatar|\/user\/avatar\/)/i;

function hasAvatar(text: string): boolean {
  return (text.includes('<img') || text.includes('![')) && AVATAR.test(text);
}

const LINE_CHARACTERS_MAX = 500;
const URL_OF_CHANGES = /https?:\/\/\S*\/(?:compare|commits)\/[^\s()<>\]]*/;
const NAME_OF_CHANGES =
  /^(?:see |view )?(?:the )?(?:(?:full|complete|all|detailed) )?(?:change ?log|list of changes|changes|diff|comparison|compare|compare changes|commits|commit history)(?: (?:view )?(?:here|on git(?:hub|lab)))?$/;

/** One line such as `**Full Changelog**: https://github.com/acme/rocket/compare/v1...v2`. */
export function isLinkToChanges(line: string): boolean {
  if (line.length > LINE_CHARACTERS_MAX || line.trim().includes('\n') || !URL_OF_CHANGES.test(line))
    return false;
  const words = line
    .replaceAll(/https?:\/\/[^\s()<>\]]*/g, ' ')
    .replaceAll(/`[^`]*`|\S+\.\.\.?\S+/g, ' ')
    .replaceAll(/[^\p{L}]+/gu, ' ')
    .trim();
  return words === '' || NAME_OF_CHANGES.test(words.toLowerCase());
}

function joinBlocks(blocks: readonly Block[]): string {
  return blocks.map(({ text }) => text).join('\n\n');
}
