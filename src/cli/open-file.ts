import type { Input } from '../content/input/input.ts';
import type { SpoolQuota } from '../content/input/spool.ts';
import type { Cli } from './cli.ts';
import { formatMib, NO_PROGRESS, type Progress, startProgress } from './terminal/progress.ts';

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
  const { openInput } = await import('../content/input/input.ts');
  const input = await openInput(file, { ...cli, quota });
  const isLong = input.byteLength > LONG_WORK_BYTES;
  const startReading = (bytes: number) =>
    isLong
      ? startProgress(cli, { what: `reading ${input.name}`, whole: bytes, format: formatMib })
      : NO_PROGRESS;
  return { input, isLong, startReading };
}
