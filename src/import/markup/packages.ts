// Converts the changelogs of packages: Debian's, RPM's `%changelog` and SUSE's `.changes`. Their entries have a form that
// machines check, so a heading in Markdown has the version and the date of an entry and nothing else. Who wrote it is left
// out.
import { findDate } from '../dates/dates.ts';
import { escapeTags, isBlank, linesBetween, outsideCode } from './inline.ts';
import { heading, VERSION_LEVEL } from './levels.ts';

type Lines = readonly string[];

type Head = Readonly<{
  /** Null if only the text below names the version. */
  label: string | null;
  /** As written, or `unreleased`; null if there is none. */
  date: string | null;
  /** What else readers should know. */
  remark?: string;
}>;

type Format = Readonly<{
  /** Null if no entry begins at this line. */
  parseHead: (line: string, index: number, lines: Lines) => Head | null;
  /** Lines that are no text: rules, comments, and who wrote the entry. */
  skipped: RegExp;
  /** Before every line of text. */
  indent: RegExp;
}>;

/** Headings that are written here. No other line starts with a hash. */
export const ENTRY_HEADING = /^## (?<label>\S+)(?: \((?<date>[^()]*)\))?$/;

const DEBIAN_HEAD = /^[a-z0-9][\w+.-]* \((?<label>[^()\s]+)\)(?<suites>(?:\s+[\w+.-]+)*)\s*;(?<fields>.*)$/i;
const DEBIAN_TRAILER = /^ -- .*? (?<date>(?:\w{3},? +)?\d{1,2} +\w{3,9} +\d{4}\b.*)$/;
const URGENT = /\burgency=(high|critical|emergency)\b/i;

const DATE = String.raw`(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? +[A-Z][a-z]{2,8} +\d{1,2}(?: +[\d:]{4,8}(?: +[A-Z]{2,5})?)? +\d{4}`;
const RPM_HEAD = new RegExp(String.raw`^\*\s*(?<date>${DATE})\b(?<who>.*)$`);
const SUSE_HEAD = new RegExp(String.raw`^(?<date>${DATE}) +-(?<who> +\S.*)$`);
const SUSE_RULE = /^-{20,}\s*$/;

