// Decides from all headings of a file whether the words around labels are names or titles: names repeat, and titles
// differ from version to version.
import { type Candidate, isRelease, keyOf } from './candidate.ts';
import type { NameUse, NameUses } from './parse.ts';
import { isPhrase, saysNothing } from './words.ts';

/** More words than that are titles. */
const WORDS_MAX = 2_000;
/** Below this level, versions may be those of parts. */
const TOP_LEVEL = 2;
/** The name of most versions is that of the product. */
const OWN_SHARE_MIN = 0.8;
const FEW_SHARE = 0.1;
/** These are not products. */
const QUALIFIERS =
  /^(?:lts|stable|ga|final|hot-?fix|patch|bug-?fix|maintenance|security|milestone|snapshot|nightly|dev|prerelease|pre-release|major|minor|initial|first)(?: release| version| fix| update)?$/i;
const CHANNELS = /^(?:edge|stable|nightly|beta|alpha|rc|canary|lts|dev|preview|release)$/i;

/** The headings with the same words before or behind their labels. */
type Same = { all: Candidate[]; labels: Set<string>; clashes: number };

export class Names {
  readonly #title: Candidate | null;
  readonly #befores: ReadonlyMap<string, Same>;
  readonly #behinds: ReadonlyMap<string, Same>;
  /** Releases with a name or none, at any level. */
  readonly #releases: readonly Candidate[];
  /** `Tank 1.0.0` beside `Fuse 1.0.0` */
  readonly #isOfSeveral: boolean;
  readonly #hasCodenames: boolean;
  readonly #known = new Map<string, NameUse | null>();
  readonly #own = new Map<string, boolean>();

