// Finds the type of change that the name of a section stands for.
import type { ChangeType } from '../../domain/model.ts';
import { singularName } from './names.ts';
import { CHANGESETS, type FindSection, implied, kept, SECTIONS, type Section, vague } from './sections.ts';

type Given = ReadonlyMap<string, ChangeType>;

/** Options win over the table. */
export function sectionFinder(
  given: Given,
  { isChangesets }: Readonly<{ isChangesets: boolean }>,
): FindSection {
  const findGiven = givenFinder(given);
  const find: FindSection = (name) => {
    const key = singularName(name);
    return findGiven(key) ?? (isChangesets ? CHANGESETS.get(key) : undefined) ?? SECTIONS.get(key);
  };
  return (name) => find(name) ?? findByWords(find, name);
}

/** For names before texts, without the rules for longer names. */
export function tagFinder(given: Given): FindSection {
  const findGiven = givenFinder(given);
  return (name) => {
    const key = singularName(name);
    return findGiven(key) ?? SECTIONS.get(key);
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
const IN_PARENTHESES = /\([^()]*\)[^\p{L}()]*$/u;
const TAIL = / (?:in|for|to|of|since|from|by|with|on|at|before|after|that)(?: .*)?$/;
const BETWEEN = / (?:and|or) | ?[,/&+] ?/;
/** A first word that says what happened. */
const PARTICIPLE =
  /^(?:added|changed|deprecated|removed|fixed|improved|updated|renamed|dropped|introduced|reverted|modified)(?= )/;
/** `New lints`, but not `New contributors`. */
const NEW =
  /^new(?= (?!.*\b(?:contributor|maintainer|committer|member|deprecation|default|behaviou?r|name|website|version|release)\b))/;
const KIND =
  /(?:^| )(breaking change|incompatible change|bc break|security fix|bug fix|bugfix|fix|feature|enhancement|improvement|optimi[sz]ation|addition|deprecation|removal|change)$/;
const NOT_OF_THIS_VERSION =
  /(?:^| )(?:no|non|not|without|known|previous|upcoming|planned|future|past|older|earlier|how|why)(?= |$)/;

/** `CLI improvements`, `Bug fixes in the client`, `Features and enhancements`. The name is kept. */
function findByWords(find: FindSection, name: string): Section | undefined {
  if (singularName(name) === '') return undefined;
  const key = singularName(name.replace(IN_PARENTHESES, ''));
  if (NOT_OF_THIS_VERSION.test(key)) return undefined;
  if (INTERNAL.test(key)) return kept('other');
  const head = key.replace(TAIL, '');
  const one = find(head);
  if (one !== undefined) return { ...one, isImpliedByType: false };
  const combined = combine(head.split(BETWEEN).map((part) => findOne(find, part)));
  return combined && { ...combined, isImpliedByType: false };
}

function findOne(find: FindSection, name: string): Section | undefined {
  return find(name) ?? find(PARTICIPLE.exec(name)?.[0] ?? NEW.exec(name)?.[0] ?? KIND.exec(name)?.[1] ?? '');
}

/** Undefined if any is unknown. If they differ, the texts decide. */
function combine([first, ...others]: readonly (Section | undefined)[]): Section | undefined {
  if (first === undefined || others.includes(undefined)) return undefined;
  const isSame = others.every((one) => one?.type === first.type && one.breaking === first.breaking);
  return isSame ? first : vague(kept('other'));
}
