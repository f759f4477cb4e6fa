import { COMMAND } from '../../command-name.ts';
import type { Input } from '../../content/input/input.ts';
import type { SpoolQuota } from '../../content/input/spool.ts';
import { Refusal } from '../../errors.ts';
import type { Cli } from '../cli.ts';
import { formatMib, NO_PROGRESS, type Progress, startProgress } from '../terminal/progress.ts';
import { shellWord } from '../terminal/shell-word.ts';

/** From this size on, the work takes long enough to show its progress. */
const LONG_WORK_BYTES = 1024 * 1024;

type OpenFile = Readonly<{
  input: Input;
  isLong: boolean;
  /** Shows progress while that many bytes are read. */
  startReading: (bytes: number) => Progress;
}>;

/** Opens a file, or standard input for `-`. */
export async function openFile(cli: Cli, file: string, quota: SpoolQuota): Promise<OpenFile> {
  const { openInput } = await import('../../content/input/input.ts');
  const input = await openInput(file, { ...cli, quota });
  const isLong = input.byteLength > LONG_WORK_BYTES;
  const startReading = (bytes: number) =>
    isLong
      ? startProgress(cli, { what: `reading ${input.name}`, whole: bytes, format: formatMib })
      : NO_PROGRESS;
  return { input, isLong, startReading };
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