  /** The title is the first heading, if it is at the first level. */
  constructor(candidates: readonly Candidate[], title: Candidate | null) {
    this.#title = title;
    const all = candidates.filter(({ version, whole }) => version !== null && whole === null);
    this.#befores = bySame(all, beforeOf);
    this.#behinds = bySame(all, behindOf);
    this.#releases = all.filter((one) => isRelease(one) && !isPhrase(beforeOf(one)));
    const named = [...this.#befores].filter(([name]) => name !== '' && !isPhrase(name));
    const clashes = named.reduce((sum, [, same]) => sum + same.clashes, 0);
    const isMixed = clashes > this.#releases.length * FEW_SHARE || this.#areInterleaved();
    this.#isOfSeveral = isMixed && this.#releases.every((one) => beforeOf(one) !== '');
    const codenames = [...this.#behinds.values()].filter(({ all: [one] }) => one && this.#isCodename(one));
    this.#hasCodenames = codenames.length > 1;
  }

  /** Null if the headings with these words are not versions. */
  usesOf(one: Candidate): NameUses | null {
    const before = this.#useBefore(one);
    return before && { before, behind: this.#useBehind(one) };
  }

  /** Whether it is the name of the changelog's own product. */
  isOwn(name: string): boolean {
    const key = name.toLowerCase();
    const known = this.#own.get(key);
    if (known !== undefined) return known;
    const top = this.#befores.get(key)?.all.find(({ level }) => level <= TOP_LEVEL);
    const isOwn = top !== undefined && name !== '' && this.#useBefore(top) === 'drop';
    this.#own.set(key, isOwn);
    return isOwn;
  }

  /** Whether the same number is behind these words each time, as in the name of a section: `API v3`. */
  isFixed(one: Candidate): boolean {
    const { all = [], labels } = this.#befores.get(beforeOf(one)) ?? {};
    return beforeOf(one) !== '' && all.length > 1 && labels?.size === 1;
  }

  isInTitle(name: string): boolean {
    return `${this.#title?.text ?? ''} `.toLowerCase().startsWith(`${name.toLowerCase()} `);
  }

  /** `Tank 2.0.0` between versions of `Fuse`: a product with a new name would have the old one further down. */
  #areInterleaved(): boolean {
    const top = this.#releases.reduce((least, { level }) => Math.min(least, level), TOP_LEVEL + 1);
    const names = this.#releases.filter(({ level }) => level === top).map(beforeOf);
    const repeated = names.filter((name) => (this.#befores.get(name)?.labels.size ?? 0) > 1);
    const runs = repeated.filter((name, at) => name !== repeated[at - 1]);
    return runs.length > new Set(runs).size;
  }

  /** The same for all headings of a kind with the same name. */
  #useBefore(one: Candidate): NameUse | null {
    const key = `${one.level} ${one.kind} ${one.parts?.isJoined} ${one === this.#title} ${beforeOf(one)}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const use = this.#decideBefore(one);
    this.#known.set(key, use);
    return use;
  }

  #decideBefore(one: Candidate): NameUse | null {
    const name = beforeOf(one);
    const same = this.#befores.get(name);
    const labels = same?.labels ?? new Set<string>();
    const clashes = isClashing(same);
    if (this.#isTitle(one)) return null;
    if (name === '') return 'drop';
    const isWeak = one.level > TOP_LEVEL && ![...labels].some((label) => label.includes('.'));
    if (isWeak || isPhrase(name) || labels.size === 0) return null;
    if (one.parts?.isJoined) return this.#isMainJoined(name) ? 'drop' : 'keep';
    if (this.#isMain(name, this.#releases)) return 'drop';
    if (this.#isOfSeveral || (clashes && labels.size > 1)) return 'keep';
    return !clashes && (labels.size > 1 || this.#isAlone(one)) ? 'drop' : 'title';
  }

  /** Whether the title or nearly all of the versions have this name. */
  #isMain(name: string, among: readonly Candidate[]): boolean {
    if (this.isInTitle(name)) return true;
    const own = among.filter((one) => beforeOf(one) === name).length;
    return own > 2 && own >= among.filter((one) => beforeOf(one) !== '').length * OWN_SHARE_MIN;
  }

  /** `rocket-1.2.0`: the name of most, or of more than a few beside versions without one. */
  #isMainJoined(name: string): boolean {
    const top = this.#releases.filter(({ level }) => level <= TOP_LEVEL);
    const own = top.filter((one) => beforeOf(one) === name);
    if (CHANNELS.test(name)) return this.isInTitle(name);
    if (this.#isMain(name, top) || own.length === top.length) return own.length > 1 || this.isInTitle(name);
    if (isClashing(this.#befores.get(name))) return false;
    const named = Map.groupBy(top, beforeOf);
    const isMost = [...named].every(([other, some]) => other === '' || some.length <= own.length);
    return isMost && own.length > Math.max(2, top.length * FEW_SHARE) && named.has('');
  }

  /** With a date, it may also be a title. */
  #isAlone(one: Candidate): boolean {
    const others = this.#releases.filter((other) => beforeOf(other) !== beforeOf(one));
    return one.kind !== 'dated' && others.every(({ level }) => level > one.level);
  }

  /** `# Rocket 2.0 Changelog` */
  #isTitle(one: Candidate): boolean {
    if (one !== this.#title || one.kind === 'dated') return false;
    const isOnly = (same: Same | undefined) => (same?.all.length ?? 0) < 2;
    if (beforeOf(one) !== '') return isOnly(this.#befores.get(beforeOf(one)));
    return behindOf(one) !== '' && isOnly(this.#behinds.get(behindOf(one)));
  }

  #useBehind(one: Candidate): NameUse {
    const words = behindOf(one);
    if (words === '' || saysNothing(words)) return 'drop';
    const same = this.#behinds.get(words);
    const labels = same?.labels ?? new Set<string>();
    if (isClashing(same)) return isPhrase(words) ? 'title' : 'keep';
    if (labels.size > 1 && QUALIFIERS.test(words)) return 'codename';
    if (labels.size > 1 && !isPhrase(words)) return this.#behinds.size > 1 ? 'keep' : 'drop';
    return this.#hasCodenames && this.#isCodename(one) ? 'codename' : 'title';
  }

  /** `Slam Dunk` in `2.0.0 Slam Dunk` */
  #isCodename(one: Candidate): boolean {
    const same = this.#behinds.get(behindOf(one));
    const isName = /^\p{Lu}/u.test(one.parts?.behind ?? '') && !isPhrase(behindOf(one));
    return isName && beforeOf(one) === '' && same?.labels.size === 1 && same.clashes === 0;
  }
}

const beforeOf = ({ parts }: Candidate) => parts?.before.toLowerCase() ?? '';
const behindOf = ({ parts }: Candidate) => parts?.behind.toLowerCase() ?? '';

/** Few labels that others have, too, are those of a product that was renamed. */
function isClashing(same: Same | undefined): boolean {
  return same !== undefined && same.clashes > same.all.length * FEW_SHARE;
}

/** Notes which labels have other words, too. */
function bySame(all: readonly Candidate[], wordsOf: (one: Candidate) => string): Map<string, Same> {
  const found = new Map<string, Same>();
  const firstWith = new Map<string, string>();
  for (const one of all) {
    const words = saysNothing(wordsOf(one)) ? '' : wordsOf(one);
    const same = found.get(words) ?? { all: [], labels: new Set(), clashes: 0 };
    if (!found.has(words) && found.size >= WORDS_MAX) continue;
    found.set(words, same);
    same.all.push(one);
    same.labels.add(one.parts?.start.label ?? '');
    if (!isRelease(one)) continue;
    const label = `${one.level} ${keyOf(one.parts?.start.label ?? '')}`;
    const other = firstWith.get(label) ?? words;
    firstWith.set(label, other);
    if (other === words) continue;
    same.clashes++;
    (found.get(other) as Same).clashes++;
  }
  return found;
}
