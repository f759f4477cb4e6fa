import { statSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { isNoSpace, Refusal } from '../../../errors.ts';
import type { Engine } from '../../../store/engine/engine.ts';
import { engineOf } from '../../../store/engine/open.ts';
import { requireOwnTables } from '../../../store/migrate/migrate.ts';
import { parseFileName, withExamples, withJson } from '../../arguments.ts';
import { type Cli, configOf, printResult, requireDatabase } from '../../cli.ts';
import { replaceFile, resolveTarget } from '../../files/replaced-file.ts';
import { withStopSignals } from '../../stop-signals.ts';
import { escapeName } from '../../terminal/plain.ts';
import { formatMib, type Progress, startProgress } from '../../terminal/progress.ts';
import { shellWord } from '../../terminal/shell-word.ts';

export function addBackup(program: Command, cli: Cli): void {
  withExamples(withJson(program.command('backup')), 'backup /backup/changelog.db')
    .description('copy the SQLite database to a file, also while it is served')
    .argument('<file>', 'the copy; an older copy is replaced', parseTarget)
    .action(async (file: string, options) => {
      const { database, bytes } = await backUp(cli, file);
      printResult(
        cli,
        options,
        { database, file, bytes },
        () => `Copied ${escapeName(database)} to ${escapeName(file)} (${formatMib(bytes)}).`,
      );
    });
}

async function backUp(cli: Cli, file: string): Promise<{ database: string; bytes: number }> {
  const config = configOf(cli);
  const [url] = config.databaseUrls;
  const engine = await engineOf(url);
  const backup = engine.backup(url);
  if ('commandFor' in backup) throw ownToolError(backup.commandFor(file));
  requireDatabase(cli, config, engine);
  await requireTables(engine, url);
  const target = resolveTarget(cli.folder, file);
  backup.requireReplaceable(target, file);
  let progress: Progress | undefined;
  const copy = async (temporary: string, signal: AbortSignal) => {
    await backup.copyTo(temporary, (bytes, whole) => {
      // Between two steps, so that the temporary file is removed.
      if (signal.aborted) throw new Refusal(`stopped by ${signal.reason}; ${asItWas(file)}.`);
      progress ??= startProgress(cli, { what: `copying to ${file}`, whole, format: formatMib });
      progress.done(bytes);
    });
    return statSync(temporary).size;
  };
  try {
    const bytes = await withStopSignals(['SIGINT', 'SIGTERM', 'SIGHUP'], (signal) =>
      replaceFile(target, (temporary) => copy(temporary, signal)),
    );
    return { database: engine.describe(url), bytes };
  } catch (error) {
    throw copyError(error, file);
  } finally {
    progress?.end();
  }
}

/** An older schema can be copied, but an empty database must not replace an earlier backup. */
async function requireTables(engine: Engine, url: string): Promise<void> {
  await using db = engine.openReader(url, {});
  await requireOwnTables(db, engine.describe(url));
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
