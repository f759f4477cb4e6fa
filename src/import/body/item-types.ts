// Reads the type of a change from the beginning of its text: `[BUGFIX] …`, `fix(cli): …`, `**core:** Added …`.
import type { ChangeType } from '../../domain/model.ts';
import { isComment } from './blocks.ts';
import { type EmojiMeaning, meaningOfEmoji } from './emoji.ts';
import { isCjk, singularName } from './names.ts';
import { type FindSection, findForeignName } from './sections.ts';

export type TextMeaning = Readonly<{ type: ChangeType; breaking: boolean }>;

const VERBS: Readonly<Record<'added' | 'changed' | 'deprecated' | 'removed' | 'fixed', RegExp>> = {
  added: /^(?:add(?:s|ed|ing)?|introduc(?:e[sd]?|ing)|implement(?:s|ed)?|new)$/,
  changed:
    /^(?:chang(?:e[sd]?|ing)|improv(?:e[sd]?|ing)|updat(?:e[sd]?|ing)|renam(?:e[sd]?|ing)|upgrad(?:e[sd]?|ing)|bump(?:s|ed|ing)?|refactor(?:s|ed|ing)?|optimi[sz](?:e[sd]?|ing)|replac(?:e[sd]?|ing)|revert(?:s|ed|ing)?|enhanc(?:e[sd]?|ing)|simplif(?:y|ies|ied)|rework(?:s|ed)?|rewr(?:ite|ote|itten)|mov(?:e[sd]?|ing))$/,
  deprecated: /^deprecat(?:e[sd]?|ing)$/,
  removed: /^(?:remov(?:e[sd]?|ing)|drop(?:s|ped|ping)?)$/,
  fixed: /^(?:fix(?:es|ed|ing)?|bug ?fix(?:es)?|hotfix)$/,
};

/** Only the beginning counts. */
const HEAD_CHARACTERS_MAX = 300;
const STEPS_MAX = 8;

