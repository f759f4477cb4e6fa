// Decides which headings of a file are versions: each gets points for what it says and for where it stands.
import { findDate } from '../../dates/dates.ts';
import type { Heading, Outline } from '../outline.ts';
import { type Candidate, candidateOf, isRelease, type Kind, keyOf, kindOf } from './candidate.ts';
import { Names } from './names.ts';
import { isSeries, parseVersionHeading, type VersionHeading, versionOf } from './parse.ts';
import { withStrays } from './strays.ts';
import { isPhrase, saysNothing } from './words.ts';

export type Reason = readonly [why: string, points: number];

export type Choice = Readonly<{
  headings: readonly Candidate[];
  versions: readonly Candidate[];
  /** That of the first heading at the level of versions. */
  firstLine: number;
  /** The top level of versions: a heading above it ends a version. */
  level: number;
  names: Names;
  /** Those that look like versions that were missed. */
  unread: readonly Candidate[];
  explain: (candidate: Candidate) => readonly Reason[];
}>;

const POINTS_MIN = 4;
/** Down to this level, a number is a version. */
const CERTAIN_LEVEL = 2;
const SECTION_LEVEL = 3;
/** Lines are versions only where headings are not. */
const LINES_PER_HEADING = 4;
/** A level with a smaller share of all versions has them by accident. */
const LEVEL_SHARE_MIN = 0.1;
/** A series with so much text has changes. */
const SERIES_LINES_MIN = 10;
const ITEM = /^\s*[-*+]\s/;
const LIST_OR_HEADING = /^\s*(?:[-*+]\s|\d+[.)]\s|#)/;

export function chooseVersions({ headings, lines }: Outline): Choice {
  const all = headings.map((heading) => candidateOf(heading, lines));
  findParts(all);
  const first = all.find(({ mark }) => mark === 'heading');
  const title = first?.level === 1 ? first : null;
  const names = new Names(all, title);
  for (const one of all) interpret(one, names);
  const judge = new Judge(all, title);
  const versions = all.filter((one) => judge.accepts(one));
  const groups = new Set(versions.filter((one, at) => isGroup(one, versions[at + 1], lines)));
  for (const one of versions) one.isVersion = !groups.has(one);
  for (const one of all) if (one.whole?.isVersion) addPart(one, one.whole);
  const left = versions.filter(({ isVersion }) => isVersion);
  const usual = usualLevels(left);
  return {
    headings: all,
    level: topOf(left),
    names,
    unread: all.filter((one) => !one.isVersion && !groups.has(one) && isMissed(one, usual, names, title)),
    ...withStrays(all, left, whereVersionsAre(left, judge.form), lines),
    explain: (one) => judge.reasonsFor(one),
  };
}

/** For files in which each heading alone shows whether it is a version: our own format, and a rule of the user. */
export function chooseBy(
  parse: (heading: Heading) => VersionHeading | null,
  outline: Outline,
  { isOwnFormat = false } = {},
): Choice {
  const unknown = { parts: null, kind: null, isDated: false, uses: null, whole: null };
  const all = outline.headings.map((heading): Candidate => {
    const version = parse(heading);
    return { ...heading, ...unknown, version, isVersion: version !== null };
  });
  const versions = all.filter(({ isVersion }) => isVersion);
  return {
    headings: all,
    level: topOf(versions),
    names: new Names([], null),
    unread: all.filter(({ isVersion, text }) => !isVersion && parseVersionHeading(text) !== null),
    // In our own format, the first heading is the name of the changelog, whatever it says.
    ...withStrays(
      isOwnFormat && all[0]?.level === 1 ? all.slice(1) : all,
      versions,
      whereVersionsAre(versions, versions[0]?.mark),
      outline.lines,
    ),
    explain: () => [],
  };
}

/** `### v1.9.0 (2021-12-31) Changes` below `## v1.9.0`, but not `### TypeScript 1.9.0` */
function findParts(all: readonly Candidate[]): void {
  let whole: Candidate | null = null;
  for (const one of all) {
    if (whole !== null && one.level <= whole.level) whole = null;
    if (whole !== null && isPartOf(one, whole)) one.whole = whole;
    else if (isRelease(one) && (whole === null || one.level <= CERTAIN_LEVEL || one.kind !== 'bare'))
      whole = one;
  }
}

