// A line as it is typed into bash, which splits it where it likes and leaves quotes in: its words, and how a candidate
// for the last of them is written so that bash reads the same again and runs nothing of it.

type Typed = Readonly<{ words: string[]; write: (candidate: string) => string[] }>;

/** Breaks that bash takes for the beginning of what follows, and replaces with it. */
const LEADING = '@$';

/** With one of these bash begins a command or names a file: the rest of a candidate would be part of that. */
const MORE_THAN_TEXT = /[`()<>]/;

/** `breaks` are bash's word breaks: what stands before one in the last word stays on the line. */
export function parseBashLine(line: string, breaks: string): Typed {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  let kept = 0;
  let isMore = false;
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    const next = line.charAt(at + 1);
    if (quote !== '') {
      if (character === quote) quote = '';
      else if (quote === '"' && character === '\\' && /["\\$`]/.test(next)) word += line.charAt(++at);
      else word += character;
    } else if (/\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
    } else {
      if (word === null) [kept, isMore] = [0, false];
      word ??= '';
      if (character === '\\') word += line.charAt(++at);
      else if (character === '"' || character === "'") {
        quote = character;
        kept = word.length;
      } else {
        if (breaks.includes(character)) kept = word.length + (LEADING.includes(character) ? 0 : 1);
        if (MORE_THAN_TEXT.test(character)) isMore = true;
        word += character;
      }
    }
  }
  const isBetween = word === null;
  const [, ...typed] = [...words, word ?? ''];
  const write = (candidate: string) => quoteFor(quote, candidate.slice(isBetween ? 0 : kept));
  return { words: typed, write: isMore && !isBetween ? () => [] : write };
}

/** Bash expands `!` within double quotes, and nothing keeps it from that: there is no candidate then. */
function quoteFor(quote: string, text: string): string[] {
  if (quote === "'") return [text.replaceAll("'", "'\\''")];
  if (quote === '"') return text.includes('!') ? [] : [text.replaceAll(/["\\$`]/g, '\\$&')];
  return [text.replaceAll(/[^\w./,:=@%+\-\u0080-\uffff]/g, '\\$&')];
}
