// Finds text of a changelog that an import loses.
import { sectionFinder } from '../../src/import/body/find-section.ts';
import { countWords, DATES, labelIn } from './headings.ts';
import type { ApiVersion } from './sandbox.ts';

const WORD = /[\p{L}\p{N}]+/gu;
/** Anchors are meaningless outside the page that they were written for, and comments are for authors. */
const LEFT_OUT = /<a\s+(?:name|id)=["']?[^"'<>]*["']?\s*(?:\/>|>\s*<\/a>)|<!--.*?-->/gis;
/** The link of what is unreleased changes with each release. */
const REFERENCE = /\]\[[^[\]\n]*\]|^ ?\[(?:unreleased\]:.*|[^[\]\n]*\]:)/gim;
const DEFINITION = /^ {0,3}\[([^[\]]+)\]:/;
const HEADING = /^#+ .*$/gm;
/** Who wrote a version, which the API does not have. */
const AUTHOR = /^(\W*v?\d+\.\S*[ \t].{0,30}?)(?:\p{L}[\p{L}.]* ){1,4}<[^<>\s]+@[^<>\s]+>/gimu;
/** Of the file: it becomes the name of a new changelog. */
const TITLE = /^\s*(?:[#=] .*|.*\n[=*#~-]{3,}$|[=*#~-]{3,}\n.*\n[=*#~-]{3,}$)/m;
/** Markup in headings that does not become part of a title. */
const IN_HEADING = /<\/?(?:small|a|span|sub|sup)\b[^<>]*>|:\w+:/gi;
/** The API has the day alone of a time whose zone is not known. */
const TIME = /\b\d{1,2}:\d\d(?::\d\d)?(?!\d)(?: ?(?:GMT)?[-+]\d\d:?\d\d| [A-Z]{2,4}\b)?/g;
/** The number of an item in a list. */
const NUMBERED = /^\s*\d+[.)、](?=\s)/gm;
const DAY = /^(\d+)(?:st|nd|rd|th)$/;
/** Words that the API expresses as fields. */
const SAID_BY_FIELDS =
  'full changelog version breaking yanked unreleased development planned expected eta releasedate noteworthy tbd xx none nothing yet pending description'.split(
    ' ',
  );
/** Words in the names of sections that the API expresses as a type. */
const SAID_BY_TYPES = new Set(
  [
    'added add adds addition additions new feature features feat implemented minor what s is or and other others',
    'changed change changes enhancement enhancements improved improvement improvements major breaking',
    'fixed fix fixes bug bugs bugfix bugfixes patch security',
    'deprecated deprecate deprecation deprecations removed remove removal removals',
  ].flatMap((words) => words.split(' ')),
);
/** Part of a label. */
const NUMBER = /^v?\d+(?:[a-z]{1,5}\d*)?$/;
/** Words around a label or a date. */
const SAID_BY_HEADINGS = new Set(
  [
    'overview noteworthy changes in with release version stable alpha beta from to änderungen für リリース日',
    'released date on at published available as of the a p m am pm utc gmt est edt pst pdt cet cest bst',
  ].flatMap((words) => words.split(' ')),
);

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(WORD) ?? []).map((word) => word.replace(/^0+(?=\d)/, ''));
}

/** What an import made of a file; the description is that of the changelog. */
export type ReadBack = Readonly<{ description: string | null; versions: readonly ApiVersion[] }>;

function textsOf({ version, title, description, links, changes }: ApiVersion): string[] {
  return [version, title, description ?? '', links?.compare ?? '', ...changes.map(({ text }) => text)];
}

/** The words of the source that were not read back. */
export function lostWords(source: string, { description, versions }: ReadBack): string[] {
  const known = new Set([...SAID_BY_FIELDS, ...wordsOf(description ?? '')]);
  for (const version of versions) {
    const { status, publishedAt, changes } = version;
    const fields = [status, publishedAt?.replace('T', ' ') ?? '', ...changes.map(({ type }) => type)];
    for (const text of [...textsOf(version), ...fields]) for (const word of wordsOf(text)) known.add(word);
    if (publishedAt !== null) for (const word of namesIn(publishedAt)) known.add(word);
  }
  const written = linesOf(source)
    .join('\n')
    .replaceAll(REFERENCE, ' ')
    .replaceAll(TIME, ' ')
    .replaceAll(NUMBERED, ' ')
    .replaceAll(HEADING, (heading) => heading.replaceAll(IN_HEADING, ' '));
  return [...new Set(wordsOf(written))].filter(
    (word) => !known.has(word) && !known.has(DAY.exec(word)?.[1] ?? word),
  );
}