const FORMATS = {
  debian: { parseHead: parseDebianHead, skipped: /^ -- |^ {2,}\[ [^[\]]+ \]\s*$/, indent: /^(?: {2}|\t)/ },
  rpm: { parseHead: parserOf(RPM_HEAD), skipped: /^#/, indent: /^/ },
  suse: { parseHead: parserOf(SUSE_HEAD), skipped: SUSE_RULE, indent: /^/ },
} as const satisfies Record<string, Format>;

export type PackageFormat = keyof typeof FORMATS;

export function isPackageFormat(markup: string): markup is PackageFormat {
  return Object.hasOwn(FORMATS, markup);
}

/** The first line with text tells the format; a spec file has other sections before its changelog. */
export function packageFormatOf(lines: Lines): PackageFormat | null {
  const at = lines.findIndex((line) => !isBlank(line));
  const first = lines[at] ?? '';
  if (DEBIAN_HEAD.test(first)) return 'debian';
  if (SUSE_RULE.test(first) && SUSE_HEAD.test(lines[at + 1] ?? '')) return 'suse';
  const section = lines.findIndex((line) => RPM_CHANGELOG.test(line));
  const entry = section === -1 ? first : lines.find((line, index) => index > section && line.startsWith('*'));
  return RPM_HEAD.test(entry ?? '') ? 'rpm' : null;
}

export function packageToMarkdown(name: PackageFormat, lines: Lines): string[] {
  const format: Format = FORMATS[name];
  const read = (name === 'rpm' && linesBetween(lines, RPM_CHANGELOG, RPM_SECTION)) || lines;
  let [remark, named] = ['', -1];
  return read.map((line, index) => {
    const head = format.parseHead(line, index, read);
    if (head === null) {
      const text = format.skipped.test(line) || index === named ? '' : line.replace(format.indent, '');
      const before = remark;
      remark = '';
      return isBlank(text) ? before : asText(text);
    }
    const below = head.label === null ? nameBelow(read, index, format) : null;
    remark = head.remark ?? '';
    named = below?.line ?? -1;
    const label = head.label ?? below?.label ?? dayOf(head.date ?? '');
    return heading(VERSION_LEVEL, head.date === null ? label : `${label} (${timestampOf(head.date)})`);
  });
}

function parseDebianHead(line: string, index: number, lines: Lines): Head | null {
  const { label, suites = '', fields = '' } = DEBIAN_HEAD.exec(line)?.groups ?? {};
  if (label === undefined) return null;
  const urgency = URGENT.exec(fields)?.[1];
  return {
    label,
    date: /\bUNRELEASED\b/.test(suites) ? 'unreleased' : dateInTrailer(lines, index),
    ...(urgency !== undefined && { remark: `Urgency: ${urgency.toLowerCase()}.` }),
  };
}

function dateInTrailer(lines: Lines, head: number): string | null {
  for (let index = head + 1; index < lines.length && !DEBIAN_HEAD.test(lines[index] ?? ''); index++) {
    const { date } = DEBIAN_TRAILER.exec(lines[index] ?? '')?.groups ?? {};
    if (date !== undefined) return date;
  }
  return null;
}

const LABEL = String.raw`v?\d[\w.+~^:-]*`;
const LABEL_AT_END = new RegExp(String.raw`(?:[\s([]|>-?|\s-)(?<label>${LABEL})[)\]]?:?\s*$`);
const MACRO = /%\{\?[\w.]+\}/g;

/** `* Mon May 04 2026 Name <name@example.org> - 1.2-3%{?dist}` */
function parserOf(pattern: RegExp): Format['parseHead'] {
  return (line) => {
    const { date, who = '' } = pattern.exec(line)?.groups ?? {};
    const { label = null } = LABEL_AT_END.exec(who.replaceAll(MACRO, ''))?.groups ?? {};
    return date === undefined ? null : { label, date };
  };
}

const RPM_CHANGELOG = /^%changelog\s*$/;
const RPM_SECTION =
  /^%(?:package|description|prep|generate_buildrequires|conf|build|install|check|clean|files|pre|post|preun|postun|pretrans|posttrans|trigger\w*|verifyscript|sourcelist|patchlist)\b/;

const NAME = String.raw`(?<label>v?\d+(?:\.\d|\d{5})[\w.+~^-]*?)`;
/** An item that is only the version: `- 1.2-3`, `- version 1.2`. */
const NAME_ALONE = new RegExp(String.raw`^- *(?:(?:version|release) +)?${NAME}[.:]?\s*$`, 'i');
/** `- Update to version 1.2:`, `- 1.2 (#12)`, but not `- Update the patch to 1.2`. */
const WORDS = String.raw`(?: (?:the|a|new|latest|upstream|stable|maintenance|minor|major|bug-?fix|security|release|version|update|v\.?))*`;
const UPDATE = new RegExp(
  String.raw`^[-*] *(?:(?:version )?(?:update|upgrade|bump)(?:ed|d|s)?(?: version| package)?,? to${WORDS}|(?:new|update:?)${WORDS} (?:version|release)) ${NAME}(?=[.,:;)]*(?:\s|$))|^- *(?<label>\d+\.[\w.]+)(?= \([^()]*\)\s*$)`,
  'i',
);

function nameBelow(lines: Lines, head: number, format: Format): { label: string; line: number } | null {
  for (let index = head + 1; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (format.parseHead(line, index, lines) !== null) break;
    const alone = NAME_ALONE.exec(line);
    const { label } = (alone ?? UPDATE.exec(line))?.groups ?? {};
    if (label !== undefined) return { label, line: alone === null ? -1 : index };
  }
  return null;
}

/** An entry that names no version is named by its day. */
function dayOf(date: string): string {
  return findDate(date)?.timestamp?.slice(0, 10) ?? date.replaceAll(/\s+/g, '-');
}

const DATE_CHARACTERS_MAX = 60;
const HAS_ZONE = /\b(?:UTC|GMT)\b|[+-]\d{4}\b/;

/** With the time of day if the time zone is certain. What is no date stays, and is told to the user. */
function timestampOf(written: string): string {
  const found = findDate(written)?.timestamp;
  if (!found) return written.slice(0, DATE_CHARACTERS_MAX).replaceAll(/[()]/g, ' ');
  const exact = HAS_ZONE.test(written) ? Date.parse(written.replace(/\([^()]*\)/, '')) : Number.NaN;
  return Number.isNaN(exact) ? found.slice(0, 10) : new Date(exact).toISOString();
}

/** What would begin a heading, code or a line across the page in Markdown. */
const BLOCK = /^(\s*(?:[-*+] +)?)(?=#{1,6}(?:\s|$)|={2,}\s*$|-{3,}\s*$|```|~~~)/;

function asText(line: string): string {
  return outsideCode(line.replace(BLOCK, '$1\\'), escapeTags);
}
