// What `backup`, `restore` and `copy` share: progress, signals, a full disk, and databases that have their own tools.
import { isNoSpace, Refusal } from '../../../errors.ts';
import type { Cli } from '../../cli.ts';
import { withStopSignals } from '../../stop-signals.ts';
import { formatMib, type Progress, startProgress } from '../../terminal/progress.ts';
import { shellWord } from '../../terminal/shell-word.ts';

type Copying = Readonly<{
  /** `copying to copy.db` */
  what: string;
  /** What is written, as the user calls it. */
  target: string;
  /** What to do on a full disk. */
  advice: string;
  /** Of bytes, unless this counts something else. */
  format?: (amount: number) => string;
}>;
type OnCopied = (amount: number, whole: number) => void;

/** Runs a copy that a signal stops between two steps. `copy` leaves the target as it was if it fails. */
export async function runCopy<T>(
  cli: Cli,
  { what, target, advice, format = formatMib }: Copying,
  copy: (onCopied: OnCopied) => Promise<T>,
): Promise<T> {
  const asItWas = `${target} was left as it was`;
  let progress: Progress | undefined;
  try {
    return await withStopSignals(['SIGINT', 'SIGTERM', 'SIGHUP'], (signal) =>
      copy((amount, whole) => {
        // Between two steps, so that nothing stays behind.
        if (signal.aborted) throw new Refusal(`stopped by ${signal.reason}; ${asItWas}.`);
        progress ??= startProgress(cli, { what, whole, format });
        progress.done(amount);
      }),
    );
  } catch (error) {
    const reason = whyUnwritten(error);
    if (reason === null) throw error;
    throw new Refusal(`the copy cannot be written: ${reason}; ${asItWas}. Free some space${advice}.`, {
      cause: error,
    });
  } finally {
    progress?.end();
  }
}

function whyUnwritten(error: unknown): string | null {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === 'SQLITE_FULL' || isNoSpace(error)) return 'the disk is full';
  if (error instanceof Refusal || !code.startsWith('SQLITE_IOERR')) return null;
  return `${message}: the disk is full or failing, or a limit on the size of files is reached`;
}

/** `verb` says what the command does with a database of its own. */
export function ownToolError(verb: string, command: readonly string[]): Refusal {
  const line = command.map(shellWord).join(' ');
  return new Refusal(
    `this command ${verb} only SQLite databases; for PostgreSQL run \`${line}\`, which asks for the password or takes it from PGPASSWORD.`,
  );
}
