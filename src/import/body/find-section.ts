// Finds the type of change that the name of a section stands for.
import type { ChangeType } from '../../domain/model.ts';
import { meaningOfEmoji } from './emoji.ts';
import { fold, isCjk, singularName } from './names.ts';
import {
  breaking,
  CHANGESETS,
  type FindSection,
  findForeignName,
  findName,
  implied,
  kept,
  LANGUAGES,
  type Section,
  vague,
} from './sections.ts';

type Given = ReadonlyMap<string, ChangeType>;

/** Options win over the table. */
export function sectionFinder(
  given: Given,
  { isChangesets }: Readonly<{ isChangesets: boolean }>,
): FindSection {
  const findGiven = givenFinder(given);
  const find: FindSection = (name) => {
    const key = singularName(name);
    return findGiven(key) ?? (isChangesets ? CHANGESETS.get(key) : undefined) ?? findName(key);
  };
  const found = new Map<string, Section | undefined>();
  return (name) => {
    // The same names are looked up again and again.
    if (!found.has(name)) found.set(name, findWhole(find, name));
    return found.get(name);
  };
}

function findWhole(find: FindSection, name: string): Section | undefined {
  const rest = withoutBreaking(singularName(name));
  if (rest === null) return find(name) ?? findByWords(find, name) ?? findByEmoji(name);
  const found = find(name) ?? find(rest) ?? findByWords(find, rest);
  return breaking(found === undefined || (found.isVague && found.type === 'other') ? kept('changed') : found);
}

/** For names before texts, without the rules for longer names. */
export function tagFinder(given: Given): FindSection {
  const findGiven = givenFinder(given);
  return (name) => {
    const key = singularName(name);
    return findGiven(key) ?? findName(key);
  };
}

function givenFinder(given: Given): FindSection {
  const types = new Map(Array.from(given, ([name, type]) => [singularName(name), type]));
  return (key) => {
    const type = types.get(key);
    if (type === undefined || key === '') return undefined;
    return key === type ? implied(type) : kept(type);
  };
}

/** Work that users of the product do not see. */
const INTERNAL =
  /^(?:documentation|doc|internal|test|testing|build|ci|infrastructure|chore|developer|development|release process)\b/;
const IN_PARENTHESES = /\(([^()]*)\)[^\p{L}()]*$/u;
const TAIL =
  / (?:in|for|to|of|since|from|by|with|on|at|before|after|that|im|fur|bei|von|de|du|des|del|do|da|di|en|em|dans|pour|para|per|в|по|для|w|dla)(?: .*)?$/;
const BETWEEN =
  / (?:and|or|und|oder|et|ou|y|e|и|или|та|i|oraz|a|ve|en|och) | ?[,/&+|·・、] ?|以及|および|及び|[和与與及並并と및]/u;
/** A first word that says what happened. */
const PARTICIPLE =
  /^(?:added|changed|deprecated|removed|fixed|improved|updated|renamed|dropped|introduced|reverted|modified)(?= )/;
/** `New lints`, but not `New contributors`. */
const NEW =
  /^new(?= (?!.*\b(?:contributor|maintainer|committer|member|deprecation|default|behaviou?r|name|website|version|release)\b))/;
const KIND =
  /(?:^| )(breaking change|incompatible change|bc break|security fix|bug fix|bugfix|bug fixed|issue fixed|fix|feature|enhancement|improvement|optimi[sz]ation|addition|deprecation|removal|change)$/;
const NOT_OF_THIS_VERSION =
  /(?:^| )(?:(?:no|non|not|without|known|previous|upcoming|planned|future|past|older|earlier|how|why|kein|keine|ohne|aucun|aucune|sin|sem|senza|bez|без|нет|noti)(?= |$)|bekannt|geplant|connu|conocid|conhecid|prevu|planead|planejad|известн|планир|відом|znan|bilinen|planlan|kand)|非(?=破)|已知|既知|알려진|计划|計劃|予定/;

