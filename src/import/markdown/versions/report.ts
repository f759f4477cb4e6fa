// What an import says about the headings of a file: which were missed, and why each is what it is.
import { COMMAND } from '../../../command-name.ts';
import { Refusal } from '../../../errors.ts';
import { READABLE_FORMATS } from '../../changelog.ts';
import { findDate } from '../../dates/dates.ts';
import { compileHeading } from '../../rules.ts';
import { limitWarnings, quote } from '../../warnings.ts';
import type { Heading, Outline } from '../outline.ts';
import { type Candidate, isRelease } from './candidate.ts';
import { type Choice, isSentence } from './choose.ts';
import { isPhrase } from './words.ts';

type Shown = Readonly<{ line: number; text: string }>;

/** The import failed if more than a tenth of the versions were not read. */
const UNREAD_SHARE_MAX = 0.1;
const LISTED_MAX = 5;
const LINE_CHARACTERS_MAX = 200;
const VERSION_FIRST = /^(?:version |release )?\[?v?\d+\.\d+/i;
const MARKERS = /^[\s>#*_+=[(-]+/;

export function noVersionsError(file: string, lines: readonly string[], rule: RegExp | null): Refusal {
  const best = mostLikeVersion(lines);
  const nearest = best === null ? '' : `; the line most like one is ${quote(best.text)}`;
  const said =
    rule === null
      ? `no version headings such as \`## [1.2.0] - 2026-05-04\` found${nearest}; is it a changelog? It may be in one of these formats: ${READABLE_FORMATS.join(', ')}; --heading REGEX reads other headings.`
      : `no heading matches --heading '${rule.source}'${nearest}; change the expression.`;
  return new Refusal(said, { at: [file, best?.line ?? 1] });
}

function mostLikeVersion(lines: readonly string[]): Shown | null {
  let best: Shown | null = null;
  let most = 0;
  for (const [index, text] of lines.entries()) {
    if (text.length > LINE_CHARACTERS_MAX || !/\d+\.\d+/.test(text)) continue;
    const plain = text.replace(MARKERS, '');
    const score =
      (VERSION_FIRST.test(plain) ? 4 : 0) +
      (/^#{1,6}\s/.test(text) ? 3 : 0) +
      (findDate(plain) === null ? 0 : 2) -
      (isPhrase(plain) ? 4 : 0);
    if (score > most) [most, best] = [score, { line: index + 1, text: text.trim() }];
  }
  return best;
}

/** Refuses a file of which too much was missed; what is left to tell are warnings. */
export function requireMostRead(file: string, { slips, unclosed }: Outline, choice: Choice): string[] {
  const read = choice.versions.filter(isRelease).length;
  const missed = choice.unread.filter((one) => !isSentence(one));
  if (unclosed !== null && unclosed.headings > read * UNREAD_SHARE_MAX)
    throw new Refusal(describeUnclosed(unclosed.headings), { at: [file, unclosed.line] });
  if (missed.length > read * UNREAD_SHARE_MAX) throw unreadError(file, missed, read, choice.headings);
  const told = [
    ...slips.map(({ line, problem, advice }) => ({
      line,
      says: `${problem}, but it was read as intended; ${advice}.`,
    })),
    ...(unclosed === null ? [] : [{ line: unclosed.line, says: describeUnclosed(unclosed.headings) }]),
  ];
  return [...told.map(({ line, says }) => `${file}:${line}: ${says}`), ...warnOfUnread(file, choice.unread)];
}

export function warnOfUnread(file: string, unread: readonly Candidate[]): string[] {
  return limitWarnings(
    unread.map((one) => `${file}:${one.line}: the heading ${quote(one.text)} does not count as a version.`),
    (more) => `${file}: … and ${more} more such headings.`,
  );
}

export function describeUnclosed(count: number): string {
  return `this code block or comment is never closed and hides ${count} version ${count === 1 ? 'heading' : 'headings'}; add the line that closes it.`;
}

function unreadError(
  file: string,
  missed: readonly Candidate[],
  read: number,
  headings: readonly Heading[],
): Refusal {
  const count = missed.length;
  const list = missed.slice(0, LISTED_MAX).map((one) => `${quote(one.text)} (line ${one.line})`);
  const more = count > list.length ? `, … and ${count - list.length} more` : '';
  const what =
    count === 1
      ? '1 heading looks like a version but does not count as one'
      : `${count.toLocaleString('en')} headings look like versions but do not count as one`;
  const others = `while ${read.toLocaleString('en')} ${read === 1 ? 'does' : 'do'}`;
  const rule = suggestHeading(missed, read, headings);
  const advice =
    rule === null
      ? `with --heading REGEX; \`${COMMAND} import --explain FILE\` shows how each is read`
      : `with --heading '${rule}'`;
  return new Refusal(
    `${what}, ${others}: ${list.join(', ')}${more}; say which headings are versions ${advice}.`,
    { at: [file, missed[0]?.line ?? 1] },
  );
}

const LABEL = String.raw`(?<label>v?\d+\.\d[\w.+-]*)`;

/** An expression that matches these headings and those that begin with a label; null if it reads too few of them. */
function suggestHeading(
  missed: readonly Candidate[],
  read: number,
  headings: readonly Heading[],
): string | null {
  const befores = new Set(missed.map(({ text }) => /^(.*?)\[?v?\d+\.\d/.exec(text)?.[1] ?? ''));
  const escaped = [...befores]
    .filter((before) => before !== '')
    .map((before) => before.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`).replaceAll("'", '.'));
  const pattern = `^${escaped.length === 0 ? '' : `(?:${escaped.join('|')})?`}\\[?${LABEL}`;
  try {
    const rule = compileHeading(pattern);
    return headings.filter(({ text }) => rule.test(text)).length >= read + missed.length ? pattern : null;
  } catch {
    return null;
  }
}

/** Only the user knows whether they are other products. */
export function warnOfNames(file: string, { versions, names }: Choice): string[] {
  const told = new Set<string>();
  const warnings = versions.filter(isRelease).flatMap(({ line, parts, uses }) => {
    const isKept = uses?.before === 'keep' || uses?.behind === 'keep';
    const name = (uses?.behind === 'keep' && uses.before !== 'keep' ? parts?.behind : parts?.before) ?? '';
    const isOther = (other: Candidate) => other.parts?.before.toLowerCase() !== name.toLowerCase();
    if (name === '' || told.has(name.toLowerCase())) return [];
    told.add(name.toLowerCase());
    const isDropped = names.isOwn(name) && !names.isInTitle(name) && versions.filter(isRelease).some(isOther);
    if (!isKept && !isDropped) return [];
    const what = isKept
      ? 'stay apart from the others: their labels keep the name'
      : 'count as versions of the same product as the others: their labels lose the name';
    return [`${file}:${line}: versions named ${JSON.stringify(name)} ${what}.`];
  });
  return limitWarnings(warnings, (more) => `${file}: … and ${more} more such names.`);
}

const COLUMNS = ['line', 'level', 'points', 'is', 'label', 'date', 'heading', 'because'] as const;
type Row = Readonly<Record<(typeof COLUMNS)[number], string>>;

/** A table of all headings and of the lines that look like versions: what each is, and why. */
export function explainHeadings(choice: Choice, isChapter: (one: Candidate) => boolean): string[] {
  const unread = new Set(choice.unread);
  const firstLine = choice.versions[0]?.line ?? Number.MAX_SAFE_INTEGER;
  const verdictOf = (one: Candidate) => {
    if (one.isVersion) return one.version?.isUnreleased ? 'draft' : 'version';
    if (one.whole !== null) return 'part';
    if (one.mark !== 'heading') return 'text';
    return one.line < firstLine ? 'text' : isChapter(one) ? 'chapter' : 'section';
  };
  const rows = choice.headings.map((one): Row => {
    const reasons = one.whole === null ? choice.explain(one) : [];
    const because = [
      ...reasons.map(([why, points]) => `${why} ${points > 0 ? '+' : ''}${points}`),
      ...(one.whole === null ? [] : [`repeats ${one.whole.version?.label} of line ${one.whole.line}`]),
      ...(unread.has(one) ? [isSentence(one) ? 'a sentence' : 'looks like a version'] : []),
    ];
    return {
      line: String(one.line),
      level: one.mark === 'heading' ? String(one.level) : one.mark,
      points: reasons.length === 0 ? '' : String(reasons.reduce((sum, [, points]) => sum + points, 0)),
      is: verdictOf(one),
      label: one.version?.label ?? '',
      date: one.version?.date?.timestamp?.slice(0, 10) ?? (one.isDated ? 'below' : ''),
      heading: quote(one.text),
      because: because.join(', '),
    };
  });
  const head = Object.fromEntries(COLUMNS.map((name) => [name, name])) as Row;
  const widths = COLUMNS.map((name) =>
    [head, ...rows].reduce((widest, row) => Math.max(widest, row[name].length), 0),
  );
  return [head, ...rows].map((row) =>
    COLUMNS.map((name, at) => row[name].padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
