// What all markups share about lines and inline text.

const CODE = /(?<!`)(`{1,20})(?!`)[^`]{1,2000}\1(?!`)/g;
/** People do not write longer texts, so these stay as they are. */
export const INLINE_CHARACTERS_MAX = 20_000;

/** Applies a conversion to the text around code. */
export function outsideCode(text: string, convert: (part: string) => string): string {
  if (!text.includes('`')) return convert(text);
  const parts: string[] = [];
  let end = 0;
  for (const { 0: code, index } of text.matchAll(CODE)) {
    parts.push(convert(text.slice(end, index)), code);
    end = index + code.length;
  }
  parts.push(convert(text.slice(end)));
  return parts.join('');
}

/** In Markdown, a tag would not be shown. */
export function escapeTags(text: string): string {
  return text.replaceAll(/<(?=[A-Za-z/!?])(?!https?:\/\/[^\s<>]{1,2000}>)/g, '\\<');
}

export function code(text: string): string {
  if (!text.includes('`')) return `\`${text}\``;
  const fence = text.includes('``') ? '```' : '``';
  return `${fence} ${text} ${fence}`;
}

/** A link, or only its text if there is no URL. */
export function link(text: string, url: string): string {
  const target = /[\s()<>]/.test(url) ? `<${url.replaceAll(/[\s<>]/g, encodeURIComponent)}>` : url;
  return /^(?:https?|ftps?|mailto):/i.test(url) ? `[${text}](${target})` : text;
}

/** Matches a line of code that would end the code block around it. */
export function withinFence(line: string): string {
  return /^ {0,3}`{3,}\s*$/.test(line) ? `    ${line}` : line;
}

/** Empties all lines outside the first part between such lines. Null if there is none. */
export function linesBetween(lines: readonly string[], begin: RegExp, end: RegExp): string[] | null {
  const first = lines.findIndex((line) => begin.test(line));
  if (first === -1) return null;
  const next = lines.findIndex((line, index) => index > first && end.test(line));
  return lines.map((line, index) => (index > first && (next === -1 || index < next) ? line : ''));
}

export function isBlank(line: string): boolean {
  return line.trim() === '';
}

export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
