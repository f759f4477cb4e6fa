// `.env`: settings for the variables that the environment leaves unset.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { Refusal } from './errors.ts';

type DotEnv = Readonly<{
  values: Readonly<Record<string, string>>;
  hasByteOrderMark: boolean;
  /** Lines that look like settings, or are nothing at all. */
  oddLines: readonly OddLine[];
}>;

/** The name is the first word of the line. */
export type OddLine = Readonly<{
  line: number;
  name: string;
  /** A line without `=`, with or without a colon, sets nothing; a `#` within the value cuts it. */
  kind: 'colon' | 'no equals sign' | 'cut';
}>;

const READABLE_BY_OTHERS = 0o044;
const BYTE_ORDER_MARK = '\uFEFF';
const ASSIGNMENT = /^\s*(?:export\s+)?(?<name>[\w.-]+)\s*=[ \t]*(?<value>.*)$/s;
const EMPTY_OR_COMMENT = /^\s*(?:#|$)/;

/** Null if there is no such file. */
export function readDotEnv(file: string): DotEnv | null {
  if (!existsSync(file)) return null;
  const text = readText(file);
  if (text.includes('\0')) throw new Refusal(`cannot read ${file}: it is not UTF-8 text; save it as UTF-8.`);
  return parseDotEnv(text);
}

export function isReadableByOthers(file: string): boolean {
  return (statSync(file).mode & READABLE_BY_OTHERS) !== 0;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = REASONS[code ?? ''] ?? `${message}.`;
    throw new Refusal(`cannot read ${file}: ${reason}`, { cause: error });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not read it; change its owner or its mode.',
  EISDIR: 'it is a directory; remove it, or put a file in its place.',
};

/** Lines that set nothing are left out: Node.js would take each for a part of the next line's name. */
export function parseDotEnv(text: string): DotEnv {
  const hasByteOrderMark = text.startsWith(BYTE_ORDER_MARK);
  const lines = (hasByteOrderMark ? text.slice(1) : text).split('\n');
  const kept: string[] = [];
  const oddLines: OddLine[] = [];
  for (let index = 0; index < lines.length; index++) {
    const text = lines[index] as string;
    if (EMPTY_OR_COMMENT.test(text)) continue;
    const { name, value } = ASSIGNMENT.exec(text)?.groups ?? {};
    if (name === undefined || value === undefined) {
      oddLines.push(describeOdd(text, index + 1));
      continue;
    }
    const end = lastLineOf(value, lines, index);
    const whole = quotePassword(value);
    kept.push(`${name}=${whole}`, ...lines.slice(index + 1, end + 1));
    if (/^[^"'`\s#][^\s#]*#/.test(whole)) oddLines.push({ line: index + 1, name, kind: 'cut' });
    index = end;
  }
  return { values: parseEnv(kept.join('\n')) as Record<string, string>, hasByteOrderMark, oddLines };
}

/**
 * A # before the @ of a server's URL belongs to the password and does not begin a comment. Cut there, the URL could name
 * a part of the password as its host; whole, it is rejected.
 */
function quotePassword(value: string): string {
  if (!/^(?:postgres(?:ql)?|rediss?):\/\/[^#]*(?<!\s)#\S*@/.test(value)) return value;
  const quote = ["'", '"', '`'].find((each) => !value.includes(each)) ?? '';
  return `${quote}${value.trimEnd()}${quote}`;
}

function describeOdd(text: string, line: number): OddLine {
  const [, name = '', colon] = /^\s*(?:export\s+)?([\w.-]*)\s*(:?)/.exec(text) ?? [];
  return { line, name, kind: colon ? 'colon' : 'no equals sign' };
}

/** A quoted value ends where its quote does, which may be some lines below. */
function lastLineOf(value: string, lines: readonly string[], first: number): number {
  const [quote] = /^["'`]/.exec(value) ?? [];
  if (quote === undefined || value.includes(quote, 1)) return first;
  const last = lines.findIndex((line, index) => index > first && line.includes(quote));
  return last === -1 ? first : last;
}
