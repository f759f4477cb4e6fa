// A tree as lines of formatted text, which each receiver of messages writes in its own way.
import { joinLines } from './plain.ts';
import { type Element, INLINE, isElement, type Node, type Tree } from './tree.ts';

export type Mark = 'bold' | 'italic' | 'strike' | 'code';
/** `url` is one with http:, https: or mailto:. */
export type Span = Readonly<{ text: string; marks: readonly Mark[]; url: string | null }>;
/** Items have a depth of at least 1, and a bullet or a number as their marker. */
export type Line = Readonly<{ depth: number; marker: string; spans: readonly Span[] }>;

export const BULLET = '•';
const ELLIPSIS = '…';
/** After an `@`, so that nobody is mentioned. */
export const ZERO_WIDTH_SPACE = '\u200b';

export const plainSpan = (text: string, ...marks: Mark[]): Span => ({ text, marks, url: null });
export const lineOf = (...spans: Span[]): Line => ({ depth: 0, marker: '', spans });
export const textOf = ({ spans }: Line): string => spans.map(({ text }) => text).join('');

/** At most so many characters, then an ellipsis. */
export function readLines(nodes: readonly Node[], charactersMax: number): readonly Line[] {
  const reader = new LineReader(charactersMax);
  reader.add(joinLines(nodes));
  return reader.finish();
}

const START_CHARACTERS_MAX = 400;

const starts = new WeakMap<Tree, string>();

/** The first words of a text, on one line. A text is on several pages. */
export function startOf(tree: Tree): string {
  const known = starts.get(tree);
  if (known !== undefined) return known;
  const start = readLines(tree.nodes, START_CHARACTERS_MAX).map(textOf).join(' ');
  starts.set(tree, start);
  return start;
}

const URL_CHARACTERS_MAX = 1_000;

const MARKS: Readonly<Record<string, Mark>> = {
  ...{ strong: 'bold', b: 'bold', em: 'italic', i: 'italic', s: 'strike', del: 'strike' },
  ...{ code: 'code', kbd: 'code', samp: 'code', th: 'bold', dt: 'bold', summary: 'bold' },
  ...{ h1: 'bold', h2: 'bold', h3: 'bold', h4: 'bold', h5: 'bold', h6: 'bold' },
};
const LISTS = new Set(['ul', 'ol', 'table']);
const CELLS = new Set(['th', 'td']);

class LineReader {
  readonly #lines: { depth: number; marker: string; spans: Span[] }[] = [];
  #spans: Span[] = [];
  #left: number;
  readonly #marks: Mark[] = [];
  #url: string | null = null;
  /** The next number of each list and table around the text; null for bullets. */
  readonly #lists: (number | null)[] = [];
  /** Null once the item has its first line. */
  #marker: string | null = null;
  #isCodeBlock = false;
  #isFull = false;

  constructor(charactersMax: number) {
    this.#left = charactersMax;
  }

  add(nodes: readonly Node[]): void {
    for (const node of nodes) {
      if (this.#isFull) return;
      if (isElement(node)) this.#addElement(node);
      else this.#addText(node);
    }
  }

  finish(): readonly Line[] {
    this.#endLine();
    return this.#lines;
  }

  #addElement({ tag, attributes, children }: Element): void {
    const isInLine = (INLINE.has(tag) && tag !== 'br') || CELLS.has(tag);
    if (!isInLine) this.#endLine();
    if (CELLS.has(tag) && this.#spans.length > 0)
      this.#write(this.#spans.at(-1)?.text.endsWith(' ') ? '| ' : ' | ');
    const mark = MARKS[tag];
    if (mark !== undefined) this.#marks.push(mark);
    if (tag === 'a') this.#url = webUrlOf(attributes.href ?? '');
    else if (tag === 'img') this.#write(attributes.alt ?? '');
    else if (LISTS.has(tag)) this.#lists.push(tag === 'ol' ? Number(attributes.start ?? 1) : null);
    else if (tag === 'li' || tag === 'tr') this.#startItem();
    this.#isCodeBlock = tag === 'pre' || this.#isCodeBlock;
    this.add(children);
    if (!isInLine) this.#endLine();
    if (mark !== undefined) this.#marks.pop();
    if (tag === 'a') this.#url = null;
    else if (LISTS.has(tag)) this.#lists.pop();
    else if (tag === 'pre') this.#isCodeBlock = false;
  }

  #addText(text: string): void {
    const lines = this.#isCodeBlock ? text.split('\n') : [text.replaceAll(/\s+/g, ' ')];
    for (const [index, line] of lines.entries()) {
      if (index > 0) this.#endLine();
      this.#write(line);
    }
  }