const SEPARATORS = /^[\s:：,;–—-]+/;
const EMOJI = /^(?:(?:\p{Extended_Pictographic}|\uFE0F|\u200D)+|:\w{1,40}:)/u;
/** `[abc1234](https://…)`, and in brackets of its own. */
const LINK = /^(?:\\?\[)?\[([^[\]\n]{1,200})\]\([^()\s]{0,250}\)(?:\\?\])?/;
/** Also `[*]`, everything. */
const BRACKETS =
  /^[*_`]{0,3}[[(【（［「][*_`]{0,2}([^[\]()【】（）［］「」*_`\n]{1,60}|\*(?=\]))[*_`]{0,2}[\])】）］」][*_`]{0,3}/;
const BOLD = /^(\*\*|__)([^\n]{1,80}?)(:?)\1(:?)/;
/** The hash of a commit, or the number of an issue. */
const REFERENCE = /^`?(?:[0-9a-f]{7,40}|#\d+|[A-Z][A-Z\d]{0,9}-\d+)`?(?![\w-])/;
/** `fix(cli)!:`, `Bug fix:` */
const COLON =
  /^[*_]{0,3}(\p{L}[\p{L}\p{N}'./_@&+-]{0,40}(?: [\p{L}\p{N}'./_@&+-]{1,20}){0,2})(?:[([]([^()[\]\n]{0,60})[)\]])?(!?)[*_]{0,3}(?::(?=[\s*_`]|$)|：)/u;
/** `Fix - text` */
const DASH = /^[*_]{0,3}(\p{L}[\p{L} ]{1,24}?)[*_]{0,3} [-–—] (?=\S)/u;
/** `bug #123 [Console] …` */
const NUMBERED = /^(\p{L}{3,12}) +#(?=\w)/u;
/** An item that is a section, with its changes below it. */
const NAME_ALONE = /^(\p{L}[\p{L} -]{1,30}):?\s*$/u;
const CVE = /^cve-\d{4}-\d/i;
const FIRST_WORD = /^[*_`]{0,3}(bug ?fix(?:es)?|\p{L}+)(?![\p{L}'’]|-\p{L})/iu;
const DEPENDENCIES = /^deps/;

/** Undefined if the text has no type. A verb counts only if nothing else in the version has a type. */
export function meaningOfText(
  text: string,
  { findTag, hasVerbs }: Readonly<{ findTag: FindSection; hasVerbs: boolean }>,
): TextMeaning | undefined {
  let emoji: EmojiMeaning | undefined;
  for (const head of headsOf(text)) {
    const tag = tagOf(head, findTag);
    if (tag !== undefined) return tag;
    const type = hasVerbs && (emoji === undefined || emoji.isOrnament) ? typeOfVerb(head) : undefined;
    if (type !== undefined) return { type, breaking: false };
    emoji ??= meaningOfEmoji(head);
  }
  const last = hasVerbs && emoji === undefined ? typeOfLastWord(text) : undefined;
  return last === undefined ? emoji : { type: last, breaking: false };
}

/** The text, and then what follows each reference, scope or emoji at its beginning. */
function* headsOf(text: string): Generator<string> {
  const lineEnd = text.indexOf('\n');
  let head = text.slice(0, Math.min(lineEnd === -1 ? text.length : lineEnd, HEAD_CHARACTERS_MAX)).trimStart();
  for (let step = 0; step < STEPS_MAX && head !== ''; step++) {
    yield head;
    const link = LINK.exec(head);
    if (link !== null) yield link[1] as string;
    const bold = link === null ? BOLD.exec(head) : null;
    if (bold !== null && bold[3] === '' && bold[4] === '') yield bold[2] as string;
    const taken = (link ??
      bold ??
      EMOJI.exec(head) ??
      BRACKETS.exec(head) ??
      REFERENCE.exec(head) ??
      COLON.exec(head))?.[0];
    if (taken === undefined) return;
    // Of a text that is a link, the words of the link count.
    const rest = head.slice(taken.length).replace(SEPARATORS, '');
    head = rest === '' ? (link?.[1]?.trimStart() ?? '') : rest;
  }
}

function tagOf(head: string, findTag: FindSection): TextMeaning | undefined {
  if (CVE.test(head)) return { type: 'security', breaking: false };
  const isLink = LINK.test(head);
  const [, inBrackets] = isLink ? [] : (BRACKETS.exec(head) ?? []);
  const [, name, scope = '', mark] = COLON.exec(head) ?? [];
  const tag =
    inBrackets ??
    BOLD.exec(head)?.[2] ??
    name ??
    NUMBERED.exec(head)?.[1] ??
    DASH.exec(head)?.[1] ??
    NAME_ALONE.exec(head)?.[1];
  // `BUG/MINOR: …`
  const found = tag === undefined ? undefined : (findTag(tag) ?? findTag(tag.split('/', 1)[0] as string));
  if (found === undefined) return undefined;
  const isOfDependencies = found.type === 'other' && DEPENDENCIES.test(scope);
  return { type: isOfDependencies ? 'changed' : found.type, breaking: found.breaking || mark === '!' };
}

function typeOfVerb(head: string): ChangeType | undefined {
  const word = FIRST_WORD.exec(head)?.[1]?.toLowerCase();
  if (word === undefined) return undefined;
  // What was deprecated before may be gone now.
  if (word === 'deprecated' && /\b(?:remov|dropp)ed\b/i.test(head)) return 'removed';
  const type = (Object.keys(VERBS) as (keyof typeof VERBS)[]).find((one) => VERBS[one].test(word));
  return type ?? typeOfForeignVerb(word);
}

const CJK_VERB_CHARACTERS = 2;
/** `…を修正しました。 (#12)`, `… hinzugefügt.` */
const LAST_WORD =
  /(\p{L}+?)(?:した|しました|済み|됨|했습니다|하였습니다)?[.。!！]?\s*(?:[([][^()[\]]{0,100}[)\]](?:\([^()]{0,200}\))?\s*)*$/u;

/** In other languages, the names of sections are also the first words of their texts (`修复…`, `Исправлена …`), or the last. */
function typeOfForeignVerb(word: string): ChangeType | undefined {
  const key = isCjk(word) ? word.slice(0, CJK_VERB_CHARACTERS) : word;
  const { type = 'other' } = findForeignName(singularName(key)) ?? {};
  return type === 'other' ? undefined : type;
}

const NOT_ASCII = /[^\p{ASCII}]/u;
const TAIL_CHARACTERS_MAX = 100;

function typeOfLastWord(text: string): ChangeType | undefined {
  const line = text.slice(0, HEAD_CHARACTERS_MAX).split('\n', 1)[0] as string;
  if (line.length === HEAD_CHARACTERS_MAX || !NOT_ASCII.test(line)) return undefined;
  const word = LAST_WORD.exec(line.slice(-TAIL_CHARACTERS_MAX))?.[1] ?? '';
  const key = isCjk(word) ? word.slice(-CJK_VERB_CHARACTERS) : word;
  const found = findForeignName(singularName(key));
  return found?.isImpliedByType && found.type !== 'other' ? found.type : undefined;
}

const BREAKING =
  /^(?:\*\*|__|[*_])?\[?breaking(?: changes?)?\]?(?:\s*[:!—–-]\s*[*_]{1,2}|[*_]{1,2}|\]|\s*:)/i;
const BREAKING_IN_BRACKETS =
  /^(?:\*\*|__|`)?[[(](?:\*\*|__)?(?:breaking(?: changes?)?|bc[ -]break)(?:\*\*|__)?[\])]/i;
/** Capitals need no punctuation: `BREAKING Remove x`, `[BREAKING BUGFIX] …`. */
const BREAKING_IN_CAPITALS = /^[[(*_`]{0,4}BREAKING(?: CHANGES?\b)?(?=\s+[^?\s])/;
const BREAKING_EMOJI = /^(?:💥|:boom:)/u;
/** `feat(cli)!: text` */
const BREAKING_COMMIT = /^[a-z]+(?:\([^()\n]*\))?!:/;

const BREAKING_MARKS = [
  BREAKING,
  BREAKING_IN_BRACKETS,
  BREAKING_IN_CAPITALS,
  BREAKING_EMOJI,
  BREAKING_COMMIT,
];

/** Whether the text marks the change as breaking. */
export function isMarkedBreaking(text: string): boolean {
  for (const head of headsOf(text)) if (BREAKING_MARKS.some((mark) => mark.test(head))) return true;
  return false;
}

/** `None.`, `N/A`, `_No changes_` */
const NOTHING = /^[\s*_`([<-]*(?:none|n\/?a|nothing|no changes?|nothing (?:yet|new))[\s*_`)\]>.!]*$/i;
/** `No user-facing changes in this release.` */
const NOTHING_MORE_OR_LESS =
  /^[*_(]{0,3}(?:there (?:are|were|is|was) )?(?:no (?!longer)(?:[\w/-]+ ){0,3}changes?\b|nothing (?:has |was |is )?changed\b)[^\n]{0,60}$/i;

const EMPTY_CHARACTERS_MAX = 120;

/** Whether the text says that there is no change. A word or two are not worth keeping. */
export function emptinessOf(text: string): 'nothing' | 'said at length' | null {
  if (isComment(text)) return 'nothing';
  if (text.length > EMPTY_CHARACTERS_MAX) return null;
  if (NOTHING.test(text)) return 'nothing';
  return NOTHING_MORE_OR_LESS.test(text) ? 'said at length' : null;
}