function isPartOf(part: Candidate, whole: Candidate): boolean {
  if (part.parts === null || whole.parts === null || part.version === null || whole.version === null)
    return false;
  const isSame = (a: string, b: string) => a === '' || b === '' || a === b;
  const dates = [part.version.date?.timestamp ?? '', whole.version.date?.timestamp ?? ''] as const;
  return (
    keyOf(part.parts.start.label) === keyOf(whole.parts.start.label) &&
    isSame(...dates) &&
    isSame(part.version.title, whole.version.title) &&
    ['', whole.parts.before.toLowerCase()].includes(part.parts.before.toLowerCase()) &&
    (saysNothing(part.parts.behind) || ['', whole.parts.behind].includes(part.parts.behind))
  );
}

function addPart({ version: part }: Candidate, whole: Candidate): void {
  if (part === null || whole.version === null) return;
  const { date, title, link, isYanked } = whole.version;
  whole.version = {
    ...whole.version,
    date: date ?? part.date,
    title: title || part.title,
    link: link ?? part.link,
    isYanked: isYanked || part.isYanked,
  };
}

/** Reads it again, now that the words around its label are known. */
function interpret(one: Candidate, names: Names): void {
  if (one.parts === null || one.whole !== null) return;
  one.uses = names.usesOf(one);
  const { before, behind } = one.parts;
  const isPlain = before === '' && behind === '';
  one.version = one.uses && (isPlain ? one.version : versionOf(one.parts, one.uses));
  one.kind = one.version && kindOf(one.version, one.parts, one.isDated);
  const isNamed = before !== '' && (one.uses?.before === 'drop' || one.uses?.before === 'keep');
  if (isNamed && one.level >= SECTION_LEVEL && isRelease(one)) {
    if (!names.isOwn(before)) one.kind = one.parts.isJoined ? one.kind : 'package';
    else if (one.kind === 'bare') one.kind = 'linked';
  }
  // `Rocket (unreleased)`
  if (one.version?.isUnreleased && names.isOwn(one.version.label))
    one.version = { ...one.version, label: 'Unreleased' };
}

/** Gives points, given what the file has. */
class Judge {
  readonly #title: Candidate | null;
  readonly form: Heading['mark'];
  /** Those whose number is between those before and after it. */
  readonly #inOrder: ReadonlySet<Candidate>;
  /** The number of releases by level and kind. */
  readonly #counts = new Map<number, Map<Kind, number>>();
  /** The line of the last heading that may be a version, if several lines below it may be some. */
  readonly #lastLine: number;
  readonly #isAnnounced: boolean;
  readonly #deepest: number;
  readonly #firstLine: number;

  constructor(all: readonly Candidate[], title: Candidate | null) {
    this.#title = title;
    const releases = all.filter((one) => isRelease(one) && one.whole === null && !isSeries(one.text));
    this.form = formOf(releases);
    this.#inOrder = new Set(releases.filter((one, at) => isBetween(releases[at - 1], one, releases[at + 1])));
    const last = releases.findLast(({ mark }) => mark === 'heading');
    const isTail = releases.filter(({ line }) => line > (last?.line ?? 0)).length > 1;
    this.#lastLine = last !== undefined && isTail ? last.line : Number.MAX_SAFE_INTEGER;
    const alike = releases.filter(({ mark }) => isOfForm(mark, this.form));
    this.#isAnnounced = alike.filter(({ parts }) => parts?.isAnnounced).length * 2 > alike.length;
    for (const { level, kind } of alike) {
      const kinds = this.#counts.get(level) ?? new Map<Kind, number>();
      this.#counts.set(level, kinds.set(kind as Kind, (kinds.get(kind as Kind) ?? 0) + 1));
    }
    const versions = releases.filter((one) => this.accepts(one));
    this.#deepest = versions.reduce((deepest, { level }) => Math.max(deepest, level), 0);
    this.#firstLine = versions[0]?.line ?? Number.MAX_SAFE_INTEGER;
  }

  accepts(one: Candidate): boolean {
    if (one.version === null || one.whole !== null) return false;
    return this.reasonsFor(one).reduce((sum, [, points]) => sum + points, 0) >= POINTS_MIN;
  }

