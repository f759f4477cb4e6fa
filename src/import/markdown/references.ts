// Link references: `[text][name]` in one place, `[name]: address` in another. Texts that are read apart from each other
// need the address itself.
import { isUnreleasedLabel } from '../../domain/content/changelog-markdown.ts';
import { Refusal } from '../../errors.ts';
import type { VersionHeading } from './headings.ts';

const DEFINITION =
  /^ ?\[((?:\\.|[^\\[\]])+)\]:\s*(?:<([^<>]*)>|([^\s<]\S*))(?:\s+("[^"]*"|'[^']*'|\([^()]*\)))?\s*$/;
const NAME_CHARACTERS_MAX = 999;
const CHARACTERS_MAX = 64 * 1024 * 1024;
/** More than a description may have. */
const UNUSED_CHARACTERS_MAX = 2_000_000;

export type Definition = Readonly<{ name: string; url: string; title: string }>;

/** What a line defines, if it stands alone; the names of footnotes begin with ^ and are none. */
export function parseDefinition(line: string): Definition | null {
  const [, name = '', angled, plain, title = ''] = DEFINITION.exec(line) ?? [];
  if (name === '' || name.startsWith('^') || name.length > NAME_CHARACTERS_MAX) return null;
  return { name, url: angled ?? plain ?? '', title: title.slice(1, -1) };
}

export class References {
  readonly #file: string;
  /** Each in one text, of a line for each of its parts: there may be a million. */
  readonly #byName = new Map<string, { text: string; isUsed: boolean }>();
  #characters = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** Of two with one name, the first counts. */
  add(definition: Definition, line: number): void {
    const { name, url, title } = definition;
    this.#characters += name.length + url.length + title.length;
    if (this.#characters > CHARACTERS_MAX)
      throw new Refusal(
        `${this.#file}:${line}: there are too many link references; write some of them inline.`,
      );
    const key = keyOf(name);
    if (this.#byName.has(key)) return;
    // Copies: a part of a text would keep all of it in memory.
    this.#byName.set(copy(key), { text: copy(`${name}\n${url}\n${title}`), isUsed: false });
  }

  /** Marks it as used, too. */
  find(name: string): Definition | undefined {
    if (this.#byName.size === 0 || name.length > NAME_CHARACTERS_MAX) return undefined;
    const found = this.#byName.get(keyOf(name));
    if (found === undefined) return undefined;
    found.isUsed = true;
    return unpack(found.text);
  }

  /** The lines of those that nothing refers to; not all of them where no description could hold them. */
  formatUnused(): string {
    const lines: string[] = [];
    let characters = 0;
    for (const line of this.#unused()) {
      lines.push(line);
      characters += line.length;
      if (characters > UNUSED_CHARACTERS_MAX) break;
    }
    return lines.join('\n');
  }

  *#unused(): Generator<string> {
    // Where nothing is unreleased, this compares with the last version, another each time.
    for (const { text, isUsed } of this.#byName.values()) {
      if (isUsed) continue;
      const { name, url, title } = unpack(text);
      if (!isUnreleasedLabel(name)) yield `[${name}]: ${formatUrl(url)}${title === '' ? '' : ` "${title}"`}`;
    }
  }

  /** The text with addresses in place of names, except in code. */
  resolve(text: string): string {
    if (this.#byName.size === 0 || !text.includes('[')) return text;
    const own = namesDefinedIn(text);
    const find = (name: string) => (own.has(keyOf(name)) ? undefined : this.find(name));
    return splitFences(text)
      .map(({ part, isCode }) => (isCode ? part : resolveInline(part, find)))
      .join('');
  }
}

/** Where the label of a version leads, which is mostly a comparison with the version before. */
export function linkOf({ link, label }: VersionHeading, references: References): string | null {
  const url = link !== null && 'url' in link ? link.url : references.find(link?.reference ?? label)?.url;
  if (!url) return null;
  return `[${/\/compare\/|\.\.\./.test(url) ? 'Full changelog' : 'Release page'}](${formatUrl(url)})`;
}

function unpack(text: string): Definition {
  const [name = '', url = '', title = ''] = text.split('\n');
  return { name, url, title };
}

function copy(text: string): string {
  return text === '' ? '' : Buffer.from(text).toString();
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

/** Fenced code and the rest, each with its line ends. */
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

/** Goes over the text once. Brackets that are open wait on a stack for those that close them. */
function resolveInline(text: string, find: Find): string {
  const out: string[] = [];
  const open: { at: number; hasInner: boolean }[] = [];
  const codeEnds = text.includes('`') ? endsOfCode(text) : new Map<number, number>();
  /** Up to here everything is written. */
  let written = 0;
  let at = nextSign(text, 0);
  while (at < text.length) {
    const sign = text[at] as string;
    let next = at + 1;
    if (sign === '\\') next = at + 2;
    else if (sign === '`') next = codeEnds.get(at) ?? next;
    else if (sign === '<') next = endOfAddress(text, at);
    else if (sign === '[') {
      const around = open.at(-1);
      if (around) around.hasInner = true;
      open.push({ at, hasInner: false });
    } else {
      const bracket = open.pop();
      if (bracket !== undefined) {
        const inner = bracket.hasInner ? null : text.slice(bracket.at + 1, at);
        const { link, skipped } = linkAfter(text, next, inner, find);
        if (text[next] === '(') next = endOfTarget(text, next);
        else if (link !== '') {
          out.push(text.slice(written, next), link);
          next += skipped;
          written = next;
        }
      }
    }
    at = nextSign(text, next);
  }
  out.push(text.slice(written));
  return out.join('');
}

const SIGNS = /[\\`[\]<]/g;

function nextSign(text: string, from: number): number {
  SIGNS.lastIndex = from;
  return SIGNS.exec(text)?.index ?? text.length;
}

const ADDRESS_CHARACTERS_MAX = 2_000;

/** `<https://…>` is one thing, whatever is in it. */
function endOfAddress(text: string, at: number): number {
  const address = /^<[a-z][a-z0-9+.-]*:[^\s<>]*>/i.exec(text.slice(at, at + ADDRESS_CHARACTERS_MAX))?.[0];
  return at + (address?.length ?? 1);
}

/** So is `(https://…)` behind a text in brackets. */
function endOfTarget(text: string, at: number): number {
  const target = /^\((?:[^()\s]|\([^()\s]*\))*/.exec(text.slice(at, at + ADDRESS_CHARACTERS_MAX))?.[0];
  return at + (target?.length ?? 1);
}

/** For each run of backticks, by where it begins: where the code ends that it begins, or else the run itself. */
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

/** What follows a bracket that just closed: `(…)` of a link that is there already, `[name]`, `[]`, or nothing. */
function linkAfter(
  text: string,
  at: number,
  inner: string | null,
  find: Find,
): { link: string; skipped: number } {
  const none = { link: '', skipped: 0 };
  if (text[at] === '(' || (text[at] === ':' && inner !== null && isLineStart(text, at - inner.length - 2)))
    return none;
  if (text[at] === '[') {
    const [name] = text.slice(at + 1, at + NAME_CHARACTERS_MAX + 2).split(']', 1) as [string];
    if (text[at + 1 + name.length] !== ']') return none;
    const definition = find(name === '' ? (inner ?? '') : name);
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
