// Raw HTML that readers do not get (R71).
import type { InspectedText } from '../../import/read.ts';
import { parseText } from '../../text/parse.ts';
import type { Rule } from '../rule.ts';

export const droppedHtml: Rule = {
  id: 'dropped-html',
  level: 'note',
  summary: 'A text has HTML that is not shown.',
  help: 'Only HTML for texts is kept, such as <kbd>, <details> and <img>. The tags of all other elements are left out, and <script> and <style> with all that they contain. If it is meant as text, as in Vec<T>, put it in backticks.',
  *find(text) {
    if (text.markup !== 'markdown') return;
    const places = Map.groupBy(findDropped(text), ({ name }) => name);
    for (const [name, [first, ...others]] of places) {
      if (first === undefined) continue;
      const also =
        others.length === 0
          ? ''
          : ` (also in ${others.length} other ${others.length === 1 ? 'place' : 'places'})`;
      const isUnread = /^(?:script|style)$/i.test(name);
      yield {
        line: first.line,
        message: `<${name}> is left out${isUnread ? ' with its content' : ', and its text is kept'}${also}; put it in backticks if it is meant as text.`,
      };
    }
  },
};

/** Each element once a paragraph. Comments are meant to be left out. */
function* findDropped({ versions, found }: InspectedText): Generator<{ name: string; line: number }> {
  const raw = new Set(found.raw);
  for (const version of versions)
    for (const { lines, from } of paragraphsOf(version.lines, version.line + 1, raw)) {
      if (!lines.some((line) => MAY_BE_HTML.test(line))) continue;
      for (const name of parseText(lines.join('\n')).dropped) {
        if (name === '!--') continue;
        const at = lines.findIndex((line) => line.includes(`<${name}`));
        yield { name, line: from + Math.max(0, at) };
      }
    }
}

const MAY_BE_HTML = /<[a-z]/i;
const UNREAD = /^\s*<(?:script|style)\b/i;

function* paragraphsOf(
  lines: readonly string[],
  from: number,
  raw: ReadonlySet<number>,
): Generator<{ lines: string[]; from: number }> {
  let paragraph: string[] = [];
  for (const [at, line] of [...lines, ''].entries()) {
    // Code is shown as it is; scripts, which are read in the same way, are not shown.
    const isCode = raw.has(from + at) && (raw.has(from + at - 1) || !UNREAD.test(line));
    if (line.trim() !== '' && !isCode) paragraph.push(line);
    else if (paragraph.length > 0) {
      yield { lines: paragraph, from: from + at - paragraph.length };
      paragraph = [];
    }
  }
}
