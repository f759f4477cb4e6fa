import type { Command } from 'commander';
import { COMMAND } from '../../../command-name.ts';
import { requirement, SETTINGS } from '../../../config.ts';
import { Refusal } from '../../../errors.ts';
import { type CopyCounts, copyRows, requireNoContent, SourceError } from '../../../store/copy/copy.ts';

import { asReader, type Engine, type Reader } from '../../../store/engine/engine.ts';
import { engineOf } from '../../../store/engine/open.ts';
import { findCursorKey } from '../../../store/engine/revisions.ts';
import {
  migrate,
  prepareToMigrate,
  requireCurrentSchema,
  schemaState,
} from '../../../store/migrate/migrate.ts';
import { withExamples, withJson } from '../../arguments.ts';
import { type Cli, configOf, messageFor, printResult, requireDatabase } from '../../cli.ts';
import { formatCounts } from '../../confirm.ts';
import { escapeName } from '../../terminal/plain.ts';
import { runCopy } from './copying.ts';

type CopyResult = Readonly<
  { from: string; to: string } & Record<'teams' | 'products' | 'versions' | 'changes' | 'keys', number>
>;
type Place = Readonly<{ engine: Engine; url: string; name: string }>;

export function addCopy(program: Command, cli: Cli): void {
  withExamples(
    withJson(program.command('copy')),
    'copy --to postgres://changelog@db.example:5432/changelog',
    'copy --to sqlite:/var/lib/changelog/changelog.db',
  )
    .description('copy the whole database to an empty one, which may be of another kind')
    .requiredOption('--to <url>', 'the other database, as in DATABASE_URL; PGPASSWORD may have its password')
    .action(async (options: { to: string; json?: boolean }, command: Command) => {
      const [to] = SETTINGS.databaseUrls.parse(options.to) ?? [];
      // The text is not printed: it may be a password.
      if (to === undefined)
        command.error(`error: option --to must be ${requirement(SETTINGS.databaseUrls, options.to)}`);
      const config = configOf(cli);
      const [from] = config.databaseUrls;
      const [source, target] = [await placeOf(from), await placeOf(to)];
      requireDatabase(cli, config, source.engine);
      await using db = source.engine.openReader(source.url, {});
      await requireCurrentSchema(db, source.name);
      const rows = await copy(cli, db, target).catch((error) => {
        throw error instanceof SourceError ? error.cause : targetError(error, target);
      });
      const { teams, products, versions, changes, api_keys: keys } = rows;
      const result = { from: source.name, to: target.name, teams, products, versions, changes, keys };
      printResult(cli, options, result, () => describe(result));
    });
}

async function placeOf(url: string): Promise<Place> {
  const engine = await engineOf(url);
  return { engine, url, name: engine.describe(url) };
}

async function copy(cli: Cli, source: Reader, { engine, url, name }: Place): Promise<CopyCounts> {
  const identity = await findCursorKey(source);
  if (identity === '') throw new SourceError('damaged', { cause: NO_REVISION });
  if (engine.exists(url)) {
    await using db = engine.openReader(url, {});
    if ((await schemaState(db)) === 'current') await requireNoContent(db, name, identity);
  }
  await using db = engine.openWriter(url, { create: true });
  await prepareToMigrate(db, { database: name });
  const what = `copying to ${name}`;
  return await runCopy(cli, { what, target: name, advice: '', format: formatRows }, (onCopied) =>
    db.transaction().execute(async (trx) => {
      await migrate(trx, { database: name });
      // Another process may have written since.
      await requireNoContent(asReader(trx), name, identity);
      return await copyRows(source, trx, onCopied);
    }),
  );
}

const NO_REVISION = new Refusal('the database has no revision: its schema is damaged. Restore a backup.');

/** The advice of an error is about DATABASE_URL, which names the other database here. */
function targetError(error: unknown, { name }: Place): unknown {
  const message = messageFor(error)
    .replace(/^the database failed: /, `${name}: `)
    .replaceAll(/(?:CHANGELOG_)?DATABASE_URL/g, 'the URL of --to')
    .replaceAll(`\`${COMMAND} migrate`, `\`DATABASE_URL=URL ${COMMAND} migrate`);
  return new Refusal(message, { cause: error });
}

function describe({ from, to, teams, products, versions, changes, keys }: CopyResult): string {
  const counts = { team: teams, product: products, version: versions, change: changes, 'API key': keys };
  return `Copied ${escapeName(from)} to ${escapeName(to)}: ${formatCounts(counts) || 'no content'}.`;
}

const formatRows = (count: number) => `${count.toLocaleString('en')} row${count === 1 ? '' : 's'}`;
