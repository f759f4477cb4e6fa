// Converts AsciiDoc to Markdown: titles, lists, code and links. Everything else, also tables, stays as text.
import { convertAsciidocInline, withAttributes } from './asciidoc-inline.ts';
import { isBlank, withinFence } from './inline.ts';
import { heading, type Levels } from './levels.ts';
import type { Survey } from './survey.ts';

const TITLE = /^(={1,6}|#{1,6})[ \t]+(\S.*?)(?:\s+=+)?\s*$/;
const ATTRIBUTE = /^:(!?)([\w][\w-]*)(!?):(?:\s+(.*))?$/;
const ATTRIBUTES_MAX = 10_000;
const VALUE_CHARACTERS_MAX = 500;
const DELIMITER = /^(?:-{4,}|\.{4,}|\+{4,}|\/{4,}|={4,}|\*{4,}|_{4,}|--|\|={3,}|```\w*)$/;
/** Blocks whose text is not markup. */
const VERBATIM = /^(?:-{4}|\.{4}|\+{4}|\|===|```)/;
const BLOCK_ATTRIBUTES = /^\[(?:\[[^\]]*\]|[^\]]*)\]$/;
const CONDITION = /^(?:ifdef|ifndef|ifeval|endif)::[^[]*\[(.*)\]$/;
const ITEM = /^\s*(\*{1,5}|-|\.{1,5}|\d{1,9}\.|<\d+>|<\.>)[ \t]+(\S.*)$/;
const TERM = /^\s*(\S.{0,200}?):{2,4}(?:[ \t]+(\S.*))?$/;
const BLOCK_TITLE = /^\.([^\s.].*)$/;
const ADMONITION = /^(NOTE|TIP|IMPORTANT|WARNING|CAUTION): +(.*)$/;
const BLOCK_MACRO = /^(?:include|image|video|audio|toc|plantuml)::/;

export function* asciidocToMarkdown(lines: readonly string[], survey: Survey): Generator<string> {
  const converter = new AsciidocConverter(survey.equals.levels('length'));
  for (const line of lines) yield converter.convert(line.trimEnd());
}

class AsciidocConverter {
  readonly #levels: Levels;
  readonly #attributes = new Map<string, string>();
  /** The delimiter that ends the current block. */
  #block: { end: string; isShown: boolean; indent: string } | null = null;
  #language = '';
  /** The markers of the lists around this line, outermost first. */
  #markers: string[] = [];
  /** Blocks after `+` belong to the item before. */
  #isAttached = false;
  #isAfterBlank = true;
  #before = '';

  constructor(levels: Levels) {
    this.#levels = levels;
  }

  convert(line: string): string {
    const converted =
      this.#block === null ? this.#convertLine(line) : this.#convertInBlock(this.#block, line);
    this.#before = line;
    this.#isAfterBlank = isBlank(line);
    return converted;
  }

  #convertInBlock(block: { end: string; isShown: boolean; indent: string }, line: string): string {
    if (line !== block.end) return block.isShown ? block.indent + withinFence(line) : '';
    this.#block = null;
    return block.isShown ? `${block.indent}\`\`\`` : '';
  }

  #convertLine(line: string): string {
    if (isBlank(line)) {
      this.#isAttached = false;
      return '';
    }
    if (line.startsWith('//') && !DELIMITER.test(line)) return '';
    if (DELIMITER.test(line) && !this.#isUnderline(line)) return this.#openBlock(line);
    const title = TITLE.exec(line);
    if (title) return this.#convertTitle(title[1] as string, title[2] as string);
    const attribute = ATTRIBUTE.exec(line);
    if (attribute) return this.#define(attribute);
    const condition = CONDITION.exec(line);
    if (condition) return this.#inline(condition[1] ?? '');
    if (BLOCK_ATTRIBUTES.test(line)) return this.#readAttributes(line);
    return this.#convertText(line);
  }

  #convertText(line: string): string {
    if (line === '+' && this.#markers.length > 0) {
      this.#isAttached = true;
      return '';
    }
    if (line === "'''" || line === '<<<') return '';
    if (BLOCK_MACRO.test(line)) return this.#convertMacro(line);
    const item = ITEM.exec(line);
    if (item) return this.#convertItem(item[1] as string, item[2] as string);
    const term = TERM.exec(line);
    if (term && (this.#isAfterBlank || term[2] === undefined)) return this.#convertTerm(term);
    const isCode = this.#isAfterBlank && /^\s/.test(line);
    if (this.#isAfterBlank && !this.#isAttached && !isCode) this.#markers = [];
    const blockTitle = BLOCK_TITLE.exec(line)?.[1];
    if (blockTitle !== undefined) return `${this.#indent()}**${this.#inline(blockTitle)}**`;
    const [, kind = '', words = ''] = ADMONITION.exec(line) ?? [];
    if (kind !== '') return `${this.#indent()}**${nameOf(kind)}:** ${this.#inline(words)}`;
    // Indented text is code, unless it goes on with an item.
    if (isCode) return `    ${line}`;
    return this.#indent() + this.#inline(line.trimStart());
  }

  #convertTitle(marks: string, text: string): string {
    this.#markers = [];
    const level = marks.startsWith('=') ? (this.#levels.get(marks) ?? marks.length) : marks.length;
    return heading(level, this.#inline(text));
  }

  #convertItem(marker: string, text: string): string {
    const kind = marker.replace(/^\d+/, '1').replace(/^<.*>$/, '<>');
    const known = this.#markers.indexOf(kind);
    if (known === -1) this.#markers.push(kind);
    else this.#markers.length = known + 1;
    this.#isAttached = false;
    const around = this.#markers.slice(0, -1).map((one) => ' '.repeat(shownMarker(one).length + 1));
    const checked = text.replace(/^\[([ x*])\] /, (_, box) => (box === ' ' ? '☐ ' : '☑ '));
    return `${around.join('')}${shownMarker(kind)} ${this.#inline(checked)}`;
  }

  /** A term alone is like the heading of the list that follows. */
  #convertTerm([, name = '', text]: RegExpExecArray): string {
    this.#markers = [];
    return text === undefined
      ? `**${this.#inline(name)}**`
      : `**${this.#inline(name)}:** ${this.#inline(text)}`;
  }

  #convertMacro(line: string): string {
    const [, url, alt = ''] =
      /^image::(https?:[^\s[]+)\[([^\]]*)\]$/.exec(withAttributes(line, this.#attributes)) ?? [];
    if (url !== undefined) return `${this.#indent()}![${alt}](${url})`;
    return line.startsWith('toc::') ? '' : `${this.#indent()}\`${line}\``;
  }

  #openBlock(line: string): string {
    const isShown = VERBATIM.test(line);
    const indent = this.#indent();
    const language = line.startsWith('```') ? line.slice(3) : this.#language;
    this.#language = '';
    if (isShown) this.#block = { end: line.startsWith('```') ? '```' : line, isShown, indent };
    else if (line.startsWith('////')) this.#block = { end: line, isShown, indent };
    // Other blocks contain markup, and their delimiters are not shown.
    return isShown ? `${indent}\`\`\`${language}` : '';
  }

  /** A title may be underlined, by as many characters as it has. */
  #isUnderline(line: string): boolean {
    const isTitle = !isBlank(this.#before) && !ITEM.test(this.#before) && !/^[[.:+/]/.test(this.#before);
    return isTitle && /^[-=]/.test(line) && Math.abs(this.#before.length - line.length) <= 1;
  }

  #define([, off = '', name = '', offAfter = '', value = '']: RegExpExecArray): string {
    if (off !== '' || offAfter !== '') this.#attributes.delete(name);
    else if (this.#attributes.size < ATTRIBUTES_MAX && value.length <= VALUE_CHARACTERS_MAX)
      this.#attributes.set(name, value);
    return '';
  }

  #readAttributes(line: string): string {
    const [, language = ''] = /^\[source(?:%[\w%]+)?, ?([\w+#-]+)/.exec(line) ?? [];
    if (language !== '') this.#language = language;
    const kind = /^\[(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]$/.exec(line)?.[1];
    return kind === undefined ? '' : `${this.#indent()}**${nameOf(kind)}:**`;
  }

  #indent(): string {
    if (!this.#isAttached && this.#isAfterBlank) return '';
    return this.#markers.map((marker) => ' '.repeat(shownMarker(marker).length + 1)).join('');
  }

  #inline(text: string): string {
    return convertAsciidocInline(text, this.#attributes);
  }
}

function shownMarker(kind: string): string {
  return /^[*-]/.test(kind) ? '*' : '1.';
}

function nameOf(kind: string): string {
  return kind.charAt(0) + kind.slice(1).toLowerCase();
}