  reasonsFor(one: Candidate): Reason[] {
    const { version, kind, level, line, mark } = one;
    if (version === null || kind === null) return [];
    const isFirst = line < this.#firstLine;
    const isTitle = one === this.#title && !this.#counts.has(1) && this.#counts.size > 0;
    const above = this.#above(level);
    const reasons: readonly (readonly [boolean, ...Reason])[] = isRelease(one)
      ? [
          [/\d/.test(version.label), 'a number', 2],
          [version.date !== null || one.isDated, 'a date', 4],
          [kind === 'linked' && level <= SECTION_LEVEL, 'a link or the name of the product', 2],
          [mark === 'heading' && level <= CERTAIN_LEVEL, 'a high level', 2],
          [mark === 'heading' && this.#isUsual(kind, level, above), 'most others are at this level', 2],
          [kind === 'bare' && this.#inOrder.has(one), 'between those before and after it', 2],
          [mark === 'bold', 'a line in bold', 2],
          [kind === 'package' && level >= SECTION_LEVEL && above > 0, 'another name, below a release', -3],
          [this.#isOdd(one), 'words that others do not have', -3],
          [mark !== 'heading' && !this.#isOfForm(one), 'not a heading', -5],
        ]
      : [
          [
            kind === 'unreleased' && level <= Math.max(this.#deepest, SECTION_LEVEL),
            'the name of a draft',
            4,
          ],
          [
            kind === 'ambiguous' && isFirst && level <= this.#levelOfDrafts,
            'a name of drafts above all versions',
            4,
          ],
          [kind === 'ambiguous' && isTitle, 'the title', -4],
          [version.title !== '' && !isFirst, 'more words, below the first version', -4],
          [
            mark !== 'heading' &&
              !this.#isOfForm(one) &&
              (mark === 'item' || !isFirst || this.#counts.size === 0),
            'not a heading',
            -5,
          ],
        ];
    return reasons.flatMap(([holds, ...reason]) => (holds ? [reason] : []));
  }

  /** `Changes in 2.0.0` is a section if others are versions without these words, or if it has no dot and is alone. */
  #isOdd({ parts, level, version }: Candidate): boolean {
    if (!parts?.isAnnounced || version?.date != null) return false;
    return !this.#isAnnounced || (!parts.start.label.includes('.') && countOf(this.#counts.get(level)) < 2);
  }

  /** Old versions at the end may be lines, even if the others are headings. */
  #isOfForm({ mark, line, version }: Candidate): boolean {
    return isOfForm(mark, this.form) || (line > this.#lastLine && version?.date != null && mark !== 'item');
  }

  get #levelOfDrafts(): number {
    return this.#counts.size === 0 ? CERTAIN_LEVEL : this.#deepest;
  }

  #above(level: number): number {
    return [...this.#counts].reduce((sum, [other, kinds]) => sum + (other < level ? countOf(kinds) : 0), 0);
  }

  /** Below the second level, a number may be a section, unless most such numbers are at that level. */
  #isUsual(kind: Kind, level: number, above: number): boolean {
    if (level <= CERTAIN_LEVEL) return false;
    if (kind !== 'bare') return above === 0;
    const kinds = this.#counts.get(level);
    const count = kinds?.get('bare') ?? 0;
    const beside = (kinds?.get('dated') ?? 0) + (kinds?.get('linked') ?? 0);
    return count > above || beside >= Math.max(count, 2);
  }
}

function countOf(kinds: ReadonlyMap<Kind, number> | undefined): number {
  return [...(kinds?.values() ?? [])].reduce((sum, count) => sum + count, 0);
}

/** `1.5.4.1` between `1.5.5` and `1.5.4`, with as many numbers as one of them. */
function isBetween(before: Candidate | undefined, one: Candidate, after: Candidate | undefined): boolean {
  if (one.level <= CERTAIN_LEVEL || !before || !after) return false;
  const [a, b, c] = [before, one, after].map(numbersOf) as [number[], number[], number[]];
  const isAlike = b.length > 2 && [a.length, c.length].includes(b.length);
  return isAlike && compareNumbers(a, b) > 0 && compareNumbers(b, c) > 0;
}

function numbersOf({ parts }: Candidate): number[] {
  return (/\d+(?:\.\d+)*/.exec(parts?.start.label ?? '')?.[0] ?? '').split('.').map(Number);
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((number, index) => number !== b[index]);
  return at === -1 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1);
}

/** Only what repeats, and only where versions do not have headings. */
function formOf(releases: readonly Candidate[]): Heading['mark'] {
  const count = (form: Heading['mark']) =>
    releases.filter((one) => isOfForm(one.mark, form) && isStrong(one)).length;
  const [headings, lines, items] = [count('heading'), count('line'), count('item')];
  if (Math.max(lines, items) < 2 || Math.max(lines, items) <= LINES_PER_HEADING * headings) return 'heading';
  return items > lines ? 'item' : 'line';
}

function isOfForm(mark: Heading['mark'], form: Heading['mark']): boolean {
  return mark === form || (mark === 'bold' && form === 'line');
}

function isStrong({ mark, version }: Candidate): boolean {
  return mark === 'heading' || mark === 'bold' || version?.date != null;
}

/** `# 2.1` or `# 2.1.x` above `## 2.1.3` is a chapter, if it has no changes of its own. */
function isGroup(one: Candidate, next: Candidate | undefined, lines: readonly string[]): boolean {
  if (one.version === null || one.version.isUnreleased) return false;
  const below = () => lines.slice(one.line, (next?.line ?? lines.length + 1) - 1);
  const nextKey = keyOf(next?.version?.label ?? '');
  if (isSeries(one.version.label)) {
    const prefix = keyOf(one.version.label).replace(/(?:\.[x*])+(?!\w).*$/, '.');
    const texts = below().filter((line) => line.trim() !== '');
    const isLong = texts.length >= SERIES_LINES_MIN && !nextKey.startsWith(prefix);
    return !isLong && !texts.some((line) => ITEM.test(line));
  }
  if (!next?.version || one.version.date !== null || !nextKey.startsWith(`${keyOf(one.version.label)}.`))
    return false;
  if (next.level <= one.level && next.mark === one.mark) return false;
  return !below().some((line) => LIST_OR_HEADING.test(line) || findDate(line) !== null);
}

/** Whether it looks like a version; a number or a date in a heading counts at the levels of versions. */
function isMissed(
  one: Candidate,
  levels: ReadonlySet<number>,
  names: Names,
  title: Candidate | null,
): boolean {
  const { mark, level, text, version, kind } = one;
  if (one.whole !== null || one === title || mark === 'item' || isSeries(text)) return false;
  if (mark !== 'heading') return isRelease(one) && version?.title === '' && isStrong(one);
  if (version !== null && kind !== 'package' && isRelease(one)) return true;
  if (!/\d+\.\d+/.test(text) && findDate(text) === null) return false;
  if (names.isFixed(one)) return false;
  return level <= Math.max(...levels) && (level > 1 || levels.has(1));
}

/** Not by spreading: there may be a million. */
function topOf(versions: readonly Candidate[]): number {
  return versions.reduce((top, { level }) => Math.min(top, level), Number.POSITIVE_INFINITY);
}

/** Without those that have versions by accident. */
function usualLevels(versions: readonly Candidate[]): Set<number> {
  const byLevel = Map.groupBy(versions, ({ level }) => level);
  const usual = [...byLevel].filter(([, some]) => some.length >= versions.length * LEVEL_SHARE_MIN);
  return new Set(usual.map(([level]) => level));
}

function whereVersionsAre(versions: readonly Candidate[], form: Heading['mark'] = 'heading') {
  const levels = usualLevels(versions).add(versions[0]?.level ?? 0);
  return ({ level, mark }: Candidate) => levels.has(level) && isOfForm(mark, form);
}

/** The name that most versions have before their labels. */
export function nameOf({ versions }: Choice): string | null {
  const named = versions.filter(({ parts, uses }) => parts?.before && uses?.before === 'drop');
  const groups = [...Map.groupBy(named, ({ parts }) => parts?.before.toLowerCase()).values()];
  return groups.toSorted((a, b) => b.length - a.length)[0]?.[0]?.parts?.before ?? null;
}

/** Sentences that mention a version do not count as missed, unless they are dated. */
export function isSentence({ text }: Candidate): boolean {
  return isPhrase(text.replaceAll(/\S*\d\S*/g, '')) && findDate(text) === null;
}
