import { requirement, SETTINGS } from '../../../config.ts';
import { Refusal } from '../../../errors.ts';
import { type CopyCounts, copyRows, requireNoContent, SourceError } from '../../../store/copy/copy.ts';
import { asReader, type Reader } from '../../../store/engine/engine.ts';
import { findCursorKey } from '../../../store/engine/revisions.ts';
import { migrate, prepareToMigrate, requireCurrentSchema } from '../../../store/migrate/migrate.ts';
import { option } from '../../arguments.ts';
import { type Cli, messageFor, type Place, placeOf, primaryOf, requireDatabase } from '../../cli.ts';
import { command, UsageError } from '../../command.ts';
import { formatCounts } from '../../confirm.ts';
import type { Done } from '../../terminal/progress.ts';
import { count, escapeName } from '../../terminal/text.ts';
import { runCopy } from './backup.ts';

export const copyCommand = command({
  name: 'copy',
  about: 'copy the database to an empty one, also of another kind',
  options: [
    option(
      '--to <url>',
      'the other database, as in DATABASE_URL; PGPASSWORD may have its password',
      parseTarget,
    ).makeOptionMandatory(),
  ],
  examples: [
    'copy --to postgres://changelog@db.example:5432/changelog',
    'copy --to sqlite:/var/lib/changelog/changelog.db',
  ],
  run: async (cli, { to }: { to: string }) => {
    const [source, target] = [await primaryOf(cli), await placeOf(to)];
    requireDatabase(source);
    await using db = source.engine.openReader(source.url, {});
    await requireCurrentSchema(db, source.name);
    const rows = await copy(cli, db, target).catch((error) => {
      throw error instanceof SourceError ? error.cause : targetError(error, target);
    });
    const { teams, products, versions, changes, api_keys: keys } = rows;
    return { from: source.name, to: target.name, teams, products, versions, changes, keys };
  },
  text: ({ from, to, teams, products, versions, changes, keys }) => {
    const counts = { team: teams, product: products, version: versions, change: changes, 'API key': keys };
    return `Copied ${escapeName(from)} to ${escapeName(to)}: ${formatCounts(counts) || 'no content'}.`;
  },
});

/** The error does not print the text: it may be a password. */
function parseTarget(text: string): string {
  const [url] = SETTINGS.databaseUrls.parse(text) ?? [];
  if (url === undefined)
    throw new UsageError(`option --to must be ${requirement(SETTINGS.databaseUrls, text)}`);
  return url;
}

async function copy(cli: Cli, source: Reader, { engine, url, name }: Place): Promise<CopyCounts> {
  const identity = await findCursorKey(source);
  await using db = engine.openWriter(url, { create: true });
  await prepareToMigrate(db, { database: name });
  const copyAll = (onCopied: Done) =>
    db.transaction().execute(async (trx) => {
      await migrate(trx, { database: name });
      await requireNoContent(asReader(trx), name, identity);
      return await copyRows(source, trx, onCopied);
    });
  return await runCopy(cli, name, copyAll, (rows) => count(rows, 'row'));
}

/** The advice of an error is about DATABASE_URL, which names the other database here. */
function targetError(error: unknown, { name }: Place): unknown {
  const message = messageFor(error).replaceAll(/(?:CHANGELOG_)?DATABASE_URL/g, 'the URL of --to');
  return new Refusal(error instanceof Refusal ? message : `${name}: ${message}`, { cause: error });
}
