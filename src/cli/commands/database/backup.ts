import { statSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { loadCopies } from '../../../store/engine/open.ts';
import { requireOwnTables } from '../../../store/migrate/migrate.ts';
import { argument, parseFileName } from '../../arguments.ts';
import { type Place, primaryOf, requireDatabase } from '../../cli.ts';
import { command } from '../../command.ts';
import { replaceFile, resolveTarget } from '../../files/write-file.ts';
import { escapeName } from '../../terminal/plain.ts';
import { formatMib } from '../../terminal/progress.ts';
import { ownToolError, runCopy } from './copying.ts';

export const backupCommand = command({
  name: 'backup',
  about: 'copy the SQLite database to a file, also while it is served',
  arguments: [argument('<file>', 'the copy; an older copy is replaced', parseTarget)],
  examples: ['backup /backup/changelog.db'],
  run: async (cli, _, file: string) => {
    const place = await primaryOf(cli);
    const { engine, url, name: database } = place;
    if (engine.ownTools !== null) throw ownToolError('copies', engine.ownTools.backup(url, file));
    requireDatabase(cli, place);
    await requireTables(place);
    const target = resolveTarget(cli.folder, file);
    const { copyDatabase, requireReplaceable } = await loadCopies();
    requireReplaceable(database, target, file);
    const copying = { what: `copying to ${file}`, target: file, advice: ' or choose a file on another disk' };
    const bytes = await runCopy(cli, copying, (onCopied) =>
      replaceFile(target, async (temporary) => {
        await copyDatabase(database, temporary, onCopied);
        return statSync(temporary).size;
      }),
    );
    return { database, file, bytes };
  },
  text: ({ database, file, bytes }) =>
    `Copied ${escapeName(database)} to ${escapeName(file)} (${formatMib(bytes)}).`,
});

/** An older schema can be copied, but an empty database must not replace an earlier backup. */
async function requireTables({ engine, url, name }: Place): Promise<void> {
  await using db = engine.openReader(url, {});
  await requireOwnTables(db, name);
}

function parseTarget(text: string): string {
  if (text === '-') throw new InvalidArgumentError('A copy cannot go to standard output; name a file.');
  if (text.includes('://')) throw new InvalidArgumentError('A copy is a file; name one on this machine.');
  return parseFileName(text);
}