/** `CLI improvements`, `Bug fixes in the client`, `Features and enhancements`. The name is kept. */
function findByWords(find: FindSection, name: string): Section | undefined {
  const whole = singularName(name);
  if (whole === '' || NOT_OF_THIS_VERSION.test(whole)) return undefined;
  const [before, inner] = splitParentheses(name);
  const key = inner === '' ? whole : singularName(before);
  if (INTERNAL.test(key)) return kept('other');
  const head = key.replace(TAIL, '');
  const parts = key.split(BETWEEN);
  const found =
    combine(parts.map((part) => findOne(find, part))) ??
    find(head) ??
    (head === key ? undefined : combine(head.split(BETWEEN).map((part) => findOne(find, part)))) ??
    findForeign(head);
  if (found === undefined) return undefined;
  // `Added (新增)`, `Geändert / Changed`
  const isTwice = inner === '' ? head === key && parts.length > 1 : find(inner)?.type === found.type;
  return { ...found, isImpliedByType: isTwice && found.isImpliedByType };
}

function splitParentheses(name: string): readonly [before: string, inner: string] {
  if (!/[(（]/.test(name)) return [name, ''];
  const text = name.normalize('NFKC');
  return [text.replace(IN_PARENTHESES, ''), IN_PARENTHESES.exec(text)?.[1] ?? ''];
}

function findOne(find: FindSection, name: string): Section | undefined {
  return find(name) ?? find(PARTICIPLE.exec(name)?.[0] ?? NEW.exec(name)?.[0] ?? KIND.exec(name)?.[1] ?? '');
}

/** Undefined if any is unknown. If they differ, the texts decide, or else something changed. */
function combine([first, ...others]: readonly (Section | undefined)[]): Section | undefined {
  if (first === undefined || others.includes(undefined)) return undefined;
  const all = [first, ...(others as Section[])];
  if (!all.every((one) => one.type === first.type && one.breaking === first.breaking))
    return vague(kept(all.some(({ type }) => type === 'other') ? 'other' : 'changed'));
  return { ...first, isImpliedByType: all.every((one) => one.isImpliedByType) };
}

const WORDS_MAX = 4;
const AFFIX_CHARACTERS_MAX = 6;
/** What is added, removed or fixed: it says nothing as a part of a name. */
const OBJECTS: ReadonlySet<string> = new Set(['功能', '特性', '機能', '기능']);

/** By its first or last word: `Technische Verbesserungen`, `Mejoras técnicas`, `界面优化`. */
function findForeign(key: string): Section | undefined {
  const words = key.split(' ');
  if (words.length > WORDS_MAX) return undefined;
  const find = (part: string) => (OBJECTS.has(part) ? undefined : findForeignName(part));
  let [first, last] = isCjk(key) ? [] : [find(words[0] as string), find(words.at(-1) as string)];
  if (!isCjk(key)) return first?.type === 'other' ? (last ?? first) : (first ?? last);
  for (let length = Math.min(AFFIX_CHARACTERS_MAX, key.length); length >= 2; length--) {
    first ??= find(key.slice(0, length));
    last ??= find(key.slice(-length));
  }
  return first?.type === 'other' && !first.isVague ? first : (last ?? first);
}

function findByEmoji(name: string): Section | undefined {
  const meaning = meaningOfEmoji(name.trimStart());
  return meaning && { ...kept(meaning.type), breaking: meaning.breaking };
}

const STEMS = Object.values(LANGUAGES).flatMap(({ breakingWords = [] }) => breakingWords.map(stemOf));
const BREAKING = new RegExp(
  String.raw`(?<!\p{L})(?:breaking|bc break|${STEMS.filter((stem) => !isCjk(stem)).join('|')})\p{L}*|${STEMS.filter(isCjk).join('|')}`,
  'u',
);

function stemOf(stem: string): string {
  return isCjk(stem) ? fold(stem).replaceAll(' ', '') : fold(stem);
}

/** What is left of the name of a section whose changes are breaking; null if it is another one. */
function withoutBreaking(key: string): string | null {
  if (NOT_OF_THIS_VERSION.test(key) || !BREAKING.test(key)) return null;
  return key.replace(BREAKING, '').replaceAll(/\s+/g, ' ').trim();
}
