import { COMMAND } from '../../command-name.ts';
import type { Input } from '../../content/input.ts';
import { Refusal } from '../../errors.ts';
import type { Cli } from '../cli.ts';
import { shellWord } from '../terminal/shell-word.ts';

/** From this size on, the work takes long enough to show its progress. */
const LONG_WORK_BYTES = 1024 * 1024;

/** Reads a file, or standard input for `-`. The advice is for one that is too large. */
export async function openFile(
  cli: Cli,
  file: string,
  advice: string,
): Promise<Readonly<{ input: Input; isLong: boolean }>> {
  const { readInput } = await import('../../content/input.ts');
  const input = await readInput(file, { ...cli, advice });
  return { input, isLong: input.bytes.length > LONG_WORK_BYTES };
}

/** The suggested command keeps all typed options: without `--dry-run`, it would write. */
export function requireNoUrl(file: string, typed: readonly string[]): void {
  if (!isUrl(file)) return;
  const download = `curl -fsSL ${shellWord(rawUrl(file))}`;
  const piped = typed.map((word) =>
    shellWord(word.endsWith(file) ? `${word.slice(0, -file.length)}-` : word),
  );
  throw new Refusal(`only files are read, not URLs; use \`${download} | ${COMMAND} ${piped.join(' ')}\``);
}

export function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** The page of a file on GitHub or GitLab is HTML; the file itself is elsewhere. */
function rawUrl(url: string): string {
  return url.replace(/^(https?:\/\/git(?:hub|lab)\.com\/.+?)\/blob\//i, '$1/raw/');
}
