// Parses a line as typed into bash, with its quotes, and quotes candidates so that bash reads them as text and runs
// nothing.

type Typed = Readonly<{ words: string[]; quote: (candidate: string) => string[] }>;

/** Word breaks that bash replaces together with the text that follows. */
const LEADING = '@$';

/** In bash these start a command or a redirection, so nothing can be completed after them. */
const UNSAFE = /[`()<>]/;

/** Bash keeps the text before the last of its word `breaks`, and replaces only what follows. */
export function parseBashLine(line: string, breaks: string): Typed {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  let kept = 0;
  let isUnsafe = false;
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
      if (word === null) [kept, isUnsafe] = [0, false];
      word ??= '';
      if (character === '\\') word += line.charAt(++at);
      else if (character === '"' || character === "'") {
        quote = character;
        kept = word.length;
      } else {
        if (breaks.includes(character)) kept = word.length + (LEADING.includes(character) ? 0 : 1);
        if (UNSAFE.test(character)) isUnsafe = true;
        word += character;
      }
    }
  }
  const isNewWord = word === null;
  const [, ...typed] = [...words, word ?? ''];
  const quoteCandidate = (candidate: string) => quoteFor(quote, candidate.slice(isNewWord ? 0 : kept));
  return { words: typed, quote: isUnsafe && !isNewWord ? () => [] : quoteCandidate };
}

/** Bash expands `!` even within double quotes, so there is no candidate then. */
function quoteFor(quote: string, text: string): string[] {
  if (quote === "'") return [text.replaceAll("'", "'\\''")];
  if (quote === '"') return text.includes('!') ? [] : [text.replaceAll(/["\\$`]/g, '\\$&')];
  return [text.replaceAll(/[^\w./,:=@%+\-\u0080-\uffff]/g, '\\$&')];
}
