// Converts reStructuredText to Markdown: titles, lists, code, notes and links. Everything else stays as text.
import { parseVersionHeading } from '../../markdown/versions/parse.ts';
import { indentOf, isBlank, withinFence } from '../inline.ts';
import { heading, type Levels, VERSION_LEVEL } from '../levels.ts';
import type { Survey } from '../survey.ts';
import { findTitles, type TitledLine } from '../titles.ts';
import { parseExplicit } from './directives.ts';
import { RstInline } from './inline.ts';

/** Text from this column on belongs to a block, and is written after the prefix. */
type Context = Readonly<{ column: number; prefix: string }>;

/** Lines that belong together until one is not indented, or until an empty line. */
type Raw = {
  kind: 'code' | 'nothing' | 'until blank';
  base: number;
  prefix: string;
  /** The indentation of the first line. */
  column: number | null;
  /** Empty lines at its end, which may belong to the text after it. */
  blanks: number;
};

/** Code begins after the next empty line, if what follows is indented by more than this. */
type CodeAfter = Readonly<{ base: number; prefix: string; language: string; isDirective: boolean }>;

const TOP: Context = { column: 0, prefix: '' };
const TAB = ' '.repeat(8);
const FENCE = '```';
const ITEM = /^(?:[-*+•]|(?:\d{1,9}|#)[.)])(?: +(?=\S)|$)/;
const FIELD = /^:([A-Za-z][^:`]{0,60}):(?:\s+(.*))?$/;
/** Tables, and sessions of an interpreter. */
const PREFORMATTED = /^\s*(?:\+[-=]+\+[-=+]*\s*$|=+(?: +=+)+\s*$|>>> )/;
const PARAGRAPH_LINES_MAX = 200;
/** A version and a change, in the changelogs of the tool `releases`: `- :release:`2.0.0 <2026-05-04>``. */
const RELEASE = /^[-*] :release:`([^`<>]+?) *<([^`<>]*)>`((?:[ ,]+#?\d+)*)\s*$/;
const CHANGE = /^([-*] ):(bug|feature|support):`(?:-|(\d+))[^`]*`:? */;

export function* rstToMarkdown(lines: readonly string[], survey: Survey): Generator<string> {
  const converter = new RstConverter(survey);
  for (const line of findTitles(lines)) yield* converter.take(line);
  yield* converter.finish();
}

class RstConverter {
  readonly #inline: RstInline;
  readonly #levels: Levels;
  #contexts: Context[] = [TOP];
  #paragraph: { prefix: string; text: string }[] = [];
  #raw: Raw | null = null;
  #codeAfter: CodeAfter | null = null;
  /** The tags of a change whose text follows. */
  #tags: string[] | null = null;
  #isVersion = false;
  #hasRelease = false;
  /** The label of the current version. */
  #label = '';
  #written: string[] = [];
  /** How many more lines were written than read. */
  #debt = 0;

  constructor(survey: Survey) {
    this.#inline = new RstInline(survey);
    this.#levels = survey.underlined.levels('appearance');
  }

  take({ text, next, style }: TitledLine): string[] {
    const isTaken = this.#raw !== null && this.#takeRaw(this.#raw, text, next, style !== null);
    if (!isTaken) {
      if (style !== null) this.#takeTitle(text, style);
      else if (isBlank(text)) this.#takeBlank(next);
      else this.#takeText(text.replaceAll('\t', TAB), next);
    }
    return this.#written.splice(0);
  }

  finish(): string[] {
    this.#flush();
    if (this.#raw !== null) this.#endRaw(this.#raw);
    return this.#written;
  }

  #takeTitle(text: string, style: string): void {
    this.#flush();
    this.#contexts = [TOP];
    const level = this.#levels.get(style) ?? VERSION_LEVEL;
    // Some versions may have the underlines of sections.
    const isVersion = level === VERSION_LEVEL || (level > VERSION_LEVEL && parseVersionHeading(text)?.date);
    if (isVersion) this.#label = LABEL.exec(text)?.[0] ?? '';
    const shown = isVersion ? text : withoutLabel(text, this.#label);
    this.#written.push(heading(isVersion ? VERSION_LEVEL : level, this.#inline.convert(shown)));
  }

  #takeBlank(next: string): void {
    this.#flush();
    const code = this.#codeAfter;
    if (code !== null && !isBlank(next)) {
      this.#codeAfter = null;
      if (indentOf(next) > code.base) {
        this.#written.push(`${code.prefix}${FENCE}${code.language}`);
        this.#raw = { kind: 'code', ...code, column: null, blanks: 0 };
        return;
      }
    }
    const { prefix } = this.#contextAt(indentOf(next));
    if (PREFORMATTED.test(next)) {
      this.#written.push(prefix + FENCE);
      this.#raw = { kind: 'until blank', base: -1, prefix, column: null, blanks: 0 };
    } else if (!this.#hasRelease && CHANGE.test(next)) this.#takeRelease('Unreleased');
    else if (this.#debt > 0 && isBlank(next)) this.#debt--;
    else this.#written.push(isBlank(next) ? '' : prefix.trimEnd());
  }

  #takeText(line: string, next: string): void {
    const indent = indentOf(line);
    const text = line.slice(indent);
    if (this.#codeAfter?.isDirective && indent > this.#codeAfter.base) {
      this.#written.push('');
      return;
    }
    const isNew = this.#paragraph.length === 0;
    if (isNew) this.#enter(indent);
    const context = this.#contextAt(indent);
    const [, label, date, issues] = indent === 0 ? (RELEASE.exec(text) ?? []) : [];
    if (label !== undefined) this.#takeRelease(`${label} (${date})${issues}`);
    else if (/^\.\.(?: |$)/.test(text)) this.#takeExplicit(text, next, indent, context);
    else if (isNew && /^__ \S/.test(text)) this.#written.push(this.#inline.defineAnonymous(text.slice(3)));
    else if (isNew && FIELD.test(text) && !ITEM.test(text)) this.#takeField(text, context);
    else this.#takeParagraph(text.replace(CHANGE, asPrefix), indent, context, isNew);
  }

  #takeRelease(title: string): void {
    this.#flush();
    this.#contexts = [TOP];
    this.#hasRelease = true;
    this.#written.push(heading(VERSION_LEVEL, title));
  }

  #takeParagraph(text: string, indent: number, context: Context, isNew: boolean): void {
    const marker = ITEM.exec(text)?.[0];
    if (marker !== undefined) {
      this.#flush();
      const shown = marker.replace('•', '-').replace('#', '1');
      const inner = { column: indent + marker.length, prefix: context.prefix + ' '.repeat(shown.length) };
      this.#leave(indent);
      this.#contexts.push(inner);
      this.#add(context.prefix + shown, text.slice(marker.length), inner);
    } else if (this.#tags !== null) {
      const inner = { column: indent, prefix: `${context.prefix}  ` };
      this.#contexts.push(inner);
      this.#add(`${context.prefix}- `, [...this.#tags.splice(0), text].join(' '), inner);
      this.#tags = null;
    } else {
      this.#add(context.prefix, text.replace(/^\| ?/, isNew ? '' : '$&'), context);
    }
  }

  #add(prefix: string, text: string, { column, prefix: inner }: Context): void {
    const opens = text.endsWith('::');
    this.#paragraph.push({ prefix, text: opens ? text.replace(/\s*::$/, text === '::' ? '' : ':') : text });
    this.#codeAfter = opens ? { base: column, prefix: inner, language: '', isDirective: false } : null;
    if (this.#paragraph.length >= PARAGRAPH_LINES_MAX) this.#flush();
  }

  #takeField(text: string, context: Context): void {
    const [, name = '', value = ''] = FIELD.exec(text) ?? [];
    if (this.#tags !== null && /^(?:tags|tickets|versions?)$/.test(name)) {
      const words = value.split(/,\s*/).filter((word) => word !== '');
      this.#tags.push(...words.map((word) => (name === 'tickets' ? `#${word}` : `[${word}]`)));
      this.#written.push('');
    } else if (this.#isVersion && name === 'version') {
      this.#contexts = [TOP];
      this.#written.push(heading(VERSION_LEVEL, value));
    } else if (this.#isVersion && (value === '' || name === 'include_notes_from')) this.#written.push('');
    else this.#written.push(`${context.prefix}**${name}:** ${this.#inline.convert(value)}`.trimEnd());
  }

  #takeExplicit(text: string, next: string, indent: number, context: Context): void {
    this.#flush();
    this.#leave(indent);
    const { prefix } = context;
    const found = parseExplicit(text);
    const isEmptyComment = text.trim() === '..' && isBlank(next);
    if (found.kind === 'line') this.#written.push(found.text);
    else if (found.kind === 'anonymous') this.#written.push(this.#inline.defineAnonymous(found.url));
    else if (found.kind === 'block' || found.kind === 'quotation') {
      const inner = { column: indent + 1, prefix: found.kind === 'block' ? prefix : `${prefix}> ` };
      this.#contexts.push(inner);
      this.#add(inner.prefix, found.text, inner);
      if (found.kind === 'block') this.#flush();
    } else {
      this.#written.push('');
      if (found.kind === 'code')
        this.#codeAfter = { base: indent, prefix, language: found.language, isDirective: true };
      else if (found.kind === 'nothing' && !isEmptyComment)
        this.#raw = { kind: 'nothing', base: indent, prefix, column: null, blanks: 0 };
      this.#isVersion = found.kind === 'version';
      if (found.kind === 'change') this.#tags = [];
    }
  }

  /** False if the line is after the block. */
  #takeRaw(raw: Raw, text: string, next: string, isTitle: boolean): boolean {
    const isLast = isBlank(text) && !isBlank(next) && indentOf(next) <= raw.base;
    if (raw.kind === 'nothing' && isLast) {
      this.#endRaw(raw);
      return false;
    }
    if (isBlank(text)) {
      if (raw.kind === 'until blank') this.#endRaw({ ...raw, blanks: 1 });
      else raw.blanks++;
      return true;
    }
    if (isTitle || indentOf(text) <= raw.base) {
      this.#endRaw(raw);
      return false;
    }
    for (; raw.blanks > 0; raw.blanks--) this.#written.push(raw.prefix.trimEnd());
    raw.column ??= indentOf(text);
    const shown = withinFence(text.slice(Math.min(raw.column, indentOf(text))));
    this.#written.push(raw.kind === 'nothing' ? '' : raw.prefix + shown);
    return true;
  }

  #endRaw({ kind, blanks, prefix }: Raw): void {
    this.#raw = null;
    const hasFence = kind !== 'nothing';
    if (hasFence) this.#written.push(prefix + FENCE);
    if (hasFence && blanks === 0) this.#debt++;
    for (let left = hasFence ? blanks - 1 : blanks; left > 0; left--) this.#written.push('');
  }

  #flush(): void {
    const lines = this.#paragraph.splice(0);
    if (lines.length === 0) return;
    const texts = this.#inline.convert(lines.map(({ text }) => text).join('\n')).split('\n');
    for (const [index, { prefix }] of lines.entries())
      this.#written.push((prefix + (texts[index] ?? '')).trimEnd());
  }

  #contextAt(indent: number): Context {
    return this.#contexts.findLast(({ column }) => column <= indent) ?? TOP;
  }

  #leave(indent: number): void {
    while (this.#contexts.length > 1 && (this.#contexts.at(-1)?.column ?? 0) > indent) this.#contexts.pop();
  }

  /** Text that is indented further is a quotation; in Markdown it would be code. */
  #enter(indent: number): void {
    this.#leave(indent);
    const { column, prefix } = this.#contextAt(indent);
    if (indent > column) this.#contexts.push({ column: indent, prefix });
  }
}

const asPrefix = (_: string, marker: string, kind: string, issue?: string) =>
  `${marker}${kind}${issue === undefined ? ':' : ` #${issue}`} `;

const LABEL = /\d+(?:\.\d+)+[\w.+-]*/;

/** Titles are unique in Sphinx, so that sections repeat the version: `Bug fixes - 4.58.0`. */
function withoutLabel(title: string, label: string): string {
  const end = title.replace(/\)$/, '');
  if (label === '' || !end.endsWith(label) || end.length === label.length) return title;
  return end.slice(0, -label.length).replace(/[\s(–-]+v?$/, '') || title;
}
