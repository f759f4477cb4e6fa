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

/** Opens a file, or standard input for `-`, which `piped` reads. */
export async function openFile(
  cli: Cli,
  file: string,
  { quota, piped }: { quota: SpoolQuota; piped: string },
): Promise<OpenFile> {
  requireNoUrl(file, piped);
  const { openInput } = await import('../../content/input/input.ts');
  const input = await openInput(file, { ...cli, quota });
  const isLong = input.byteLength > LONG_WORK_BYTES;
  const startReading = (bytes: number) =>
    isLong
      ? startProgress(cli, { what: `reading ${input.name}`, whole: bytes, format: formatMib })
      : NO_PROGRESS;
  return { input, isLong, startReading };
}

function requireNoUrl(file: string, piped: string): void {
  if (!/^https?:\/\//i.test(file)) return;
  const download = `curl -fsSL ${shellWord(rawUrl(file))}`;
  throw new Refusal(`only files are read, not URLs; use \`${download} | ${COMMAND} ${piped}\``);
}

/** The page of a file on GitHub or GitLab is HTML; the file itself is elsewhere. */
function rawUrl(url: string): string {
  return url.replace(/^(https?:\/\/git(?:hub|lab)\.com\/.+?)\/blob\//i, '$1/raw/');
}
