import { statSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import type { Engine } from '../../../store/engine/engine.ts';
import { engineOf, loadCopies } from '../../../store/engine/open.ts';
import { requireOwnTables } from '../../../store/migrate/migrate.ts';
import { parseFileName, withExamples, withJson } from '../../arguments.ts';
import { type Cli, configOf, printResult, requireDatabase } from '../../cli.ts';
import { replaceFile, resolveTarget } from '../../files/write-file.ts';
import { escapeName } from '../../terminal/plain.ts';
import { formatMib } from '../../terminal/progress.ts';
import { ownToolError, runCopy } from './copying.ts';

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
  if (engine.ownTools !== null) throw ownToolError('copies', engine.ownTools.backup(url, file));
  requireDatabase(cli, config, engine);
  await requireTables(engine, url);
  const target = resolveTarget(cli.folder, file);
  const { copyDatabase, requireReplaceable } = await loadCopies();
  const database = engine.describe(url);
  requireReplaceable(database, target, file);
  const copying = { what: `copying to ${file}`, target: file, advice: ' or choose a file on another disk' };
  const bytes = await runCopy(cli, copying, (onCopied) =>
    replaceFile(target, async (temporary) => {
      await copyDatabase(database, temporary, onCopied);
      return statSync(temporary).size;
    }),
  );
  return { database, bytes };
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
