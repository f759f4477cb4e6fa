// `.env`: settings for variables that the environment leaves unset.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { Refusal } from './errors.ts';

type Values = Readonly<Record<string, string>>;

const READABLE_BY_OTHERS = 0o044;
const BYTE_ORDER_MARK = '\uFEFF';
const ASSIGNMENT = /^\s*(?:export\s+)?(?<name>[\w.-]+)\s*=[ \t]*(?<value>.*)$/s;

/** Null if there is no such file. */
export function readDotEnv(file: string): Values | null {
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

/** Drops lines that set nothing: Node.js would read each as part of the next line's name. */
export function parseDotEnv(text: string): Values {
  const lines = (text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text).split('\n');
  const kept: string[] = [];
  for (let index = 0; index < lines.length; index++) {
    const { name, value } = ASSIGNMENT.exec(lines[index] as string)?.groups ?? {};
    if (name === undefined || value === undefined) continue;
    const end = lastLineOf(value, lines, index);
    kept.push(`${name}=${quotePassword(value)}`, ...lines.slice(index + 1, end + 1));
    index = end;
  }
  return parseEnv(kept.join('\n')) as Values;
}

/**
 * Keeps a # before the @ in a server's URL: it is part of the password, not a comment. If the URL were cut there, part
 * of the password could be taken for the host. The whole URL is rejected.
 */
function quotePassword(value: string): string {
  if (!/^(?:postgres(?:ql)?|rediss?):\/\/[^#]*(?<!\s)#\S*@/.test(value)) return value;
  const quote = ["'", '"', '`'].find((each) => !value.includes(each)) ?? '';
  return `${quote}${value.trimEnd()}${quote}`;
}

/** A quoted value may have several lines. */
function lastLineOf(value: string, lines: readonly string[], first: number): number {
  const [quote] = /^["'`]/.exec(value) ?? [];
  if (quote === undefined || value.includes(quote, 1)) return first;
  const last = lines.findIndex((line, index) => index > first && line.includes(quote));
  return last === -1 ? first : last;
}
