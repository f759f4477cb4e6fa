// Authors may be strangers, and a language model reads their texts. Every line that begins in the first column is ours;
// lines of authors are indented or quoted, so that no text can pose as a heading or as another change.

/** Scripts whose letters join, or are kept from joining, by an invisible character. */
const JOINING = 'Arab Syrc Nkoo Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr'
  .split(' ')
  .map((script) => String.raw`\p{scx=${script}}`)
  .join('');
/** Readers need these, each next to what it changes: at most two follow a visible character. */
const NEEDED = [
  String.raw`[\u200c\u200d](?<=[[\p{L}\p{M}]&&[${JOINING}]].)`,
  String.raw`\u200d(?<=(?:[\p{ExtPict}\p{EMod}]|\p{ExtPict}\ufe0f).)(?=\p{ExtPict})`,
  String.raw`\ufe0f(?<=\p{ExtPict}.)`,
  String.raw`\ufe0f(?<=[\d#*].)(?=\u20e3)`,
].join('|');
/** Controls, and what people do not see but models read: joiners, fillers, variation selectors, tags and the like. */
const HIDDEN = new RegExp(String.raw`(${NEEDED})|[[\p{Cc}\p{Cf}\p{Cs}\p{DI}]--[\n\t]]`, 'gv');
/** Line breaks of any kind. */
const BREAK = /\r\n?|[\u2028\u2029\u0085]/g;
/** A character of Braille without dots, which is a space there. */
const BLANK = '\u2800';
const FENCE = /^\s*(?:(?:[>*+-]|\d{1,9}[.)])\s+)*(`{3,}|~{3,})(.*)$/;
/** A heading, a quote, a list, a fence, a table or code, which only begins on a line of its own. */
const STARTS_BLOCK = /^(?:\s|#{1,6}(?:\s|$)|[>|]|[*+-](?:\s|$)|\d{1,9}[.)](?:\s|$)|`{3}|~{3}|[*_=-]{3,}\s*$)/;

export const TEXT_CHARACTERS_MAX = 4_000;
const LINE_CHARACTERS_MAX = 200;

/** A title, name or message, in one line. */
export function oneLine(text: string, charactersMax = LINE_CHARACTERS_MAX): string {
  return cut(clean(text).replaceAll(/\s+/g, ' ').trim(), charactersMax);
}

/** A label, which nothing in it can end. */
export function code(label: string): string {
  return `\`${oneLine(label).replaceAll('`', "'")}\``;
}

export function quote(text: string): string {
  return linesOf(text)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

/** An item of a list: what we say of it, then the text. */
export function item(prefix: string, text: string): string {
  const lines = linesOf(text);
  const first = STARTS_BLOCK.test(lines[0] ?? '') ? '' : lines.shift();
  const head = ['-', prefix, first].filter(Boolean).join(' ');
  return [head, ...lines.map((line) => line && `  ${line}`)].join('\n');
}

export function isCut(text: string): boolean {
  return clean(text).trim().length > TEXT_CHARACTERS_MAX;
}

function linesOf(text: string): string[] {
  const kept = clean(text).replace(/^\s*\n/, '');
  return closeFence(cut(kept.trimEnd(), TEXT_CHARACTERS_MAX).split('\n'));
}

function clean(text: string): string {
  return text.replaceAll(BREAK, '\n').replaceAll(BLANK, ' ').replaceAll(HIDDEN, '$1');
}

function cut(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const start = text.slice(0, charactersMax).toWellFormed();
  return `${start.replace(/\ufffd$/, '')} … (cut)`;
}

/** An open code block would turn everything after it into code. */
function closeFence(lines: string[]): string[] {
  let open = '';
  for (const line of lines) {
    const [, fence = '', rest = ''] = FENCE.exec(line) ?? [];
    if (open === '') open = fence;
    else if (fence.startsWith(open) && rest.trim() === '') open = '';
  }
  return open === '' ? lines : [...lines, open];
}