  #write(written: string): void {
    const cleaned = clean(written);
    const text = this.#spans.length === 0 && !this.#isCodeBlock ? cleaned.trimStart() : cleaned;
    if (this.#isFull || text === '') return;
    // A link that shows a URL shows its own.
    const isUrl = this.#url !== null && text.includes('://');
    const whole = isUrl ? (this.#url as string) : text;
    const shown = whole.length <= this.#left ? whole : isUrl ? '' : cutText(whole, this.#left);
    const marks = MARK_ORDER.filter((mark) => this.#marks.includes(mark));
    if (shown !== '') append(this.#spans, { text: shown, marks, url: this.#url });
    this.#left -= shown.length;
    if (shown === whole || whole.trim() === '') return;
    // The rest is left out.
    this.#isFull = true;
    const spans = this.#spans.length > 0 ? this.#spans : (this.#lines.at(-1)?.spans ?? this.#spans);
    append(spans, plainSpan(ELLIPSIS));
  }

  #startItem(): void {
    const number = this.#lists.at(-1) ?? null;
    this.#marker = number === null ? BULLET : `${number}.`;
    if (number !== null) this.#lists[this.#lists.length - 1] = number + 1;
  }

  /** What follows in the same item continues its line. */
  #endLine(): void {
    const spans = trimEnd(this.#spans);
    this.#spans = [];
    if (!spans.some(({ text }) => text.trim() !== '')) return;
    const depth = this.#lists.length;
    const last = this.#lines.at(-1);
    if (depth > 0 && this.#marker === null && last?.depth === depth)
      for (const span of [plainSpan(' '), ...spans]) append(last.spans, span);
    else
      this.#lines.push(
        this.#marker === null ? { depth: 0, marker: '', spans } : { depth, marker: this.#marker, spans },
      );
    this.#marker = null;
  }
}

const MARK_ORDER: readonly Mark[] = ['bold', 'italic', 'strike', 'code'];

function append(spans: Span[], span: Span): void {
  const last = spans.at(-1);
  if (last !== undefined && last.url === span.url && last.marks.join() === span.marks.join())
    spans[spans.length - 1] = { ...last, text: last.text + span.text };
  else spans.push(span);
}

function trimEnd(spans: readonly Span[]): Span[] {
  const last = spans.at(-1);
  if (last === undefined) return [];
  const text = last.text.trimEnd();
  return text === '' ? trimEnd(spans.slice(0, -1)) : [...spans.slice(0, -1), { ...last, text }];
}

/** Also what opens or closes an embedding, an override or an isolate: it could turn around the rest of a message. */
const CONTROL = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Well-formed, and on one line. */
export function clean(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\t\n\u2028\u2029]/g, ' ')
    .replaceAll(CONTROL, '');
}

let graphemes: Intl.Segmenter | undefined;
/** At the start of a word, if one starts this close to the end. */
const WORD_CHARACTERS_MAX = 20;

/** Its first characters, without an ellipsis. What people see as one character stays whole. */
export function cutText(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  let end = 0;
  // The two characters more tell whether the last one continues.
  for (const { index, segment } of graphemes.segment(text.slice(0, charactersMax + 2))) {
    if (index + segment.length > charactersMax) break;
    end = index + segment.length;
  }
  const space = text.lastIndexOf(' ', end);
  return text.slice(0, space > 0 && space > end - WORD_CHARACTERS_MAX ? space : end).trimEnd();
}

/** Short enough for a field, with an ellipsis if it is cut. */
export function cutTo(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : cutText(text, charactersMax - ELLIPSIS.length) + ELLIPSIS;
}

function webUrlOf(target: string): string | null {
  const url = URL.parse(target);
  if (url === null || !/^(?:https?|mailto):$/.test(url.protocol)) return null;
  return url.href.length > URL_CHARACTERS_MAX ? null : url.href;
}
