import { closeSync, openSync, readSync, realpathSync, type Stats, statSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { isNoSpace, Refusal } from '../../errors.ts';
import { engineOf } from '../../store/engine/open.ts';
import { parseFileName, withExamples, withJson } from '../arguments.ts';
import { type Cli, configOf, printResult, requireDatabase } from '../cli.ts';
import { replaceFile, resolveTarget } from '../replaced-file.ts';
import { escapeName } from '../terminal/plain.ts';
import { formatMib, type Progress, startProgress } from '../terminal/progress.ts';
import { shellWord } from '../terminal/shell-word.ts';

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const SQLITE_HEADER = Buffer.from('SQLite format 3\0');
/** Files that SQLite finds by name next to a database. It would apply the first two to a copy in its place. */
const SIDECAR_SUFFIXES = ['-wal', '-journal', '-shm'] as const;

export function addBackup(program: Command, cli: Cli): void {
  withExamples(withJson(program.command('backup')), 'backup /backup/changelog.db')
    .description('copy the SQLite database to a file, also while it is served')
    .argument('<file>', 'the copy; an older copy is replaced', parseTarget)
    .action(async (file: string, options) => {
      const config = configOf(cli);
      const [url] = config.databaseUrls;
      const engine = await engineOf(url);
      const backup = engine.backup(url);
      if ('commandFor' in backup) throw ownToolError(backup.commandFor(file));
      requireDatabase(cli, config, engine);
      const database = engine.describe(url);
      const target = resolveTarget(cli.folder, file);
      requireReplaceable(file, target, database);
      const copy = async (temporary: string, requireRunning: () => void) => {
        let progress: Progress | undefined;
        await backup
          .copyTo(temporary, (bytes, whole) => {
            requireRunning();
            progress ??= startProgress(cli, { what: `copying to ${file}`, whole, format: formatMib });
            progress.done(bytes);
          })
          .finally(() => progress?.end());
        return statSync(temporary).size;
      };
      const bytes = await withStopSignals(file, (requireRunning) =>
        replaceFile(target, (temporary) => copy(temporary, requireRunning)),
      ).catch((error: unknown) => {
        throw copyError(error, file);
      });
      printResult(
        cli,
        options,
        { database, file, bytes },
        () => `Copied ${escapeName(database)} to ${escapeName(file)} (${formatMib(bytes)}).`,
      );
    });
}

function parseTarget(text: string): string {
  if (text === '-') throw new InvalidArgumentError('A copy cannot go to standard output; name a file.');
  if (text.includes('://')) throw new InvalidArgumentError('A copy is a file; name one on this machine.');
  return parseFileName(text);
}

function ownToolError(command: readonly string[]): Refusal {
  const line = command.map(shellWord).join(' ');
  return new Refusal(
    `this command copies only SQLite databases; for PostgreSQL run \`${line}\`, which asks for the password or takes it from PGPASSWORD.`,
  );
}

/** A signal stops the copy between two steps, so that its temporary file is removed. */
async function withStopSignals<T>(
  file: string,
  work: (requireRunning: () => void) => Promise<T>,
): Promise<T> {
  let stoppedBy: NodeJS.Signals | null = null;
  const stop = (signal: NodeJS.Signals) => {
    stoppedBy = signal;
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  try {
    return await work(() => {
      if (stoppedBy !== null) throw new Refusal(`stopped by ${stoppedBy}; ${asItWas(file)}.`);
    });
  } finally {
    for (const signal of STOP_SIGNALS) process.off(signal, stop);
  }
}

/** Throws unless the file is missing, empty or an older copy that nothing uses. */
function requireReplaceable(name: string, target: string, database: string): void {
  const found = look(target);
  if (isOneOf(databaseFiles(database), target, found))
    throw new Refusal(`${name} is the database itself, or belongs to it; choose another file.`);
  if (found?.isDirectory())
    throw new Refusal(`${name} is a directory; name a file in it, such as ${name}/changelog.db.`);
  if (found !== null && !(found.isFile() && (found.size === 0 || isDatabase(target))))
    throw new Refusal(`${name} exists and is not a copy of a database; choose another file.`);
  for (const suffix of ['-wal', '-journal'])
    if ((look(target + suffix)?.size ?? 0) > 0)
      throw new Refusal(
        `${name} is in use as a database, or was not closed: ${name}${suffix} is not empty; choose another file.`,
      );
}

function databaseFiles(database: string): string[] {
  const real = realpathSync(database);
  return [real, ...SIDECAR_SUFFIXES.map((suffix) => real + suffix)];
}

/** By name, or by another name of the same file. */
function isOneOf(files: readonly string[], target: string, found: Stats | null): boolean {
  return files.some((file) => {
    const other = found === null ? null : look(file);
    return file === target || (other !== null && other.dev === found?.dev && other.ino === found.ino);
  });
}

/** Null if there is no such file, or none that this user may look at. */
function look(file: string): Stats | null {
  try {
    return statSync(file);
  } catch {
    return null;
  }
}

/** False also for a file that this user may not read. */
function isDatabase(file: string): boolean {
  const head = Buffer.alloc(SQLITE_HEADER.length);
  try {
    const handle = openSync(file, 'r');
    readSync(handle, head);
    closeSync(handle);
  } catch {
    return false;
  }
  return head.equals(SQLITE_HEADER);
}

function copyError(error: unknown, file: string): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (error instanceof Refusal || !(isNoSpace(error) || /^SQLITE_(FULL|IOERR)/.test(code))) return error;
  const reason =
    code === 'SQLITE_FULL' || isNoSpace(error)
      ? 'the disk is full'
      : `${message}: the disk is full or failing, or a limit on the size of files is reached`;
  return new Refusal(
    `the copy cannot be written: ${reason}; ${asItWas(file)}. Free some space or choose a file on another disk.`,
    { cause: error },
  );
}

const asItWas = (file: string) => `${file} was left as it was`;
