// Resolves link references: `[text][name]` becomes a link with a URL, because each text is stored without the
// definitions (`[name]: URL`) of the file.
import { isUnreleasedLabel } from '../../domain/content/changelog-markdown.ts';
import { comparisonOf } from '../comparisons.ts';
import type { VersionHeading } from './versions/parse.ts';

const DEFINITION =
  /^ ?\[((?:\\.|[^\\[\]])+)\]:\s*(?:<([^<>]*)>|([^\s<]\S*))(?:\s+("[^"]*"|'[^']*'|\([^()]*\)))?\s*$/;
const NAME_CHARACTERS_MAX = 999;

export type Definition = Readonly<{ name: string; url: string; title: string }>;

/** Footnotes, whose names begin with ^, are not definitions. */
export function parseDefinition(line: string): Definition | null {
  const [, name = '', angled, plain, title = ''] = DEFINITION.exec(line) ?? [];
  if (name === '' || name.startsWith('^') || name.length > NAME_CHARACTERS_MAX) return null;
  return { name, url: angled ?? plain ?? '', title: title.slice(1, -1) };
}

export class References {
  readonly #byName = new Map<string, Definition & { isUsed: boolean }>();

  /** Of two definitions with the same name, the first counts. */
  add(definition: Definition): void {
    const key = keyOf(definition.name);
    if (!this.#byName.has(key)) this.#byName.set(key, { ...definition, isUsed: false });
  }

  /** Also marks it as used. */
  find(name: string): Definition | undefined {
    if (this.#byName.size === 0 || name.length > NAME_CHARACTERS_MAX) return undefined;
    const found = this.#byName.get(keyOf(name));
    if (found !== undefined) found.isUsed = true;
    return found;
  }

  /** The definitions that no link uses. The link of the unreleased version changes with each release. */
  formatUnused(): string {
    return [...this.#byName.values()]
      .filter(({ name, isUsed }) => !isUsed && !isUnreleasedLabel(name))
      .map(({ name, url, title }) => `[${name}]: ${formatUrl(url)}${title === '' ? '' : ` "${title}"`}`)
      .join('\n');
  }

  /** Where `[text][name]` and `[name][]` are, except in code. */
  findUses(text: string): ReferenceUse[] {
    const uses: ReferenceUse[] = [];
    if (!text.includes('][')) return uses;
    const own = namesDefinedIn(text);
    let start = 0;
    for (const { part, isCode } of splitFences(text)) {
      const from = start;
      const onUse = ({ at, isDefined, ...use }: ReferenceUse) => {
        uses.push({ ...use, isDefined: isDefined || own.has(keyOf(use.name)), at: from + at });
      };
      if (!isCode) resolveInline(part, (name) => this.find(name), onUse);
      start += part.length;
    }
    return uses;
  }

  /** Replaces names with URLs, except in code. */
  resolve(text: string): string {
    if (this.#byName.size === 0 || !text.includes('[')) return text;
    const own = namesDefinedIn(text);
    const find = (name: string) => (own.has(keyOf(name)) ? undefined : this.find(name));
    return splitFences(text)
      .map(({ part, isCode }) => (isCode ? part : resolveInline(part, find)))
      .join('');
  }
}

/** The link of a version: a comparison with the version before, or else a text for its description. */
export function linkOf(
  { link, label }: VersionHeading,
  references: References,
): Readonly<{ compare: string | null; text: string | null }> {
  const url = link !== null && 'url' in link ? link.url : references.find(link?.reference ?? label)?.url;
  const compare = url ? comparisonOf(url) : null;
  if (!url || compare !== null) return { compare, text: null };
  const text = link !== null && 'text' in link ? link.text : 'Release page';
  return { compare, text: `[${text}](${formatUrl(url)})` };
}

function keyOf(name: string): string {
  return name.trim().replaceAll(/\s+/g, ' ').toLowerCase().toUpperCase();
}

function namesDefinedIn(text: string): Set<string> {
  const names = new Set<string>();
  if (!text.includes(']:')) return names;
  for (const line of text.split('\n')) {
    const definition = parseDefinition(line.trim());
    if (definition) names.add(keyOf(definition.name));
  }
  return names;
}

/** Splits off fenced code; the parts keep their line breaks. */
function splitFences(text: string): { part: string; isCode: boolean }[] {
  if (!text.includes('```') && !text.includes('~~~')) return [{ part: text, isCode: false }];
  const parts: { part: string; isCode: boolean }[] = [];
  let fence: string | null = null;
  for (const line of text.split(/(?<=\n)/)) {
    const mark: string | undefined = /^\s*(?:[-*+]\s+)*(`{3,}|~{3,})/.exec(line)?.[1];
    const isCode: boolean = fence !== null || mark !== undefined;
    const last = parts.at(-1);
    if (last?.isCode === isCode) last.part += line;
    else parts.push({ part: line, isCode });
    if (fence === null) fence = mark ?? null;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
  }
  return parts;
}

type Find = (name: string) => Definition | undefined;
export type ReferenceUse = Readonly<{
  /** Null if it contains brackets. */
  text: string | null;
  name: string;
  /** As in `[name][]`. */
  isCollapsed: boolean;
  isDefined: boolean;
  /** The position of the second pair of brackets. */
  at: number;
}>;
type OnUse = (use: ReferenceUse) => void;

/** One pass, with a stack of open brackets. */
function resolveInline(text: string, find: Find, onUse: OnUse = () => {}): string {
  const out: string[] = [];
  const open: { at: number; hasInner: boolean }[] = [];
  const codeEnds = text.includes('`') ? endsOfCode(text) : new Map<number, number>();
  /** The text up to this position is written. */
  let written = 0;
  let at = nextSyntax(text, 0);
  while (at < text.length) {
    const character = text[at] as string;
    let next = at + 1;
    if (character === '\\') next = at + 2;
    else if (character === '`') next = codeEnds.get(at) ?? next;
    else if (character === '<') next = endOfAutolink(text, at);
    else if (character === '[') {
      const around = open.at(-1);
      if (around) around.hasInner = true;
      open.push({ at, hasInner: false });
    } else {
      const bracket = open.pop();
      if (bracket !== undefined) {
        const inner = bracket.hasInner ? null : text.slice(bracket.at + 1, at);
        const { link, skipped } = linkAfter(text, next, inner, find, onUse);
        if (text[next] === '(') next = endOfTarget(text, next);
        else if (link !== '') {
          out.push(text.slice(written, next), link);
          next += skipped;
          written = next;
        }
      }
    }
    at = nextSyntax(text, next);
  }
  out.push(text.slice(written));
  return out.join('');
}

const SYNTAX = /[\\`[\]<]/g;

function nextSyntax(text: string, from: number): number {
  SYNTAX.lastIndex = from;
  return SYNTAX.exec(text)?.index ?? text.length;
}

const URL_CHARACTERS_MAX = 2_000;

/** `<https://…>` contains no other syntax. */
function endOfAutolink(text: string, at: number): number {
  const address = /^<[a-z][a-z0-9+.-]*:[^\s<>]*>/i.exec(text.slice(at, at + URL_CHARACTERS_MAX))?.[0];
  return at + (address?.length ?? 1);
}

/** Nor does `(https://…)` after a text in brackets. */
function endOfTarget(text: string, at: number): number {
  const target = /^\((?:[^()\s]|\([^()\s]*\))*/.exec(text.slice(at, at + URL_CHARACTERS_MAX))?.[0];
  return at + (target?.length ?? 1);
}

/** For the position of each run of backticks: the end of the code that it opens, or else of the run. */
function endsOfCode(text: string): Map<number, number> {
  const ends = new Map<number, number>();
  const lastOfLength = new Map<number, number>();
  for (const { index, 0: run } of text.matchAll(/`+/g)) {
    const end = index + run.length;
    ends.set(index, end);
    const before = lastOfLength.get(run.length);
    if (before !== undefined) ends.set(before, end);
    lastOfLength.set(run.length, index);
  }
  return ends;
}

/** After a closing bracket: `(…)` of an inline link, `[name]`, `[]`, or nothing. */
function linkAfter(
  text: string,
  at: number,
  inner: string | null,
  find: Find,
  onUse: OnUse,
): { link: string; skipped: number } {
  const none = { link: '', skipped: 0 };
  if (text[at] === '(' || (text[at] === ':' && inner !== null && isLineStart(text, at - inner.length - 2)))
    return none;
  if (text[at] === '[') {
    const [name] = text.slice(at + 1, at + NAME_CHARACTERS_MAX + 2).split(']', 1) as [string];
    if (text[at + 1 + name.length] !== ']') return none;
    const wanted = name === '' ? (inner ?? '') : name;
    const definition = find(wanted);
    const isDefined = definition !== undefined;
    if (wanted.trim() !== '') onUse({ text: inner, name: wanted, isCollapsed: name === '', isDefined, at });
    return definition ? { link: formatTarget(definition), skipped: name.length + 2 } : none;
  }
  const definition = inner === null ? undefined : find(inner);
  return definition ? { link: formatTarget(definition), skipped: 0 } : none;
}

/** A definition may be indented by up to three spaces. */
function isLineStart(text: string, at: number): boolean {
  return /(?:^|\n) {0,3}$/.test(text.slice(Math.max(0, at - 4), at));
}

function formatTarget({ url, title }: Definition): string {
  const address = formatUrl(url);
  return title === '' ? `(${address})` : `(${address} "${title.replaceAll('"', '&quot;')}")`;
}

function formatUrl(url: string): string {
  return /^[^\s()<>]+$/.test(url) ? url : `<${url}>`;
}