/** Without those that only say when, names of sections, and definitions of a name that has one, which Markdown ignores. */
function linesOf(source: string): string[] {
  const defined = new Set<string>();
  return source
    .replaceAll(LEFT_OUT, ' ')
    .replaceAll(AUTHOR, '$1')
    .replace(TITLE, (title) => (/^\W*v?\d/i.test(title) ? title : ''))
    .split(/\r\n?|\n/)
    .filter((line) => {
      const name = DEFINITION.exec(line)?.[1]?.toLowerCase();
      if (name !== undefined && defined.has(name)) return false;
      if (name !== undefined) defined.add(name);
      if (isSaidByType(line)) return false;
      return !wordsOf(line.replaceAll(DATES, ' ')).every(
        (word) => SAID_BY_HEADINGS.has(word) || NUMBER.test(word),
      );
    });
}

const findSection = sectionFinder(new Map(), { isChangesets: false });

/** The name of a section, in any markup: `### Bug fixes`, `* 2 bug fixes:`. */
function isSaidByType(line: string): boolean {
  if (findSection(line)?.isImpliedByType) return true;
  return wordsOf(line.replaceAll(IN_HEADING, ' ')).every(
    (word) => SAID_BY_TYPES.has(word) || NUMBER.test(word),
  );
}

/** The names of the month and of the day, the short year, and the date as one number. */
function namesIn(timestamp: string): string[] {
  const name = (language: string, style: Intl.DateTimeFormatOptions) =>
    new Date(timestamp).toLocaleString(language, { ...style, timeZone: 'UTC' }).toLowerCase();
  const dates = [timestamp.slice(2, 4), timestamp.slice(0, 10).replaceAll('-', '')];
  const months = ['en', 'fr', 'ru'].map((language) => name(language, { month: 'long' }));
  const names = [...months, name('en', { weekday: 'long' })];
  return [...names.flatMap((each) => [each, each.slice(0, 3), each.slice(0, 4)]), ...dates];
}

const IN_SEQUENCE = 4;
/** Links and markup in a line may be written in another way. */
const MISSING_SHARE_MAX = 0.5;
const MARKER = /^(?:[-*+•·o–]|\d+[.)、])\s+/;
const LABEL = /\d[\w.+-]*/g;
const HEADING_WORDS_MAX = 6;
const TARGET = /\]\([^()\s]*(?:\s+"[^"]*")?\)|\]\[[^[\]\n]*\]/g;

/** Longer lines of the source, most of whose words were not read back in the same order. */
export function lostLines(source: string, { description, versions }: ReadBack): string[] {
  const known = new Set(sequencesOf(description ?? ''));
  const labels = new Set(versions.map(({ version }) => version.toLowerCase().replace(/^v/, '')));
  for (const version of versions)
    for (const text of textsOf(version)) for (const each of sequencesOf(text)) known.add(each);
  return linesOf(source)
    .map((line) => line.trim())
    .filter((line) => {
      if (isHeadingOrDefinition(line) || hasLabel(line, labels)) return false;
      const sequences = sequencesOf(line.replace(MARKER, ''));
      const missing = sequences.filter((each) => !known.has(each)).length;
      return missing > sequences.length * MISSING_SHARE_MAX;
    });
}

/** Whether the line has the label of a version, and little else. */
function hasLabel(line: string, labels: ReadonlySet<string>): boolean {
  const tokens = line.toLowerCase().match(LABEL) ?? [];
  return countWords(line) <= HEADING_WORDS_MAX && tokens.some((token) => labels.has(token));
}

/** The parts of a heading become fields, and definitions and addresses become links. */
function isHeadingOrDefinition(line: string): boolean {
  return (
    /^#|^\[[^[\]]*\]:|^<?https?:\S*$|\d\.x\b.{0,20}$|^v?\d+\.\d+\S*$|^\W*\w+ changes in release /i.test(
      line,
    ) || labelIn(line.replace(/^[^\p{L}\p{N}]+/u, '')) !== null
  );
}

function sequencesOf(text: string): string[] {
  const words = wordsOf(text.replaceAll(LEFT_OUT, ' ').replaceAll(TARGET, '] '));
  return words.slice(IN_SEQUENCE - 1).map((_, index) => words.slice(index, index + IN_SEQUENCE).join(' '));
}
