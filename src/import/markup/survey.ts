// Counts the marks of each markup, and the headings of versions in each.
import { parseVersionHeading } from '../markdown/versions/parse.ts';
import { isTitleOfAll } from '../markdown/versions/words.ts';
import { HeadingStyles } from './levels.ts';
import { findPlainVersion, withoutLead } from './plain-versions.ts';
import { findTitles, RULE_CHARACTERS_MORE } from './titles.ts';

export type Survey = Readonly<{
  /** Versions with `#`. */
  hashed: number;
  underlined: HeadingStyles;
  /** Headings with `=` before them. */
  equals: HeadingStyles;
  plain: Readonly<{ dated: number; bare: number; items: number }>;
  marks: Readonly<{ markdown: number; rst: number; asciidoc: number; text: number }>;
  /** The targets of links in reStructuredText, by name. */
  targets: ReadonlySet<string>;
  substitutions: ReadonlyMap<string, string>;
}>;

const HASHED = /^ {0,3}#{1,6}[ \t]+(?=\S)/;
const EQUALS = /^(={1,6})[ \t]*(?=[^\s=])(?!(?:over|item|back|cut|pod|encoding)\b)/;
const FENCE = /^ {0,3}(?:```|~~~)/;
const RST = /^\s*\.\.(?:$| (?:_|\||\[|[\w:+-]+::))|:[a-z][\w:+.-]{0,40}:`|`[^`<>]{1,200}<[^<>`]{1,500}>`__?/;
const MARKDOWN = /^ {0,3}#{1,6} |\]\(|^ {0,3}```|^\[[^\]]{1,100}\]: /;
const ASCIIDOC =
  /^:!?[\w-]+!?:(?: |$)|^(?:-{4,}|\.{4,}|={4,}|\|={3,}|\/{4,})$|^\/\/ |^\[[[\w#.,%="' -]{1,80}\]$|^\*{2,5} |(?:link:|https?:\/\/)[^\s[\]]{1,500}\[|::$/;
/** Sections with stars, and items that Markdown does not know. */
const TEXT = /^\*{2,5} +[A-Z]|^\s{0,8}(?:o|•) +[^\sa-z]/;
const TARGET = /^\s*\.\. _`?([^`:]{1,200})`?:\s+\S/;
const SUBSTITUTION = /^\.\. \|([^|\s][^|]{0,100})\| replace:: +(\S.*)$/;
const NAMES_MAX = 50_000;
const HEAD_LINES = 40;

export function surveyText(lines: readonly string[]): Survey {
  const underlined = new HeadingStyles();
  const equals = new HeadingStyles();
  const plain = { dated: 0, bare: 0, items: 0 };
  const marks = { markdown: 0, rst: 0, asciidoc: 0, text: 0 };
  const targets = new Set<string>();
  const substitutions = new Map<string, string>();
  let [hashed, isCode] = [0, false];
  let before = '';
  let [number, firstPlain]: [number, number | null] = [0, null];
  for (const { text, next, style } of findTitles(lines)) {
    number++;
    if (FENCE.test(text)) isCode = !isCode;
    if (isCode) continue;
    if (style !== null) underlined.add(style, judgeTitle(text));
    if (style !== null && (withoutLead(text) !== text || isRule(text, next))) marks.text++;
    const hash = HASHED.exec(text)?.[0];
    const equal = EQUALS.exec(text);
    if (hash !== undefined && judgeTitle(text.slice(hash.length)).isVersion) hashed++;
    if (equal) equals.add(equal[1] as string, judgeTitle(text.slice(equal[0].length)));
    if (MARKDOWN.test(text)) marks.markdown++;
    if (RST.test(text)) marks.rst++;
    if (ASCIIDOC.test(text)) marks.asciidoc++;
    if (TEXT.test(text)) marks.text++;
    const version = style === null ? findPlainVersion(before, text, next) : null;
    if (version?.kind === 'item') plain.items += version.isDated || version.isAnnounced ? 1 : 0;
    else if (version) {
      plain[version.isDated ? 'dated' : 'bare']++;
      firstPlain ??= number;
    }
    const target = TARGET.exec(text)?.[1];
    if (target !== undefined && targets.size < NAMES_MAX) targets.add(target.trim().toLowerCase());
    const [, name, replacement] = SUBSTITUTION.exec(text) ?? [];
    if (name && replacement && substitutions.size < NAMES_MAX) substitutions.set(name, replacement);
    before = text;
  }
  // One such line far below is part of a text, and so are some below most of it.
  const count = plain.dated + plain.bare;
  if ((firstPlain ?? 0) > Math.max(HEAD_LINES, count === 1 ? 0 : number / 2)) plain.dated = plain.bare = 0;
  return { hashed, underlined, equals, plain, marks, targets, substitutions };
}

/** In Markdown, a line that is much longer than the text above it separates paragraphs. */
function isRule(title: string, underline: string): boolean {
  return underline.trim().length > title.length + RULE_CHARACTERS_MORE && judgeTitle(title).isVersion;
}

const HAS_VERSION = /^(?:[^\s\d]\S* ){0,4}[[(]?v?\d+\.\d+/;
const TITLE_CHARACTERS_MAX = 300;

export function judgeTitle(written: string): { isVersion: boolean; isDated: boolean } {
  if (written.length > TITLE_CHARACTERS_MAX || isTitleOfAll(written))
    return { isVersion: false, isDated: false };
  const title = withoutLead(written);
  const version = parseVersionHeading(title);
  return { isVersion: version !== null || HAS_VERSION.test(title), isDated: Boolean(version?.date) };
}
